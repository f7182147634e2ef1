/// The number of columns that texts take on a terminal.
package enum TerminalWidth {
  /// The columns of a character: 2 for wide characters and emoji, 0 for single marks and invisible characters.
  package static func columns(of character: Character) -> Int {
    // Most characters are ASCII.
    if let byte = character.asciiValue { return byte >= 0x20 && byte != 0x7F ? 1 : 0 }
    var width = 0
    for scalar in character.unicodeScalars {
      // The variation selector requests an emoji.
      if scalar.value == 0xFE0F, width == 1 { return 2 }
      width = max(width, columns(of: scalar))
    }
    return width
  }

  /// The columns of a text.
  package static func columns(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The columns of a single scalar.
  package static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value >= 0x20 && value < 0x7F || value >= 0xA0 && value != 0xAD ? 1 : 0 }
    // The vowels and final consonants of a Hangul syllable share the cells of its first consonant.
    if (0x1160...0x11FF).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator, .surrogate: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    return isWide(value) ? 2 : 1
  }

  /// Whether a scalar is wide or full width, by the blocks of Unicode's table of East Asian widths.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// The beginning of a text that takes at most some columns; the rest is replaced with `…`.
  package static func fitted(_ text: String, to width: Int) -> String {
    if width <= 0 { return "" }
    // No text has more columns than bytes.
    if text.utf8.count <= width || columns(of: text) <= width { return text }
    var (result, used) = ("", 0)
    for character in text {
      let columns = columns(of: character)
      if used + columns > width - 1 { break }
      result.append(character)
      used += columns
    }
    return result + "…"
  }

  /// The end of a text that takes at most some columns; the rest is replaced with `…`.
  package static func fittedEnd(_ text: String, to width: Int) -> String {
    if width <= 0 { return "" }
    if text.utf8.count <= width || columns(of: text) <= width { return text }
    var (result, used): ([Character], Int) = ([], 0)
    for character in text.reversed() {
      let columns = columns(of: character)
      if used + columns > width - 1 { break }
      result.append(character)
      used += columns
    }
    return "…" + String(result.reversed())
  }
}
