/// Draws a screen as a picture, in SVG: a window with the cells as a terminal shows them.
///
/// Lines of the tree, markers and bars are shapes, so that they join without gaps in every font. Each text is as wide
/// as its cells.
package struct TerminalPicture {
  private let screen: TerminalScreen
  private let theme: TerminalTheme
  private static let cell = (width: 8.4, height: 20.0)
  private static let margin = 16.0
  /// The height of the window's bar.
  private static let bar = 34.0

  /// Creates a picture.
  ///
  /// - Parameters:
  ///   - screen: the screen of the terminal.
  ///   - theme: the colours of the terminal.
  package init(_ screen: TerminalScreen, theme: TerminalTheme) {
    self.screen = screen
    self.theme = theme
  }

  /// The picture, as the text of a file.
  package var svg: String {
    let (width, height) = (size.width, size.height)
    let frame =
      "width=\"\(Self.number(width - 1))\" height=\"\(Self.number(height - 1))\" x=\"0.5\" y=\"0.5\" rx=\"10\""
    let shown = allRuns
    let parts = [backings(shown), lines(shown), shown.compactMap(text), [caret].compactMap { $0 }].joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
      width="\(Self.number(width))" height="\(Self.number(height))" \
      font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
      <rect \(frame) fill="\(theme.background.code)" stroke="\(theme.border.code)"/>
      \(dots)
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  /// The least contrast between a text and the colour behind it, by WCAG 2: from 4.5 on, a text is easy to read.
  package var leastContrast: Double {
    allRuns.filter { !$0.isBlank }.map { run in
      let colors = theme.colors(run.style)
      return colors.foreground.contrast(to: colors.background)
    }.min() ?? 21
  }

  private var size: (width: Double, height: Double) {
    (
      Double(screen.size.columns) * Self.cell.width + 2 * Self.margin,
      Double(screen.size.rows) * Self.cell.height + Self.bar + Self.margin
    )
  }

  /// The three dots of the window's bar.
  private var dots: String {
    (0..<3).map { "<circle cx=\"\(22 + 18 * $0)\" cy=\"17\" r=\"5.5\" fill=\"\(theme.border.code)\"/>" }
      .joined(separator: "\n")
  }

  // MARK: Runs

  /// Neighbouring cells with the same look.
  private struct Run {
    let row: Int
    var column: Int
    var length = 0
    var text = ""
    let style: TerminalStyle

    var isBlank: Bool { text.allSatisfy { $0 == " " } }
  }

  private var allRuns: [Run] {
    screen.lines.enumerated().flatMap { row, line in
      var runs: [Run] = []
      for (column, cell) in line.enumerated() {
        // A shape is a run of its own.
        let isShape = Self.shapes.contains(cell.text)
        let follows = runs.last.map { $0.style == cell.style && !Self.shapes.contains($0.text) } ?? false
        if isShape || !follows { runs.append(Run(row: row, column: column, style: cell.style)) }
        runs[runs.count - 1].length += 1
        runs[runs.count - 1].text += cell.text
      }
      return runs
    }
  }

  /// The rectangles behind the texts: one rectangle for neighbouring cells with the same background.
  private func backings(_ runs: [Run]) -> [String] {
    var bars: [(row: Int, columns: Range<Int>, color: TerminalTheme.Color)] = []
    for run in runs {
      let color = theme.colors(run.style).background
      guard color != theme.background else { continue }
      let columns = run.column..<run.column + run.length
      if let last = bars.last, last.row == run.row, last.columns.upperBound == run.column, last.color == color {
        bars[bars.count - 1].columns = last.columns.lowerBound..<columns.upperBound
      } else {
        bars.append((run.row, columns, color))
      }
    }
    return bars.map { bar in
      // A bar across the whole window is a little wider than its cells.
      let isWhole = bar.columns.count == screen.size.columns
      let extra = isWhole ? Self.margin / 2 : 0
      let width = Double(bar.columns.count) * Self.cell.width + 2 * extra
      return "<rect x=\"\(Self.number(x(bar.columns.lowerBound) - extra))\" y=\"\(Self.number(y(bar.row)))\" "
        + "width=\"\(Self.number(width))\" height=\"\(Self.number(Self.cell.height))\" rx=\"\(isWhole ? 5 : 3)\" "
        + "fill=\"\(bar.color.code)\"/>"
    }
  }

  /// The characters that are drawn as shapes.
  private static let shapes: Set<String> = ["│", "├", "└", "▾", "▸"]

  /// The lines of the tree and the markers of folders.
  private func lines(_ runs: [Run]) -> [String] {
    runs.filter { Self.shapes.contains($0.text) }.map { run in
      let color = theme.colors(run.style).foreground.code
      let (left, top) = (x(run.column), y(run.row))
      let (middle, center) = (left + 4, top + Self.cell.height / 2)
      func path(_ steps: String) -> String { "<path d=\"\(steps)\" stroke=\"\(color)\" fill=\"none\"/>" }
      func shape(_ steps: String) -> String { "<path d=\"\(steps)\" fill=\"\(color)\"/>" }
      func at(_ x: Double, _ y: Double) -> String { "\(Self.number(x)) \(Self.number(y))" }
      switch run.text {
      case "│": return path("M\(at(middle, top))v\(Self.number(Self.cell.height))")
      case "├": return path("M\(at(middle, top))v\(Self.number(Self.cell.height))M\(at(middle, center))h9")
      case "└": return path("M\(at(middle, top))v\(Self.number(Self.cell.height / 2 - 4))q0 4 4 4h5")
      case "▾": return shape("M\(at(left, center - 2.5))h9l-4.5 6z")
      default: return shape("M\(at(left + 1.5, center - 4.5))v9l6 -4.5z")
      }
    }
  }

  private func text(_ run: Run) -> String? {
    if run.isBlank || Self.shapes.contains(run.text) { return nil }
    // Blanks at both ends need no text.
    let leading = run.text.prefix { $0 == " " }.count
    let text = String(run.text.dropFirst(leading))
    let shown = String(text.reversed().drop { $0 == " " }.reversed())
    let width = Double(run.length - leading - (text.count - shown.count)) * Self.cell.width
    var look = "fill=\"\(theme.colors(run.style).foreground.code)\""
    if run.style.attributes.contains(.bold) { look += " font-weight=\"bold\"" }
    if run.style.attributes.contains(.underlined) { look += " text-decoration=\"underline\"" }
    let escaped = shown.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
    return "<text xml:space=\"preserve\" x=\"\(Self.number(x(run.column + leading)))\" "
      + "y=\"\(Self.number(y(run.row) + 14.5))\" textLength=\"\(Self.number(width))\" \(look)>\(escaped)</text>"
  }

  /// The cursor of the typed text.
  private var caret: String? {
    screen.cursor.map { row, column in
      "<rect x=\"\(Self.number(x(column)))\" y=\"\(Self.number(y(row) + 2))\" width=\"\(Self.number(Self.cell.width))\" "
        + "height=\"\(Self.number(Self.cell.height - 4))\" fill=\"\(theme.foreground.code)\"/>"
    }
  }

  private func x(_ column: Int) -> Double { Self.margin + Double(column) * Self.cell.width }

  private func y(_ row: Int) -> Double { Self.bar + Double(row) * Self.cell.height }

  /// A number with one digit behind the point.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
