// A move between parents is one transaction of the graph.
extension TreeNode {
  /// Moves the child at an index path to another index path.
  ///
  /// The destination is counted after the child has been removed, at every level. So the destination is the child's
  /// path after the move. `move(_:into:at:)` counts both places before the move.
  ///
  /// Observers of a node that shows both parents are notified of a move. Within one parent, the delta contains the
  /// move; between two parents, the change contains a transfer. A child that is a node moves with all its descendants.
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
  ///   - destination: the place of the child, after the move. Counted in this way, no path lies inside the child
  ///     itself.
  /// - Precondition: both paths are not empty and in range, and both parents can be written; a child that is a node can
  ///   be moved to a parent that takes nodes.
  /// - Complexity: O(d · log n) for paths of length d, and the propagation.
  public func move(from path: IndexPath, to destination: IndexPath) {
    let source = requireWriter(for: path)
    if path.count == destination.count, path.dropLast() == destination.dropLast() {
      return source.move(from: path.lastComponent, to: destination.lastComponent)
    }
    require(!destination.isEmpty, "The path [] is the node itself, not a place that a child could move to.")
    // The destination, counted before the child leaves.
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

  /// Moves the child at an index path into another node; both places are counted before the move.
  ///
  /// A user who drags a row chooses its place in this way: the pointer is between rows that have not moved yet.
  /// Observers receive the same changes as those of `move(from:to:)`.
  ///
  /// ```swift
  /// let list = BranchNode([.leaf("x"), .node(BranchNode(leaves: ["y"]))])
  /// list.move([0], into: [1], at: 1)            // the branch, first now that "x" has left, holds "y", "x"
  /// list.move([0, 1], into: [], at: 1)          // "x" lies behind the branch
  /// ```
  ///
  /// - Parameters:
  ///   - path: the place of the child, before the move.
  ///   - parent: the place of the node that is to adopt the child, before the move; `[]` is this node.
  ///   - position: 0...the parent's count, before the move: the child is inserted before the child at this position.
  ///     Within one parent, the child's own position and the next one do not move the child. If the children are the
  ///     rows of an `OutlineNode` or of a `DescendantsNode`, neither do the positions inside the rows that move with
  ///     the child.
  /// - Precondition: both paths and the position are in range, `path` is not empty, and both parents can be written; a
  ///   child that is a node can be moved to a parent that takes nodes, but not into itself.
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
  /// Moves a child, as one transaction.
  ///
  /// The child stays with its owner if the destination belongs to the same owner. Otherwise it moves to the owner of
  /// the destination.
  public func move(from position: Int, to destination: Int) {
    let (place, goal) = (requireOwner(of: position), requireOwner(of: destination))
    let writer = place.requireWriter(for: kindName)
    if place.member == goal.member { return writer.move(from: place.position, to: goal.position) }
    relocate(position, to: self, at: destination > position ? destination + 1 : destination)
  }
}
