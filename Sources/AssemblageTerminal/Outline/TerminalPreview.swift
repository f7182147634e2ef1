/// The contents of one element, as far as they fit into a part of a screen.
package struct TerminalPreview: Hashable, Sendable {
  /// A few words about the element, in the first line.
  package var heading: String
  package var lines: [[TerminalSpan]]

  package init(_ heading: String, _ lines: [[TerminalSpan]] = []) {
    self.heading = heading
    self.lines = lines
  }
}

/// The part of a screen in which the preview is drawn.
///
///     beside                        below
///     title                         title
///     row       │ heading           row
///     row       │ line              row
///     row       │ line              ─────────────────
///     last line                     heading
///                                   line
///                                   last line
struct TerminalPreviewPlace: Hashable {
  /// The least columns for a preview beside the rows, and the least lines for one below them.
  private static let leastColumns = 90
  private static let leastLines = 9

  let row: Int
  let column: Int
  let size: TerminalSize

  /// Divides the space of the rows; nil if there is too little space.
  ///
  /// - Parameters:
  ///   - columns: the columns of the screen.
  ///   - lines: the lines between the title and the last line.
  ///   - titleHeight: the number of lines above.
  init?(columns: Int, lines: Int, titleHeight: Int) {
    if columns >= Self.leastColumns, lines > 0 {
      (row, column) = (titleHeight, columns - columns / 2)
      size = TerminalSize(columns: columns / 2, rows: lines)
    } else if lines >= Self.leastLines {
      let height = lines / 2
      (row, column) = (titleHeight + lines - height, 0)
      size = TerminalSize(columns: columns, rows: height)
    } else {
      return nil
    }
  }

  /// Whether the preview is beside the rows.
  var isBeside: Bool { column > 0 }
}

extension TerminalOutline {
  /// The place of the preview; nil if none is shown.
  var previewPlace: TerminalPreviewPlace? {
    guard showsPreview, contents.preview != nil else { return nil }
    return TerminalPreviewPlace(columns: size.columns, lines: lineCount, titleHeight: titleHeight)
  }

  /// The lines between the title and the last line.
  private var lineCount: Int { max(0, size.rows - titleHeight - statusHeight) }

  /// The lines for rows: all except a title, a last line and a preview below, if there is space for these.
  var viewHeight: Int {
    guard let place = previewPlace, !place.isBeside else { return lineCount }
    return place.row - titleHeight - 1
  }

  /// The columns for rows.
  var rowColumns: Int {
    guard let place = previewPlace, place.isBeside else { return size.columns }
    return place.column - 2
  }

  /// Shows the preview, or hides it again.
  func togglePreview() {
    guard contents.preview != nil else { return }
    showsPreview.toggle()
    if showsPreview, previewPlace == nil { message = "there is too little space for a preview" }
    showCursor()
  }

  func drawPreview(on screen: inout TerminalScreen) {
    guard let place = previewPlace, let preview = contents.preview else { return }
    let dim = TerminalStyle.plain.adding(.dim)
    if place.isBeside {
      for line in 0..<place.size.rows { screen.draw("│", row: place.row + line, column: place.column - 2, dim) }
    } else {
      screen.draw(String(repeating: "─", count: size.columns), row: place.row - 1, column: 0, dim)
    }
    guard let element = element(at: cursor) else { return }
    let shown = preview(element, TerminalSize(columns: place.size.columns, rows: place.size.rows - 1))
    let heading = TerminalWidth.fitted(shown.heading, to: place.size.columns)
    screen.draw(heading, row: place.row, column: place.column, dim)
    for (offset, line) in shown.lines.prefix(place.size.rows - 1).enumerated() {
      screen.draw(line, row: place.row + 1 + offset, column: place.column)
    }
  }
}
