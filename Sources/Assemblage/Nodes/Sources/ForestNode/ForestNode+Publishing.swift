public import Foundation
import OffsetIndexing

// How edits are told, and how a node gets from one tree to another.
extension ForestNode {
  /// Says how an edit is taken back, where that may be wanted, and tells of it, where there is a listener.
  ///
  /// - Parameters:
  ///   - edit: what was done.
  ///   - path: the path of a child of the edit's branch, from this node, where it is known; [] otherwise.
  ///   - inverse: yields what takes it back.
  @inlinable
  func publish(_ edit: ShapeEdit, at path: IndexPath = [], inverse: @autoclosure () -> (() -> Void)) {
    let hub = root.hub
    // The two halves of `NodeHub.publish`: an end of a move is recorded as one before it is told.
    if hub.isRecording {
      guard state.value.arena.isReversible else { return tellForGood(edit, from: hub) }
      hub.record(inverse())
    }
    if hub.isObserved { hub.carry(tell(edit, at: path)) }
  }

  /// Tells of an edit that cannot be taken back.
  @usableFromInline
  func tellForGood(_ edit: ShapeEdit, from hub: NodeHub) {
    hub.graph.settleForGood(from: hub, hub.isObserved ? tell(edit) : ChangeSet())
  }

  /// Tells the branches above an edit of it, from the nearest to the root.
  ///
  /// - Returns: what the root tells; nothing where those who hear it have been told already.
  @usableFromInline
  func tell(_ edit: ShapeEdit, at path: IndexPath = []) -> ChangeSet {
    let root = root
    let hasParts = root.hub.hasAwakeParts
    let graph = root.hub.graph
    // Ends of moves are told by path: what is left to be found is the other end.
    if !root.state.value.followers.isEmpty, graph.mark == nil, !root.state.value.followers.tell(edit, of: root.hub),
      !hasParts
    {
      return ChangeSet()
    }
    var change = ChangeSet(edit.delta)
    if graph.mark != nil {
      // Where a part is followed, that hears nothing of moves between others.
      let parent = hasParts && graph.isFollowingMoves ? node(of: edit.branch) : nil
      graph.mark(&change, of: (parent ?? root).hub, isWhole: parent == nil) { parent?.child(at: $0) }
    }
    let storage = state.value.storage
    if hasParts, let position = edit.updatedChild,
      let child = storage.value.shape.branch(at: position, of: edit.branch)
    {
      tellPart(child, ChangeSet(updatesValue: true))
    }
    var branch = edit.branch
    // What the path does not tell has to be looked up.
    var depth = path.count - 1
    while branch != root.branch, let parent = storage.value.shape.parent(of: branch) {
      if hasParts { tellPart(branch, change) }
      depth -= 1
      change.wrap(at: depth >= 0 ? path[depth] : storage.value.shape.position(of: branch))
      branch = parent
    }
    return change
  }

  /// What the root is to tell of a child whose value refers to something that has changed; followers hear it by path.
  func elementUpdate(at position: Int) -> (hub: NodeHub, change: ChangeSet)? {
    var change = ChangeSet(.update(position..<position + 1))
    let hasParts = root.hub.hasAwakeParts
    if hasParts, let child = shape.branch(at: position, of: branch) { tellPart(child, ChangeSet(updatesValue: true)) }
    var branch = branch
    while branch != root.branch, let parent = shape.parent(of: branch) {
      if hasParts { tellPart(branch, change) }
      change.wrap(at: shape.position(of: branch))
      branch = parent
    }
    return (root.hub, change)
  }

  private func tellPart(_ branch: TreeIndex.Branch, _ change: ChangeSet) {
    if let part = arena.member(branch), part.hub.isObserved { part.hub.receiveFromWhole(change) }
  }

  /// Tells of a root's own value.
  func publishValue(inverse: @autoclosure () -> (() -> Void)) {
    hub.publish(ChangeSet(updatesValue: true), inverse: inverse())
  }
}

// MARK: - From tree to tree

extension ForestNode {
  /// Whether this is a tree of its own, and not a branch of one.
  var isRoot: Bool { state.value.root == nil }

  /// Makes this the root of a tree that was cut out.
  func becomeRoot(of tree: ForestTree) {
    let former = state.value.root
    state.value.tree = tree
    state.value.root = nil
    hub.leaveWhole()
    adoptParts()
    withExtendedLifetime(former) {}
  }

  /// Takes in the nodes of branches below this root, which were parts of another one.
  func adoptParts() {
    for part in arena.members(below: branch) { part.join(self) }
  }

  /// Makes this node, which is a root or a part of another one, a part of a root.
  func join(_ root: ForestNode) {
    let former = state.value.root
    state.value.arena = root.arena
    state.value.storage = root.arena.storage
    state.value.tree = root.state.value.tree
    state.value.root = root
    hub.joinWhole(root.hub)
    withExtendedLifetime(former) {}
  }
}
