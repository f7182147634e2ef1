public import Foundation
import OffsetIndexing

// Rows and paths.
extension OutlineNode {
  /// The path, in the tree, of the child that stands in a row.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: a path from the root.
  /// - Complexity: O(log n).
  public func path(ofRow row: Int) -> IndexPath {
    checkPosition(row, in: count, of: "OutlineNode")
    return IndexPath(indexes: state.value.translation.shape.path(to: row))
  }

  /// The row of the child at a path.
  ///
  /// - Parameter path: any path in the tree.
  /// - Returns: the row, or nil where an ancestor is collapsed, where there is no such child, and for the empty path.
  /// - Complexity: O(d · log n) for a path of length d.
  public func row(ofPath path: IndexPath) -> Int? { state.value.translation.shape.number(at: path) }

  /// What there is to know about a row, but for its value.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: where it belongs, and what to draw beside it.
  /// - Complexity: O(log n).
  public func row(at row: Int) -> OutlineRow {
    checkPosition(row, in: count, of: "OutlineNode")
    let (parent, position, record) = state.value.translation.locate(row)
    let shape = state.value.translation.shape
    return OutlineRow(
      path: path(ofRow: row),
      hasChildren: record.map { shape.childCount(of: $0) > 0 }
        ?? state.value.node(parent).child(at: position)?.hasChildren ?? false,
      isExpanded: record.map { !shape.isCollapsed($0) } ?? false,
      isLastSibling: position == shape.childCount(of: parent) - 1)
  }

  /// The node that stands in a row.
  ///
  /// - Parameter row: any integer.
  /// - Returns: the node, or nil where the row's child is a leaf or there is no such row.
  /// - Complexity: O(log n).
  public func node(atRow row: Int) -> (any TreeNode<Element>)? {
    guard row >= 0, row < count else { return nil }
    let (parent, position, record) = state.value.translation.locate(row)
    return record.map { state.value.node($0) } ?? state.value.node(parent).child(at: position)
  }

  /// The rows of a row's visible descendants, which follow it.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: a range of rows, empty where nothing is visible below.
  /// - Complexity: O(log n).
  public func descendants(ofRow row: Int) -> Range<Int> {
    checkPosition(row, in: count, of: "OutlineNode")
    let record = state.value.translation.locate(row).record
    return record.map { state.value.translation.rows(below: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? row + 1..<row + 1
  }
}

// MARK: - Writing through

extension OutlineNode: RoutingNode {
  public func owner(of row: Int) -> OwnedPlace<Element> {
    checkPosition(row, in: count, of: "OutlineNode")
    let (parent, position, _) = state.value.translation.locate(row)
    return OwnedPlace(state.value.node(parent), at: position, member: parent.number)
  }

  /// Before the child in a row, as its sibling; behind the last row, as the last child of the root.
  public func insertionOwner(at row: Int) -> OwnedPlace<Element>? {
    row == count ? OwnedPlace(root, at: root.count, member: 0) : owner(of: row)
  }

  /// Moves the child in a row, with the rows below it, before the child that then stands at the destination, as its
  /// sibling, as one transaction; behind the last row, to the end of the root.
  ///
  /// - Parameters:
  ///   - row: `0..<count`, before the move.
  ///   - destination: `0..<count`, the child's row after the move. Where the rows that it takes along leave fewer, the
  ///     child comes last.
  public func move(from row: Int, to destination: Int) {
    checkPosition(destination, in: count, of: "OutlineNode")
    let place = requireOwner(of: row)
    let writer = place.requireWriter(for: kindName)
    guard row != destination else { return }
    relocate(place.position, of: writer) { insert($0, at: Swift.min(destination, count)) }
  }

  public func allows(_ edit: ChildEdit, at row: Int) -> Bool {
    guard case .move(let destination) = edit, edit.isInRange(at: row, of: count) else {
      return ownersAllow(edit, at: row)
    }
    if row == destination { return owner(of: row).node.writer != nil }
    // Behind its former place, what stands there moves up by the rows that leave.
    let size = 1 + descendants(ofRow: row).count
    let place = Swift.min(destination, count - size)
    return allowsRelocation(from: row, to: place < row ? place : place + size)
  }
}
