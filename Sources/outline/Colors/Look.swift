/// The colours of the output: names have colours by their kind, and matches of a search are highlighted.
struct Look {
  let colors: LSColors
  /// The filter whose matches are highlighted; nil for none.
  let filter: NameFilter?

  /// The style of a match: bold and red, as in `grep`.
  static let match = "01;31"

  /// Writes a name.
  ///
  /// - Parameters:
  ///   - name: the bytes of the name.
  ///   - style: the style of the name; nil for none.
  ///   - isQuoted: whether quotation marks in the name are escaped.
  ///   - output: receives the text.
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

  /// Adds an unchanged text in a style.
  mutating func write(_ text: String, style: String?) {
    guard let style, !text.isEmpty else { return write(text) }
    write("\u{1B}[\(style)m\(text)\u{1B}[0m")
  }
}
