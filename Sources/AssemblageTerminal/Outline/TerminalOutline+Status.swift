import Assemblage
import AssemblageSearch
import AssemblageWidgets

// The lines around the rows: the title and the last line. The help replaces the title and the rows.
extension TerminalOutline {
  func drawTitle(on screen: inout TerminalScreen) {
    guard titleHeight > 0 else { return }
    let title = contents.title(element(at: cursor))
    screen.draw(
      TerminalWidth.fittedEnd(title, to: size.columns), row: 0, column: 0, TerminalStyle.plain.adding(.bold))
    if titleHeight > 1 { screen.draw(contents.header, row: 1, column: 0, TerminalStyle(.named(6))) }
  }

  func drawStatus(on screen: inout TerminalScreen) {
    guard statusHeight > 0 else { return }
    let line = size.rows - 1
    if case .command(let typed) = mode {
      let marked = markedCount
      let what = marked > 0 ? "on \(Self.grouped(marked)) marked" : "on this row"
      return draw("!", typed, [what, "Enter runs it"], line: line, on: &screen)
    }
    if case .naming(let naming, let typed) = mode {
      let isRenaming = if case .rename = naming { true } else { false }
      let parts = [isRenaming ? "Enter renames" : "Enter makes it"]
      return draw(isRenaming ? "name: " : "new folder: ", typed, parts, line: line, on: &screen)
    }
    if let search, search.isTyped, mode == .browsing { return drawSearch(search, line: line, on: &screen) }
    let (left, right) = status
    let style = TerminalStyle.plain.adding(.reversed)
    let text = TerminalWidth.fitted(" " + left, to: size.columns)
    screen.mark(row: line, .reversed)
    let end = screen.draw(text, row: line, column: 0, style)
    let width = TerminalWidth.columns(of: right)
    if end + width + 2 <= size.columns { screen.draw(right, row: line, column: size.columns - width - 1, style) }
  }

  /// The text of the last line while nothing is typed.
  private var status: (left: String, right: String) {
    if case .help(let first) = mode {
      let count = helpLines.count
      if count <= viewHeight { return ("any key: back", "") }
      return ("lines \(first + 1)–\(min(first + viewHeight, count)) of \(count) · ↑ ↓ scroll · other keys: back", "")
    }
    if mode == .sorting {
      let orders = contents.orders.map { "\($0.key) \($0.name)" }.joined(separator: " · ")
      return ("sort by  \(orders) · r the other way round", "")
    }
    if case .confirming(let deletion, let ids) = mode { return (question(deletion, ids), "") }
    if let message { return (message, "? help") }
    var parts: [String] = []
    if let search, search.query != nil { parts.append("\(search.sign)\(search.line.text)  \(found)") }
    parts.append(contents.summary())
    let marked = markedCount
    if marked > 0 { parts.append("\(Self.grouped(marked)) marked") }
    if orderIndex > 0 || isReversed, contents.orders.indices.contains(orderIndex) {
      parts.append("by \(contents.orders[orderIndex].name)" + (isReversed ? ", reversed" : ""))
    }
    if let progress = contents.progress() { parts.append(progress) }
    return (parts.filter { !$0.isEmpty }.joined(separator: " · "), "? help")
  }

  /// The description of the result of a search.
  private var found: String {
    guard let search else { return "" }
    if let problem = search.problem { return problem }
    if search.query == nil { return "" }
    if search.isPending {
      return indexReading == nil ? "…" : "making the index · \(Int((index?.readFraction ?? 0) * 100)) %"
    }
    if !search.hides { return "among all rows" }
    if let progress = search.progress {
      return "\(Self.grouped(search.foundSoFar)) so far · \(Int(progress.fraction * 100)) %"
    }
    return "\(Self.grouped(contents.filter.matchCount)) of \(Self.grouped(contents.total()))"
  }

  private func drawSearch(_ search: TerminalSearch<Element, ID>, line: Int, on screen: inout TerminalScreen) {
    let parts = [found, search.kind.rawValue, contents.progress() ?? ""].filter { !$0.isEmpty }
    draw(search.hides ? contents.prompt ?? search.sign : search.sign, search.line, parts, line: line, on: &screen)
  }

  /// Draws a line that is typed, and to its right the parts for which there is space.
  private func draw(
    _ sign: String, _ typedLine: TerminalLine, _ parts: [String], line: Int, on screen: inout TerminalScreen
  ) {
    // The end of the typed text is always visible. The parts get the rest of the space.
    let start = TerminalWidth.columns(of: sign)
    let typed = TerminalWidth.columns(of: typedLine.text) + start - 1
    let room = max(1, size.columns - 1 - start)
    let shift = max(0, typedLine.column - room)
    screen.draw(typedLine.text, row: line, column: start - shift)
    screen.draw(sign, row: line, column: 0, TerminalStyle.plain.adding(.bold))
    screen.cursor = (line, min(size.columns - 1, start + typedLine.column - shift))
    for count in (1...parts.count).reversed() {
      let right = parts.prefix(count).joined(separator: " · ")
      let width = TerminalWidth.columns(of: right)
      guard typed + width + 4 <= size.columns else { continue }
      screen.draw(right, row: line, column: size.columns - width - 1, TerminalStyle.plain.adding(.dim))
      return
    }
  }

  // MARK: Help

  /// The lines of the help screen.
  var helpLines: [String] {
    let bindings = TerminalCommand.bindings.filter { isOffered($0.command) }
    let width = (bindings.map(\.label) + contents.bindings.map(\.name)).map { TerminalWidth.columns(of: $0) }.max() ?? 0
    func line(_ label: String, _ words: String) -> String {
      label + String(repeating: " ", count: width - TerminalWidth.columns(of: label) + 2) + words
    }
    return bindings.map { line($0.label, $0.words) } + [
      line("0–9", "expand so many levels"),
      line("mouse", "a click goes to a row, on its marker expands it; the wheel scrolls"),
      "", "While a search is typed:",
      line("↑ ↓ Tab", "row up, row down, next match"),
      line("^P ^N", "the search before this one, the one after it"),
      line("^O", "keep what is found, and go on with the keys above"),
      line("^T", "the next kind of search"),
      line("Enter", "print the row"),
    ] + (contents.bindings.isEmpty ? [] : ["", "Own commands:"]) + contents.bindings.map { line($0.name, $0.command) }
  }

  private func isOffered(_ command: TerminalCommand) -> Bool {
    switch command {
    case .chooseValues, .copyValue: contents.hasValues
    case .edit, .page, .run, .rename, .newFolder, .delete: contents.hasFiles
    case .preview: contents.preview != nil
    case .hidden: contents.hidings.contains(.hidden)
    case .ignored: contents.hidings.contains(.ignored)
    default: true
    }
  }

  func drawHelp(from first: Int, on screen: inout TerminalScreen) {
    if titleHeight > 0 { screen.draw("Keys", row: 0, column: 0, TerminalStyle.plain.adding(.bold)) }
    for (offset, line) in helpLines.dropFirst(first).prefix(viewHeight).enumerated() {
      screen.draw(line, row: titleHeight + offset, column: 2)
    }
  }

  /// A number with a comma after each three digits.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }.joined()
  }
}
