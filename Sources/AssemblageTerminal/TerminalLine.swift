/// A line of text that is being typed.
struct TerminalLine: Hashable, Sendable {
  private(set) var text = ""
  /// The characters before the cursor.
  private(set) var position = 0

  /// The columns before the cursor.
  var column: Int { TerminalWidth.columns(of: text.prefix(position)) }

  /// Replaces the whole text.
  mutating func replace(with text: String) {
    self.text = text
    position = text.count
  }

  /// Types a text, without its control characters.
  mutating func insert(_ typed: String) {
    var characters = Array(text)
    let typed = typed.filter { TerminalWidth.columns(of: $0) > 0 || $0.unicodeScalars.allSatisfy { $0.value > 0x9F } }
    characters.insert(contentsOf: typed, at: position)
    // A mark may have become part of the character before it.
    let rest = characters.count - position - typed.count
    text = String(characters)
    position = max(0, text.count - rest)
  }

  /// Handles a key that edits; other keys do nothing.
  mutating func take(_ key: TerminalKey) {
    switch key {
    case .character(let character): insert(String(character))
    case .left: position = max(0, position - 1)
    case .right: position = min(text.count, position + 1)
    case .home, .control("a"): position = 0
    case .end, .control("e"): position = text.count
    case .backspace: remove(max(0, position - 1)..<position)
    case .delete, .control("d"): remove(position..<min(text.count, position + 1))
    case .control("u"): remove(0..<position)
    case .control("k"): remove(position..<text.count)
    case .control("w"): remove(wordStart..<position)
    default: break
    }
  }

  private var wordStart: Int {
    let characters = Array(text)
    var start = position
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    return start
  }

  private mutating func remove(_ range: Range<Int>) {
    var characters = Array(text)
    characters.removeSubrange(range)
    text = String(characters)
    position = min(range.lowerBound, text.count)
  }
}
