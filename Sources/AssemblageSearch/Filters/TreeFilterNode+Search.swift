public import Assemblage

extension TreeFilterNode {
  /// Filters by a query at every depth, with the results of an index of the source.
  ///
  /// The filter shows the same elements as after `setPredicate` with `query.matches(text)`, and observers receive the
  /// same change. But no closure is called for the present elements. Elements that arrive later or are updated are
  /// compared with the query. If the former filtering was a search in the same index, only elements whose answer may
  /// change are searched. See `FilterNode.setSearch(_:in:)`. The function may be called on the filtered node of any
  /// child, and changes the whole tree.
  ///
  /// ```swift
  /// let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
  /// let home = BranchNode(value: "home", [.leaf("Apple.txt"), .node(notes), .leaf("todo.txt")])
  /// let found = TreeFilterNode(home) { _ in true }
  /// found.setSearch(.substring("apple"), in: TextIndex(of: home))
  /// found.elements                    // ["Apple.txt", "notes"]: notes has a match
  /// found.matchCount                  // 2
  /// ```
  ///
  /// - Parameters:
  ///   - query: decides which values pass from now on. It is folded as the index folds its texts.
  ///   - index: an index of the source of the whole filtered tree.
  /// - Precondition: the index's node is the very node that is the source of the root; anything else traps.
  /// - Complexity: O(b + n / 64 + r) for b bytes of text and n elements with r branches. O(r · log n) more under
  ///   `.hidingSubtrees`: nodes that have not been read before are read and counted, if they pass.
  public func setSearch(_ query: TextQuery, in index: TextIndex<Element>) {
    index.catchUp()
    setSearch(TextSearch(query, in: index))
  }
}
