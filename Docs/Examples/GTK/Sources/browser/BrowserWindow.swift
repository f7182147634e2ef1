import Assemblage
import AssemblageGTK
import AssemblageWidgets
import CGTK
import Foundation

/// The window: a search field, the outline, and a line with the numbers of files and rows.
final class BrowserWindow {
  let tree: FileTree
  let view: OutlineColumnView<File, Int>
  let window: UnsafeMutablePointer<GtkWidget>
  /// Is called when the content of the screen may have changed.
  var didChange: () -> Void = {}
  /// A further text in the line at the bottom.
  var note = "" { didSet { showStatus() } }

  private var searchIsPending = false
  private let entry = gtk_search_entry_new()!
  private let status = gtk_label_new(nil)!
  private let undo = gtk_button_new_from_icon_name("edit-undo-symbolic")!
  private let redo = gtk_button_new_from_icon_name("edit-redo-symbolic")!

  init(_ tree: FileTree, title: String, of application: UnsafeMutablePointer<GtkApplication>) {
    self.tree = tree
    view = OutlineColumnView(tree.outline, tree.rows, columns: FileColumns(tree: tree).all)
    window = gtk_application_window_new(application)!
    let frame = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
    gtk_window_set_title(frame, title)
    gtk_window_set_default_size(frame, 900, 600)
    gtk_window_set_titlebar(frame, makeHeader())
    gtk_window_set_child(frame, makeContent())
    view.didChange = { [unowned self] in showStatus() }
    view.showOrder(ColumnOrder(column: FileKey.name.rawValue))
    view.didChooseOrder = { order in
      let chosen = order.flatMap { order in
        FileKey(rawValue: order.column).map { FileOrder(key: $0, isDescending: order.isDescending) }
      }
      tree.sort(by: chosen)
    }
    connectKeys()
    showStatus()
    gtk_window_present(frame)
    gtk_widget_grab_focus(view.widget)
  }

  private func makeHeader() -> UnsafeMutablePointer<GtkWidget> {
    let header = gtk_header_bar_new()!
    gtk_widget_set_size_request(entry, 360, -1)
    setPlaceholder("Search names")
    gtk_header_bar_set_title_widget(OpaquePointer(header), entry)
    gtk_header_bar_pack_start(OpaquePointer(header), undo)
    gtk_header_bar_pack_start(OpaquePointer(header), redo)
    gtk_widget_set_tooltip_text(undo, "Undo")
    gtk_widget_set_tooltip_text(redo, "Redo")
    connect(undo, "clicked") { [unowned self] in tree.undoLog?.undo() }
    connect(redo, "clicked") { [unowned self] in tree.undoLog?.redo() }
    for button in [undo, redo] { gtk_widget_set_visible(button, tree.undoLog == nil ? 0 : 1) }
    connect(entry, "changed") { [unowned self] in searchSoon() }
    connect(entry, "stop-search") { [unowned self] in gtk_editable_set_text(OpaquePointer(entry), "") }
    connect(entry, "activate") { [unowned self] in goToFirstMatch() }
    connectKeysOfEntry()
    return header
  }

  private func setPlaceholder(_ text: String) {
    var value = GValue()
    // G_TYPE_STRING is a macro that Swift does not see.
    g_value_init(&value, GType(16 << 2))
    g_value_set_string(&value, text)
    g_object_set_property(
      UnsafeMutableRawPointer(entry).assumingMemoryBound(to: GObject.self), "placeholder-text", &value)
    g_value_unset(&value)
  }

  private func makeContent() -> UnsafeMutablePointer<GtkWidget> {
    let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
    let group = UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self)
    gtk_box_append(group, view.widget)
    gtk_box_append(group, gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
    gtk_label_set_xalign(OpaquePointer(status), 0)
    gtk_widget_add_css_class(status, "status")
    gtk_box_append(group, status)
    return box
  }

  /// Searches after the new letter is drawn, and only once for all keys that the user presses until then.
  private func searchSoon() {
    if searchIsPending { return }
    searchIsPending = true
    whenIdle { [weak self] in
      self?.searchIsPending = false
      self?.search()
    }
  }

  private func search() {
    tree.search(String(cString: gtk_editable_get_text(OpaquePointer(entry))))
    // The search marks other letters, even where the rows are the same.
    view.refresh()
  }

  /// Lets the down key go from the search field to the first match, as Return does.
  private func connectKeysOfEntry() {
    let keys = gtk_event_controller_key_new()!
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    connect(
      UnsafeMutableRawPointer(keys), "key-pressed",
      key: { [unowned self] key, _ in
        guard Int32(key) == GDK_KEY_Down else { return false }
        goToFirstMatch()
        return true
      })
    gtk_widget_add_controller(entry, keys)
  }

  /// Selects the first row that the search found, and gives it the focus.
  private func goToFirstMatch() {
    // The user may have typed letters since the last search.
    search()
    guard let row = tree.firstMatch.flatMap({ tree.rows.row(ofPosition: $0) }) else {
      gtk_widget_grab_focus(view.widget)
      return
    }
    tree.rows.select(at: [0, row])
    view.reveal(row)
  }

  private func connectKeys() {
    let keys = gtk_event_controller_key_new()!
    connect(
      UnsafeMutableRawPointer(keys), "key-pressed",
      key: { [unowned self] key, modifiers in
        guard modifiers.rawValue & GDK_CONTROL_MASK.rawValue != 0 else { return false }
        switch Int32(key) {
        case GDK_KEY_f:
          view.keepFocus()
          gtk_widget_grab_focus(entry)
        case GDK_KEY_z: tree.undoLog?.undo()
        case GDK_KEY_Z, GDK_KEY_y: tree.undoLog?.redo()
        default: return false
        }
        return true
      })
    gtk_widget_add_controller(window, keys)
  }

  /// The text of the line at the bottom.
  private(set) var statusText = ""

  private func showStatus() {
    let all = tree.count.grouped
    var parts = [tree.matchCount.map { "\($0.grouped) of \(all) match" } ?? "\(all) files and folders"]
    parts.append("\(tree.outline.count.grouped) rows")
    let selected = tree.rows.selection.selectedRanges.reduce(0) { $0 + $1.count }
    if selected > 0 { parts.append("\(selected.grouped) selected") }
    if !note.isEmpty { parts.append(note) }
    statusText = parts.joined(separator: "  ·  ")
    gtk_label_set_text(OpaquePointer(status), statusText)
    gtk_widget_set_sensitive(undo, canUndo ? 1 : 0)
    gtk_widget_set_sensitive(redo, tree.undoLog?.canRedo == true ? 1 : 0)
    didChange()
  }

  /// Whether there is an edit that the user can undo.
  var canUndo: Bool { tree.undoLog?.canUndo == true }
}

extension Int {
  /// With a comma between thousands.
  var grouped: String {
    var result = ""
    for (number, digit) in String(magnitude).reversed().enumerated() {
      if number > 0, number.isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return (self < 0 ? "-" : "") + String(result.reversed())
  }
}
