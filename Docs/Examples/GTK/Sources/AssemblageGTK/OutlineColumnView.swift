public import Assemblage
public import AssemblageWidgets
public import CGTK
import CListModel

/// Shows the rows of an outline in a `GtkColumnView` inside a scrolled window, and reports the actions of the user to
/// its coordinator.
///
/// ```swift
/// let rows = ListCoordinator(outline)
/// let view = OutlineColumnView(outline, rows, columns: [name, size])
/// gtk_box_append(box, view.widget)      // and keep the view
/// ```
///
/// Keep the view for as long as its widget. The view decides nothing and keeps no rows: its `GListModel` asks the
/// coordinator, and reports the splices of a change to GTK. While the user drags rows, the view shows no changes.
@MainActor
public final class OutlineColumnView<Element, ID: Hashable & Sendable> {
  /// The scrolled window with the column view.
  public let widget: UnsafeMutablePointer<GtkWidget>

  /// The coordinator, which decides the rows and the actions that are possible on them.
  public let coordinator: ListCoordinator<Element>

  /// The rows.
  public let outline: OutlineNode<Element, ID>

  /// Is called when the content of the screen may have changed.
  public var didChange: () -> Void = {}

  /// Is called when a header was clicked.
  public var didChooseOrder: (ColumnOrder?) -> Void = { _ in }

  /// How long GTK's calls took.
  public internal(set) var timing = ViewTiming()

  /// Forgets how long calls took so far.
  public func resetTiming() { timing = ViewTiming() }

  /// The row that would receive the dragged rows.
  public internal(set) var dropRow: Int?

  /// The titles of the open context menu.
  public internal(set) var menuTitles: [String] = []

  let columnView: UnsafeMutablePointer<GtkWidget>
  var dragged: [IndexPath] = []
  var dropTarget: UnsafeMutablePointer<GtkWidget>?
  var menu: UnsafeMutablePointer<GtkWidget>?
  /// The revealed row that gets the focus after the next layout.
  var rowToFocus: Int?

  private let columns: [OutlineColumn<Element>]
  private let probe = ColumnOrderProbe()
  private var model: OpaquePointer?
  /// The number of rows that the view has reported to GTK.
  private(set) var shownCount = 0
  /// Whether GTK has lost all rows, and its place with them.
  private var hasReloaded = false
  /// The splices of a change that is being applied, and the number of splices that GTK already knows.
  private var splices: (all: RowSplices, told: Int)?
  /// The cells of list items, and the column of each item that shows a row.
  private var cells: [OpaquePointer: ListCell] = [:]
  private var bound: [OpaquePointer: Int] = [:]
  /// The list items of cells, by the widgets of the cells.
  private var items: [UnsafeMutablePointer<GtkWidget>: OpaquePointer] = [:]

  /// Creates a view, and lets it show the coordinator's rows.
  ///
  /// - Parameters:
  ///   - outline: the rows.
  ///   - coordinator: the coordinator, whose widget the view becomes; its node is the outline.
  ///   - columns: the columns from left to right.
  public init(
    _ outline: OutlineNode<Element, ID>, _ coordinator: ListCoordinator<Element>, columns: [OutlineColumn<Element>]
  ) {
    self.outline = outline
    self.coordinator = coordinator
    self.columns = columns
    columnView = gtk_column_view_new(nil)!
    widget = gtk_scrolled_window_new()!
    let window = OpaquePointer(widget)
    gtk_scrolled_window_set_policy(window, GTK_POLICY_AUTOMATIC, GTK_POLICY_ALWAYS)
    gtk_scrolled_window_set_child(window, columnView)
    gtk_widget_set_vexpand(widget, 1)
    gtk_widget_set_hexpand(widget, 1)
    makeModel()
    for (number, column) in columns.enumerated() { append(column, number) }
    let sorter = gtk_column_view_get_sorter(OpaquePointer(columnView))!
    connect(sorter, "changed") { [unowned self] in didChooseOrder(probe.order(of: sorter)) }
    connect(adjustment, "value-changed") { [unowned self] in didChange() }
    connectUser()
    coordinator.widget = self
  }

  isolated deinit {
    guard let model else { return }
    list_model_disown(model, guint(shownCount))
    g_object_unref(UnsafeMutableRawPointer(model))
  }

  // MARK: The model

  private func makeModel() {
    let calls = ListModelCalls(
      count: { guint(modelOwner($0).shownCount) },
      is_selected: { modelOwner($0).isSelected(Int($1)) ? 1 : 0 },
      select: { modelOwner($0).select(Int($1)..<Int($1 + $2), deselectingRest: $3 != 0) },
      unselect: { modelOwner($0).deselect(Int($1)..<Int($1 + $2)) })
    let model = list_model_new(calls, Unmanaged.passUnretained(self as AnyObject).toOpaque())!
    self.model = model
    gtk_column_view_set_model(OpaquePointer(columnView), model)
  }

