public import Assemblage

/// What the coordinators of lists have in common: a `ListCoordinator` or a `SectionedListCoordinator`.
public class ListWidgetCoordinator<Element>: WidgetCoordinator<Element> {
  /// The widget, which reloads when it is set; it is not kept alive.
  public var widget: (any ListWidget)? {
    get { feed.widget as? any ListWidget }
    set { feed.widget = newValue }
  }

  /// The header of a section: see `SectionNode`. A section without a header has its own value here, as a group has.
  ///
  /// - Parameter section: 0..<the number of sections, as the widget shows them.
  /// - Returns: the header; nil if the section has neither, if the section has left the node, and in a list without sections.
  public func header(ofSection section: Int) -> Element? {
    sectionPath(section).flatMap { node.header(at: $0) ?? node.element(at: $0) }
  }

  /// The footer of a section: see `SectionNode`.
  ///
  /// - Parameter section: 0..<the number of sections, as the widget shows them.
  /// - Returns: the footer; nil if the section has none, if the section has left the node, and in a list without sections.
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
/// The coordinator is the widget's data source. It answers for what the widget shows, also in the middle of an update, inside a
/// transaction, and while it is suspended: an element that has left the node meanwhile is nil. It keeps the node alive, and not
/// the widget; one of both, mostly what owns the widget, has to keep the coordinator.
///
/// It belongs to the isolation domain of its node, and the widget has to be of the same.
///
/// - Complexity: an update costs what it changes, and what the widget asks for; no row is asked for otherwise. While an update is
///   under way or held back, a row costs O(s) for s nodes in which something changes.
public final class ListCoordinator<Element>: ListWidgetCoordinator<Element> {
  /// Creates a coordinator, and lets the widget reload.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the rows; it is kept alive.
  ///   - widget: the widget, which is not kept alive; nil: it comes later.
  ///   - reloadLimit: how many rows an update may change one by one, before the widget reloads instead; nil: any number.
  public init(_ node: any TreeNode<Element>, widget: (any ListWidget)? = nil, reloadingAbove reloadLimit: Int? = nil) {
    super.init(node, .flat, widget, reloadLimit)
  }

  /// The number of rows that the widget shows.
  public var count: Int { feed.count(at: [0]) }

  /// The element of a row.
  ///
  /// - Parameter row: 0..<count, as the widget shows them.
  /// - Returns: the element; nil where it has none, and where it has left the node.
  public func element(at row: Int) -> Element? { feed.element(at: [0, row]) }

  /// The position in the node of what the widget shows in a row.
  ///
  /// - Parameter row: 0..<count, as the widget shows them.
  /// - Returns: the position; nil where that has left.
  public func position(ofRow row: Int) -> Int? { feed.nodePath(of: [0, row])?.first }

  /// The row in which the widget shows a child of the node.
  ///
  /// - Parameter position: 0..<the node's count.
  /// - Returns: the row; nil where the widget does not show that yet.
  public func row(ofPosition position: Int) -> Int? { feed.widgetPath(of: [position])?.last }
}
