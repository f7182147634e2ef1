import OffsetIndexing

// Moves within the tree.
extension ForestNode {
  /// Moves a child, with everything below it, to another position in this branch.
  ///
  /// Observers are notified of one move. They are not notified if both positions are equal.
  ///
  /// - Parameters:
  ///   - position: `0..<count`, before the move.
  ///   - destination: `0..<count`, after the move.
  /// - Complexity: O(log n) for the shape, the child's elements in chunks, and the propagation.
  public func move(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "ForestNode")
    checkPosition(destination, in: count, of: "ForestNode")
    move(from: position, to: destination, of: branch)
  }

  func move(from position: Int, to destination: Int, of branch: TreeIndex.Branch) {
    guard position != destination else { return }
    hub.prepareForChange()
    state.value.storage.value.move(from: position, to: destination, of: branch, in: state.value.tree.index)
    publish(
      ShapeEdit(branch, .moved(from: position, to: destination)),
      inverse: { [node = node(of: branch)] in node.move(from: destination, to: position) })
  }

  // MARK: Between branches

  // The cost is O(d · log n) for the shape and paths of length d, and the elements in chunks.
  public func move(from path: IndexPath, to destination: IndexPath) {
    let parent = requireBranch(above: path)
    require(!destination.isEmpty, "The path [] is the node itself, not a place that a child could move to.")
    if path.count == destination.count, path.dropLast() == destination.dropLast() {
      checkPosition(
        destination[path.count - 1], in: shape.childCount(of: parent), of: "ForestNode")
      return move(from: path[path.count - 1], to: destination[path.count - 1], of: parent)
    }
    let goal = destination.dropLast()
    relocate(path[path.count - 1], of: parent, path: path) { [self] in
      (adoptingBranch(at: goal, for: destination), destination[goal.count])
    }
  }

  public func move(_ path: IndexPath, into parent: IndexPath, at position: Int) {
    let source = requireBranch(above: path)
    let origin = path[path.count - 1]
    require(
      !parent.starts(with: path), "The child at \(path.sentence) cannot move into itself, to \(parent.sentence).")
    guard let destination = branch(along: parent, parent.count, from: branch) else {
      return performUpdates {
        _ = adoptingBranch(at: parent, for: parent)
        move(path, into: parent, at: position)
      }
    }
    checkInsertion(position, in: shape.childCount(of: destination), at: parent)
    if source == destination {
      return move(from: origin, to: position > origin ? position - 1 : position, of: source)
    }
    relocate(origin, of: source, path: path) { (destination, position) }
  }

  /// Moves a child of one branch to another branch.
  func relocate(
    _ position: Int, of parent: TreeIndex.Branch, to destination: Int, of newParent: TreeIndex.Branch
  ) {
    relocate(position, of: parent, path: []) { (newParent, destination) }
  }

  /// Removes a child and inserts it elsewhere, as one transaction and one move.
  private func relocate(
    _ position: Int, of parent: TreeIndex.Branch, path: IndexPath,
    to destination: () -> (branch: TreeIndex.Branch, position: Int)
  ) {
    let name = SerialNumber.next()
    performUpdates {
      let child = hub.marking(name) { remove(at: position, of: parent, path: path) }
      let (branch, position) = destination()
      checkInsertion(position, in: shape.childCount(of: branch), of: "ForestNode")
      hub.marking(name) {
        switch child {
        case .leaf(let element): insertLeaf(element, at: position, of: branch)
        case .node(let node): put(node as! ForestNode, at: position, of: branch)
        }
      }
    }
  }
}
