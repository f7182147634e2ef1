/// A child of a node, separate from the node: an element, or a node with everything below it.
///
/// A `BranchNode` can be made from tree children, and the removal of a child returns one.
///
/// ```swift
/// let home = BranchNode([.leaf("x.txt"), .node(BranchNode(value: "notes", leaves: ["a.md"]))])
/// let notes = home.remove(at: [1])    // .node, with "a.md" below it
/// home.append(notes)                  // and back
/// ```
public enum TreeChild<Element> {
  /// An element without children.
  case leaf(Element)

  /// A node; the child's value is the node's own.
  case node(any TreeNode<Element>)

  /// The child's value, or nil for a node that has none.
  @inlinable
  public var value: Element? {
    switch self {
    case .leaf(let element): element
    case .node(let node): node.value
    }
  }

  /// The node, or nil for a leaf.
  @inlinable
  public var node: (any TreeNode<Element>)? {
    if case .node(let node) = self { node } else { nil }
  }
}

@available(*, unavailable)
extension TreeChild: Sendable {}
