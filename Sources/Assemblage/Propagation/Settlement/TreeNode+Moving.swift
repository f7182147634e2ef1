// A move between parents is one transaction of the graph.
extension TreeNode {
  /// Moves the child at an index path to the place where it then has another one.
  ///
  /// The destination is counted after the child has been taken out, at every level: it is the path by which the child is
  /// found afterwards. `move(_:into:at:)` counts both places before the move.
  ///
  /// Observers of a node that shows both parents hear of a move: within one parent in its delta, between two parents as a
  /// transfer. A child that is a node moves with everything below it.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a", "b"]), ArrayNode(["c"])])
  /// sections.move(from: [0, 0], to: [1, 1])     // the sections hold "b", and "c", "a"
  ///
  /// let list = BranchNode([.leaf("x"), .node(BranchNode(leaves: ["y"]))])
  /// list.move(from: [0], to: [0, 1])            // the branch, first now that "x" has left, holds "y", "x"
  /// ```
  ///
  /// - Parameters:
  ///   - path: the place of the child, before the move.
  ///   - destination: the place where it is to stand, after the move. No such path lies inside the child itself.
  /// - Precondition: both paths are not empty and in range, and both parents can be written; a child that is a node can be
  ///   moved to a parent that takes nodes.
  /// - Complexity: O(d · log n) for paths of length d, and the propagation.
  public func move(from path: IndexPath, to destination: IndexPath) {
    let source = requireWriter(for: path)
    if path.count == destination.count, path.dropLast() == destination.dropLast() {
      return source.move(from: path.lastComponent, to: destination.lastComponent)
    }
    require(!destination.isEmpty, "The path [] is the node itself, not a place that a child could move to.")
    // The destination as it is counted before the child leaves.
    var goal = destination
    let depth = path.count - 1
    if destination.count > depth, destination.starts(with: path.dropLast()), destination[depth] >= path.lastComponent {
      goal[depth] += 1
      require(
        goal[depth] < source.count,
        """
        The path \(destination.sentence) is out of range: there are \(source.count - 1) children at \
        \(path.dropLast().sentence) besides the one that moves.
        """)
    }
    source.relocate(
      path.lastComponent, to: requireWriter(of: goal.dropLast(), for: destination), at: goal.lastComponent)
  }

  /// Moves the child at an index path into another node, both given by their places before the move.
  ///
  /// This is what a user means who drags a row: it goes where the pointer shows, between rows that have not moved yet.
  /// Observers hear what they hear of `move(from:to:)`.
  ///
  /// ```swift
  /// let list = BranchNode([.leaf("x"), .node(BranchNode(leaves: ["y"]))])
  /// list.move([0], into: [1], at: 1)            // the branch, first now that "x" has left, holds "y", "x"
  /// list.move([0, 1], into: [], at: 1)          // "x" stands behind the branch
  /// ```
  ///
  /// - Parameters:
  ///   - path: the place of the child, before the move.
  ///   - parent: the place of the node that is to take it, before the move; `[]` is this node.
  ///   - position: 0...the parent's count, before the move: the child comes to stand before the one that stands there.
  ///     Within one parent, its own position and the one behind it leave it where it is. So do those inside the rows that
  ///     it takes along, where the children are the rows of an `OutlineNode` or of a `DescendantsNode`.
  /// - Precondition: both paths and the position are in range, `path` is not empty, and both parents can be written; a child
  ///   that is a node can be moved to a parent that takes nodes, but not into itself.
  /// - Complexity: O(d · log n) for paths of length d, and the propagation.
  public func move(_ path: IndexPath, into parent: IndexPath, at position: Int) {
    let source = requireWriter(for: path)
    let origin = path.lastComponent
    require(
      !parent.starts(with: path), "The child at \(path.sentence) cannot move into itself, to \(parent.sentence).")
    let destination = requireWriter(of: parent, for: parent)
    require(
      position >= 0 && position <= destination.count,
      "The position \(position) is out of range: there are \(destination.count) children at \(parent.sentence).")
    if child(at: path.dropLast()) === child(at: parent) {
      return source.move(origin, before: position)
    }
    source.relocate(origin, to: destination, at: position)
  }
}

extension RoutingNode {
  /// Moves a child; it stays with its owner where the destination is possible there, and goes to the node that owns the
  /// place otherwise, as one transaction.
  public func move(from position: Int, to destination: Int) {
    let (place, goal) = (requireOwner(of: position), requireOwner(of: destination))
    let writer = place.requireWriter(for: kindName)
    if place.member == goal.member { return writer.move(from: place.position, to: goal.position) }
    relocate(position, to: self, at: destination > position ? destination + 1 : destination)
  }
}
