public import Assemblage

/// Shows everything below a node in an outline, which unfolds its rows by itself.
///
/// ```swift
/// let tree = BranchNode([.node(BranchNode(value: "src", leaves: ["main.swift"])), .leaf("README.md")])
/// let coordinator = OutlineCoordinator(tree, widget: outline)
/// coordinator.count(at: [])               // 2
/// coordinator.isExpandable(at: [0])       // true
/// coordinator.element(at: [0, 0])         // "main.swift"
/// tree.move(from: [1], to: [0, 0])        // the outline moves a row
/// ```
///
/// All that is said of `ListCoordinator` holds here too. A widget that shows flat rows only is given an `OutlineNode` by a
/// `ListCoordinator`, which then knows what is unfolded.
public final class OutlineCoordinator<Element>: WidgetCoordinator<Element> {
  /// Creates a coordinator, and lets the widget reload.
  ///
  /// - Parameters:
  ///   - node: the node below which everything is shown; it is kept alive.
  ///   - widget: the widget, which is not kept alive; nil: it comes later.
  ///   - reloadLimit: how many elements an update may change one by one, before the widget reloads instead; nil: any number.
  public init(_ node: any TreeNode<Element>, widget: (any OutlineWidget)? = nil, reloadingAbove reloadLimit: Int? = nil)
  {
    super.init(node, .tree, widget, reloadLimit)
  }

  /// The widget, which reloads when it is set; it is not kept alive.
  public var widget: (any OutlineWidget)? {
    get { feed.widget as? any OutlineWidget }
    set { feed.widget = newValue }
  }

  /// Whether an element can be unfolded: it is a node, with children or without.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: whether it can; false where it has left the node.
  public func isExpandable(at path: IndexPath) -> Bool {
    feed.nodePath(of: path).map { node.child(at: $0) != nil } ?? false
  }
}
