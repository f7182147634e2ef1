import OffsetIndexing

extension HierarchyNode {
  /// How much of a hierarchy is loaded again.
  ///
  /// ```swift
  /// var files = ["home": ["notes"], "notes": ["a.md"]]
  /// let tree = HierarchyNode("home", id: { $0 }, children: { files[$0] ?? [] })
  /// tree.child(at: 0)?.elements    // ["a.md"]: both levels have been loaded
  /// files["notes"] = ["a.md", "b.md"]
  /// tree.reload(.children)         // asks for those of "home", which are the same
  /// tree.child(at: 0)?.elements    // ["a.md"]
  /// tree.reload(.loaded)           // asks for those of "notes" as well
  /// tree.child(at: 0)?.elements    // ["a.md", "b.md"]
  /// ```
  public enum ReloadScope: Sendable {
    /// The children of one node.
    case children

    /// Those of every node below as well, as far as they have been loaded.
    case loaded
  }

  /// Asks for the children of this node, or of the node at a path, again, and reports what differs.
  ///
  /// Children are told apart by id: those that are there again keep what has been loaded below them, those that changed are
  /// reported as updated. A child that has become a leaf, or is one no longer, is reported as updated, with what it lost
  /// or got. What has not been loaded yet is not asked for. Observers hear once.
  ///
  /// It is not called `refresh`, as the look again of other nodes is, because it fetches: the children may be on a disk.
  ///
  /// A value holds what was loaded with it: where children are a property of their parent's value, reload the parent of
  /// what changed, or give the root another value with `reload(value:)`.
  ///
  /// What is there is not the tree's to change, so a reload cannot be taken back, by a rollback or an `UndoLog`.
  ///
  /// Where children come from afar, the loads begin, and this returns at once: each answer is reported when it comes, and what is
  /// there stays until then, and where a load fails. A load that is under way is cancelled, and another takes its place; so
  /// reload at most as often as loads come to their end. What has failed is asked for again, too.
  ///
  /// - Parameters:
  ///   - path: the place of a node; where it has not been made yet, there is nothing to reload.
  ///   - scope: whether nodes below are loaded again as well.
  /// - Precondition: the path is in range.
  /// - Complexity: expected O(n) for the n children that are loaded again, and the propagation.
  public func reload(at path: IndexPath = [], _ scope: ReloadScope = .loaded) {
    let tree = tree
    var branch = branch
    for (depth, position) in path.enumerated() {
      guard supply.loads.value.isLoaded(branch) else { return }
      let count = forest.shape.childCount(of: branch)
      require(
        position >= 0 && position < count,
        """
        The path \(path.sentence) is out of range: there are \(count) children at \(path.prefix(depth).sentence).
        """)
      guard let next = forest.shape.branch(at: position, of: branch) else { return }
      branch = next
    }
    hub.prepareForChange()
    performUpdates { tree.reload(branch, scope) }
  }

  /// Gives the root another value, and asks for its children again, with everything below that has been loaded.
  ///
  /// - Parameter value: the new value of this node.
  /// - Precondition: this node is the root of its hierarchy: the values of all others come from their parents.
  /// - Complexity: expected O(n) for the n children that are loaded again, and the propagation.
  public func reload(value: Element) {
    hub.prepareForChange()
    require(
      forest.isRoot, "HierarchyNode: only the root can be given a value; those of others come from their parents.")
    performUpdates {
      tree.valueHasChanged(of: branch)
      forest.setValueForGood(value)
      reload()
    }
  }
}
