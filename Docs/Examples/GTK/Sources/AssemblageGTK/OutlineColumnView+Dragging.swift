import Assemblage
import AssemblageWidgets
import CGTK
import Foundation

// Rows that the user drags onto other rows.
extension OutlineColumnView {
  func connectDragging() {
    let source = gtk_drag_source_new()!
    gtk_drag_source_set_actions(source, GDK_ACTION_MOVE)
    gtk_event_controller_set_propagation_phase(source, GTK_PHASE_CAPTURE)
    connect(UnsafeMutableRawPointer(source), "prepare", prepare: { [unowned self] in content(source, atX: $0, $1) })
    // No row moves under the pointer during a drag.
    connect(UnsafeMutableRawPointer(source), "drag-begin") { [unowned self] in coordinator.suspend() }
    connect(UnsafeMutableRawPointer(source), "drag-end") { [unowned self] in
      dragged = []
      mark(nil)
      coordinator.resume()
    }
    gtk_widget_add_controller(columnView, source)

    // G_TYPE_STRING is a macro that Swift does not see.
    let target = gtk_drop_target_new(GType(16 << 2), GDK_ACTION_MOVE)!
    for signal in ["enter", "motion"] {
      connect(UnsafeMutableRawPointer(target), signal, motion: { [unowned self] in action(atX: $0, $1) })
    }
    connect(UnsafeMutableRawPointer(target), "leave") { [unowned self] in mark(nil) }
    connect(UnsafeMutableRawPointer(target), "drop", drop: { [unowned self] in drop(atX: $0, $1) })
    gtk_widget_add_controller(columnView, target)
  }

  /// The dragged rows of a drag from a point: the selected rows if the row at the point is among them, otherwise that
  /// row alone.
  private func content(_ source: OpaquePointer, atX x: Double, _ y: Double) -> OpaquePointer? {
    guard let position = position(atX: x, y), let path = path(at: position), coordinator.canMove(at: path) else {
      return nil
    }
    dragged = coordinator.isSelected(at: path) ? coordinator.selectedPaths : [path]
    if let cell = visibleCells.first(where: { $0.row == position })?.cell {
      let picture = gtk_widget_paintable_new(cell.widget)!
      let image = gdk_paintable_get_current_image(picture)!
      gtk_drag_source_set_icon(source, image, 0, 0)
      g_object_unref(UnsafeMutableRawPointer(image))
      g_object_unref(UnsafeMutableRawPointer(picture))
    }
    // The view itself has the dragged rows in `dragged`; other programs get a number.
    var value = GValue()
    g_value_init(&value, GType(16 << 2))
    g_value_set_string(&value, "\(dragged.count)")
    defer { g_value_unset(&value) }
    return gdk_content_provider_new_for_value(&value).map { OpaquePointer($0) }
  }

  private func goal(atX x: Double, _ y: Double) -> (position: Int, path: IndexPath)? {
    guard let position = position(atX: x, y), let path = path(at: position),
      dragged.contains(where: { coordinator.canMove($0, onto: path) })
    else { return nil }
    return (position, path)
  }

  private func action(atX x: Double, _ y: Double) -> GdkDragAction {
    let goal = goal(atX: x, y)
    mark(goal?.position)
    return goal == nil ? GdkDragAction(rawValue: 0) : GDK_ACTION_MOVE
  }

  private func drop(atX x: Double, _ y: Double) -> Bool {
    guard let goal = goal(atX: x, y) else { return false }
    return coordinator.move(dragged, onto: goal.path) > 0
  }

  /// Marks the row that would receive the dragged rows.
  private func mark(_ position: Int?) {
    let row = position.flatMap { position in visibleCells.first { $0.row == position } }
      .flatMap { rowWidget(of: $0.cell) }
    if row == dropTarget { return }
    if let dropTarget {
      gtk_widget_remove_css_class(dropTarget, "takes-drop")
      g_object_unref(dropTarget)
    }
    if let row {
      gtk_widget_add_css_class(row, "takes-drop")
      // The row may be scrolled away during the drag.
      g_object_ref(row)
    }
    dropTarget = row
    dropRow = row == nil ? nil : position
    didChange()
  }
}
