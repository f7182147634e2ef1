import Assemblage
import AssemblageGTK
import AssemblageSearch
import AssemblageWidgets
import CGTK
import Foundation

/// The name of a file with its icon; the letters that the search found are marked.
final class NameCell: OutlineCell {
  private let icon = gtk_image_new()!
  private let label = gtk_label_new(nil)!
  private(set) var file: File?

  init() {
    let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8)!
    let group = UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self)
    gtk_box_append(group, icon)
    gtk_box_append(group, label)
    gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_MIDDLE)
    gtk_label_set_xalign(OpaquePointer(label), 0)
    super.init(content: box)
  }

  func show(_ file: File, matching query: TextQuery?) {
    if self.file?.isFolder != file.isFolder {
      // The style chooses the colour of symbolic icons. Coloured icons are white on white in some themes.
      gtk_image_set_from_icon_name(OpaquePointer(icon), file.isFolder ? "folder-symbolic" : "text-x-generic-symbolic")
      if file.isFolder { gtk_widget_add_css_class(icon, "folder") } else { gtk_widget_remove_css_class(icon, "folder") }
    }
    self.file = file
    gtk_label_set_text(OpaquePointer(label), file.name)
    let ranges = query?.ranges(in: file.name) ?? []
    if ranges.isEmpty { return gtk_label_set_attributes(OpaquePointer(label), nil) }
    let attributes = pango_attr_list_new()!
    for range in ranges {
      let start = file.name.utf8.distance(from: file.name.startIndex, to: range.lowerBound)
      let end = file.name.utf8.distance(from: file.name.startIndex, to: range.upperBound)
      for attribute in [
        pango_attr_background_new(0xF9F9, 0xE2E2, 0x7171), pango_attr_foreground_new(0x2020, 0x2020, 0x2020),
      ] {
        attribute!.pointee.start_index = guint(start)
        attribute!.pointee.end_index = guint(end)
        pango_attr_list_insert(attributes, attribute)
      }
    }
    gtk_label_set_attributes(OpaquePointer(label), attributes)
    pango_attr_list_unref(attributes)
  }
}

/// A line of text.
final class TextCell: ListCell {
  private let label = gtk_label_new(nil)!

  init(_ alignment: Float) {
    gtk_label_set_xalign(OpaquePointer(label), alignment)
    gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
    gtk_widget_add_css_class(label, "dim-label")
    gtk_widget_add_css_class(label, "numeric")
    super.init(label)
  }

  func show(_ text: String) { gtk_label_set_text(OpaquePointer(label), text) }
}

/// The columns of the browser.
struct FileColumns {
  let tree: FileTree

  var all: [OutlineColumn<File>] { FileKey.allCases.map(column) }

  private func column(_ key: FileKey) -> OutlineColumn<File> {
    var cells = CellFactory<OutlineRow<File>, ListCell>()
    guard key != .name else {
      cells.register("name") { [tree] cell, row in
        row.value.map { (cell as? NameCell)?.show($0, matching: tree.query) }
      }
      return OutlineColumn(key.title, cells: cells) { _ in NameCell() }
    }
    cells.register("text") { [self] cell, row in
      row.value.map { (cell as? TextCell)?.show(text($0, key)) }
    }
    return OutlineColumn(key.title, width: key == .modified ? 130 : 110, cells: cells) { _ in
      TextCell(key == .size ? 1 : 0)
    }
  }

  private func text(_ file: File, _ key: FileKey) -> String {
    switch key {
    case .name: file.name
    case .size: file.isFolder ? "–" : Self.size(file.size)
    case .kind: file.kind
    case .modified: Self.day(file.modified)
    }
  }

  private static func size(_ bytes: Int) -> String {
    if bytes < 1_000 { return "\(bytes) B" }
    var (value, unit) = (Double(bytes) / 1_000, 0)
    while value >= 999.95, unit < 3 { (value, unit) = (value / 1_000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(["kB", "MB", "GB", "TB"][unit])"
  }

  /// The day of a time in seconds since 1970, in the form 2024-02-29.
  private static func day(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
  }
}

/// The clipboard of the display.
enum Clipboard {
  static func set(_ text: String) {
    gdk_clipboard_set_text(gdk_display_get_clipboard(gdk_display_get_default()), text)
  }
}
