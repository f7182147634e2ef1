import OffsetIndexing

/// A node that shows a whole tree and keeps track of its branches by their handles.
///
/// It receives an edit by the branch, and not by a path: that takes no time for the levels above.
protocol ShapeFollower: AnyObject {
  /// The hub of the node, which is a dependent of the tree's root.
  var followingHub: NodeHub { get }

  /// Notes an edit, to be translated in its turn.
  func follow(_ edit: ShapeEdit)

  /// Reports that branches may have other handles, in a transaction: one that had left the tree has come back from another one.
  ///
  /// Such a branch may be where it was before, so that the tree reports no change. The node asks for handles again when it has
  /// been brought up to date.
  func renewHandles()

  /// Reports that all handles are going to be others: from now on the node receives changes by path, as any other.
  func stopFollowing()
}

extension ShapeFollower {
  func renewHandles() {}
}

/// The nodes that follow a tree.
struct ShapeFollowers {
  /// A node; it removes itself before it dies.
  private struct Reference {
    unowned let node: any ShapeFollower
    /// Tells the node from others when it dies: by then the reference can't be read.
    let identity: ObjectIdentifier
  }

  private var references: [Reference] = []

  var isEmpty: Bool { references.isEmpty }

  mutating func add(_ follower: any ShapeFollower) {
    references.append(Reference(node: follower, identity: ObjectIdentifier(follower)))
  }

  mutating func remove(_ identity: ObjectIdentifier) { references.removeAll { $0.identity == identity } }

  /// Ends that for all, and returns them.
  mutating func removeAll() -> [any ShapeFollower] {
    defer { references = [] }
    return references.map(\.node)
  }

  /// Reports to all that branches may have other handles.
  func renewHandles() {
    for reference in references { reference.node.renewHandles() }
  }

  /// Reports an edit to all.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - hub: the hub of the tree's root.
  /// - Returns: whether there are observers, or dependents that do not follow the tree by handles.
  func tell(_ edit: ShapeEdit, of hub: NodeHub) -> Bool {
    let graph = hub.graph
    for reference in references {
      let node = reference.node
      let dependent = node.followingHub
      node.follow(edit)
      dependent.state.value.hasHeard = true
      graph.schedule(dependent)
    }
    return !hub.state.value.observers.isEmpty || hub.state.value.dependents.views.count > references.count
  }
}