  /// The row of the coordinator at a position of GTK; nil where that row is about to leave.
  ///
  /// While the splices of a change are applied, GTK has old rows behind the last splice.
  private func row(at position: Int) -> Int? {
    guard let splices else { return position }
    return splices.all.row(after: position, following: splices.told)
  }

  /// The coordinator's path of a row that GTK shows.
  func path(at position: Int) -> IndexPath? { row(at: position).map { [0, $0] } }

  // MARK: Cells

  private func append(_ column: OutlineColumn<Element>, _ number: Int) {
    let factory = gtk_signal_list_item_factory_new()!
    connect(UnsafeMutableRawPointer(factory), "bind", pointer: { [unowned self] in bind($0, number) })
    connect(UnsafeMutableRawPointer(factory), "unbind", pointer: { [unowned self] in bound[$0] = nil })
    connect(UnsafeMutableRawPointer(factory), "teardown", pointer: { [unowned self] in tearDown($0) })
    let view = gtk_column_view_column_new(column.title, factory)!
    let sorter = probe.makeSorter()
    gtk_column_view_column_set_sorter(view, sorter)
    g_object_unref(UnsafeMutableRawPointer(sorter))
    gtk_column_view_column_set_resizable(view, 1)
    if let width = column.width {
      gtk_column_view_column_set_fixed_width(view, Int32(width))
    } else {
      gtk_column_view_column_set_expand(view, 1)
    }
    gtk_column_view_append_column(OpaquePointer(columnView), view)
    g_object_unref(UnsafeMutableRawPointer(view))
  }

  private func bind(_ item: OpaquePointer, _ number: Int) {
    let start = ContinuousClock.now
    bound[item] = number
    configure(item, number)
    timing.noteBind(ContinuousClock.now - start)
  }

  private func configure(_ item: OpaquePointer, _ number: Int) {
    guard let row = row(at: Int(gtk_list_item_get_position(item))).flatMap({ outlineRow($0) }) else { return }
    let template = columns[number].cells.template(for: row)
    var cell = cells[item]
    if cell?.reuseIdentifier != template.reuseIdentifier {
      if let cell { items[cell.widget] = nil }
      cell = columns[number].makeCell(template.reuseIdentifier)
      cell?.reuseIdentifier = template.reuseIdentifier
      cells[item] = cell
      items[cell!.widget] = item
      gtk_list_item_set_child(item, cell!.widget)
      (cell as? OutlineCell)?.toggle = { [unowned self] in toggle(at: Int(gtk_list_item_get_position(item))) }
    }
    guard let cell else { return }
    (cell as? OutlineCell)?.show(depth: row.depth, hasChildren: row.hasChildren, isExpanded: row.isExpanded)
    template.configure(cell)
  }

  private func tearDown(_ item: OpaquePointer) {
    if let cell = cells.removeValue(forKey: item) { items[cell.widget] = nil }
    bound[item] = nil
  }

  /// The outline row of a row of the coordinator.
  private func outlineRow(_ row: Int) -> OutlineRow<Element>? {
    timing.noteLookup { coordinator.position(ofRow: row).map { outline.row(at: $0) } }
  }

  /// Shows the present order of the rows in the headers.
  public func showOrder(_ order: ColumnOrder) {
    let columns = gtk_column_view_get_columns(OpaquePointer(columnView))
    guard let column = g_list_model_get_item(columns, guint(order.column)) else { return }
    defer { g_object_unref(column) }
    gtk_column_view_sort_by_column(
      OpaquePointer(columnView), OpaquePointer(column), order.isDescending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING)
  }

  /// Shows all rows on the screen again, for example after a search, which marks other letters.
  public func refresh() {
    for (item, number) in bound { configure(item, number) }
    didChange()
  }

  /// The row that GTK shows in a widget, or in a widget that contains it.
  func position(of widget: UnsafeMutablePointer<GtkWidget>?) -> Int? {
    var next = widget
    while let widget = next, widget != columnView {
      // A cell, the column's box around it, or the whole row.
      var inner: UnsafeMutablePointer<GtkWidget>? = widget
      for _ in 0..<3 {
        guard let candidate = inner else { break }
        if let item = items[candidate] { return Int(gtk_list_item_get_position(item)) }
        inner = gtk_widget_get_first_child(candidate)
      }
      next = gtk_widget_get_parent(widget)
    }
    return nil
  }

