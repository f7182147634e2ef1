/// A node whose children are the rows of a tree: the rows below a row move together with it.
package protocol TreeRows<Element>: RoutingNode {
  /// The tree.
  var root: any TreeNode<Element> { get }

  /// The path, in the tree, of the child in a row.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: a path from the root.
  func path(ofRow row: Int) -> IndexPath

  /// The path, in the tree, of a child that is inserted behind the last row.
  var endPath: IndexPath { get }

  /// Returns a row and the rows that move with it.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: the range that begins with the row.
  func rows(movingWith row: Int) -> Range<Int>

  /// The row before which a child is inserted that moves to another row, counted before the move.
  ///
  /// - Parameters:
  ///   - row: the child, `0..<count`.
  ///   - destination: `0..<count`, another row, which is the child's after the move.
  /// - Returns: 0...`count`.
  func goal(of row: Int, movingTo destination: Int) -> Int
}

extension TreeRows {
  /// The place for a row that moves before another one, as its sibling; behind the last row, the place of an insertion.
  private func place(before row: Int) -> OwnedPlace<Element>? { row < count ? owner(of: row) : insertionOwner(at: row) }

  /// Moves the child in a row before the child in another one, as its sibling; a goal within its own rows changes
  /// nothing.
  fileprivate func moveRow(_ row: Int, before goal: Int) {
    let rows = rows(movingWith: row)
    if goal >= rows.lowerBound, goal <= rows.upperBound { return }
    if let place = place(before: goal) { moveRow(row, to: place) }
  }

  /// Whether the child in a row can move before the child in another one, which must not lie inside its own rows.
  fileprivate func allowsMoveOfRow(_ row: Int, before goal: Int) -> Bool {
    let rows = rows(movingWith: row)
    if goal == rows.lowerBound || goal == rows.upperBound { return allows(.move(to: row), at: row) }
    return !rows.contains(goal) && allowsMove(ofRow: row, to: place(before: goal))
  }

  // MARK: To a row

  /// Moves the child in a row, with the rows that move with it, to another row.
  func moveRow(_ row: Int, to destination: Int) {
    require(
      destination >= 0 && destination < count,
      "\(kindName): the position \(destination) is out of range 0..<\(count).")
    let origin = requireOwner(of: row)
    if row == destination {
      origin.requireWriter(for: kindName).move(from: origin.position, to: origin.position)
    } else if let place = insertionOwner(at: goal(of: row, movingTo: destination)) {
      moveRow(row, to: place)
    }
  }

  /// Whether an edit of a row is possible. A row has no children of its own.
  func rowsAllow(_ edit: ChildEdit, at row: Int) -> Bool {
    guard case .move(let destination) = edit, edit.isInRange(at: row, of: count) else {
      return edit != .turnIntoBranch && ownersAllow(edit, at: row)
    }
    if row == destination { return owner(of: row).allowsMoves }
    return allowsMove(ofRow: row, to: insertionOwner(at: goal(of: row, movingTo: destination)))
  }

  // MARK: To a place in the tree

  /// Moves the child in a row to a place of the tree. A sorted parent refuses to move the child within itself.
  private func moveRow(_ row: Int, to place: OwnedPlace<Element>) {
    let origin = requireOwner(of: row)
    let (source, target) = (origin.requireWriter(for: kindName), place.requireWriter(for: kindName))
    if origin.node === place.node, !origin.allowsMoves { return source.move(origin.position, before: place.position) }
    source.relocate(origin.position, to: target, at: place.position)
  }

  /// Whether the child in a row can move to a place of the tree.
  private func allowsMove(ofRow row: Int, to place: OwnedPlace<Element>?) -> Bool {
    let origin = owner(of: row)
    guard let place, origin.node !== place.node || origin.allowsMoves, allows(.remove, at: row) else { return false }
    let isNode = origin.node.child(at: origin.position) != nil
    guard isNode || origin.node.element(at: origin.position) != nil else { return false }
    return place.node.writer?.allows(isNode ? .insertNode : .insert, at: place.position) ?? false
  }
}

extension OwnedPlace {
  /// Whether the child can move within its owner. A sorted owner allows no move, not even to the same place.
  fileprivate var allowsMoves: Bool { node.writer?.allows(.move(to: position), at: position) ?? false }
}

extension WritableNode {
  /// Finds the tree row that a child shows; nil where there is none.
  ///
  /// The search goes through filters, maps, joins and other views that keep the order of rows.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the node of rows, and the row there.
  package func treeRow(at position: Int) -> (node: any TreeRows, row: Int)? {
    if let node = self as? any TreeRows { return (node, position) }
    if let node = self as? any TransformingNode { return node.sourceRow(at: position) }
    // A sorted view allows no move, not even to the same place.
    guard let view = routing, allows(.move(to: position), at: position) else { return nil }
    let place = view.owner(of: position)
    return place.node.writer?.treeRow(at: place.position)
  }

  /// The number of children that move with a child: more than one where they are the rows of a tree.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: how many children of this node there are, with the child itself.
  package func countMoving(with position: Int) -> Int {
    guard let (node, row) = treeRow(at: position) else { return 1 }
    let rows = node.rows(movingWith: row)
    var last = position
    while last + 1 < count, let next = treeRow(at: last + 1), next.node === node, rows.contains(next.row) { last += 1 }
    return last + 1 - position
  }

  /// Finds both ends of a move among the rows of one tree.
  ///
  /// A row that moves down is inserted behind the row that is above it after the move.
  private func treeMove(of origin: Int, before position: Int) -> (node: any TreeRows, row: Int, goal: Int)? {
    guard let (node, row) = treeRow(at: origin) else { return nil }
    if position == origin { return (node, row, row) }
    guard let goal = treeRow(at: position > origin ? position - 1 : position), goal.node === node else { return nil }
    return (node, row, position > origin ? goal.row + 1 : goal.row)
  }

  /// Moves a child before another one; both places are counted before the move.
  ///
  /// - Parameters:
  ///   - origin: `0..<count`.
  ///   - position: `0...count`.
  func move(_ origin: Int, before position: Int) {
    if let move = treeMove(of: origin, before: position) { return move.node.moveRow(move.row, before: move.goal) }
    move(from: origin, to: position > origin ? position - 1 : position)
  }

  /// Whether a child can move before another one; both places are counted before the move.
  ///
  /// - Parameters:
  ///   - origin: `0..<count`.
  ///   - position: `0...count`.
  /// - Returns: whether that is possible; false where `position` is inside the rows that move with the child.
  package func allowsMove(of origin: Int, before position: Int) -> Bool {
    if let move = treeMove(of: origin, before: position) {
      return move.node.allowsMoveOfRow(move.row, before: move.goal)
    }
    return allows(.move(to: position > origin ? position - 1 : position), at: origin)
  }
}
