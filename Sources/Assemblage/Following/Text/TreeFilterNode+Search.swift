import OffsetIndexing

extension TreeFilterNode {
  /// Filters by a query at every depth, with what an index of the source finds.
  ///
  /// It shows what `setPredicate` would with `query.matches(text)`, and observers hear the same, but no closure is
  /// called for elements that are there. Elements that come later, or are updated, are asked by the query. Where the
  /// former filtering was a search in the same index, only what may turn is searched: see
  /// `FilterNode.setSearch(_:in:)`. It may be called on the filtered node of any child, and concerns the whole tree.
  ///
  /// ```swift
  /// let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
  /// let home = BranchNode(value: "home", [.leaf("Apple.txt"), .node(notes), .leaf("todo.txt")])
  /// let found = TreeFilterNode(home) { _ in true }
  /// found.setSearch(.substring("apple"), in: TextIndex(of: home))
  /// found.elements                    // ["Apple.txt", "notes"]: notes for what is in it
  /// found.matchCount                  // 2
  /// ```
  ///
  /// - Parameters:
  ///   - query: says which values pass from now on; it is folded as the index folds.
  ///   - index: an index of the source of the whole filtered tree.
  /// - Precondition: the index is of the very node that is the source of the root; anything else traps.
  /// - Complexity: O(b + n / 64 + r) for b bytes of text and n elements with r branches; O(r · log n) more under
  ///   `.hidingSubtrees`, where nodes that have not been looked at are looked at as far as they pass and are counted.
  public func setSearch(_ query: TextQuery, in index: TextIndex<Element>) {
    let root = root
    require(
      index.node === root.source,
      "TreeFilterNode: the search is set in an index of another node than the source of the filtered tree.")
    let query = query.folded(by: index.folding)
    let hint = TextSearch.hint(for: query, in: index, after: family.state.value.search)
    index.catchUp()
    root.show(by: TextSearch.predicate(query, index.text), search: TextSearch(query, in: index)) { [family] in
      family.sweep(hint, query, index)
    }
  }
}

extension TreeFilterFamily {
  /// A walk over all that is known of the tree, with the verdicts of a search.
  fileprivate func sweep(_ hint: FilterHint, _ query: TextQuery, _ index: TextIndex<Element>) -> TreeFilterSweep {
    let shape = translation.value.shape
    let valueless = policy.valueless
    if translation.value.isEager {
      // All of the tree is known, to both.
      require(
        shape.count == index.state.value.shape.count,
        "TreeFilterNode: the index has \(index.state.value.shape.count) of \(shape.count) elements.")
      let passing = hint.verdicts(former: translation.value.passingByNumber) {
        index.search(query, among: $0, valueless: valueless)
      }
      return TreeFilterSweep(shape, passing: passing)
    }
    return TreeFilterSweep(
      translation.value, passing: index.search(query, valueless: valueless), in: index.state.value.shape)
  }
}
