public import Foundation

/// What stands in one row of an outline.
///
/// ```swift
/// let tree = BranchNode([.leaf("a"), .node(BranchNode(value: "b", leaves: ["c"]))])
/// let outline = OutlineNode(tree, id: { $0 })
/// outline.expand(row: 1)
/// let row = outline.row(at: 2)     // path [1, 0], depth 1, and nothing to expand
/// ```
public struct OutlineRow: Hashable, Sendable {
  /// The path of the row's child in the tree that the outline shows.
  public let path: IndexPath

  /// Whether there is something to expand: the child is a node that has children.
  public let hasChildren: Bool

  /// Whether the child is expanded: its children's rows follow.
  public let isExpanded: Bool

  /// Whether no sibling follows, hidden or not.
  public let isLastSibling: Bool

  /// The number of ancestors that have a row: 0 for the children of the root.
  public var depth: Int { path.count - 1 }
}
