public import OffsetIndexing

// Publishing of edits, and the transfer of a node from one tree to another.
extension ForestNode {
  /// Records the inverse of an edit if a rollback or an undo may need it, and carries the edit to dependents.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - path: the path of a child of the edit's branch, from this node, if it is known; [] otherwise.
  ///   - leaving: the children with children of their own that the edit removes: see `leavingBranches(in:of:)`.
  ///   - inverse: yields the closure that reverts the edit.
  @inlinable
  func publish(
    _ edit: ShapeEdit, at path: IndexPath = [], leaving: [(position: Int, branch: TreeIndex.Branch)] = [],
    inverse: @autoclosure () -> (() -> Void)
  ) {
    let hub = root.hub
    // The two halves of `NodeHub.publish`. The end of a move is recorded as such an end before the edit is carried.
    let isRecording = hub.isRecording
    if isRecording {
      guard state.value.arena.isReversible else {
        return carryForGood(from: hub) {
          if hub.isObserved || hub.isFollowed { carry(edit, at: [], leaving, from: hub) }
        }
      }
      hub.record(inverse())
    }
    if hub.isObserved || hub.isFollowed { carry(edit, at: path, leaving, from: hub) }
    if isRecording { hub.finishRecording() }
  }

  /// Publishes an update of the value of this root.
  ///
  /// - Parameter inverse: yields the closure that reverts the update.
  func publishValue(inverse: @autoclosure () -> (() -> Void)) {
    let isRecording = hub.isRecording
    if isRecording {
      guard arena.isReversible else { return carryForGood(from: hub, carryValue) }
      hub.record(inverse())
    }
    carryValue()
    if isRecording { hub.finishRecording() }
  }

  /// Carries an update of the value of this root now, or keeps it with the changes of the root's branch, because the
  /// root may become a branch of another forest.
  private func carryValue() {
    guard hub.graph.keepsChanges else { return hub.carry(ChangeSet(updatesValue: true)) }
    guard hub.isObserved || hub.isFollowed else { return }
    arena.pending.append(ChangeSet(updatesValue: true), to: branch)
    hub.graph.note(hub).tree = self
  }

  /// Carries an edit that cannot be reverted.
  @usableFromInline
  func carryForGood(from hub: NodeHub, _ carry: () -> Void) {
    let former = hub.graph.beginLasting(hub)
    carry()
    hub.graph.endLasting(former)
    hub.finishRecording()
  }

  /// Carries an edit now, or keeps it until the graph is settled.
  @usableFromInline
  func carry(
    _ edit: ShapeEdit, at path: IndexPath, _ leaving: [(position: Int, branch: TreeIndex.Branch)], from hub: NodeHub
  ) {
    let graph = hub.graph
    guard graph.keepsChanges else { return hub.carry(hub.isObserved ? report(edit, at: path) : ChangeSet()) }
    var change = ChangeSet(edit.delta)
    let parent = ParentKey(root, edit.branch)
    for (position, branch) in leaving {
      graph.noteDeparture(of: ParentKey(root, branch), from: parent, at: position, in: &change)
    }
    if let name = graph.takeMark() { change.mark(name) }
    graph.note(hub).tree = root
    if let position = edit.updatedChild, let child = shape.branch(at: position, of: edit.branch) {
      // A branch keeps the updates of its own value, because the branch may leave its parent.
      arena.pending.append(edit, ChangeSet(updatesValue: true), to: child)
    } else {
      arena.pending.append(edit, change, to: edit.branch)
    }
  }

  /// Returns the branches among a range of children, if the graph has to know which of them leave.
  @usableFromInline
  func leavingBranches(
    in range: Range<Int>, of branch: TreeIndex.Branch
  ) -> [(position: Int, branch: TreeIndex.Branch)] {
    let graph = root.hub.graph
    return graph.keepsChanges && graph.hasMoves ? shape.branches(in: range, of: branch) : []
  }

  /// Reports an edit to the nodes of the branches above it, from the nearest one to the root, and to the followers.
  ///
  /// - Returns: the change of the root. It is silent if all dependents have received the edit in another way.
  @usableFromInline
  func report(_ edit: ShapeEdit, at path: IndexPath) -> ChangeSet {
    let root = root
    let hasParts = root.hub.hasAwakeParts
    if !root.state.value.followers.isEmpty, !root.state.value.followers.notify(edit, of: root.hub), !hasParts {
      return ChangeSet()
    }
    var change = ChangeSet(edit.delta)
    let storage = state.value.storage
    if hasParts, let position = edit.updatedChild,
      let child = storage.value.shape.branch(at: position, of: edit.branch)
    {
      tellPart(child, ChangeSet(updatesValue: true))
    }
    var branch = edit.branch
    // A position that is not in the path is looked up.
    var depth = path.count - 1
    while branch != root.branch, let parent = storage.value.shape.parent(of: branch) {
      if hasParts { tellPart(branch, change) }
      depth -= 1
      change.wrap(at: depth >= 0 ? path[depth] : storage.value.shape.position(of: branch))
      branch = parent
    }
    return change
  }

  func announceUpdate(ofElementAt position: Int) {
    publish(ShapeEdit(branch, .updated(position..<position + 1)), inverse: {})
  }

  private func tellPart(_ branch: TreeIndex.Branch, _ change: ChangeSet) {
    if let part = arena.member(branch), part.hub.isObserved { part.hub.receiveFromWhole(change) }
  }
}

// MARK: - From tree to tree

extension ForestNode {
  /// Whether this is the root of a tree, and not a branch of one.
  var isRoot: Bool { state.value.root == nil }

  /// Makes this the root of a tree that was cut out.
  func becomeRoot(of tree: ForestTree) {
    let former = state.value.root
    state.value.tree = tree
    state.value.root = nil
    arena.addRoot(self)
    hub.leaveWhole()
    adoptParts()
    notePending()
    withExtendedLifetime(former) {}
  }

  /// Adopts the nodes of branches below this root, which were parts of another root.
  func adoptParts() {
    for part in arena.members(below: branch) { part.join(self) }
  }

  /// Makes this node a part of a root. Before, it is a root or a part of another root.
  func join(_ root: ForestNode) {
    let former = state.value.root
    if former == nil { arena.forgetRoot(self) }
    state.value.arena = root.arena
    state.value.storage = root.arena.storage
    state.value.tree = root.state.value.tree
    state.value.root = root
    hub.joinWhole(root.hub)
    if let pending = hub.state.value.pending, pending.tree != nil {
      pending.tree = nil
      hub.graph.note(root.hub).tree = root
    }
    withExtendedLifetime(former) {}
  }
}
