public import Assemblage

/// What coordinators of list widgets have in common: when and how the widget follows the node.
///
/// It is a `ListCoordinator` or a `SectionedListCoordinator`.
public class ListWidgetCoordinator<Element> {
  let feed: ListFeed<Element>

  init(_ node: any TreeNode<Element>, _ shape: ListFeed<Element>.Shape, _ widget: (any ListWidget)?, _ limit: Int?) {
    feed = ListFeed(node, shape)
    feed.reloadLimit = limit
    feed.widget = widget
  }

  /// The node whose children are the rows, or the sections.
  public var node: any TreeNode<Element> { feed.node }

  /// The widget, which reloads when it is set; it is not kept alive.
  public var widget: (any ListWidget)? {
    get { feed.widget }
    set { feed.widget = newValue }
  }

  /// How many rows and sections an update may change one by one, before the widget reloads instead; nil: any number.
  public var reloadLimit: Int? {
    get { feed.reloadLimit }
    set { feed.reloadLimit = newValue }
  }

  // MARK: Updates

  /// Holds updates back until `resume()`: the widget goes on showing what it shows.
  ///
  /// Calls nest.
  public func suspend() { feed.suspend() }

  /// Lets the widget follow again, and shows all that was held back as one update.
  ///
  /// - Precondition: `suspend()` was called as often; anything else traps.
  public func resume() { feed.resume() }

  /// Lets the widget ask for everything again.
  public func reload() { feed.reload() }

  /// Runs a transaction behind which the widget reloads, without an update for each change.
  ///
  /// - Parameter body: changes nodes; an error that it throws rolls its changes back.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func performReloading<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try feed.reloading(body)
  }

  // MARK: Other nodes

  /// Shows another node: the widget reloads.
  ///
  /// - Parameter node: the node whose children are the rows, or the sections, from now on; it is kept alive.
  public func show(_ node: any TreeNode<Element>) { feed.show(node, after: nil) }

  /// Shows another node: the widget inserts, removes and moves what is different.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the rows, or the sections, from now on; it is kept alive.
  ///   - id: what is the same in both nodes has equal ids, and no other element has.
  /// - Complexity: expected O(n · log n) for n elements in both nodes at all depths.
  public func show<ID: Hashable>(_ node: any TreeNode<Element>, by id: (Element) -> ID) where Element: Equatable {
    feed.show(node, after: ChangeSet(from: TreeSnapshot(of: feed.node), to: TreeSnapshot(of: node), by: id))
  }
}

@available(*, unavailable)
extension ListWidgetCoordinator: Sendable {}
