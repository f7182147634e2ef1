import OffsetIndexing

extension TreeFilterNode {
  /// Filters by a search at every depth.
  ///
  /// - Parameter search: finds the elements that pass from now on.
  /// - Precondition: the search is in the very node that is the source of the root; anything else traps.
  package func setSearch(_ search: some ElementSearch<Element>) {
    let root = root
    require(
      search.node === root.source,
      "TreeFilterNode: the search is set in an index of another node than the source of the filtered tree.")
    root.hub.prepareForChange()
    let hint = search.hint(after: family.state.value.search)
    root.show(by: search.predicate, search: search.identity) { [family] in family.sweep(hint, search) }
  }
}

extension TreeFilterFamily {
  /// Walks over all known elements of the tree, with the verdicts of a search.
  fileprivate func sweep(_ hint: FilterHint, _ search: some ElementSearch<Element>) -> TreeFilterSweep {
    let shape = translation.value.shape
    let valueless = policy.valueless
    if translation.value.isEager {
      // The filter and the index both know the whole tree.
      require(
        shape.count == search.shape.count,
        "TreeFilterNode: the index has \(search.shape.count) of \(shape.count) elements.")
      let passing = hint.verdicts(former: translation.value.passingByNumber) {
        search.matches(among: $0, valueless: valueless)
      }
      return TreeFilterSweep(shape, passing: passing)
    }
    return TreeFilterSweep(
      translation.value, passing: search.matches(among: nil, valueless: valueless), in: search.shape)
  }
}