  /// The rows on the screen: a cell of each, and the row.
  public var visibleCells: [(row: Int, cell: ListCell)] {
    bound.compactMap { item, number in
      guard columns[number].width == nil, let cell = cells[item], gtk_widget_get_mapped(cell.widget) != 0 else {
        return nil
      }
      return (Int(gtk_list_item_get_position(item)), cell)
    }.sorted { $0.row < $1.row }
  }

  // MARK: Updates

  /// Notifies GTK that other rows replace rows at a position; the model already has the new rows.
  private func tell(_ position: Int, removed: Int, inserted: Int) {
    shownCount += inserted - removed
    g_list_model_items_changed(model, guint(position), guint(removed), guint(inserted))
  }

  // MARK: Scrolling

  /// The vertical adjustment, in pixels.
  public var adjustment: UnsafeMutablePointer<GtkAdjustment> {
    gtk_scrolled_window_get_vadjustment(OpaquePointer(widget))!
  }

  /// The height of a row, in pixels; all have the same.
  private var rowHeight: Double? {
    guard let cell = visibleCells.first?.cell, let row = rowWidget(of: cell) else { return nil }
    let height = Double(gtk_widget_get_allocated_height(row))
    return height > 0 ? height : nil
  }

  func rowWidget(of cell: ListCell) -> UnsafeMutablePointer<GtkWidget>? {
    gtk_widget_get_parent(cell.widget).flatMap { gtk_widget_get_parent($0) }
  }

  private func scroll(to position: WidgetScrollPosition) {
    guard let rowHeight else { return }
    gtk_adjustment_set_value(adjustment, Double(position.path[1]) * rowHeight - position.offset)
  }
}

extension OutlineColumnView: RowsWidget {
  /// The number of rows that a splice may insert where it also removes rows: GTK compares inserted rows with the rows
  /// on the screen.
  private static var replacementLimit: Int { 500 }

  public func reload() {
    let count = coordinator.count
    if shownCount > 0 { tell(0, removed: shownCount, inserted: 0) }
    if count > 0 { tell(0, removed: 0, inserted: count) }
    hasReloaded = true
    refresh()
  }

  public func perform(_ change: Delta, commit: @escaping () -> Void) {
    commit()
    hasReloaded = false
    let all = RowSplices(change, replacingAtMost: Self.replacementLimit)
    for (number, splice) in all.enumerated() {
      splices = (all, number + 1)
      tell(splice.position, removed: splice.removedCount, inserted: splice.insertedCount)
    }
    splices = nil
    // Updated rows, also rows that have got or lost their expander.
    refresh()
  }

  public func shownCount(at path: IndexPath) -> Int? { path.isEmpty ? 1 : shownCount }

  public var scrollPosition: WidgetScrollPosition? {
    get {
      guard let rowHeight else { return nil }
      let value = gtk_adjustment_get_value(adjustment)
      let row = min(max(0, Int(value / rowHeight)), shownCount - 1)
      return row < 0 ? nil : WidgetScrollPosition(path: [0, row], offset: Double(row) * rowHeight - value)
    }
    set {
      // GTK keeps its place through splices. After a loss of all rows, GTK must first lay out the new rows.
      guard hasReloaded, let newValue else { return }
      whenIdle { [weak self] in self?.scroll(to: newValue) }
    }
  }

  public func showSelection() {
    if shownCount > 0 { gtk_selection_model_selection_changed(model, 0, guint(shownCount)) }
    didChange()
  }
}

extension OutlineColumnView: ListModelOwner {
  func isSelected(_ position: Int) -> Bool {
    timing.noteLookup { path(at: position).map { coordinator.isSelected(at: $0) } ?? false }
  }

  func select(_ positions: Range<Int>, deselectingRest: Bool) {
    guard deselectingRest else { return coordinator.select(positions.compactMap(path)) }
    guard let first = positions.first, let last = positions.last, let start = path(at: first) else { return }
    coordinator.selection.performEdits {
      coordinator.select(at: start)
      if last > first, let end = path(at: last) { coordinator.select(at: end, .extending) }
    }
  }

  func deselect(_ positions: Range<Int>) {
    if positions == 0..<shownCount { return coordinator.deselectAll() }
    coordinator.select([], deselecting: positions.compactMap(path))
  }
}

/// The owner of a list model: the methods that GTK's model calls.
protocol ListModelOwner: AnyObject {
  var shownCount: Int { get }
  func isSelected(_ position: Int) -> Bool
  func select(_ positions: Range<Int>, deselectingRest: Bool)
  func deselect(_ positions: Range<Int>)
}

private func modelOwner(_ data: gpointer?) -> any ListModelOwner {
  Unmanaged<AnyObject>.fromOpaque(data!).takeUnretainedValue() as! any ListModelOwner
}
