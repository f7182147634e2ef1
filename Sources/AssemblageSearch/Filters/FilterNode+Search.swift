public import Assemblage

extension FilterNode {
  /// Filters by a query, with the results of an index of the source.
  ///
  /// The filter shows the same elements as after `setPredicate` with `query.matches(text)`, and observers receive the
  /// same change. But no closure is called for the present elements, because the index searches its column. Elements
  /// that arrive later or are updated are compared with the query. If the former filtering was a search in the same
  /// index, only a part of the elements is searched: a narrower query is searched in the shown elements, and a wider
  /// query in the hidden ones. See `TextQuery.isNarrower(than:)`. After `TextIndex.readTexts(atMost:)` has read texts,
  /// a narrower query is searched in all elements.
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada", "Adele", "Bob"])
  /// let found = FilterNode(names) { _ in true }
  /// let index = TextIndex(of: names)
  /// found.setSearch(.prefix("ad"), in: index)
  /// found.elements                                   // ["Ada", "Adele"]
  /// names.append("Adam")
  /// found.setSearch(.prefix("ada"), in: index)       // "Ada", "Adele" and "Adam" are searched
  /// found.elements                                   // ["Ada", "Adam"]
  /// ```
  ///
  /// A child without a value passes, as it does under every predicate; in an index that reads later, as soon as it has
  /// been read. If the source is a tree, its children are filtered. If the text of an element changes without its
  /// node's knowledge, neither the index nor the filter notices the change. Then announce an update, with
  /// `ArrayNode.update(at:)` for example.
  ///
  /// - Parameters:
  ///   - query: decides which values are visible from now on. It is folded as the index folds its texts.
  ///   - index: an index of this filter's source.
  /// - Precondition: the index's node is the very node that is the filter's source; anything else traps.
  /// - Complexity: O(b + n / 64) for b bytes of text and n children of the source. If the query is narrower and few
  ///   elements are visible, b is the number of their bytes. O(r · log n) more for r branches among the children.
  public func setSearch(_ query: TextQuery, in index: TextIndex<Element>) {
    setSearch(TextSearch(query, in: index))
  }
}
