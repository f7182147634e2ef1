public import Assemblage

/// The common base class of all coordinators.
///
/// A coordinator decides when and how the widget follows the node. A coordinator also holds the selection, and passes
/// the actions of the user on to the nodes.
///
/// The subclasses are `ListCoordinator`, `SectionedListCoordinator` and `OutlineCoordinator`. Paths are paths of the
/// widget, for the rows that the widget shows now. In a list without sections, the row 3 is [0, 3].
public class WidgetCoordinator<Element> {
  let feed: WidgetFeed<Element>
  var selecting: WidgetSelection<Element>?
  var given = GivenBehaviors()

  init(_ node: any TreeNode<Element>, _ shape: WidgetShape, _ widget: (any CoordinatedWidget)?, _ limit: Int?) {
    feed = WidgetFeed(node, shape)
    feed.reloadLimit = limit
    feed.coordinator = self
    feed.widget = widget
  }

  /// The node that the widget shows.
  public var node: any TreeNode<Element> { feed.node }

  /// The largest number of elements that an update changes one by one; nil: any number.
  ///
  /// With more changes, the widget reloads. For a `RowsWidget`, the limit counts ranges, not rows.
  public var reloadLimit: Int? {
    get { feed.reloadLimit }
    set { feed.reloadLimit = newValue }
  }

  /// Whether the first visible row stays in its place while rows arrive and leave; by default `.unlessAtTop`.
  public var keepsPosition: PositionKeeping {
    get { feed.keepsPosition }
    set { feed.keepsPosition = newValue }
  }

  // MARK: Shown elements

  /// The number of sections, of rows of a section, or of children of an element of an outline.
  ///
  /// - Parameter path: a path of the widget; [] is the root, which the widget does not show as a row.
  /// - Returns: the number that the widget has to count.
  public func count(at path: IndexPath) -> Int { feed.count(at: path) }

  /// The element that the widget shows at a path.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: the element; nil if there is no element at the path, or if it has left the node.
  public func element(at path: IndexPath) -> Element? { feed.element(at: path) }

  /// The element that the cell of a row shows.
  ///
  /// - Parameter path: the path of a row of the widget.
  /// - Returns: the element; nil if it has left the node.
  /// - Precondition: the row of a list is not a node with children and without a value.
  package func cellElement(at path: IndexPath) -> Element? { feed.cellElement(at: path) }

  /// The path in the node of the element that the widget shows at a path.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: the path; nil if the element has left the node.
  public func nodePath(of path: IndexPath) -> IndexPath? { feed.nodePath(of: path) }

  /// The path at which the widget shows the element at a path of the node.
  ///
  /// - Parameter path: the path of an element that the widget shows, or will show.
  /// - Returns: the path; nil if the widget does not show the element yet.
  public func widgetPath(of path: IndexPath) -> IndexPath? { feed.widgetPath(of: path) }

  // MARK: Updates

  /// Whether the widget shows the node as it is now: no change is held back, and no update is under way.
  public var isCurrent: Bool { feed.isCurrent }

  /// Whether nobody knows a count of children. The widget then reloads next.
  package var lacksCount: Bool { feed.lacksCount }

  /// Holds updates back until `resume()`, for example while the user drags a row.
  ///
  /// Until then, the rows of the widget stay as they are. The coordinator still answers for the rows that the widget
  /// shows: counts and paths are those of the last update. An element that has left the node since then has no value. A
  /// widget that reloads by itself shows the same rows again. The selection keeps following the node.
  ///
  /// Calls nest: each call needs a `resume()` of its own.
  public func suspend() { feed.suspend() }

  /// Lets the widget follow the node again, and applies all changes that were held back as one update.
  ///
  /// - Precondition: each call belongs to an earlier call of `suspend()`; otherwise the method traps.
  public func resume() { feed.resume() }

  /// Lets the widget ask for all counts and elements again.
  public func reload() { feed.reload() }

  /// Runs a transaction, and then lets the widget reload, without an update for each change.
  ///
  /// - Parameter body: changes nodes. If `body` throws an error, its changes are rolled back.
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  public func performReloading<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try feed.reloading(body)
  }

  // MARK: Other nodes

  /// Shows another node, and lets the widget reload.
  ///
  /// Selected rows stay selected only if the selection is kept by id: see `keepSelection(_:id:)`.
  ///
  /// - Parameter node: the node to show from now on. The coordinator keeps the node alive.
  public func show(_ node: any TreeNode<Element>) { show(node, after: nil) }

  /// Shows another node, and lets the widget insert, remove and move the rows that differ.
  ///
  /// A selected element stays selected if the other node has an element with the same id.
  ///
  /// - Parameters:
  ///   - node: the node to show from now on. The coordinator keeps the node alive.
  ///   - id: yields the id of an element. The same element has equal ids in both nodes, and no other element has this
  ///     id.
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
