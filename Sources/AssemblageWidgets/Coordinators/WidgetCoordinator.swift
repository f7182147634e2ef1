public import Assemblage

/// What all coordinators have in common: when and how the widget follows the node, which rows are selected, and what becomes of
/// what the user does.
///
/// It is a `ListCoordinator`, a `SectionedListCoordinator` or an `OutlineCoordinator`. Paths are those of the widget, as it shows
/// its rows now; in a list without sections, the row 3 is [0, 3].
public class WidgetCoordinator<Element> {
  let feed: WidgetFeed<Element>
  var selecting: WidgetSelection<Element>?
  var given = GivenBehaviors()

  init(_ node: any TreeNode<Element>, _ shape: WidgetShape, _ widget: (any CoordinatedWidget)?, _ limit: Int?) {
    feed = WidgetFeed(node, shape)
    feed.reloadLimit = limit
    feed.widget = widget
  }

  /// The node that is shown.
  public var node: any TreeNode<Element> { feed.node }

  /// How many elements an update may change one by one, before the widget reloads instead; nil: any number.
  public var reloadLimit: Int? {
    get { feed.reloadLimit }
    set { feed.reloadLimit = newValue }
  }

  /// Whether the first visible row stays in its place while rows come and leave; by default `.unlessAtTop`.
  public var keepsPosition: PositionKeeping {
    get { feed.keepsPosition }
    set { feed.keepsPosition = newValue }
  }

  // MARK: What is shown

  /// The number of sections, or of rows of a section, or of children of what an outline shows.
  ///
  /// - Parameter path: a path of the widget; [] is what contains everything.
  /// - Returns: how many the widget has to count.
  public func count(at path: IndexPath) -> Int { feed.count(at: path) }

  /// The element that the widget shows at a path.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: the element; nil where it has none, and where it has left the node.
  public func element(at path: IndexPath) -> Element? { feed.element(at: path) }

  /// The path in the node of what the widget shows at a path.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: the path; nil where that has left.
  public func nodePath(of path: IndexPath) -> IndexPath? { feed.nodePath(of: path) }

  /// The path at which the widget shows what is at a path of the node.
  ///
  /// - Parameter path: the path of an element that the widget shows, or is going to show.
  /// - Returns: the path; nil where the widget does not show that yet.
  public func widgetPath(of path: IndexPath) -> IndexPath? { feed.widgetPath(of: path) }

  // MARK: Updates

  /// Whether the widget shows all that the node has: nothing is held back, and no update is under way.
  public var isCurrent: Bool { feed.isCurrent }

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
  /// What is selected stays so only if it is kept by id: see `keepSelection(_:id:)`.
  ///
  /// - Parameter node: the node to show from now on; it is kept alive.
  public func show(_ node: any TreeNode<Element>) { show(node, after: nil) }

  /// Shows another node: the widget inserts, removes and moves what is different.
  ///
  /// What is selected and has the same id there stays selected.
  ///
  /// - Parameters:
  ///   - node: the node to show from now on; it is kept alive.
  ///   - id: what is the same in both nodes has equal ids, and no other element has.
  /// - Complexity: expected O(n · log n) for n elements in both nodes at all depths.
  public func show<ID: Hashable>(_ node: any TreeNode<Element>, id: (Element) -> ID) where Element: Equatable {
    show(node, after: feed.node.snapshot().difference(to: node.snapshot(), id: id))
  }

  private func show(_ node: any TreeNode<Element>, after change: ChangeSet?) {
    selecting = selecting.map { former in
      var selecting = WidgetSelection(succeeding: former, of: node, after: change)
      follow(&selecting)
      return selecting
    }
    feed.show(node, after: change)
    if selecting != nil { feed.showSelection() }
  }
}

@available(*, unavailable)
extension WidgetCoordinator: Sendable {}
