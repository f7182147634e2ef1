// Has not been compiled with AppKit, which Linux lacks: see Docs/ShowingANode.md. On Mac Catalyst, AppKit can be
// imported, but has no views.
#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Assemblage
  public import AssemblageWidgets
  public import Foundation

  /// Shows a tree in an outline view, and performs the user's actions on the coordinator.
  ///
  /// ```swift
  /// var cells = CellFactory<File, NSView>()
  /// cells.register("file") { view, file in (view as? NSTableCellView)?.textField?.stringValue = file.name }
  /// adapter = OutlineViewAdapter(outline, OutlineCoordinator(files)) { _ in cells }
  /// ```
  ///
  /// The adapter becomes the view's data source and delegate. Neither of these references keeps the adapter alive. The
  /// adapter keeps the coordinator alive. The view asks for the children of a row when the row is unfolded. While the
  /// user drags rows, the view shows no changes.
  @MainActor
  public final class OutlineViewAdapter<Element>: NSObject, NSOutlineViewDataSource, NSOutlineViewDelegate {
    /// The view.
    public let outline: NSOutlineView

    /// The coordinator, with the rows and the actions that the user may perform on them.
    public let coordinator: OutlineCoordinator<Element>

    /// The animation of rows that are inserted.
    public var insertionAnimation: NSTableView.AnimationOptions = .effectFade

    /// The animation of rows that are removed.
    public var removalAnimation: NSTableView.AnimationOptions = .effectFade

    private let items: OutlineItems
    private let cells: (NSTableColumn?) -> CellFactory<Element, NSView>
    private var dragged: [IndexPath] = []
    /// Whether the adapter changes the view at the moment. Then a change of the selection is not an action of the user.
    private var isShowing = false

    /// Creates an adapter, and lets the view show the coordinator's tree.
    ///
    /// - Parameters:
    ///   - outline: the view, which makes views for the reuse identifiers of `cells`.
    ///   - coordinator: the coordinator, whose widget the adapter becomes.
    ///   - cells: yields the views of the rows in a column.
    public init(
      _ outline: NSOutlineView, _ coordinator: OutlineCoordinator<Element>,
      cells: @escaping (NSTableColumn?) -> CellFactory<Element, NSView>
    ) {
      self.outline = outline
      self.coordinator = coordinator
      self.cells = cells
      items = OutlineItems { [unowned coordinator] in coordinator.count(at: $0) }
      super.init()
      outline.dataSource = self
      outline.delegate = self
      outline.registerForDraggedTypes([.draggedRow])
      coordinator.widget = self
    }

    // MARK: Rows

    public func outlineView(_ outlineView: NSOutlineView, numberOfChildrenOfItem item: Any?) -> Int {
      items.count(of: item as? OutlineItem)
    }

    public func outlineView(_ outlineView: NSOutlineView, child index: Int, ofItem item: Any?) -> Any {
      items.child(at: index, of: item as? OutlineItem)
    }

    public func outlineView(_ outlineView: NSOutlineView, isItemExpandable item: Any) -> Bool {
      path(of: item).map { coordinator.isExpandable(at: $0) } ?? false
    }

    public func outlineView(_ outlineView: NSOutlineView, viewFor tableColumn: NSTableColumn?, item: Any) -> NSView? {
      outlineView.view(for: path(of: item).flatMap { coordinator.cellElement(at: $0) }, by: cells(tableColumn))
    }

    private func path(of item: Any?) -> IndexPath? { (item as? OutlineItem).flatMap { items.path(of: $0) } }

    private func path(ofRow row: Int) -> IndexPath? { path(of: outline.item(atRow: row)) }

    // MARK: Actions of the user

    public func outlineView(_ outlineView: NSOutlineView, shouldExpandItem item: Any) -> Bool {
      path(of: item).map { coordinator.canSetExpanded(true, at: $0) } ?? false
    }

    public func outlineView(_ outlineView: NSOutlineView, shouldCollapseItem item: Any) -> Bool {
      path(of: item).map { coordinator.canSetExpanded(false, at: $0) } ?? false
    }

    public func outlineViewItemDidExpand(_ notification: Notification) { setExpanded(true, notification) }

    public func outlineViewItemDidCollapse(_ notification: Notification) { setExpanded(false, notification) }

    private func setExpanded(_ isExpanded: Bool, _ notification: Notification) {
      if let path = path(of: notification.userInfo?["NSObject"]) { coordinator.setExpanded(isExpanded, at: path) }
      // The view has forgotten the selection of rows that were out of sight.
      if isExpanded { showSelection() }
    }

    public func outlineView(
      _ outlineView: NSOutlineView, selectionIndexesForProposedSelection proposedSelectionIndexes: IndexSet
    ) -> IndexSet {
      coordinator.proposal(proposedSelectionIndexes, insteadOf: outlineView.selectedRowIndexes, path(ofRow:))
    }

    public func outlineViewSelectionDidChange(_ notification: Notification) {
      if isShowing { return }
      isShowing = true
      coordinator.takeSelection(outline.selectedRowIndexes, path: path(ofRow:), row: row(at:))
      isShowing = false
      showSelection()
    }

    /// Activates the row that was clicked. Call this method from the view's double action.
    public func activateClickedRow() {
      if let path = path(ofRow: outline.clickedRow) { coordinator.activate(at: path) }
    }

    /// Deletes the selected rows that may be deleted. Call this method when the user presses the delete key.
    ///
    /// A selected row inside a folded row stays, because the user does not see it.
    public func deleteSelection() {
      coordinator.delete(coordinator.selectedPaths.filter { row(at: $0) != nil })
    }

    // MARK: Dragging

    public func outlineView(_ outlineView: NSOutlineView, pasteboardWriterForItem item: Any) -> (
      any NSPasteboardWriting
    )? {
      path(of: item).map { coordinator.canMove(at: $0) } == true ? NSPasteboardItem.draggedRow : nil
    }

    public func outlineView(
      _ outlineView: NSOutlineView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
      forItems draggedItems: [Any]
    ) {
      coordinator.suspend()
      dragged = draggedItems.compactMap { path(of: $0) }
    }

    public func outlineView(
      _ outlineView: NSOutlineView, draggingSession session: NSDraggingSession, endedAt screenPoint: NSPoint,
      operation: NSDragOperation
    ) {
      dragged = []
      coordinator.resume()
    }

    public func outlineView(
      _ outlineView: NSOutlineView, validateDrop info: any NSDraggingInfo, proposedItem item: Any?,
      proposedChildIndex index: Int
    ) -> NSDragOperation {
      let (parent, position) = destination(item, index)
      return dragged.contains { coordinator.canMove($0, into: parent, at: position) } ? .move : []
    }

    public func outlineView(
      _ outlineView: NSOutlineView, acceptDrop info: any NSDraggingInfo, item: Any?, childIndex index: Int
    ) -> Bool {
      let (parent, position) = destination(item, index)
      return coordinator.move(dragged, into: parent, at: position) > 0
    }

    /// The place of a drop. A drop on a row goes behind the row's last child.
    private func destination(_ item: Any?, _ index: Int) -> (parent: IndexPath, position: Int) {
      let parent = path(of: item) ?? []
      return (parent, index == NSOutlineViewDropOnItemIndex ? coordinator.count(at: parent) : index)
    }
  }

  extension OutlineViewAdapter: OutlineWidget {
    public func reload() {
      isShowing = true
      items.removeAll()
      outline.reloadData()
      isShowing = false
    }

    public func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
      isShowing = true
      var changed: [OutlineItem] = []
      outline.beginUpdates()
      items.perform(batch, commit: commit) { call in
        switch call {
        case .remove(let places, let parent):
          outline.removeItems(at: places, inParent: parent, withAnimation: removalAnimation)
        case .insert(let places, let parent):
          outline.insertItems(at: places, inParent: parent, withAnimation: insertionAnimation)
        case .move(let place, let parent, let destination, let newParent):
          move(place, parent, destination, newParent)
        // In the middle of an update, the view would look for the row at a wrong place.
        case .reload(let item): changed.append(item)
        }
      }
      outline.endUpdates()
      for item in changed where isKnown(item) { outline.reloadItem(item, reloadChildren: false) }
      isShowing = false
      // A row that moves from a folded row to an unfolded one arrives in the view.
      if !batch.insertions.isEmpty || !batch.moves.isEmpty { showSelection() }
    }

    /// Whether the view knows an item. The view forgets a row that has moved into a row which was never unfolded.
    private func isKnown(_ item: OutlineItem) -> Bool {
      outline.row(forItem: item) >= 0 || outline.parent(forItem: item) != nil
    }

    /// Moves a row. In a row that is folded, the view can only remove and insert rows, both without an effect.
    private func move(_ place: Int, _ parent: OutlineItem?, _ destination: Int, _ newParent: OutlineItem?) {
      func shows(_ item: OutlineItem?) -> Bool { item.map { outline.isItemExpanded($0) } ?? true }
      if shows(parent), shows(newParent) {
        outline.moveItem(at: place, inParent: parent, to: destination, inParent: newParent)
      } else {
        outline.removeItems(at: IndexSet(integer: place), inParent: parent, withAnimation: removalAnimation)
        outline.insertItems(at: IndexSet(integer: destination), inParent: newParent, withAnimation: insertionAnimation)
      }
    }

    public func shownCount(at path: IndexPath) -> Int? {
      // The view asks for its rows when the view has to count them.
      if path.isEmpty { _ = outline.numberOfRows }
      return items.shownCount(at: path)
    }

    public var scrollPosition: WidgetScrollPosition? {
      get {
        guard let row = outline.firstVisibleRow, let path = path(ofRow: row) else { return nil }
        return WidgetScrollPosition(path: path, offset: outline.offset(ofRow: row))
      }
      set {
        guard let position = newValue, let row = row(at: position.path) else { return }
        outline.scroll(toRow: row, offset: position.offset)
      }
    }

    public func showSelection() {
      if isShowing { return }
      isShowing = true
      defer { isShowing = false }
      let rows = IndexSet(coordinator.selectedPaths.compactMap(row(at:)))
      if rows != outline.selectedRowIndexes { outline.selectRowIndexes(rows, byExtendingSelection: false) }
    }

    private func row(at path: IndexPath) -> Int? {
      items.shownItem(at: path).map { outline.row(forItem: $0) }.flatMap { $0 < 0 ? nil : $0 }
    }
  }
#endif
