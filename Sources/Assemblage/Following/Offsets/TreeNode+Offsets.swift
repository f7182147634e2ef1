public import Foundation

// The edits of lists in SwiftUI, which passes the offsets of rows to `onDelete` and `onMove`.
extension TreeNode {
  /// Removes the children at some positions, for example at the offsets that `onDelete` of SwiftUI passes.
  ///
  /// Observers are notified of all removals as one change. The children of a view are removed from its sources. A child
  /// that leaves with another one is skipped, for example where a view shows an element twice.
  ///
  /// ```swift
  /// let letters = ArrayNode(["a", "b", "c"])
  /// letters.remove(atOffsets: [0, 2])
  /// letters.elements            // ["b"]
  /// ```
  ///
  /// - Parameter offsets: positions in this node, each within `0..<count`.
  /// - Precondition: this node can be written.
  /// - Complexity: O(k · log n) for k children, and the propagation.
  public func remove(atOffsets offsets: IndexSet) {
    checkOffsets(offsets)
    // An edit of an array changes no other row, so the rows need no anchors. With anchors, 4,000 edits of a debug build
    // took at least 20 times as long. (`benchmark --suite array --operation remove-offsets` measures both.)
    if let array = self as? ArrayNode<Element> {
      return array.performUpdates { for range in offsets.rangeView.reversed() { array.removeSubrange(range) } }
    }
    AnchorSet(of: self).edit(offsets.reversed().map { [$0] }) { _, path in
      remove(at: path)
      return true
    }
  }

  /// Moves the children at some positions together, for example at the offsets that `onMove` of SwiftUI passes.
  ///
  /// The children keep their order. Observers are notified of one change with the fewest moves. They are not notified
  /// if the order is the same. A child that leaves when others move is skipped.
  ///
  /// The rows of an `OutlineNode`, or of another node that shows a tree as a list, move with all rows below them. They
  /// become siblings of the row at the destination. A row does not move into itself.
  ///
  /// ```swift
  /// let letters = ArrayNode(["a", "b", "c", "d"])
  /// letters.move(fromOffsets: [0, 2], toOffset: 4)
  /// letters.elements            // ["b", "d", "a", "c"]
  /// ```
  ///
  /// - Parameters:
  ///   - offsets: positions before the move, each within `0..<count`.
  ///   - destination: `0...count`, the position before the move of the child that will follow the moved ones. At
  ///     the last position, the rows of an `OutlineNode` come to the end of the root.
  /// - Precondition: this node can be written, and allows the moves.
  /// - Complexity: O(k · log n) for k children, and the propagation.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    checkOffsets(offsets)
    require(
      destination >= 0 && destination <= count,
      "\(typeName): the destination \(destination) of a move is out of range 0...\(count).")
    if let array = self as? ArrayNode<Element> { return array.moveElements(at: offsets, before: destination) }
    let rows = uppermost(offsets)
    if let tree = self as? any TreeRows { return tree.moveRows(rows, before: destination) }
    AnchorSet(of: self).move(rows.map { [$0] }, into: [], at: destination) { path, parent, position in
      let row = path.lastComponent
      if position > row, position < row + countMoving(with: row) { return false }
      move(path, into: parent, at: position)
      return true
    }
  }

  private func checkOffsets(_ offsets: IndexSet) {
    guard let last = offsets.last else { return }
    require(last < count, "\(typeName): the position \(last) is out of range 0..<\(count).")
  }

  /// The rows that do not move with another one of these rows.
  ///
  /// - Parameter rows: positions within `0..<count`.
  /// - Returns: the rows, ascending.
  package func uppermost(_ rows: IndexSet) -> [Int] {
    var uppermost: [Int] = []
    var end = 0
    for row in rows where row >= end {
      uppermost.append(row)
      end = row + countMoving(with: row)
    }
    return uppermost
  }

  private func countMoving(with row: Int) -> Int { writer?.countMoving(with: row) ?? 1 }
}

extension ArrayNode {
  fileprivate func moveElements(at offsets: IndexSet, before destination: Int) {
    performUpdates {
      for (distance, offset) in offsets.filter({ $0 < destination }).reversed().enumerated() {
        move(from: offset, to: destination - 1 - distance)
      }
      for (distance, offset) in offsets.filter({ $0 >= destination }).enumerated() {
        move(from: offset, to: destination + distance)
      }
    }
  }
}

extension TreeRows {
  /// Moves the children in some rows before the child in another one, as its siblings.
  ///
  /// - Parameters:
  ///   - rows: the rows, before the move; none lies below another one.
  ///   - destination: `0...count`, before the move.
  fileprivate func moveRows(_ rows: [Int], before destination: Int) {
    let goal = destination < count ? path(ofRow: destination) : endPath
    AnchorSet(of: root).move(rows.map(path(ofRow:)), into: goal.dropLast(), at: goal.lastComponent) {
      path, parent, position in
      // A row does not move into itself.
      if parent.starts(with: path) { return false }
      root.move(path, into: parent, at: position)
      return true
    }
  }
}
