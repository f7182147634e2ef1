/// A node that has a header and a footer beside its children.
///
/// The header and the footer belong to the node, not to its children: they have no position and no path. `BranchNode`
/// stores them. A view of one node shows the header and footer of that node too; a `MapNode` transforms them. Nodes
/// that combine several nodes, for example a `JoinNode` or a `SegmentNode`, have none. So a list view finds them by the
/// path of a section, also through filters and other views:
///
/// ```swift
/// let fruit = BranchNode(value: "fruit", leaves: ["apple", "pear"])
/// fruit.header = "Fruit"
/// let table = TreeFilterNode(BranchNode([fruit])) { $0 != "pear" }
/// table.header(at: [0])       // "Fruit"
/// table.footer(at: [0])       // nil: the section has none
/// table.header(at: [0, 0])    // nil: a leaf has none
/// ```
///
/// A node of your own conforms if it has a header or a footer. Laws, beside those of `TreeNode`:
/// 1. A new header or footer is reported as an update of the node's own value: `ChangeSet(updatesValue: true)`.
/// 2. A new header or footer is rolled back with the transaction that set it, like other contents.
public protocol SectionNode<Element>: TreeNode {
  /// The element that a view shows above the children; nil for none.
  var header: Element? { get }

  /// The element that a view shows below the children; nil for none.
  var footer: Element? { get }
}

extension TreeNode {
  /// The header of the node at a path.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the header; nil for a node without a header, for a leaf, and for a place that does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  public func header(at path: IndexPath) -> Element? { section(at: path)?.header }

  /// The footer of the node at a path.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the footer; nil for a node without a footer, for a leaf, and for a place that does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  public func footer(at path: IndexPath) -> Element? { section(at: path)?.footer }

  private func section(at path: IndexPath) -> (any SectionNode<Element>)? {
    child(at: path) as? any SectionNode<Element>
  }
}
