import OffsetIndexing

/// A node that shows a whole tree and refers to the tree's branches by their handles.
///
/// The node receives an edit by the handle of the branch, and not by a path. So the edit takes no time for the levels
/// above the branch.
protocol ShapeFollower: AnyObject {
  /// The hub of the node, which is a dependent of the tree's root.
  var followingHub: NodeHub { get }

  /// Notes an edit, which is translated when the settlement reaches this node.
  func follow(_ edit: ShapeEdit)

  /// Reports, in a transaction, that branches may have other handles now.
  ///
  /// A branch that had left the tree has returned from another tree.
  ///
  /// Such a branch may lie where it was before, so that the tree reports no change. The node asks for the handles again
  /// after it has been brought up to date.
  func renewHandles()

  /// Reports that all handles are about to change: from now on the node receives changes by path, like any other
  /// dependent.
  func stopFollowing()
}

extension ShapeFollower {
  func renewHandles() {}
}

extension [any ShapeFollower] {
  /// Reports to all of the nodes that all handles are about to change.
  ///
  /// A branch that has left the tree before, and returns, gets its node when the nodes are brought up to date.
  func stopFollowing() {
    for node in self {
      node.stopFollowing()
      node.renewHandles()
    }
  }
}

/// The nodes that follow a tree.
struct ShapeFollowers {
  /// A node, which removes itself before it is released.
  private struct Reference {
    unowned let node: any ShapeFollower
    /// Identifies the node while it is being released: then the reference cannot be read.
    let identity: ObjectIdentifier
  }

  private var references: [Reference] = []

  var isEmpty: Bool { references.isEmpty }

  mutating func add(_ follower: any ShapeFollower) {
    references.append(Reference(node: follower, identity: ObjectIdentifier(follower)))
  }

  mutating func remove(_ identity: ObjectIdentifier) { references.removeAll { $0.identity == identity } }

  /// Removes all nodes, and returns them: the caller calls `stopFollowing` for them.
  mutating func removeAll() -> [any ShapeFollower] {
    defer { references = [] }
    return references.map(\.node)
  }

  /// Reports to all nodes that branches may have other handles.
  func renewHandles() {
    for reference in references { reference.node.renewHandles() }
  }

  /// Reports an edit to all nodes.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - hub: the hub of the tree's root.
  /// - Returns: whether there are observers, or dependents that do not follow the tree by handles.
  func notify(_ edit: ShapeEdit, of hub: NodeHub) -> Bool {
    let graph = hub.graph
    for reference in references {
      let node = reference.node
      let dependent = node.followingHub
      node.follow(edit)
      dependent.state.value.hasReceived = true
      graph.schedule(dependent)
    }
    return !hub.state.value.observers.isEmpty || hub.state.value.dependents.views.count > references.count
  }
}
