public import Assemblage

/// Shows all descendants of a node in an outline, which unfolds its rows by itself.
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
/// The description of `ListCoordinator` holds here too. For a widget that shows flat rows only, use a `ListCoordinator`
/// with an `OutlineNode`. The `OutlineNode` then knows the unfolded rows.
public final class OutlineCoordinator<Element>: WidgetCoordinator<Element> {
  /// Creates a coordinator, and lets the widget reload.
  ///
  /// - Parameters:
  ///   - node: the node whose descendants are shown. The coordinator keeps the node alive.
  ///   - widget: the widget, which the coordinator does not keep alive; nil: the widget is set later.
  ///   - reloadLimit: the largest number of elements that an update changes one by one. With more changes, the widget
  ///     reloads. nil: any number.
  public init(_ node: any TreeNode<Element>, widget: (any OutlineWidget)? = nil, reloadingAbove reloadLimit: Int? = nil)
  {
    super.init(node, .tree, widget, reloadLimit)
  }

  /// The widget, which reloads when this property is set. The coordinator does not keep the widget alive.
  public var widget: (any OutlineWidget)? {
    get { feed.widget as? any OutlineWidget }
    set { feed.widget = newValue }
  }

  /// Whether an element can be unfolded.
  ///
  /// Each element that is a node can be unfolded, with or without children.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: whether the element can be unfolded; false if the element has left the node.
  public func isExpandable(at path: IndexPath) -> Bool {
    feed.nodePath(of: path).map { node.child(at: $0) != nil } ?? false
  }
}
