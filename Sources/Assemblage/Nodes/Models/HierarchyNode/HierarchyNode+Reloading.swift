import OffsetIndexing

extension HierarchyNode {
  /// How much of a hierarchy is loaded again.
  ///
  /// ```swift
  /// var files = ["home": ["notes"], "notes": ["a.md"]]
  /// let tree = HierarchyNode("home", id: { $0 }, children: { files[$0] ?? [] })
  /// tree.child(at: 0)?.elements    // ["a.md"]: both levels have been loaded
  /// files["notes"] = ["a.md", "b.md"]
  /// tree.reload(.children)         // loads the children of "home", which are the same
  /// tree.child(at: 0)?.elements    // ["a.md"]
  /// tree.reload(.loaded)           // loads the children of "notes" too
  /// tree.child(at: 0)?.elements    // ["a.md", "b.md"]
  /// ```
  public enum ReloadScope: Sendable {
    /// The children of one node.
    case children

    /// The children of the node and of every node below it, as far as they have been loaded.
    case loaded
  }

  /// Loads the children of this node, or of the node at a path, again, and reports the difference.
  ///
  /// Children are identified by id. A child that is still there keeps all that has been loaded below it. A child that
  /// changed is reported as updated. A child that becomes a leaf, or is no longer a leaf, is also reported as updated.
  /// Observers receive the children that such a child loses or gets, too. Children that have not been loaded yet are
  /// not loaded now. Observers receive all changes at once.
  ///
  /// Other nodes call such a method `refresh`. This method has another name because it fetches: the children may be on
  /// a disk.
  ///
  /// A value keeps the data that was loaded with it. So where children are a property of their parent's value, reload
  /// the parent of the changed value, or give the root another value with `reload(value:)`.
  ///
  /// An object that has changed in place is compared with itself. So `areEqual` has to return false for an object that
  /// may have got or lost children. The first children of an object are reported if all of its siblings were leaves, and
  /// are otherwise only there to be read.
  ///
  /// The tree only shows data of others, so neither a rollback nor an `UndoLog` reverts a reload.
  ///
  /// Where children are fetched, the loads begin, and the method returns at once. Each answer is reported when the
  /// answer arrives. The present children stay until then, and where a load fails. A load that runs is cancelled and
  /// replaced, so do not reload more often than loads end. Children whose last load failed are also loaded again.
  ///
  /// - Parameters:
  ///   - path: the path of a node; where the node has not been made yet, there is nothing to reload.
  ///   - scope: whether nodes below are also loaded again.
  /// - Precondition: the path is in range.
  /// - Complexity: expected O(n) for the n children that are loaded again, and the propagation.
  public func reload(at path: IndexPath = [], _ scope: ReloadScope = .loaded) {
    let tree = tree
    var branch = branch
    for (depth, position) in path.enumerated() {
      guard supply.loads.value.isLoaded(branch) else { return }
      checkComponent(position, in: forest.shape.childCount(of: branch), at: path.prefix(depth), of: path)
      guard let next = forest.shape.branch(at: position, of: branch) else { return }
      branch = next
    }
    hub.prepareForChange()
    performUpdates { tree.reload(branch, scope) }
  }

  /// Gives the root another value, and loads its children again, with everything below that has been loaded.
  ///
  /// - Parameter value: the new value of this node.
  /// - Precondition: this node is the root of its hierarchy: the values of all other nodes are loaded with their
  ///   parents.
  /// - Complexity: expected O(n) for the n children that are loaded again, and the propagation.
  public func reload(value: Element) {
    hub.prepareForChange()
    require(
      forest.isRoot,
      "HierarchyNode: only the root can be given a value; the other values are elements of their parents.")
    performUpdates {
      tree.valueHasChanged(of: branch)
      forest.setValueForGood(value)
      reload()
    }
  }
}
