/// One row of an outline: all that a widget draws.
///
/// It does not say where the row stands in the tree: `OutlineNode.path(ofRow:)` does, and takes time for each level.
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

  /// Creates a row that no outline has, for a preview or a test of what draws rows.
  @inlinable
  public init(value: Element?, depth: Int, hasChildren: Bool, isExpanded: Bool, isLastSibling: Bool) {
    self.value = value
    self.depth = depth
    self.hasChildren = hasChildren
    self.isExpanded = isExpanded
    self.isLastSibling = isLastSibling
  }
}

/// What is drawn of a row beside its value.
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
