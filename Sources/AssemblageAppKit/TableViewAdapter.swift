// Has not been compiled with AppKit, which Linux lacks: see Docs/ShowingANode.md. On Mac Catalyst, AppKit can be
// imported, but has no views.
#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Assemblage
  public import AssemblageWidgets
  public import Foundation

  /// Shows the rows of a coordinator in a table view, and performs the user's actions on the coordinator.
  ///
  /// ```swift
  /// var cells = CellFactory<String, NSView>()
  /// cells.register("name") { view, name in (view as? NSTableCellView)?.textField?.stringValue = name }
  /// adapter = TableViewAdapter(table, ListCoordinator(names)) { _ in cells }
  /// ```
  ///
  /// The adapter becomes the table's data source and delegate. Neither of these references keeps the adapter alive. The
  /// adapter keeps the coordinator alive. While the user drags rows, the table shows no changes.
  @MainActor
  public final class TableViewAdapter<Element>: NSObject, NSTableViewDataSource, NSTableViewDelegate {
    /// The table.
    public let table: NSTableView

    /// The coordinator, with the rows and the actions that the user may perform on them.
    public let coordinator: ListCoordinator<Element>

    /// The animation of rows that are inserted.
    public var insertionAnimation: NSTableView.AnimationOptions = .effectFade

    /// The animation of rows that are removed.
    public var removalAnimation: NSTableView.AnimationOptions = .effectFade

    /// Sorts the rows when the user clicks on the header of a column, for example with `SortNode.setComparator(_:)`.
    ///
    /// ```swift
    /// column.sortDescriptorPrototype = NSSortDescriptor(key: "name", ascending: true)
    /// adapter.sort = { descriptors in
    ///   sorted.setComparator(using: descriptors.map { one in
    ///     KeyPathComparator(one.key == "name" ? \Person.name : \Person.city, order: one.ascending ? .forward : .reverse)
    ///   })
    /// }
    /// ```
    ///
    /// The closure receives the table's sort descriptors. A later one decides where all earlier ones tie. The table
    /// also calls it when the program sets the descriptors.
    public var sort: (_ descriptors: [NSSortDescriptor]) -> Void = { _ in }

    private let cells: (NSTableColumn?) -> CellFactory<Element, NSView>
    private var dragged = IndexSet()
    /// Whether the adapter changes the table at the moment. Then a change of the selection is not an action of the
    /// user.
    private var isShowing = false

    /// Creates an adapter, and lets the table show the coordinator's rows.
    ///
    /// - Parameters:
    ///   - table: the table, which makes views for the reuse identifiers of `cells`.
    ///   - coordinator: the coordinator, whose widget the adapter becomes.
    ///   - cells: yields the views of the rows in a column.
    public init(
      _ table: NSTableView, _ coordinator: ListCoordinator<Element>,
      cells: @escaping (NSTableColumn?) -> CellFactory<Element, NSView>
    ) {
      self.table = table
      self.coordinator = coordinator
      self.cells = cells
      super.init()
      table.dataSource = self
      table.delegate = self
      table.registerForDraggedTypes([.draggedRow])
      coordinator.widget = self
    }

    // MARK: Rows

    public func numberOfRows(in tableView: NSTableView) -> Int { coordinator.count }

    public func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView? {
      tableView.view(for: coordinator.cellElement(at: [0, row]), by: cells(tableColumn))
    }

    public func tableView(_ tableView: NSTableView, sortDescriptorsDidChange oldDescriptors: [NSSortDescriptor]) {
      sort(tableView.sortDescriptors)
    }

    // MARK: Actions of the user

    public func tableView(
      _ tableView: NSTableView, selectionIndexesForProposedSelection proposedSelectionIndexes: IndexSet
    ) -> IndexSet {
      coordinator.proposal(proposedSelectionIndexes, insteadOf: tableView.selectedRowIndexes) { [0, $0] }
    }

    public func tableViewSelectionDidChange(_ notification: Notification) {
      if isShowing { return }
      isShowing = true
      coordinator.takeSelection(table.selectedRowIndexes, path: { [0, $0] }, row: { $0[1] })
      isShowing = false
      showSelection()
    }

    public func tableView(
      _ tableView: NSTableView, rowActionsForRow row: Int, edge: NSTableView.RowActionEdge
    ) -> [NSTableViewRowAction] {
      let swipes = coordinator.actions(at: [0, row], underSwipeFrom: edge == .leading ? .leading : .trailing)
      let actions = swipes.isEmpty && edge != .leading ? coordinator.actions(at: [0, row]) : swipes
      return actions.filter(\.isEnabled).map { action in
        NSTableViewRowAction(style: action.isDestructive ? .destructive : .regular, title: action.title) {
          [weak table] _, _ in
          action.perform()
          // By itself, the table hides the actions only when it removes the row.
          table?.rowActionsVisible = false
        }
      }
    }

    /// Activates the row that was clicked. Call this method from the table's double action.
    public func activateClickedRow() {
      if table.clickedRow >= 0 { coordinator.activate(at: [0, table.clickedRow]) }
    }

    /// Deletes the selected rows that may be deleted. Call this method when the user presses the delete key.
    public func deleteSelection() { coordinator.deleteSelection() }

    // MARK: Dragging

    public func tableView(_ tableView: NSTableView, pasteboardWriterForRow row: Int) -> (any NSPasteboardWriting)? {
      coordinator.canMove(at: [0, row]) ? NSPasteboardItem.draggedRow : nil
    }

    public func tableView(
      _ tableView: NSTableView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
      forRowIndexes rowIndexes: IndexSet
    ) {
      coordinator.suspend()
      dragged = rowIndexes
    }

    public func tableView(
      _ tableView: NSTableView, draggingSession session: NSDraggingSession, endedAt screenPoint: NSPoint,
      operation: NSDragOperation
    ) {
      dragged = []
      coordinator.resume()
    }

    public func tableView(
      _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
      proposedDropOperation dropOperation: NSTableView.DropOperation
    ) -> NSDragOperation {
      let allows = dropOperation == .above && dragged.contains { coordinator.canMove([0, $0], into: [0], at: row) }
      return allows ? .move : []
    }

    public func tableView(
      _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int,
      dropOperation: NSTableView.DropOperation
    ) -> Bool {
      coordinator.move(dragged.map { [0, $0] }, into: [0], at: row) > 0
    }
  }

  extension TableViewAdapter: ListWidget {
    public var isSequential: Bool { true }

    public func reload() {
      isShowing = true
      table.reloadData()
      isShowing = false
    }

    public func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
      isShowing = true
      table.beginUpdates()
      commit()
      for call in batch.calls {
        switch call {
        case .remove(let rows, _): table.removeRows(at: rows, withAnimation: removalAnimation)
        case .insert(let rows, _): table.insertRows(at: rows, withAnimation: insertionAnimation)
        case .move(let row, _, let destination, _): table.moveRow(at: row, to: destination)
        // In the middle of an update, the table would look for the row at a wrong place.
        case .reload: break
        }
      }
      table.endUpdates()
      let changed = IndexSet(batch.rows(\.reloads).map { $0.destination[1] })
      if !changed.isEmpty {
        table.reloadData(forRowIndexes: changed, columnIndexes: IndexSet(integersIn: 0..<table.numberOfColumns))
      }
      isShowing = false
      if !batch.insertions.isEmpty { showSelection() }
    }

    public func shownCount(at path: IndexPath) -> Int? {
      // The table asks for its rows when it has to count them.
      let count = table.numberOfRows
      return path.isEmpty ? 1 : count
    }

    public var scrollPosition: WidgetScrollPosition? {
      get { table.firstVisibleRow.map { WidgetScrollPosition(path: [0, $0], offset: table.offset(ofRow: $0)) } }
      set { newValue.map { table.scroll(toRow: $0.path[1], offset: $0.offset) } }
    }

    public func showSelection() {
      if isShowing { return }
      isShowing = true
      defer { isShowing = false }
      let rows = IndexSet(coordinator.selectedPaths.map { $0[1] })
      if rows != table.selectedRowIndexes { table.selectRowIndexes(rows, byExtendingSelection: false) }
    }
  }
#endif
