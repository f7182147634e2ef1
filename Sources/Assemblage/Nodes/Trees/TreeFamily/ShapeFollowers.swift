import OffsetIndexing

/// A node that shows a whole tree and keeps track of its branches by their handles.
///
/// It hears of an edit by the branch, and not by a path: that takes no time for the levels above.
protocol ShapeFollower: AnyObject {
  /// The hub of the node, which is a dependent of the tree's root.
  var followingHub: NodeHub { get }

  /// Notes an edit, to be translated in its turn.
  func follow(_ edit: ShapeEdit)

  /// Says that the handles are going to be others: from now on the node hears of changes by path, as any other.
  func stopFollowing()
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

  /// Tells all of an edit.
  ///
  /// - Parameters:
  ///   - edit: what was done.
  ///   - hub: the hub of the tree's root.
  /// - Returns: whether anything else hears of changes, or they are not to be told now by handles.
  func tell(_ edit: ShapeEdit, of hub: NodeHub) -> Bool {
    let graph = hub.graph
    for reference in references {
      let node = reference.node
      let dependent = node.followingHub
      node.follow(edit)
      dependent.state.value.hasHeard = true
      graph.schedule(dependent)
    }
    return !hub.state.value.observers.isEmpty || hub.state.value.dependents.count > references.count
  }
}
