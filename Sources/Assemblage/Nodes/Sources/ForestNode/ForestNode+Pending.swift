import OffsetIndexing

// The changes that are pending until the graph is settled.
extension ForestNode: PendingTree, PendingTreeNode {
  var pendingHub: NodeHub { hub }

  var pendingBranches: PendingBranches { arena.pending }

  var rootBranch: TreeIndex.Branch { branch }

  var parentKey: ParentKey { ParentKey(self, branch) }

  func contains(pending branch: TreeIndex.Branch) -> Bool {
    shape.contains(branch) && state.value.storage.value.top(of: branch) == state.value.tree.top
  }

  func pendingParent(of branch: TreeIndex.Branch) -> (branch: TreeIndex.Branch, position: Int)? {
    guard branch != self.branch, let parent = shape.parent(of: branch) else { return nil }
    return (parent, shape.position(of: branch))
  }

  func observedPart(of branch: TreeIndex.Branch) -> NodeHub? {
    guard branch != self.branch, let hub = arena.member(branch)?.hub, hub.isObserved else { return nil }
    return hub
  }

  func report(_ edit: ShapeEdit) -> ChangeSet { report(edit, at: []) }

  /// Lets this root report the changes of its branches, which belonged to another tree, or may belong to one again.
  func notePending() { if hub.graph.keepsChanges { hub.graph.note(hub).tree = self } }

  /// Moves the pending change of a branch to the new handle of the same branch.
  func renamePending(_ former: TreeIndex.Branch, of other: ForestArena<Element>, to branch: TreeIndex.Branch) {
    hub.graph.noteHandles()
    if !other.pending.isEmpty { other.pending.move(former, to: branch, of: arena.pending) }
    hub.graph.rename(
      .branch(ObjectIdentifier(other.pending), former), to: .branch(ObjectIdentifier(arena.pending), branch))
  }

  /// Adds the pending change of a branch that becomes a leaf to the pending change of its parent.
  ///
  /// The graph still knows the former position of the branch, for the children that have left the branch.
  func foldPending(_ child: TreeIndex.Branch, at position: Int, of branch: TreeIndex.Branch) -> ChangeSet {
    hub.graph.noteHandles()
    var composer = arena.pending.takeComposer(of: child) ?? ChangeSetComposer()
    let pending = composer.composed()
    var change = pending
    hub.graph.noteEnd(of: ParentKey(self, child), change.crossings, in: ParentKey(self, branch)) {
      guard let composer = arena.pending.composers[branch] else { return position }
      return composer.position(before: position)
    }
    change.crossings = []
    if !change.isEmpty { arena.pending.append(change.wrapped(at: position), to: branch) }
    return pending
  }
}

extension HierarchyNode: PendingTreeNode {
  var parentKey: ParentKey { forest.parentKey }
}
