public import Assemblage

/// Shows the children of a node in a list widget as sections, and the children of these sections as rows.
///
/// ```swift
/// let names = ArrayNode(["Bob", "Ada", "Al"])
/// let letters = GroupNode(names, sectionsBy: <) { String($0.prefix(1)) }
/// let coordinator = SectionedListCoordinator(letters, widget: table)
/// coordinator.count(ofSection: 0)      // 2
/// coordinator.element(at: [0, 1])      // "Al"
/// ```
///
/// The description of `ListCoordinator` holds here too. Descendants of the rows are not shown.
public final class SectionedListCoordinator<Element>: ListWidgetCoordinator<Element> {
  /// Creates a coordinator, and lets the widget reload.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the sections. The coordinator keeps the node alive.
  ///   - widget: the widget, which the coordinator does not keep alive; nil: the widget is set later.
  ///   - reloadLimit: the largest number of rows and sections that an update changes one by one. With more changes, the
  ///     widget reloads. nil: any number.
  public init(_ node: any TreeNode<Element>, widget: (any ListWidget)? = nil, reloadingAbove reloadLimit: Int? = nil) {
    super.init(node, .sectioned, widget, reloadLimit)
  }

  /// The number of sections that the widget shows.
  public var sectionCount: Int { feed.count(at: []) }

  /// The number of rows of a section.
  ///
  /// - Parameter section: 0..<sectionCount, as the widget shows them.
  /// - Returns: the number of rows that the widget shows.
  public func count(ofSection section: Int) -> Int { feed.count(at: [section]) }
}
