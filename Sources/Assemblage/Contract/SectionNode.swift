/// A node that has a header and a footer beside its children.
///
/// They belong to the node, not to its children: they have no position, and no path. `BranchNode` stores them; nodes that show
/// another one's children show its header and footer too, those of a `MapNode` transformed. So they are found where a list
/// view asks for them, by the path of a section, through filters and the like:
///
/// ```swift
/// let fruit = BranchNode(value: "fruit", leaves: ["apple", "pear"])
/// fruit.header = "Fruit"
/// let table = TreeFilterNode(BranchNode([fruit])) { $0 != "pear" }
/// table.header(at: [0])       // "Fruit"
/// table.footer(at: [0])       // nil: it has none
/// table.header(at: [0, 0])    // nil: a leaf has none
/// ```
///
/// A node of your own conforms where it has them. Laws, beside those of `TreeNode`:
/// 1. A new header or footer is told as an update of the node's own value: `ChangeSet(updatesValue: true)`.
/// 2. It is taken back with the transaction in which it was set, as other contents are.
public protocol SectionNode<Element>: TreeNode {
  /// What stands above the children; nil: nothing.
  var header: Element? { get }

  /// What stands below the children; nil: nothing.
  var footer: Element? { get }
}

extension TreeNode {
  /// The header of the node at a path.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the header; nil where the node has none, for a leaf, and where there is no such place.
  /// - Complexity: O(d · log n) for a path of length d.
  public func header(at path: IndexPath) -> Element? { section(at: path)?.header }

  /// The footer of the node at a path.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the footer; nil where the node has none, for a leaf, and where there is no such place.
  /// - Complexity: O(d · log n) for a path of length d.
  public func footer(at path: IndexPath) -> Element? { section(at: path)?.footer }

  private func section(at path: IndexPath) -> (any SectionNode<Element>)? {
    child(at: path) as? any SectionNode<Element>
  }
}
