public import Assemblage
public import AssemblageWidgets
public import CGTK
import CListModel

/// Shows the rows of an outline in a `GtkColumnView` inside a scrolled window, and tells its coordinator what the user
/// does there.
///
/// ```swift
/// let rows = ListCoordinator(outline)
/// let view = OutlineColumnView(outline, rows, columns: [name, size])
/// gtk_box_append(box, view.widget)      // and keep the view
/// ```
///
/// Keep it for as long as its widget. It decides nothing and keeps no rows: its `GListModel` asks the coordinator, and
/// tells GTK of the splices of a change. While the user drags rows, it shows no changes.
@MainActor
public final class OutlineColumnView<Element, ID: Hashable & Sendable> {
  /// The scrolled window with the column view.
  public let widget: UnsafeMutablePointer<GtkWidget>

  /// What says which rows there are, and what may be done with them.
  public let coordinator: ListCoordinator<Element>

  /// The rows.
  public let outline: OutlineNode<Element, ID>

  /// Is called when something else may be on the screen.
  public var didChange: () -> Void = {}

  /// Is called when a header was clicked.
  public var didChooseOrder: (ColumnOrder?) -> Void = { _ in }

  /// How long GTK's calls took.
  public internal(set) var timing = ViewTiming()

  /// Forgets how long calls took so far.
  public func resetTiming() { timing = ViewTiming() }

  /// The row that would take what is dragged.
  public internal(set) var dropRow: Int?

  /// What the context menu that is open says.
  public internal(set) var menuTitles: [String] = []

  let columnView: UnsafeMutablePointer<GtkWidget>
  var dragged: [IndexPath] = []
  var dropTarget: UnsafeMutablePointer<GtkWidget>?
  var menu: UnsafeMutablePointer<GtkWidget>?

  private let columns: [OutlineColumn<Element>]
  private let probe = ColumnOrderProbe()
  private var model: OpaquePointer?
  /// The number of rows that GTK has been told of.
  private(set) var shownCount = 0
  /// Whether GTK has lost all rows, and its place with them.
  private var hasReloaded = false
  /// The splices under way, and how many of them GTK has been told of.
  private var splices: (all: RowSplices, told: Int)?
  /// The cells of list items, and the columns of those that show a row.
  private var cells: [OpaquePointer: ListCell] = [:]
  private var bound: [OpaquePointer: Int] = [:]
  /// Where cells are: from their widgets to their list items.
  private var items: [UnsafeMutablePointer<GtkWidget>: OpaquePointer] = [:]

  /// Creates a view, and lets it show the coordinator's rows.
  ///
  /// - Parameters:
  ///   - outline: the rows.
  ///   - coordinator: whose widget the view becomes; the node that it shows is the outline.
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

  /// The row of the coordinator that GTK means; nil where that is about to leave.
  private func row(at position: Int) -> Int? {
    guard let splices else { return position }
    return splices.all.row(after: position, following: splices.told)
  }

  /// The path of the coordinator of a row that GTK shows.
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

  /// What the coordinator's row is in the outline.
  private func outlineRow(_ row: Int) -> OutlineRow<Element>? {
    timing.noteLookup { coordinator.position(ofRow: row).map { outline.row(at: $0) } }
  }

  /// Shows an order in the headers, in which the rows are already.
  public func showOrder(_ order: ColumnOrder) {
    let columns = gtk_column_view_get_columns(OpaquePointer(columnView))
    guard let column = g_list_model_get_item(columns, guint(order.column)) else { return }
    defer { g_object_unref(column) }
    gtk_column_view_sort_by_column(
      OpaquePointer(columnView), OpaquePointer(column), order.isDescending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING)
  }

  /// Shows again all that is on the screen: after a search, say, which marks other letters.
  public func refresh() {
    for (item, number) in bound { configure(item, number) }
    didChange()
  }

  /// The row that GTK shows in a widget, or in what contains it.
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

  /// Tells GTK that rows gave way to others; the model is as it is afterwards.
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
  /// How many rows a splice may put in where it takes some out: GTK compares those with what is on the screen.
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
    // Rows that were updated, and those that can be unfolded now, or no longer.
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
      // GTK keeps its place through splices, but not where it has lost all rows; then it must have laid out the new
      // ones.
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
    guard let first = positions.first, let last = positions.last, let start = path(at: first) else { return }
    coordinator.selection.performEdits {
      coordinator.select(at: start, deselectingRest ? .only : .adding)
      if deselectingRest {
        if last > first, let end = path(at: last) { coordinator.select(at: end, .extending) }
      } else {
        for path in positions.dropFirst().compactMap(path) { coordinator.select(at: path, .adding) }
      }
    }
  }

  func deselect(_ positions: Range<Int>) {
    if positions == 0..<shownCount { return coordinator.deselectAll() }
    coordinator.selection.performEdits {
      for path in positions.compactMap(path) { coordinator.deselect(at: path) }
    }
  }
}

/// What GTK's model calls.
protocol ListModelOwner: AnyObject {
  var shownCount: Int { get }
  func isSelected(_ position: Int) -> Bool
  func select(_ positions: Range<Int>, deselectingRest: Bool)
  func deselect(_ positions: Range<Int>)
}

private func modelOwner(_ data: gpointer?) -> any ListModelOwner {
  Unmanaged<AnyObject>.fromOpaque(data!).takeUnretainedValue() as! any ListModelOwner
}
