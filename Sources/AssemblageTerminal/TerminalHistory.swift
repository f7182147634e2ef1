/// What was typed into a line before, which keys bring back.
///
///     a   b   c   | what is being typed
///             ◀── recall(-1)
struct TerminalHistory: Hashable, Sendable {
  private var texts: [String] = []
  /// The text that is in the line, by its number; nil for the one that is being typed.
  private var place: Int?
  private var draft = ""

  /// Notes a text; nothing is noted twice.
  mutating func remember(_ text: String) {
    place = nil
    if text.isEmpty { return }
    texts.removeAll { $0 == text }
    texts.append(text)
  }

  /// Goes to another text.
  ///
  /// - Parameters:
  ///   - step: -1 for the one before, 1 for the one after it.
  ///   - text: what is in the line.
  /// - Returns: the text; nil where there is none.
  mutating func recall(_ step: Int, from text: String) -> String? {
    let next = (place ?? texts.count) + step
    guard (0...texts.count).contains(next) else { return nil }
    if place == nil { draft = text }
    place = next == texts.count ? nil : next
    return place.map { texts[$0] } ?? draft
  }
}
