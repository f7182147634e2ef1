/// The number of rows and columns of a terminal.
package struct TerminalSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

/// One place of a screen.
package struct TerminalCell: Hashable, Sendable {
  /// A character with its marks; empty in the second cell of a wide character.
  package var text: String
  package var style: TerminalStyle

  package init(_ text: String = " ", _ style: TerminalStyle = .plain) {
    self.text = text
    self.style = style
  }
}

/// The contents of a terminal: lines of styled cells, and the position of its cursor.
///
/// A wide character takes two cells, and the second cell is empty. A wide character that would begin in the last column
/// is left out. Text beyond an edge is cut off.
package struct TerminalScreen: Hashable, Sendable {
  package let size: TerminalSize
  package private(set) var lines: [[TerminalCell]]
  /// The cursor of the typed text; nil if nothing is typed, and the cursor is invisible.
  package var cursor: (row: Int, column: Int)? {
    get { cursorRow.map { ($0, cursorColumn) } }
    set { (cursorRow, cursorColumn) = (newValue?.row, newValue?.column ?? 0) }
  }
  private var cursorRow: Int?
  private var cursorColumn = 0

  package init(size: TerminalSize) {
    self.size = size
    lines = Array(repeating: Array(repeating: TerminalCell(), count: size.columns), count: size.rows)
  }

  /// Draws a text.
  ///
  /// - Parameters:
  ///   - text: the text; control characters are left out.
  ///   - row: the line of the text.
  ///   - column: the first column of the text; before column 0, the text is cut off.
  ///   - limit: the column before which the text ends.
  ///   - style: the look of the text.
  /// - Returns: the column behind the text.
  @discardableResult
  package mutating func draw(
    _ text: some StringProtocol, row: Int, column: Int, limit: Int = .max, _ style: TerminalStyle = .plain
  ) -> Int {
    let end = min(limit, size.columns)
    guard lines.indices.contains(row) else { return column }
    var column = column
    for character in text {
      let width = TerminalWidth.columns(of: character)
      if width == 0 {
        // A mark without a character of its own joins the character before it.
        if column > 0, column <= end, character.asciiValue == nil { lines[row][column - 1].text.append(character) }
        continue
      }
      if column + width > end { break }
      if column >= 0 {
        lines[row][column] = TerminalCell(String(character), style)
        if width == 2 { lines[row][column + 1] = TerminalCell("", style) }
      }
      column += width
    }
    return column
  }

  /// Draws texts one after the other.
  ///
  /// - Returns: the column behind the texts.
  @discardableResult
  package mutating func draw(_ spans: [TerminalSpan], row: Int, column: Int, limit: Int = .max) -> Int {
    spans.reduce(column) { draw($1.text, row: row, column: $0, limit: limit, $1.style) }
  }

  /// Gives the first cells of a line more attributes.
  package mutating func mark(row: Int, _ attributes: TerminalStyle.Attributes, columns: Int = .max) {
    guard lines.indices.contains(row) else { return }
    for column in lines[row].indices.prefix(columns) { lines[row][column].style.attributes.formUnion(attributes) }
  }

  /// Draws the first columns of a line as one bar: reversed, and without colours.
  ///
  /// Colours would divide the bar into pieces of different lightness.
  package mutating func select(row: Int, columns: Int = .max) {
    guard lines.indices.contains(row) else { return }
    for column in lines[row].indices.prefix(columns) {
      let attributes = lines[row][column].style.attributes.subtracting(.dim)
      lines[row][column].style = TerminalStyle.plain.adding(attributes.union(.reversed))
    }
  }

  /// Copies lines, and the cursor, from another screen of the same size.
  package mutating func replaceLines(_ rows: Range<Int>, from other: TerminalScreen) {
    precondition(other.size == size, "The lines belong to a screen of another size.")
    lines.replaceSubrange(rows, with: other.lines[rows])
    cursor = other.cursor
  }

  /// The lines as plain text, without spaces at their ends.
  package var text: String {
    lines.map { line in
      var text = line.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }
}
