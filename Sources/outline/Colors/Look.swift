/// How what is printed is coloured: names by what they stand for, and what was searched for in them.
struct Look {
  let colors: LSColors
  /// What is highlighted; nil for nothing.
  let filter: NameFilter?

  /// What a match looks like: bold and red, as `grep` has it.
  static let match = "01;31"

  /// Writes a name.
  ///
  /// - Parameters:
  ///   - name: its bytes.
  ///   - style: its own style; nil for none.
  ///   - isQuoted: whether quotation marks in it are escaped.
  ///   - output: where it goes.
  func write(_ name: Span<UInt8>, style: String?, isQuoted: Bool = false, to output: inout OutputText) {
    var place = 0
    for range in filter?.ranges(in: name) ?? [] {
      output.write(name: name.extracting(place..<range.lowerBound), style: style, isQuoted: isQuoted)
      output.write(name: name.extracting(range), style: Self.match, isQuoted: isQuoted)
      place = range.upperBound
    }
    output.write(name: name.extracting(droppingFirst: place), style: style, isQuoted: isQuoted)
  }
}

extension OutputText {
  /// Adds a name in a style.
  mutating func write(name: Span<UInt8>, style: String?, isQuoted: Bool) {
    if name.isEmpty { return }
    if let style { write("\u{1B}[\(style)m") }
    if isQuoted { write(sanitized(name).replacing("\"", with: "\\\"")) } else { write(name: name) }
    if style != nil { write("\u{1B}[0m") }
  }

  /// Adds a text, as it is, in a style.
  mutating func write(_ text: String, style: String?) {
    guard let style, !text.isEmpty else { return write(text) }
    write("\u{1B}[\(style)m\(text)\u{1B}[0m")
  }
}
