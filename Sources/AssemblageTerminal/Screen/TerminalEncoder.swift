/// Encodes screens for a terminal, so that only changed lines are written.
///
///     shown    notes │ a.md │ b.md        written: line 1 alone
///     next     notes │ a.txt│ b.md
package struct TerminalEncoder: Sendable {
  /// The number of colours that the terminal shows.
  package let depth: TerminalColorDepth
  /// Whether the screen begins where the cursor was saved, and not in the first line of the terminal.
  private let isInline: Bool
  private var shown: TerminalScreen?

  package init(depth: TerminalColorDepth, isInline: Bool = false) { (self.depth, self.isInline) = (depth, isInline) }

  /// Forgets the shown screen, because other programs wrote to the terminal.
  package mutating func invalidate() { shown = nil }

  /// Returns the output that makes the terminal show a screen.
  ///
  /// - Parameter screen: the next screen.
  /// - Returns: text and control sequences; empty if the terminal already shows this screen.
  package mutating func encode(_ screen: TerminalScreen) -> String {
    if screen == shown { return "" }
    // The cursor is hidden while it moves over the screen. A terminal with synchronized updates shows all changes at
    // once.
    var output = "\u{1B}[?2026h\u{1B}[?25l"
    let isNew = shown?.size != screen.size
    if isNew { output += isInline ? "\u{1B}8\u{1B}[0m\u{1B}[?7l\u{1B}[J" : "\u{1B}[0m\u{1B}[2J" }
    for (row, line) in screen.lines.enumerated() where isNew || shown?.lines[row] != line {
      output += position(row, 0)
      encode(line, to: &output)
    }
    if let cursor = screen.cursor { output += position(cursor.row, cursor.column) + "\u{1B}[?25h" }
    shown = screen
    return output + "\u{1B}[?2026l"
  }

  /// The sequence that goes to a cell.
  ///
  /// To restore the cursor can also restore wrapping, which is off.
  private func position(_ row: Int, _ column: Int) -> String {
    guard isInline else { return "\u{1B}[\(row + 1);\(column + 1)H" }
    return "\u{1B}8\u{1B}[?7l" + (row > 0 ? "\u{1B}[\(row)B" : "") + (column > 0 ? "\u{1B}[\(column)C" : "")
  }

  private func encode(_ line: [TerminalCell], to output: inout String) {
    // Blank cells at the end are erased, which also clears the former contents.
    let end = (line.lastIndex { $0 != TerminalCell() } ?? -1) + 1
    var style = TerminalStyle.plain
    output += "\u{1B}[0m"
    for cell in line[..<end] {
      if cell.style != style {
        style = cell.style
        output += Self.sequence(for: style, depth: depth)
      }
      output += cell.text
    }
    if style != .plain { output += "\u{1B}[0m" }
    if end < line.count { output += "\u{1B}[K" }
  }

  /// Returns the control sequence that selects a style, independent of the style selected before.
  package static func sequence(for style: TerminalStyle, depth: TerminalColorDepth) -> String {
    var codes = ["0"]
    let attributes: [(TerminalStyle.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.reversed, "7"), (.struckOut, "9"),
    ]
    for (attribute, code) in attributes where style.attributes.contains(attribute) { codes.append(code) }
    if let color = style.foreground { codes += Self.codes(for: color, depth: depth, base: 30) }
    if let color = style.background { codes += Self.codes(for: color, depth: depth, base: 40) }
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  private static func codes(for color: TerminalColor, depth: TerminalColorDepth, base: Int) -> [String] {
    switch (depth, color) {
    case (.none, _): return []
    case (.named, _):
      guard case .named(let number) = color.nearestNamed else { return [] }
      return ["\(base + Int(number) % 8 + (number < 8 ? 0 : 60))"]
    case (_, .named(let number)): return ["\(base + Int(number) % 8 + (number < 8 ? 0 : 60))"]
    case (_, .palette(let number)): return ["\(base + 8)", "5", "\(number)"]
    case (.palette, .rgb): return codes(for: color.nearestInPalette, depth: .palette, base: base)
    case (.full, .rgb(let red, let green, let blue)): return ["\(base + 8)", "2", "\(red)", "\(green)", "\(blue)"]
    }
  }
}
