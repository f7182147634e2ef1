import Testing

/// Expects that a widget shows some lines.
///
/// - Parameters:
///   - lines: the lines of the widget.
///   - screen: the expected lines, as one text.
///   - location: the place in the test.
func expectScreen(_ lines: [String], _ screen: String, _ location: SourceLocation = #_sourceLocation) {
  #expect(lines.joined(separator: "\n") == screen, sourceLocation: location)
}
