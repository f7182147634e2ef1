import Assemblage
import AssemblageSearch
import AssemblageWidgets

extension TerminalOutline {
  /// The columns of the mark, and those of each level.
  private static var markWidth: Int { 2 }
  private static var levelWidth: Int { 2 }

  /// Draws all lines.
  ///
  /// - Returns: a screen of the terminal's size.
  /// - Complexity: O(log n) for each row that is seen.
  package func draw() -> TerminalScreen {
    var screen = TerminalScreen(size: size)
    if size.columns == 0 || size.rows == 0 { return screen }
    if case .help(let line) = mode {
      drawHelp(from: line, on: &screen)
    } else {
      drawTitle(on: &screen)
      drawRows(on: &screen)
    }
    drawStatus(on: &screen)
    return screen
  }

  // MARK: Rows

  private func drawRows(on screen: inout TerminalScreen) {
    let visible = visibleRows
    if visible.isEmpty {
      screen.draw(emptiness, row: titleHeight, column: Self.markWidth, TerminalStyle.plain.adding(.dim))
      return
    }
    let path = contents.rows.path(ofRow: visible.lowerBound)
    // Of rows above the screen it is not known before it is asked: there may be very many levels, few of which are drawn.
    var ends = [Bool?](repeating: nil, count: max(0, path.count - 1))
    func isEnd(_ level: Int) -> Bool {
      guard ends.indices.contains(level) else { return true }
      let isEnd = ends[level] ?? isLastSibling(path.prefix(level + 1))
      ends[level] = isEnd
      return isEnd
    }
    for (offset, row) in contents.rows.rows(in: visible).enumerated() {
      ends.removeSubrange(min(row.depth, ends.count)...)
      ends.append(row.isLastSibling)
      draw(row, number: visible.lowerBound + offset, isEnd, line: titleHeight + offset, on: &screen)
    }
  }

  /// What is said where there is no row.
  private var emptiness: String {
    if hidesOthers { return "nothing is found" }
    if contents.progress() != nil { return "" }
    let count = contents.hiddenTotal()
    if count == 0 { return "there is nothing here" }
    let keys = [hiding.contains(.hidden) ? "." : nil, hiding.contains(.ignored) ? "i" : nil].compactMap { $0 }
    let shown = keys.filter { $0 == "." || contents.hidings.contains(.ignored) }.joined(separator: " and ")
    return count == 1
      ? "1 entry is left out; \(shown) shows it" : "\(Self.grouped(count)) entries are left out; \(shown) shows them"
  }

  /// Whether no sibling follows the row of a path.
  private func isLastSibling(_ path: IndexPath) -> Bool {
    contents.rows.row(ofPath: path).map { contents.rows.row(at: $0).isLastSibling } ?? true
  }

  /// The levels whose lines are left out, so that half of the screen is left for names.
  private func cutLevels(depth: Int) -> Int { max(0, depth - max(1, size.columns / 2 / Self.levelWidth)) }

  /// The columns of the marker of a row.
  func markerColumns(ofRow row: Int) -> Range<Int> {
    guard mayExpand(row) else { return 0..<0 }
    let depth = contents.rows.row(at: row).depth
    let start = Self.markWidth + (depth - cutLevels(depth: depth)) * Self.levelWidth
    return start..<start + 2
  }

  private func draw(
    _ row: OutlineRow<Element>, number: Int, _ isEnd: (_ level: Int) -> Bool, line: Int, on screen: inout TerminalScreen
  ) {
    let dim = TerminalStyle.plain.adding(.dim)
    var column = Self.markWidth
    if isMarked(number) { screen.draw("●", row: line, column: 0, TerminalStyle(.named(3), .bold)) }
    let cut = cutLevels(depth: row.depth)
    for level in cut..<max(cut, row.depth) {
      let isOwn = level == row.depth - 1
      let isEnd = isEnd(level + 1)
      let part = cut > 0 && level == cut ? "… " : isOwn ? (isEnd ? "└ " : "├ ") : isEnd ? "  " : "│ "
      column = screen.draw(part, row: line, column: column, dim)
    }
    guard let element = row.value else { return }
    let look = contents.row(element)
    let isOpen = row.isExpanded || look.mayHaveChildren && !row.hasChildren && isExpanded(number)
    let marker = row.hasChildren || look.mayHaveChildren ? (isOpen ? "▾ " : "▸ ") : "  "
    column = screen.draw(marker, row: line, column: column)
    let isFound = search?.query == nil || isMatch(row: number)
    let isDim = !isFound && hidesOthers
    let detail = details(of: row, look, number)
    let width = detail.reduce(0) { $0 + TerminalWidth.columns(of: $1.text) }
    // A name is worth more than what is said of it.
    let showsDetail = size.columns - column - width - 2 >= min(12, labelWidth(look))
    let limit = showsDetail && width > 0 ? size.columns - width - 2 : size.columns
    column = draw(look, isFound: isFound, isDim: isDim, line: line, column: column, limit: limit, on: &screen)
    if showsDetail { screen.draw(detail, row: line, column: size.columns - width) }
    if number == cursor { screen.select(row: line) }
  }

