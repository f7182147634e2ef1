public import Assemblage

/// The common base class of the coordinators of lists: `ListCoordinator` and `SectionedListCoordinator`.
public class ListWidgetCoordinator<Element>: WidgetCoordinator<Element> {
  /// The widget, which reloads when this property is set. The coordinator does not keep the widget alive.
  public var widget: (any ListWidget)? {
    get { feed.widget as? any ListWidget }
    set { feed.widget = newValue }
  }

  /// The header of a section: see `SectionNode`. For a section without a header, this is the section's own value, for
  /// example the value of a group.
  ///
  /// - Parameter section: 0..<the number of sections, as the widget shows them.
  /// - Returns: the header; nil if the section has neither of them, if the section has left the node, and in a list
  ///   without sections.
  public func header(ofSection section: Int) -> Element? {
    sectionPath(section).flatMap { node.header(at: $0) ?? node.element(at: $0) }
  }

  /// The footer of a section: see `SectionNode`.
  ///
  /// - Parameter section: 0..<the number of sections, as the widget shows them.
  /// - Returns: the footer; nil if the section has none, if the section has left the node, and in a list without
  ///   sections.
  public func footer(ofSection section: Int) -> Element? {
    sectionPath(section).flatMap { node.footer(at: $0) }
  }

  private func sectionPath(_ section: Int) -> IndexPath? {
    feed.shape == .sectioned ? feed.nodePath(of: [section]) : nil
  }
}

/// Shows the children of a node in a list widget, as the rows of one section.
///
/// ```swift
/// let names = ArrayNode(["Bob", "Ada"])
/// let coordinator = ListCoordinator(SortNode(names, by: <), widget: table)
/// coordinator.count               // 2
/// coordinator.element(at: 0)      // "Ada"
/// names.append("Cy")              // the table inserts one row
/// ```
///
/// The coordinator is the widget's data source. The coordinator answers for the rows that the widget shows. This also
/// holds in the middle of an update, inside a transaction, and while the coordinator is suspended. An element that has
/// left the node meanwhile is nil.
///
/// The coordinator keeps the node alive, but not the widget. The application has to keep the coordinator alive, usually
/// in the owner of the widget.
///
/// The coordinator belongs to the isolation domain of its node. The widget has to belong to the same domain.
///
/// - Complexity: the cost of an update grows with the changes, and with the rows that the widget asks for. The
///   coordinator asks for no other row. While an update is under way or held back, a look-up of a row costs O(s) for s
///   nodes that change.
public final class ListCoordinator<Element>: ListWidgetCoordinator<Element> {
  /// Creates a coordinator, and lets the widget reload.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the rows. The coordinator keeps the node alive.
  ///   - widget: the widget, which the coordinator does not keep alive; nil: the widget is set later.
  ///   - reloadLimit: the largest number of rows that an update changes one by one. With more changes, the widget
  ///     reloads. nil: any number. For a `RowsWidget`, the limit counts ranges, not rows.
  public init(_ node: any TreeNode<Element>, widget: (any ListWidget)? = nil, reloadingAbove reloadLimit: Int? = nil) {
    super.init(node, .flat, widget, reloadLimit)
  }

  /// The number of rows that the widget shows.
  public var count: Int { feed.count(at: IndexPath(index: 0)) }

  /// The element of a row.
  ///
  /// - Parameter row: 0..<count, as the widget shows them.
  /// - Returns: the element; nil if the row has no element, or has left the node.
  public func element(at row: Int) -> Element? { feed.element(at: IndexPath(index: 0).appending(row)) }

  /// The position in the node of the child that the widget shows in a row.
  ///
  /// - Parameter row: 0..<count, as the widget shows them.
  /// - Returns: the position; nil if the child has left the node.
  public func position(ofRow row: Int) -> Int? { feed.nodePath(of: IndexPath(index: 0).appending(row))?.first }

  /// The row in which the widget shows a child of the node.
  ///
  /// - Parameter position: 0..<the node's count.
  /// - Returns: the row; nil if the widget does not show the child yet.
  public func row(ofPosition position: Int) -> Int? { feed.widgetPath(of: IndexPath(index: position))?.last }
}
