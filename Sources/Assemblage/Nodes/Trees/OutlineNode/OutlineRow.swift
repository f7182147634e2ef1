public import OffsetIndexing

/// One row of an outline: all that a widget draws.
///
/// It does not contain the row's place in the tree: `OutlineNode.path(ofRow:)` finds that, and takes time for each level.
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
  /// The value of the row's child; nil where it has none.
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
  public init(value: Element?, depth: Int, hasChildren: Bool, isExpanded: Bool, isLastSibling: Bool) {
    self.value = value
    self.depth = depth
    self.hasChildren = hasChildren
    self.isExpanded = isExpanded
    self.isLastSibling = isLastSibling
  }
}

/// All that is drawn of a row beside its value.
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

// MARK: - Finding it

extension OutlineTranslation {
  /// Neighbours without records.
  @usableFromInline
  struct LeafRun {
    @usableFromInline let parent: Record
    @usableFromInline let positions: Range<Int>
    /// The row of the first.
    @usableFromInline let row: Int
  }

  /// All that is drawn of a row beside its value, as far as it follows from records.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - knowsNodes: whether each child that is a node has a record, where everything is expanded.
  /// - Returns: the look; and the record of the parent, the position there, and whether the look is complete. Where it is not,
  ///   the child may be a node that has children, or will have.
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

  /// The same for each row of a range.
  ///
  /// - Parameters:
  ///   - range: within `0..<count`.
  ///   - knowsNodes: as for `look(at:knowsNodes:)`.
  ///   - leaves: receives the runs of children without a record, or with one without rows: they may be nodes that have
  ///     children, or will have.
  /// - Returns: the looks, row by row.
  /// - Complexity: O(log n + k) for k rows; O(log n) more for each node whose rows end in the range, and began before.
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
