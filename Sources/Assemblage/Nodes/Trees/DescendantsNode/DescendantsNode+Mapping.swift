import OffsetIndexing

// Rows and paths, and writing through.
extension DescendantsNode {
  /// The path, in the tree, of the child in a row.
  ///
  /// - Parameter row: `0..<count`, in this node's index space.
  /// - Returns: a path from the root.
  /// - Complexity: O(d · log n) for a row at depth d.
  public func path(ofRow row: Int) -> IndexPath {
    checkPosition(row, in: count, of: "DescendantsNode")
    return state.value.outline!.path(ofRow: state.value.translation.passes.select(row))
  }

  /// The row of the child at a path.
  ///
  /// - Parameter path: any path in the tree, from the root.
  /// - Returns: a position in this node's index space; nil if the child is not shown or does not exist, and for the
  ///   empty path.
  /// - Complexity: O(d · log n) for a path of length d.
  public func row(ofPath path: IndexPath) -> Int? {
    guard let row = state.value.outline!.row(ofPath: path), state.value.translation.passes[row] else { return nil }
    return state.value.translation.passes.rank(row)
  }
}

extension DescendantsNode: TreeRows {
  /// The path of the place `insertionOwner(at:)` behind the last row.
  package var endPath: IndexPath {
    if isEmpty { return [0] }
    let last = path(ofRow: count - 1)
    return root.child(at: last) == nil ? last.dropLast().appending(last.lastComponent + 1) : last.appending(0)
  }

  package func rows(movingWith row: Int) -> Range<Int> { row..<row + size(ofRow: row) }
}

@_spi(NodeAuthors)
extension DescendantsNode: RoutingNode {}

extension DescendantsNode: WritableNode {
  @_spi(NodeAuthors)
  public func owner(of position: Int) -> OwnedPlace<Element> {
    checkPosition(position, in: count, of: "DescendantsNode")
    return state.value.outline!.owner(of: state.value.translation.passes.select(position))
  }

  /// The place directly behind the row before, in document order.
  ///
  /// A new child there is the next sibling of that row's child, or its first child if that child is a branch. For the
  /// first row, the place is the beginning of the root.
  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    if position == 0 { return OwnedPlace(root, at: 0, member: 0) }
    let place = owner(of: position - 1)
    if let branch = place.node.child(at: place.position) { return OwnedPlace(branch, at: 0) }
    return OwnedPlace(place.node, at: place.position + 1, member: place.member)
  }

  /// Moves the child in a row, with everything below it, to another row, as one transaction.
  ///
  /// After the move the child lies directly behind the row before the destination: see `insertionOwner(at:)`.
  ///
  /// - Parameters:
  ///   - position: `0..<count`, before the move.
  ///   - destination: `0..<count`, the row after the move. If fewer rows are left beside the moved rows, the child is
  ///     last.
  public func move(from position: Int, to destination: Int) { moveRow(position, to: destination) }

  public func turnIntoBranch(at position: Int) { trapTurning(position) }

  public func allows(_ edit: ChildEdit, at position: Int) -> Bool { rowsAllow(edit, at: position) }

  /// The row before which the child is inserted, counted before the move. Rows behind the child's former place move up.
  package func goal(of position: Int, movingTo destination: Int) -> Int {
    let size = size(ofRow: position)
    let place = Swift.min(destination, count - size)
    return place <= position ? place : place + size
  }

  /// The number of rows that a child and everything below it have.
  private func size(ofRow position: Int) -> Int {
    let row = state.value.translation.passes.select(position)
    return state.value.translation.passes.rank(row..<state.value.outline!.descendants(ofRow: row).upperBound).count
  }
}
