import OffsetIndexing

extension FilterNode {
  /// Filters by a query, with what an index of the source finds.
  ///
  /// It shows what `setPredicate` would with `query.matches(text)`, and observers hear the same, but no closure is
  /// called for elements that are there: the index searches its column. Elements that come later, or are updated, are
  /// asked by the query. Where the former filtering was a search in the same index, a query that is narrower is
  /// searched for only in what is shown, and one that is wider only in what is not: `TextQuery.isNarrower(than:)`.
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
  /// hears of it: announce an update, with `ArrayNode.update(at:)` and its like.
  ///
  /// - Parameters:
  ///   - query: says which values are visible from now on; it is folded as the index folds.
  ///   - index: an index of this filter's source.
  /// - Precondition: the index is of the very node that is the filter's source; anything else traps.
  /// - Complexity: O(b + n / 64) for b bytes of text and n children of the source, b being that of the visible ones
  ///   where the query is narrower and they are few; O(r · log n) more for r branches among the children.
  public func setSearch(_ query: TextQuery, in index: TextIndex<Element>) {
    require(
      index.node === source, "FilterNode: the search is set in an index of another node than the filter's source.")
    let query = query.folded(by: index.folding)
    let hint = TextSearch.hint(for: query, in: index, after: state.value.search)
    hub.prepareForChange()
    let range = 0..<state.value.translation.passes.count
    index.catchUp()
    let isFlat = index.state.value.shape.count == range.count
    let verdicts = hint.verdicts(former: state.value.translation.passes.bits(in: range)) { mask in
      if isFlat { return index.search(query, among: mask, valueless: true) }
      var all = index.search(index.search(query, valueless: true), childrenOf: TreeIndex.root)
      if let mask { all.formIntersection(mask) }
      return all
    }
    require(verdicts.count == range.count, "FilterNode: the index has \(verdicts.count) of \(range.count) children.")
    // Observers hear at once, and may search again.
    show(
      verdicts, on: range, by: TextSearch.predicate(query, index.text), search: TextSearch(query, in: index))
  }
}

/// The search that a filter shows the results of.
final class TextSearch {
  private let query: TextQuery
  /// Compared only: the filter's predicate does not need the index.
  private weak var index: AnyObject?

  init<Element>(_ query: TextQuery, in index: TextIndex<Element>) {
    self.query = query
    self.index = index
  }

  /// How a query relates to the search that a filter shows the results of.
  static func hint<Element>(
    for query: TextQuery, in index: TextIndex<Element>, after former: AnyObject?
  ) -> FilterHint {
    guard let former = former as? TextSearch, former.index === index else { return .different }
    if query.isNarrower(than: former.query) { return .stricter }
    return former.query.isNarrower(than: query) ? .looser : .different
  }

  /// What elements are asked that come later.
  static func predicate<Element>(
    _ query: TextQuery, _ text: @escaping (Element) -> String
  ) -> (Element) -> Bool {
    { query.matches(text($0)) }
  }
}
