import Assemblage
import AssemblageGTK
import AssemblageWidgets
import CGTK
import Foundation

/// Writes the content of the window to a file after each change, for scripts that drive the program.
///
/// ```text
/// status 1,000 files and folders  ·  16 rows
/// row 0 | 120,83 | depth 0 | folded | - | Archive
/// row 1 | 120,113 | depth 0 | unfolded | selected | Books
/// undo
/// menu Copy Name | Delete
/// drop 1
/// ```
///
/// The point is the middle of the row's name, in the coordinates of the window. A row that cannot have rows below it is
/// a `leaf`. The menu is the open one. `undo` means that an edit can be undone. `drop` is followed by the row that
/// would receive the dragged rows.
final class Dump {
  private unowned let browser: BrowserWindow
  private let path: String
  private var isPending = false
  private var framesLeft = 0

  init(_ browser: BrowserWindow, path: String) {
    self.browser = browser
    self.path = path
    browser.didChange = { [unowned self] in writeSoon() }
    writeSoon()
  }

  /// Writes after two more frames: GTK lays out rows in a frame, so new rows may be missing before.
  private func writeSoon() {
    framesLeft = 2
    if isPending { return }
    isPending = true
    gtk_widget_add_tick_callback(
      browser.window, { _, _, data in Unmanaged<Dump>.fromOpaque(data!).takeUnretainedValue().tick() ? 1 : 0 },
      Unmanaged.passRetained(self).toOpaque(), { Unmanaged<AnyObject>.fromOpaque($0!).release() })
  }

  /// Counts a frame, and returns whether another frame is needed.
  private func tick() -> Bool {
    framesLeft -= 1
    if framesLeft >= 0 { return true }
    isPending = false
    write()
    return false
  }

  private func write() {
    var lines = ["status \(browser.statusText)"]
    for (row, cell) in browser.view.visibleCells {
      guard let file = (cell as? NameCell)?.file, row < browser.tree.outline.count else { continue }
      let shown = browser.tree.outline.row(at: row)
      let state = shown.hasChildren ? shown.isExpanded ? "unfolded" : "folded" : "leaf"
      let selected = browser.tree.rows.isSelected(at: [0, row]) ? "selected" : "-"
      lines.append("row \(row) | \(point(cell)) | depth \(shown.depth) | \(state) | \(selected) | \(file.name)")
    }
    if browser.canUndo { lines.append("undo") }
    if !browser.view.menuTitles.isEmpty { lines.append("menu \(browser.view.menuTitles.joined(separator: " | "))") }
    if let row = browser.view.dropRow { lines.append("drop \(row)") }
    try? Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
  }

  private func point(_ cell: ListCell) -> String {
    var (x, y) = (0.0, 0.0)
    let height = Double(gtk_widget_get_allocated_height(cell.widget))
    gtk_widget_translate_coordinates(cell.widget, browser.window, 60, height / 2, &x, &y)
    // From the window's content to its surface, with the shadow around it.
    var (left, top) = (0.0, 0.0)
    gtk_native_get_surface_transform(OpaquePointer(browser.window), &left, &top)
    return "\(Int(x + left)),\(Int(y + top))"
  }
}
