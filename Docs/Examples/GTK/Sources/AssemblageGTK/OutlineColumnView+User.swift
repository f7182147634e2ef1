import Assemblage
import AssemblageWidgets
import CGTK
import Foundation

// The actions of the user on rows: expanding, activating, menus, keys.
extension OutlineColumnView {
  func connectUser() {
    connect(columnView, "activate", position: { [unowned self] in activate(at: $0) })
    let click = gtk_gesture_click_new()!
    gtk_gesture_single_set_button(click, guint(GDK_BUTTON_SECONDARY))
    connect(
      UnsafeMutableRawPointer(click), "pressed",
      press: { [unowned self] _, x, y in openMenu(atX: x, y) })
    gtk_widget_add_controller(columnView, click)
    let keys = gtk_event_controller_key_new()!
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    connect(UnsafeMutableRawPointer(keys), "key-pressed", key: { [unowned self] in press($0, $1) })
    gtk_widget_add_controller(columnView, keys)
    connectDragging()
  }

  // MARK: Unfolding

  func toggle(at position: Int) {
    guard let row = outlineRow(at: position) else { return }
    setExpanded(!row.isExpanded, at: position)
  }

  private func setExpanded(_ isExpanded: Bool, at position: Int) {
    guard let path = path(at: position) else { return }
    coordinator.setExpanded(isExpanded, at: path)
  }

  func outlineRow(at position: Int) -> OutlineRow<Element>? {
    path(at: position).flatMap { coordinator.position(ofRow: $0[1]) }.map { outline.row(at: $0) }
  }

  private func activate(at position: Int) {
    guard let path = path(at: position), !coordinator.activate(at: path) else { return }
    if outlineRow(at: position)?.hasChildren == true { toggle(at: position) }
  }

  // MARK: Keys

  /// The row that has the focus.
  var focusedPosition: Int? { position(of: gtk_root_get_focus(gtk_widget_get_root(columnView))) }

  private func press(_ key: Int, _ modifiers: GdkModifierType) -> Bool {
    guard let position = focusedPosition, let row = outlineRow(at: position) else { return false }
    switch Int32(key) {
    case GDK_KEY_Right where row.hasChildren && !row.isExpanded: setExpanded(true, at: position)
    case GDK_KEY_Left where row.isExpanded: setExpanded(false, at: position)
    case GDK_KEY_Left: focusParent(of: position)
    case GDK_KEY_Delete: coordinator.deleteSelection()
    case GDK_KEY_Menu: openMenu(at: position)
    case GDK_KEY_F10 where modifiers.rawValue & GDK_SHIFT_MASK.rawValue != 0: openMenu(at: position)
    default: return false
    }
    return true
  }

  private func focusParent(of position: Int) {
    guard let path = path(at: position), let row = coordinator.position(ofRow: path[1]) else { return }
    let parent = outline.path(ofRow: row).dropLast()
    guard let goal = outline.row(ofPath: parent).flatMap({ coordinator.row(ofPosition: $0) }) else { return }
    coordinator.select(at: [0, goal])
    reveal(goal)
  }

  /// Scrolls to a row of the coordinator, as little as possible, and gives that row the focus.
  ///
  /// The row has no widget before the list is laid out again. So the focus follows later, unless `keepFocus()` is called
  /// before.
  public func reveal(_ row: Int) {
    guard let list = listView else { return }
    rowToFocus = row
    gtk_widget_activate_action_variant(list, "list.scroll-to-item", g_variant_new_uint32(guint(row)))
    whenIdle { [weak self] in
      guard let self, rowToFocus == row else { return }
      rowToFocus = nil
      guard let cell = visibleCells.first(where: { $0.row == row })?.cell else { return }
      rowWidget(of: cell).map { _ = gtk_widget_grab_focus($0) }
    }
  }

  /// Leaves the focus where the user has just put it: no row that was revealed before gets the focus.
  public func keepFocus() { rowToFocus = nil }

  /// The list inside the column view.
  private var listView: UnsafeMutablePointer<GtkWidget>? {
    var next = gtk_widget_get_first_child(columnView)
    while let widget = next {
      if String(
        cString: g_type_name_from_instance(UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GTypeInstance.self))
      )
      .hasSuffix("ListView") {
        return widget
      }
      next = gtk_widget_get_next_sibling(widget)
    }
    return nil
  }

  // MARK: Context menus

  private func openMenu(atX x: Double, _ y: Double) {
    guard let position = position(atX: x, y) else { return }
    openMenu(at: position, x, y)
  }

  private func openMenu(at position: Int) {
    guard let cell = visibleCells.first(where: { $0.row == position })?.cell else { return }
    var (x, y) = (0.0, 0.0)
    let height = Double(gtk_widget_get_allocated_height(cell.widget))
    gtk_widget_translate_coordinates(cell.widget, columnView, 40, height, &x, &y)
    openMenu(at: position, x, y)
  }

  private func openMenu(at position: Int, _ x: Double, _ y: Double) {
    guard let path = path(at: position) else { return }
    if !coordinator.isSelected(at: path) { coordinator.select(at: path) }
    let actions = coordinator.actions(at: path)
    if actions.isEmpty { return }
    let group = g_simple_action_group_new()!
    let entries = g_menu_new()!
    for (number, action) in actions.enumerated() {
      let entry = g_simple_action_new("\(number)", nil)!
      g_simple_action_set_enabled(entry, action.isEnabled ? 1 : 0)
      connect(UnsafeMutableRawPointer(entry), "activate") { action.perform() }
      g_action_map_add_action(OpaquePointer(group), entry)
      g_object_unref(UnsafeMutableRawPointer(entry))
      g_menu_append(entries, action.title, "row.\(number)")
    }
    gtk_widget_insert_action_group(columnView, "row", OpaquePointer(group))
    g_object_unref(UnsafeMutableRawPointer(group))
    if let menu { gtk_widget_unparent(menu) }
    let menu = gtk_popover_menu_new_from_model(
      UnsafeMutableRawPointer(entries).assumingMemoryBound(to: GMenuModel.self))!
    g_object_unref(UnsafeMutableRawPointer(entries))
    gtk_widget_set_parent(menu, columnView)
    let popover = UnsafeMutableRawPointer(menu).assumingMemoryBound(to: GtkPopover.self)
    gtk_popover_set_has_arrow(popover, 0)
    gtk_widget_set_halign(menu, GTK_ALIGN_START)
    var place = GdkRectangle(x: Int32(x), y: Int32(y), width: 1, height: 1)
    gtk_popover_set_pointing_to(popover, &place)
    connect(menu, "map") { [unowned self] in
      menuTitles = actions.map(\.title)
      didChange()
    }
    connect(menu, "closed") { [unowned self] in
      menuTitles = []
      didChange()
    }
    gtk_popover_popup(popover)
    self.menu = menu
  }

  // MARK: Places

  /// The row at a point of the column view.
  func position(atX x: Double, _ y: Double) -> Int? {
    position(of: gtk_widget_pick(columnView, x, y, GTK_PICK_DEFAULT))
  }
}
