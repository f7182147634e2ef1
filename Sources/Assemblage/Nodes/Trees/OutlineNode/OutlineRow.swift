public import OffsetIndexing

/// One row of an outline: all that a widget draws.
///
/// The row's place in the tree is not included. `OutlineNode.path(ofRow:)` finds this place, and takes time for each
/// level.
///
/// ```swift
/// let tree = BranchNode([.leaf("a"), .node(BranchNode(value: "b", leaves: ["c"]))])
/// let outline = OutlineNode(tree, id: { $0 })
/// outline.expand(row: 1)
/// let row = outline.row(at: 2)
/// row.value           // "c"
/// row.depth           // 1
/// row.hasChildren     // false: there is nothing to expand
/// ```
public struct OutlineRow<Element> {
  /// The value of the row's child; nil if the child has none.
  public let value: Element?

  /// The number of ancestors that have a row: 0 for the children of the root.
  public let depth: Int

  /// Whether there is something to expand: the child is a node that has children.
  public let hasChildren: Bool

  /// Whether the child is expanded: its children's rows follow.
  public let isExpanded: Bool

  /// Whether no sibling follows, hidden or not.
  public let isLastSibling: Bool

  /// Creates a row that no outline has, for a preview, or for a test of code that draws rows.
  @inlinable
  package init(value: Element?, depth: Int, hasChildren: Bool, isExpanded: Bool, isLastSibling: Bool) {
    self.value = value
    self.depth = depth
    self.hasChildren = hasChildren
    self.isExpanded = isExpanded
    self.isLastSibling = isLastSibling
  }
}

/// Everything that a widget draws of a row, except the value.
@usableFromInline
struct OutlineLook {
  @usableFromInline let depth: Int
  @usableFromInline var hasChildren: Bool
  @usableFromInline let isExpanded: Bool
  @usableFromInline let isLastSibling: Bool
}

extension OutlineRow {
  @inlinable @inline(__always)
  init(_ value: Element?, _ look: OutlineLook) {
    self.init(
      value: value, depth: look.depth, hasChildren: look.hasChildren, isExpanded: look.isExpanded,
      isLastSibling: look.isLastSibling)
  }
}

extension OutlineRow: Equatable where Element: Equatable {}
extension OutlineRow: Hashable where Element: Hashable {}
extension OutlineRow: Sendable where Element: Sendable {}

// MARK: - Finding the look

extension OutlineTranslation {
  /// Neighbours without records.
  @usableFromInline
  struct LeafRun {
    @usableFromInline let parent: Record
    @usableFromInline let positions: Range<Int>
    /// The row of the first neighbour.
    @usableFromInline let row: Int
  }

  /// Everything that a widget draws of a row except the value, as far as this follows from records.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - knowsNodes: whether each child that is a node has a record, if everything is expanded.
  /// - Returns: the look, the record of the parent, the position there, and whether the look is complete. If the look
  ///   is not complete, the child may be a node that has, or will have, children.
  /// - Complexity: O(log n).
  @usableFromInline
  func look(at row: Int, knowsNodes: Bool) -> (look: OutlineLook, parent: Record, position: Int, isKnown: Bool) {
    let place = shape.locate(row)
    let record = unlessParked(place.branch)
    let look = OutlineLook(
      depth: place.depth, hasChildren: record.map { shape.childCount(of: $0) > 0 } ?? false,
      isExpanded: record.map(isExpanded) ?? false,
      isLastSibling: place.position == shape.childCount(of: place.parent) - 1)
    let isLeaf = knowsNodes && place.branch == nil && marks(of: place.parent).contains(.full)
    return (look, place.parent, place.position, look.hasChildren || isLeaf)
  }

  /// The looks of all rows of a range, as far as these follow from records.
  ///
  /// - Parameters:
  ///   - range: within `0..<count`.
  ///   - knowsNodes: as for `look(at:knowsNodes:)`.
  ///   - leaves: receives the runs of children without a record, or with a record without rows. Such children may be
  ///     nodes that have, or will have, children.
  /// - Returns: the looks, row by row.
  /// - Complexity: O(log n + k) for k rows; O(log n) more for each node whose rows began before the range and end in
  ///   it.
  @usableFromInline
  func looks(in range: Range<Int>, knowsNodes: Bool, _ leaves: inout [LeafRun]) -> [OutlineLook] {
    var looks: [OutlineLook] = []
    looks.reserveCapacity(range.count)
    var runs = shape.runs(in: range)
    while let run = runs.next() {
      let end = shape.childCount(of: run.parent)
      if let record = unlessParked(run.branch) {
        looks.append(
          OutlineLook(
            depth: run.depth, hasChildren: shape.childCount(of: record) > 0, isExpanded: !shape.isCollapsed(record),
            isLastSibling: run.positions.upperBound == end))
        if looks.last?.hasChildren == false {
          leaves.append(LeafRun(parent: run.parent, positions: run.positions, row: run.numbers.lowerBound))
        }
        continue
      }
      for position in run.positions {
        looks.append(
          OutlineLook(depth: run.depth, hasChildren: false, isExpanded: false, isLastSibling: position == end - 1))
      }
      if knowsNodes, run.branch == nil, marks(of: run.parent).contains(.full) { continue }
      leaves.append(LeafRun(parent: run.parent, positions: run.positions, row: run.numbers.lowerBound))
    }
    return looks
  }
}

