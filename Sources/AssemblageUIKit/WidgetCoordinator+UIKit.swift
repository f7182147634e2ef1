// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  import Assemblage
  import AssemblageWidgets
  import Foundation
  import UIKit

  // Helpers for table and collection views.
  @MainActor
  extension ListWidgetCoordinator {
    /// Divides rows that have new values by the kind of cell that they need now.
    ///
    /// - Parameters:
    ///   - paths: the rows.
    ///   - cells: the cells, headers and footers of the sections.
    ///   - emptyCell: the reuse identifier of the cell of a row without an element.
    ///   - shownIdentifier: the reuse identifier of the cell that shows a row; nil if the view has no cell for the row.
    /// - Returns: the rows that keep their cells, and the rows that need another kind. Rows without a cell are in
    ///   neither.
    func divide<Cell, Supplement>(
      _ paths: [IndexPath], _ cells: SectionCells<Element, Cell, Supplement>, emptyCell: String,
      shownIdentifier: (IndexPath) -> String??
    ) -> (same: [IndexPath], other: [IndexPath]) {
      var (same, other): ([IndexPath], [IndexPath]) = ([], [])
      for path in paths {
        guard let shown = shownIdentifier(path) else { continue }
        let needed = template(at: path, in: cells)?.reuseIdentifier ?? emptyCell
        if shown == needed { same.append(path) } else { other.append(path) }
      }
      return (same, other)
    }

    /// The place to which a view moves a row. The view counts the destination without the row, and the coordinator
    /// counts it with the row.
    func place(_ destination: IndexPath, of row: IndexPath) -> (parent: IndexPath, position: Int) {
      let isBehind = destination[0] == row[0] && destination[1] > row[1]
      return ([destination[0]], destination[1] + (isBehind ? 1 : 0))
    }

    /// Whether a row has actions under a swipe.
    func hasSwipes(at path: IndexPath) -> Bool {
      [.leading, .trailing].contains { edge in actions(at: path, underSwipeFrom: edge).contains(where: \.isEnabled) }
    }
  }

  extension CellKind where Cell: UIView {
    /// The nib file of the cells.
    @MainActor var nib: UINib { UINib(nibName: nibName, bundle: Bundle(for: type)) }
  }

  /// An action of the user that takes a while, for example a drag. Meanwhile, the coordinator holds its updates back.
  ///
  /// A second beginning and a second end have no effect. For example, a drop ends the drag early, so that the view
  /// shows the row at its new place, and the session then ends the drag again.
  @MainActor
  final class LongAction<Element> {
    private let coordinator: ListWidgetCoordinator<Element>
    private var isRunning = false
    /// How often an action has begun.
    private var beginnings = 0

    init(_ coordinator: ListWidgetCoordinator<Element>) { self.coordinator = coordinator }

    func begin() {
      beginnings += 1
      if isRunning { return }
      isRunning = true
      coordinator.suspend()
    }

    /// Begins an action that ends soon, also if nobody ends it.
    func beginBriefly() {
      begin()
      let beginning = beginnings
      Task { if beginning == beginnings { end() } }
    }

    func end() {
      if !isRunning { return }
      isRunning = false
      coordinator.resume()
    }
  }

  #if !os(tvOS)
    @MainActor
    extension ListWidgetCoordinator {
      /// The context menu of a row; nil if the row has no actions.
      func menu(at path: IndexPath) -> UIContextMenuConfiguration? {
        let actions = actions(at: path)
        if actions.isEmpty { return nil }
        return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in
          let entries = actions.map { action in
            var attributes: UIMenuElement.Attributes = action.isDestructive ? .destructive : []
            if !action.isEnabled { attributes.insert(.disabled) }
            return UIAction(title: action.title, attributes: attributes) { _ in action.perform() }
          }
          return UIMenu(title: "", children: entries)
        }
      }

      /// The actions under a swipe; nil if the row has none.
      func swipes(at path: IndexPath, _ edge: SwipeEdge) -> UISwipeActionsConfiguration? {
        let actions = actions(at: path, underSwipeFrom: edge).filter(\.isEnabled)
        if actions.isEmpty { return nil }
        let row = anchor(at: path)
        return UISwipeActionsConfiguration(
          actions: actions.map { action in
            UIContextualAction(style: action.isDestructive ? .destructive : .normal, title: action.title) {
              _, _, finish in
              action.perform()
              // The view removes the row of a destructive action that has succeeded.
              finish(!action.isDestructive || row?.path == nil)
            }
          })
      }

      /// The items of the drag of a row.
      ///
      /// - Parameters:
      ///   - path: the row. If it is selected, the view asks for each selected row.
      ///   - touched: the row under the finger; nil if there is none.
      /// - Returns: an item; none if the row cannot be moved, or is not under the finger.
      func dragItems(at path: IndexPath, touching touched: IndexPath?) -> [UIDragItem] {
        guard touched == nil || touched == path, canMove(at: path), let row = anchor(at: path) else { return [] }
        let item = UIDragItem(itemProvider: NSItemProvider())
        item.localObject = DraggedRow(coordinator: self, row: row)
        return [item]
      }

      private func anchor(at path: IndexPath) -> NodeAnchor<Element>? {
        nodePath(of: path).map { NodeAnchor(of: node, at: $0) }
      }

      /// Whether the user drags a row that may move to a place.
      func canDrop(_ items: [UIDragItem], at destination: IndexPath?) -> Bool {
        movement(items, destination).map { canMove($0.path, into: $0.parent, at: $0.position) } ?? false
      }

      /// Moves the row that is dragged.
      ///
      /// - Parameters:
      ///   - items: the items of the drag.
      ///   - destination: the path at which the row is dropped; nil in an empty view and below the last row.
      ///   - show: lets the view show the change.
      /// - Returns: the path at which the view shows the row afterwards; nil if the row was not moved.
      func drop(_ items: [UIDragItem], at destination: IndexPath?, thenShow show: () -> Void) -> IndexPath? {
        guard let movement = movement(items, destination) else { return nil }
        suspend()
        let isMoved = move(movement.path, into: movement.parent, at: movement.position)
        // While updates are held back, the row is still found by its former path.
        let place = isMoved ? nodePath(of: movement.path) : nil
        resume()
        show()
        return place.flatMap { widgetPath(of: $0) }
      }

      /// The move that a drop means; nil if the user drags no row of this coordinator.
      private func movement(
        _ items: [UIDragItem], _ destination: IndexPath?
      ) -> (path: IndexPath, parent: IndexPath, position: Int)? {
        guard items.count == 1, let dragged = items[0].localObject as? DraggedRow<Element>,
          dragged.coordinator === self, let path = dragged.row.path.flatMap({ widgetPath(of: $0) }),
          destination == nil || destination?.count == 2
        else { return nil }
        guard let destination else {
          let section = count(at: []) - 1
          if section < 0 { return nil }
          return (path, [section], count(at: [section]))
        }
        let (parent, position) = place(destination, of: path)
        return (path, parent, position)
      }
    }

    /// A row that the user drags. Its path may change until the view has lifted the row.
    private struct DraggedRow<Element> {
      let coordinator: AnyObject
      let row: NodeAnchor<Element>
    }
  #endif

  @MainActor
  extension UIScrollView {
    /// The upper edge of the visible region.
    var top: CGFloat { contentOffset.y + adjustedContentInset.top }

    /// Scrolls so that an edge becomes the upper edge of the visible region, but not beyond the contents.
    ///
    /// While the user scrolls, this method does nothing: a new offset would end the scrolling.
    func setTop(_ top: CGFloat) {
      if isDragging || isDecelerating { return }
      layoutIfNeeded()
      let lowest = -adjustedContentInset.top
      let highest = max(lowest, contentSize.height + adjustedContentInset.bottom - bounds.height)
      let offset = min(max(top - adjustedContentInset.top, lowest), highest)
      if offset != contentOffset.y { contentOffset.y = offset }
    }
  }
#endif
