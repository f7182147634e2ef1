public import Assemblage

/// Shows the children of a node in a list widget as sections, and their children as the rows of these.
///
/// ```swift
/// let names = ArrayNode(["Bob", "Ada", "Al"])
/// let letters = GroupNode(names, sectionsBy: <) { String($0.prefix(1)) }
/// let coordinator = SectionedListCoordinator(letters, widget: table)
/// coordinator.count(ofSection: 0)      // 2
/// coordinator.element(at: [0, 1])      // "Al"
/// ```
///
/// All that is said of `ListCoordinator` holds here too. What is below the rows is not shown.
public final class SectionedListCoordinator<Element>: ListWidgetCoordinator<Element> {
  /// Creates a coordinator, and lets the widget reload.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the sections; it is kept alive.
  ///   - widget: the widget, which is not kept alive; nil: it comes later.
  ///   - reloadLimit: how many rows and sections an update may change one by one, before the widget reloads instead; nil: any
  ///     number.
  public init(_ node: any TreeNode<Element>, widget: (any ListWidget)? = nil, reloadingAbove reloadLimit: Int? = nil) {
    super.init(node, .sectioned, widget, reloadLimit)
  }

  /// The number of sections that the widget shows.
  public var sectionCount: Int { feed.count(at: []) }

  /// The number of rows of a section.
  ///
  /// - Parameter section: 0..<sectionCount, as the widget shows them.
  /// - Returns: how many the widget shows.
  public func count(ofSection section: Int) -> Int { feed.count(at: [section]) }
}
