// Has not been compiled with UIKit, which Linux lacks: see Docs/Adapters.md.
#if canImport(UIKit) && !os(watchOS)
  public import Assemblage
  public import AssemblageWidgets
  public import Foundation
  public import UIKit

  /// Shows the rows of a coordinator in a table view, and tells it what the user does there.
  ///
  /// ```swift
  /// table.register(UITableViewCell.self, forCellReuseIdentifier: "name")
  /// var cells = CellFactory<String, UITableViewCell>()
  /// cells.register("name") { cell, name in cell.textLabel?.text = name }
  /// adapter = TableViewAdapter(table, ListCoordinator(names), cells: cells)
  /// ```
  ///
  /// It becomes the table's data source, delegate, drag and drop delegate; none of these keeps it alive. It keeps the coordinator.
  /// While the user drags a row, the table shows no changes. On tvOS there are no drags and no menus.
  @MainActor
  public final class TableViewAdapter<Element>: ForwardingAdapter, UITableViewDataSource, UITableViewDelegate,
    TableViewDragging
  {
    /// The table.
    public let table: UITableView

    /// What says which rows there are, and what may be done with them.
    public let coordinator: ListWidgetCoordinator<Element>

    /// How rows and sections come, go and change.
    public var animation: UITableView.RowAnimation = .automatic

    /// Yields the view above a section, which has a position in the table.
    public var header: (Int) -> UIView? = { _ in nil }

    /// Yields the view below a section, which has a position in the table.
    public var footer: (Int) -> UIView? = { _ in nil }

    /// The application's delegate, which receives each call that the adapter does not implement: row heights, scrolling.
    ///
    /// ```swift
    /// adapter.delegate = self
    /// ```
    ///
    /// It is a weak reference.
    public var delegate: (any UITableViewDelegate)? {
      get { forwardedDelegate as? any UITableViewDelegate }
      set {
        forwardedDelegate = newValue
        becomeDelegate()
      }
    }

    /// The application's data source, which receives each call that neither the adapter nor `delegate` implements.
    ///
    /// It is a weak reference.
    public var dataSource: (any UITableViewDataSource)? {
      get { forwardedDataSource as? any UITableViewDataSource }
      set {
        forwardedDataSource = newValue
        becomeDelegate()
      }
    }

    private let cells: CellFactory<Element, UITableViewCell>
    private let emptyCell: String
    private let drag: RowDrag<Element>

    /// Creates an adapter, and lets the table show the coordinator's rows.
    ///
    /// - Parameters:
    ///   - table: the table, in which the reuse identifiers of `cells` are registered.
    ///   - coordinator: a `ListCoordinator` or a `SectionedListCoordinator`, whose widget the adapter becomes.
    ///   - cells: which cell shows which row.
    ///   - emptyCell: the reuse identifier of the cell of a row without an element.
    public init(
      _ table: UITableView, _ coordinator: ListWidgetCoordinator<Element>,
      cells: CellFactory<Element, UITableViewCell>, emptyCell: String = "empty"
    ) {
      self.table = table
      self.coordinator = coordinator
      self.cells = cells
      self.emptyCell = emptyCell
      drag = RowDrag(coordinator)
      super.init()
      table.register(UITableViewCell.self, forCellReuseIdentifier: emptyCell)
      becomeDelegate()
      #if !os(tvOS)
        table.dragDelegate = self
        table.dropDelegate = self
        table.dragInteractionEnabled = true
      #endif
      coordinator.widget = self
    }

    /// Becomes the view's delegate anew: the view asks only then which methods are implemented.
    private func becomeDelegate() {
      (table.dataSource, table.delegate) = (nil, nil)
      (table.dataSource, table.delegate) = (self, self)
    }

    // MARK: Rows

    public func numberOfSections(in tableView: UITableView) -> Int { coordinator.count(at: []) }

    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      coordinator.count(at: [section])
    }

    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let template = coordinator.element(at: indexPath).map(cells.template)
      let cell = tableView.dequeueReusableCell(
        withIdentifier: template?.reuseIdentifier ?? emptyCell, for: indexPath)
      template?.configure(cell)
      return cell
    }

    public func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {
      if coordinator.isSelected(at: indexPath) {
        tableView.selectRow(at: indexPath, animated: false, scrollPosition: .none)
      }
    }

    public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? { header(section) }

    public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? { footer(section) }

    // MARK: What the user does

    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      coordinator.canDelete(at: indexPath)
    }

    public func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
      if editingStyle == .delete { coordinator.delete(at: indexPath) }
    }

    public func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? {
      coordinator.canSelect(at: indexPath) ? indexPath : nil
    }

    public func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath? {
      coordinator.canDeselect(at: indexPath) ? indexPath : nil
    }

    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      let allowsMultiple =
        tableView.isEditing ? tableView.allowsMultipleSelectionDuringEditing : tableView.allowsMultipleSelection
      if !coordinator.select(at: indexPath, allowsMultiple ? .adding : .only) { showSelection() }
    }

    public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
      if !coordinator.deselect(at: indexPath) { showSelection() }
    }

    public func tableView(_ tableView: UITableView, performPrimaryActionForRowAt indexPath: IndexPath) {
      coordinator.activate(at: indexPath)
    }

    #if !os(tvOS)
      public func tableView(
        _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
      ) -> UIContextMenuConfiguration? { coordinator.menu(at: indexPath) }

      // MARK: Dragging

      public func tableView(
        _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
      ) -> [UIDragItem] { coordinator.dragItems(at: indexPath) }

      public func tableView(_ tableView: UITableView, dragSessionWillBegin session: any UIDragSession) { drag.begin() }

      public func tableView(_ tableView: UITableView, dragSessionDidEnd session: any UIDragSession) { drag.end() }

      public func tableView(
        _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
      ) -> UITableViewDropProposal {
        let allows = coordinator.canDrop(session.items, at: destinationIndexPath)
        return UITableViewDropProposal(operation: allows ? .move : .forbidden, intent: .insertAtDestinationIndexPath)
      }

      public func tableView(_ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator) {
        let items = coordinator.session.items
        let path = self.coordinator.drop(items, at: coordinator.destinationIndexPath) { drag.end() }
        if let path {
          coordinator.drop(items[0], toRowAt: path)
        }
      }
    #endif
  }

  #if os(tvOS)
    /// Nothing: tvOS has no drag and drop.
    public typealias TableViewDragging = UIScrollViewDelegate
  #else
    /// What a table's adapter is for its drags.
    public typealias TableViewDragging = UITableViewDragDelegate & UITableViewDropDelegate
  #endif

  extension TableViewAdapter: ListWidget {
    public func reload() { table.reloadData() }

    public func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
      table.performBatchUpdates { [table, animation] in
        commit()
        table.deleteSections(batch.sections(\.deletions), with: animation)
        table.deleteRows(at: batch.rows(\.deletions), with: animation)
        table.insertSections(batch.sections(\.insertions), with: animation)
        table.insertRows(at: batch.rows(\.insertions), with: animation)
        for move in batch.sections(\.moves) { table.moveSection(move.source, toSection: move.destination) }
        for move in batch.rows(\.moves) { table.moveRow(at: move.source, to: move.destination) }
      }
      // In a batch, a table takes them for deletions and insertions, which clash with the others.
      let sections = IndexSet(batch.sections(\.reloads).map(\.destination))
      if !sections.isEmpty { table.reloadSections(sections, with: animation) }
      showValues(batch.rows(\.reloads).map(\.destination))
    }

    /// Shows the values of rows anew: in the cells that they have, or, where another kind of cell is needed, in that.
    private func showValues(_ paths: [IndexPath]) {
      let (same, other) = coordinator.divide(paths, cells, emptyCell: emptyCell) {
        table.cellForRow(at: $0).map(\.reuseIdentifier)
      }
      if !same.isEmpty { table.reconfigureRows(at: same) }
      if !other.isEmpty { table.reloadRows(at: other, with: animation) }
    }

    public func shownCount(at path: IndexPath) -> Int? {
      path.isEmpty ? table.numberOfSections : table.numberOfRows(inSection: path[0])
    }

    public var scrollPosition: WidgetScrollPosition? {
      get {
        table.indexPathsForVisibleRows?.min().map {
          WidgetScrollPosition(path: $0, offset: Double(table.rectForRow(at: $0).minY - table.top))
        }
      }
      set { newValue.map { table.setTop(table.rectForRow(at: $0.path).minY - CGFloat($0.offset)) } }
    }

    public func showSelection() {
      let selected = Set(table.indexPathsForSelectedRows ?? [])
      for path in selected where !coordinator.isSelected(at: path) { table.deselectRow(at: path, animated: false) }
      for path in table.indexPathsForVisibleRows ?? []
      where coordinator.isSelected(at: path) && !selected.contains(path) {
        table.selectRow(at: path, animated: false, scrollPosition: .none)
      }
    }
  }
#endif
