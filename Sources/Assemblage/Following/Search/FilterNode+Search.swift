import OffsetIndexing

extension FilterNode {
  /// Filters by a search in the source.
  ///
  /// - Parameter search: finds the children that are visible from now on.
  /// - Precondition: the search is in the very node that is the filter's source; anything else traps.
  package func setSearch(_ search: some ElementSearch<Element>) {
    require(
      search.node === source, "FilterNode: the search is set in an index of another node than the filter's source.")
    let hint = search.hint(after: state.value.search)
    hub.prepareForChange()
    let range = 0..<state.value.translation.passes.count
    let verdicts = hint.verdicts(former: state.value.translation.passes.bits(in: range)) { mask in
      let shape = search.shape
      if shape.count == range.count { return search.matches(among: mask, valueless: true) }
      var result = search.matches(among: nil, valueless: true).ofChildren(of: TreeIndex.root, in: shape)
      if let mask { result.formIntersection(mask) }
      return result
    }
    require(verdicts.count == range.count, "FilterNode: the index has \(verdicts.count) of \(range.count) children.")
    // Observers are called at once, and may search again.
    show(verdicts, by: search.predicate, search: search.identity)
  }
}
