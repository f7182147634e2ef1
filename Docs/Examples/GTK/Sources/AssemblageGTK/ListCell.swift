public import CGTK

/// A cell of a column: a widget that a cell factory fills in, and that shows an element.
open class ListCell {
  /// The widget; GTK keeps it in the row.
  public let widget: UnsafeMutablePointer<GtkWidget>

  var reuseIdentifier = ""

  /// Creates a cell.
  ///
  /// - Parameter widget: a widget that has no parent yet.
  public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }
}

/// A cell that is indented by its depth, and has a button that expands and collapses its row.
open class OutlineCell: ListCell {
  private let expander: UnsafeMutablePointer<GtkWidget>
  private var isExpanded: Bool?
  var toggle: () -> Void = {}

  /// The width of a level, in pixels.
  private static let indentation = 20

  /// Creates a cell.
  ///
  /// - Parameter content: the widget behind the expander.
  public init(content: UnsafeMutablePointer<GtkWidget>) {
    let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4)!
    expander = gtk_button_new_from_icon_name("pan-end-symbolic")!
    for name in ["flat", "circular", "expander"] { gtk_widget_add_css_class(expander, name) }
    gtk_widget_set_focusable(expander, 0)
    gtk_widget_set_valign(expander, GTK_ALIGN_CENTER)
    let group = UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self)
    gtk_box_append(group, expander)
    gtk_box_append(group, content)
    super.init(box)
    connect(expander, "clicked") { [unowned self] in toggle() }
  }

  func show(depth: Int, hasChildren: Bool, isExpanded: Bool) {
    gtk_widget_set_margin_start(widget, Int32(depth * Self.indentation))
    gtk_widget_set_opacity(expander, hasChildren ? 1 : 0)
    gtk_widget_set_sensitive(expander, hasChildren ? 1 : 0)
    if isExpanded == self.isExpanded { return }
    self.isExpanded = isExpanded
    gtk_button_set_icon_name(
      UnsafeMutableRawPointer(expander).assumingMemoryBound(to: GtkButton.self),
      isExpanded ? "pan-down-symbolic" : "pan-end-symbolic")
    gtk_widget_set_tooltip_text(expander, isExpanded ? "Collapse" : "Expand")
  }
}
