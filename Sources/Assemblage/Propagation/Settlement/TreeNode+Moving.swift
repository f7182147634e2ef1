// A move between parents is one transaction of the graph.
extension TreeNode {
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
        The path \(destination.sentence) is out of range: there \(isOrAre(source.count - 1)) at \
        \(path.dropLast().sentence) besides the one that moves.
        """)
    }
    let child = source.heldPlace(of: path.lastComponent)
    withAdopter(at: goal.dropLast(), for: destination) { $0.adopt(child, at: goal.lastComponent) }
  }

  public func move(_ path: IndexPath, into parent: IndexPath, at position: Int) {
    let source = requireWriter(for: path)
    let origin = path.lastComponent
    require(
      !parent.starts(with: path), "The child at \(path.sentence) cannot move into itself, to \(parent.sentence).")
    let isInParent = child(at: path.dropLast()) === child(at: parent)
    let moving = isInParent ? nil : source.heldPlace(of: origin)
    withAdopter(at: parent, for: parent) { destination in
      checkInsertion(position, in: destination.count, at: parent)
      if let moving { destination.adopt(moving, at: position) } else { source.move(origin, before: position) }
    }
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
