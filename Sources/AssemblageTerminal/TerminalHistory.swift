/// The texts that were typed into a line before, which keys recall.
///
///     a   b   c   | the text that is being typed
///             ◀── recall(-1)
struct TerminalHistory: Hashable, Sendable {
  private var texts: [String] = []
  /// The number of the text in the line; nil for the text that is being typed.
  private var place: Int?
  private var draft = ""

  /// Stores a text; no text is stored twice.
  mutating func remember(_ text: String) {
    place = nil
    if text.isEmpty { return }
    texts.removeAll { $0 == text }
    texts.append(text)
  }

  /// Goes to another text.
  ///
  /// - Parameters:
  ///   - step: -1 for the previous text, 1 for the next one.
  ///   - text: the text in the line.
  /// - Returns: the text; nil if there is none.
  mutating func recall(_ step: Int, from text: String) -> String? {
    let next = (place ?? texts.count) + step
    guard (0...texts.count).contains(next) else { return nil }
    if place == nil { draft = text }
    place = next == texts.count ? nil : next
    return place.map { texts[$0] } ?? draft
  }
}
