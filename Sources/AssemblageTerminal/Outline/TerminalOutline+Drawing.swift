import Assemblage
import AssemblageSearch
import AssemblageWidgets

extension TerminalOutline {
  /// The columns of the mark, and the columns of each level.
  private static var markWidth: Int { 2 }
  private static var levelWidth: Int { 2 }

  /// Draws all lines.
  ///
  /// - Returns: a screen of the terminal's size.
  /// - Complexity: O(log n) for each row on the screen.
  package func draw() -> TerminalScreen {
    var screen = TerminalScreen(size: size)
    if size.columns == 0 || size.rows == 0 { return screen }
    if case .help(let line) = mode {
      drawHelp(from: line, on: &screen)
    } else {
      drawTitle(on: &screen)
      drawRows(on: &screen)
      drawPreview(on: &screen)
    }
    drawStatus(on: &screen)
    return screen
  }

  // MARK: Rows

  private func drawRows(on screen: inout TerminalScreen) {
    let visible = visibleRows
    if visible.isEmpty {
      screen.draw(
        emptiness, row: titleHeight, column: Self.markWidth, limit: rowColumns, TerminalStyle.plain.adding(.dim))
      return
    }
    let path = contents.rows.path(ofRow: visible.lowerBound)
    // Rows above the screen are checked only when needed: there may be very many levels, and few of them are drawn.
    var ends = [Bool?](repeating: nil, count: max(0, path.count - 1))
    func isEnd(_ level: Int) -> Bool {
      guard ends.indices.contains(level) else { return true }
      let isEnd = ends[level] ?? isLastSibling(path.prefix(level + 1))
      ends[level] = isEnd
      return isEnd
    }
    let pinned = pinnedCount
    for line in 0..<pinned {
      guard let number = self.row(ofLine: line) else { continue }
      draw(contents.rows.row(at: number), number: number, isEnd, line: titleHeight + line, on: &screen)
    }
    // A line separates the pinned ancestors from the rows.
    if pinned > 0 { screen.mark(row: titleHeight + pinned - 1, .underlined, columns: rowColumns) }
    for (offset, row) in contents.rows.rows(in: visible).enumerated() {
      ends.removeSubrange(min(row.depth, ends.count)...)
      ends.append(row.isLastSibling)
      draw(row, number: visible.lowerBound + offset, isEnd, line: titleHeight + pinned + offset, on: &screen)
    }
  }

  /// The message that replaces the rows when there is no row.
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

  /// The number of levels whose lines are left out, so that half of the columns remain for names.
  private func cutLevels(depth: Int) -> Int { max(0, depth - max(1, rowColumns / 2 / Self.levelWidth)) }

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
      column = screen.draw(part, row: line, column: column, limit: rowColumns, dim)
    }
    guard let element = row.value else { return }
    let look = contents.row(element)
    let isOpen = row.isExpanded || look.mayHaveChildren && !row.hasChildren && isExpanded(number)
    let marker = row.hasChildren || look.mayHaveChildren ? (isOpen ? "▾ " : "▸ ") : "  "
    column = screen.draw(marker, row: line, column: column, limit: rowColumns)
    let isFound = search?.query == nil || isMatch(row: number)
    let isDim = !isFound && hidesOthers
    let detail = details(of: row, look, number)
    let width = detail.reduce(0) { $0 + TerminalWidth.columns(of: $1.text) }
    // A name is more useful than its details.
    let showsDetail = rowColumns - column - width - 2 >= min(12, labelWidth(look))
    let limit = showsDetail && width > 0 ? rowColumns - width - 2 : rowColumns
    column = draw(look, isFound: isFound, isDim: isDim, line: line, column: column, limit: limit, on: &screen)
    if showsDetail { screen.draw(detail, row: line, column: rowColumns - width) }
    if number == cursor { screen.select(row: line, columns: rowColumns) }
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

  /// Draws the label and the note, cut at a limit, and highlights the matches.
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
}
