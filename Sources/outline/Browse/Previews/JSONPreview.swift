import AssemblageTerminal

/// Writes the beginning of a JSON value, indented, until a number of lines is full.
struct JSONPreview {
  private let document: JSONDocument
  private let place: TerminalSize
  private(set) var lines: [[TerminalSpan]] = []

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - item: the place of the value on the tape.
  ///   - place: the space for lines.
  /// - Complexity: O(lines), and at most 64 KiB of a string.
  init(_ document: JSONDocument, _ item: Item, in place: TerminalSize) {
    (self.document, self.place) = (document, place)
    if document.kind(item.index) == .string {
      let text = document.text(item.index, limit: FilePreview.limit).text
      lines = FilePreview.lines(Array(text.utf8), in: place)
    } else {
      write(item.index, prefix: "", depth: 0, isLast: true)
    }
  }

  private var isFull: Bool { lines.count >= place.rows }

  private mutating func add(_ depth: Int, _ spans: [TerminalSpan]) {
    if !isFull { lines.append([TerminalSpan(String(repeating: "  ", count: depth))] + spans) }
  }

  /// Writes a value and its descendants; each level needs a line, so the depth is at most the number of lines.
  private mutating func write(_ index: Int, prefix: String, depth: Int, isLast: Bool) {
    if isFull { return }
    let comma = isLast ? "" : ","
    let key = prefix.isEmpty ? [] : [TerminalSpan(prefix, TerminalStyle(.named(4))), TerminalSpan(": ")]
    let kind = document.kind(index)
    guard document.isBranch(index) else {
      // A longer text is not visible.
      let (text, isWhole) = document.text(index, limit: 4 * place.columns)
      let shown = kind == .string ? jsonString(text) + (isWhole ? "" : "…") : text
      return add(depth, key + [TerminalSpan(shown, JSONBrowser.style(kind)), TerminalSpan(comma)])
    }
    let isObject = kind == .object
    guard document.tape.isBranch(index) else {
      return add(depth, key + [TerminalSpan((isObject ? "{}" : "[]") + comma)])
    }
    add(depth, key + [TerminalSpan(isObject ? "{" : "[")])
    var (next, end) = (document.tape.first(index), document.tape.end(index))
    while next < end, !isFull {
      let after = document.tape.end(next)
      let name = isObject ? document.shownKey(next) ?? "" : ""
      write(next, prefix: isObject ? jsonString(name) : "", depth: depth + 1, isLast: after == end)
      next = after
    }
    add(depth, [TerminalSpan((isObject ? "}" : "]") + comma)])
  }
}
