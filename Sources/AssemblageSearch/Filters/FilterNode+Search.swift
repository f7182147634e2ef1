public import Assemblage

extension FilterNode {
  /// Filters by a query, with the results of an index of the source.
  ///
  /// The filter shows the same as after `setPredicate` with `query.matches(text)`, and observers receive the same
  /// change. But no closure is called for the elements that are there: the index searches its column. The query is
  /// asked about elements that arrive later or are updated. Where the former filtering was a search in the same index,
  /// a narrower query is searched for only in the shown elements, and a wider one only in the hidden ones:
  /// `TextQuery.isNarrower(than:)`.
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada", "Adele", "Bob"])
  /// let found = FilterNode(names) { _ in true }
  /// let index = TextIndex(of: names)
  /// found.setSearch(.prefix("ad"), in: index)
  /// found.elements                                   // ["Ada", "Adele"]
  /// names.append("Adam")
  /// found.setSearch(.prefix("ada"), in: index)       // "Ada", "Adele" and "Adam" are looked at
  /// found.elements                                   // ["Ada", "Adam"]
  /// ```
  ///
  /// A child without a value passes, as it does under every predicate. Of a source that is a tree, its children are
  /// filtered. Where the text of an element changes without its node's knowledge, neither the index nor the filter
  /// notices: announce an update, with `ArrayNode.update(at:)` for example.
  ///
  /// - Parameters:
  ///   - query: says which values are visible from now on; it is folded as the index folds.
  ///   - index: an index of this filter's source.
  /// - Precondition: the index is of the very node that is the filter's source; anything else traps.
  /// - Complexity: O(b + n / 64) for b bytes of text and n children of the source, b being that of the visible ones
  ///   where the query is narrower and they are few; O(r · log n) more for r branches among the children.
  public func setSearch(_ query: TextQuery, in index: TextIndex<Element>) {
    setSearch(TextSearch(query, in: index))
  }
}
