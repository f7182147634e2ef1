/// Draws a screen as a picture, in SVG: the cells as a terminal with dark colours shows them.
package struct TerminalPicture {
  private let screen: TerminalScreen
  private static let cell = (width: 8.4, height: 18.0)
  private static let margin = 12.0
  private static let (background, foreground) = ("#1b1d23", "#d4d7dd")

  package init(_ screen: TerminalScreen) { self.screen = screen }

  /// The picture, as the text of a file.
  package var svg: String {
    let width = Double(screen.size.columns) * Self.cell.width + 2 * Self.margin
    let height = Double(screen.size.rows) * Self.cell.height + 2 * Self.margin
    let parts = screen.lines.indices.flatMap { row in runs(row).flatMap { [backing($0, row), text($0, row)] } }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(width))" height="\(Self.number(height))" \
      font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
      <rect width="100%" height="100%" rx="8" fill="\(Self.background)"/>
      \(parts.compactMap { $0 }.joined(separator: "\n"))
      </svg>

      """
  }

  /// Cells side by side that look the same.
  private struct Run {
    var column: Int
    var length = 0
    var text = ""
    let style: TerminalStyle
  }

  private func runs(_ row: Int) -> [Run] {
    var runs: [Run] = []
    for (column, cell) in screen.lines[row].enumerated() {
      if runs.last?.style != cell.style { runs.append(Run(column: column, style: cell.style)) }
      runs[runs.count - 1].length += 1
      runs[runs.count - 1].text += cell.text
    }
    return runs
  }

  private func colors(_ style: TerminalStyle) -> (background: String?, foreground: String) {
    let background = style.background.map(Self.code)
    let foreground = style.foreground.map(Self.code) ?? Self.foreground
    guard style.attributes.contains(.reversed) else { return (background, foreground) }
    return (foreground, background ?? Self.background)
  }

  private func backing(_ run: Run, _ row: Int) -> String? {
    guard let color = colors(run.style).background else { return nil }
    return
      "<rect x=\"\(x(run.column))\" y=\"\(y(row))\" width=\"\(Self.number(Double(run.length) * Self.cell.width))\" "
      + "height=\"\(Self.number(Self.cell.height))\" fill=\"\(color)\"/>"
  }

  private func text(_ run: Run, _ row: Int) -> String? {
    if run.text.allSatisfy({ $0 == " " }) { return nil }
    var look = "fill=\"\(colors(run.style).foreground)\""
    if run.style.attributes.contains(.bold) { look += " font-weight=\"bold\"" }
    if run.style.attributes.contains(.dim) { look += " opacity=\"0.6\"" }
    if run.style.attributes.contains(.underlined) { look += " text-decoration=\"underline\"" }
    let escaped = run.text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
    let length = Self.number(Double(run.length) * Self.cell.width)
    return "<text xml:space=\"preserve\" x=\"\(x(run.column))\" y=\"\(y(row, 13.5))\" textLength=\"\(length)\" "
      + "\(look)>\(escaped)</text>"
  }

  private func x(_ column: Int) -> String { Self.number(Self.margin + Double(column) * Self.cell.width) }

  private func y(_ row: Int, _ offset: Double = 0) -> String {
    Self.number(Self.margin + Double(row) * Self.cell.height + offset)
  }

  /// A number with one digit behind the point.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func code(_ color: TerminalColor) -> String {
    let (red, green, blue) = color.components
    let digits = String(red << 16 | green << 8 | blue, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