// Rows and paths.
extension OutlineNode {
  /// The path, in the tree, of the child in a row.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: a path from the root.
  /// - Complexity: O(d · log n) for a row at depth d.
  public func path(ofRow row: Int) -> IndexPath {
    checkPosition(row, in: count, of: "OutlineNode")
    return IndexPath(indexes: state.value.translation.shape.path(to: row))
  }

  /// The row of the child at a path.
  ///
  /// - Parameter path: any path in the tree.
  /// - Returns: the row; nil if an ancestor is collapsed, if there is no such child, and for the empty path.
  /// - Complexity: O(d · log n) for a path of length d.
  public func row(ofPath path: IndexPath) -> Int? { state.value.translation.shape.number(at: path) }

  /// One row, as a widget draws it.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: the value, the depth, and everything else that is drawn.
  /// - Complexity: O(log n), at any depth.
  public func row(at row: Int) -> OutlineRow<Element> {
    let place = unsafe state.place
    checkPosition(row, in: unsafe Self.rowCount(at: place), of: "OutlineNode")
    return unsafe functions.row(place, row)
  }

  /// The count in the state at a place, read without knowledge of the element's layout.
  private static func rowCount(at place: UnsafeRawPointer) -> Int {
    // The translation is the first property of the state.
    unsafe place.assumingMemoryBound(to: OutlineTranslation.self).pointee.count
  }

  /// A window of rows, as a widget draws them.
  ///
  /// ```swift
  /// for row in outline.rows(in: 40..<90) { draw(row.value, indentedBy: row.depth) }
  /// ```
  ///
  /// - Parameter range: the rows, within `0..<count`.
  /// - Returns: the result of `row(at:)` for each row of the range, in order.
  /// - Complexity: O(log n + k) for k rows at any depth; O(log n) more for each node whose rows began before the range
  ///   and end in it.
  public func rows(in range: Range<Int>) -> [OutlineRow<Element>] {
    let place = unsafe state.place
    checkRange(range, in: unsafe Self.rowCount(at: place), of: "OutlineNode")
    return range.isEmpty ? [] : unsafe functions.rows(place, range)
  }

  /// The node in a row.
  ///
  /// - Parameter row: any integer.
  /// - Returns: the node; nil if the row's child is a leaf, or if there is no such row.
  /// - Complexity: O(log n).
  public func node(atRow row: Int) -> (any TreeNode<Element>)? {
    guard row >= 0, row < count else { return nil }
    let (parent, position, record) = state.value.translation.locate(row)
    if let record { return state.value.object(record) }
    return state.value.sources.child(at: position, of: state.value.node(parent)).map { state.value.sources.object($0) }
  }

  /// The rows of a row's visible descendants, which follow it.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: a range of rows; empty if nothing is visible below.
  /// - Complexity: O(log n).
  public func descendants(ofRow row: Int) -> Range<Int> {
    checkPosition(row, in: count, of: "OutlineNode")
    let record = state.value.translation.locate(row).record
    return record.map { state.value.translation.rows(below: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? row + 1..<row + 1
  }
}

// MARK: - Writing through

extension OutlineNode: TreeRows {
  package var endPath: IndexPath { [root.count] }

  package func rows(movingWith row: Int) -> Range<Int> { row..<descendants(ofRow: row).upperBound }
}

@_spi(NodeAuthors)
extension OutlineNode: RoutingNode {}

extension OutlineNode: WritableNode {
  @_spi(NodeAuthors)
  public func owner(of row: Int) -> OwnedPlace<Element> {
    checkPosition(row, in: count, of: "OutlineNode")
    let (parent, position, _) = state.value.translation.locate(row)
    return OwnedPlace(state.value.object(parent), at: position, member: parent.number)
  }

  /// The place before the child in a row, as its sibling; behind the last row, the end of the root.
  @_spi(NodeAuthors)
  public func insertionOwner(at row: Int) -> OwnedPlace<Element>? {
    row == count ? OwnedPlace(root, at: root.count, member: 0) : owner(of: row)
  }

  /// Moves the child in a row, with the rows below it, to another row, as one transaction.
  ///
  /// Among the rows that do not move, the child at the destination becomes the next sibling of the moved child. Behind
  /// the last row, the child moves to the end of the root.
  ///
  /// - Parameters:
  ///   - row: `0..<count`, before the move.
  ///   - destination: `0..<count`, the child's row after the move. If fewer rows are left beside the moved rows, the
  ///     child is last.
  public func move(from row: Int, to destination: Int) { moveRow(row, to: destination) }

  public func turnIntoBranch(at row: Int) { trapTurning(row) }

  public func allows(_ edit: ChildEdit, at row: Int) -> Bool { rowsAllow(edit, at: row) }

  /// The row before which the child is inserted, counted before the move. Rows behind the child's former place move up.
  package func goal(of row: Int, movingTo destination: Int) -> Int {
    let size = 1 + descendants(ofRow: row).count
    let place = Swift.min(destination, count - size)
    return place < row ? place : place + size
  }
}
