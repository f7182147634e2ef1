/// A child of a node, with what is below it.
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