  private func labelWidth(_ look: TerminalRow) -> Int {
    look.label.reduce(0) { $0 + TerminalWidth.columns(of: $1.text) }
  }

  private func details(of row: OutlineRow<Element>, _ look: TerminalRow, _ number: Int) -> [TerminalSpan] {
    guard hidesOthers, row.hasChildren, !row.isExpanded,
      let path = contents.sort.sourcePath(of: contents.rows.path(ofRow: number)),
      let inside = contents.filter.matchCount(at: path), inside > 0
    else { return look.detail }
    return [TerminalSpan("\(Self.grouped(inside)) inside  ", TerminalStyle(.named(3)))] + look.detail
  }

  /// Draws label and note with the matches highlighted, cut at a limit.
  private func draw(
    _ look: TerminalRow, isFound: Bool, isDim: Bool, line: Int, column start: Int, limit: Int,
    on screen: inout TerminalScreen
  ) -> Int {
    var column = start
    let spans = look.label + look.note
    let isCut = spans.reduce(start) { $0 + TerminalWidth.columns(of: $1.text) } > limit
    let end = isCut ? limit - 1 : limit
    for span in spans {
      let style = isDim ? span.style.adding(.dim) : span.style
      column = screen.draw(span.text, row: line, column: column, limit: end, style)
    }
    if isCut, end >= start { screen.draw("…", row: line, column: column, limit: limit) }
    if isFound, let query = search?.query { highlight(query, in: look, line: line, from: start, to: end, on: &screen) }
    return column
  }

  private func highlight(
    _ query: TerminalQuery, in look: TerminalRow, line: Int, from start: Int, to end: Int,
    on screen: inout TerminalScreen
  ) {
    let label = look.label.map(\.text).joined()
    var (index, column) = (label.startIndex, start)
    for range in query.ranges(in: label) where range.lowerBound >= index {
      column += TerminalWidth.columns(of: label[index..<range.lowerBound])
      let style = TerminalStyle(.named(0), on: .named(11), [.bold, .underlined])
      column = screen.draw(label[range], row: line, column: column, limit: end, style)
      index = range.upperBound
    }
  }

  // MARK: Title and last line

  private func drawTitle(on screen: inout TerminalScreen) {
    guard titleHeight > 0 else { return }
    let title = contents.title(element(at: cursor))
    screen.draw(
      TerminalWidth.fittedEnd(title, to: size.columns), row: 0, column: 0, TerminalStyle.plain.adding(.bold))
  }

  private func drawStatus(on screen: inout TerminalScreen) {
    guard statusHeight > 0 else { return }
    let line = size.rows - 1
    if case .command(let typed) = mode {
      let marked = markedIDs.count
      let what = marked > 0 ? "on \(Self.grouped(marked)) marked" : "on this row"
      return draw("!", typed, [what, "Enter runs it"], line: line, on: &screen)
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

  /// What the last line says while nothing is typed.
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
    if let message { return (message, "? help") }
    var parts: [String] = []
    if let search, search.query != nil { parts.append("\(search.sign)\(search.line.text)  \(found)") }
    parts.append(contents.summary())
    let marked = markedIDs.count
    if marked > 0 { parts.append("\(Self.grouped(marked)) marked") }
    if orderIndex > 0 || isReversed, contents.orders.indices.contains(orderIndex) {
      parts.append("by \(contents.orders[orderIndex].name)" + (isReversed ? ", reversed" : ""))
    }
    if let progress = contents.progress() { parts.append(progress) }
    return (parts.filter { !$0.isEmpty }.joined(separator: " · "), "? help")
  }

  /// What a search says of its result.
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
    draw(search.sign, search.line, parts, line: line, on: &screen)
  }

  /// Draws a line that is typed, and at its right what there is space for.
  private func draw(
    _ sign: String, _ typedLine: TerminalLine, _ parts: [String], line: Int, on screen: inout TerminalScreen
  ) {
    // What is typed is seen to its end; the rest has what space is left.
    let typed = TerminalWidth.columns(of: typedLine.text)
    let room = max(1, size.columns - 2)
    let shift = max(0, typedLine.column - room)
    screen.draw(typedLine.text, row: line, column: 1 - shift)
    screen.draw(sign, row: line, column: 0, TerminalStyle.plain.adding(.bold))
    screen.cursor = (line, min(size.columns - 1, 1 + typedLine.column - shift))
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
    let width = bindings.map { TerminalWidth.columns(of: $0.label) }.max() ?? 0
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
    ]
  }

  private func isOffered(_ command: TerminalCommand) -> Bool {
    switch command {
    case .chooseValues, .copyValue: contents.hasValues
    case .edit, .page, .run: contents.hasFiles
    case .hidden: contents.hidings.contains(.hidden)
    case .ignored: contents.hidings.contains(.ignored)
    default: true
    }
  }

  private func drawHelp(from first: Int, on screen: inout TerminalScreen) {
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
