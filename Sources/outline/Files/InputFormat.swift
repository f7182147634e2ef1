import Foundation

/// Recognises the format of bytes by their beginning.
enum InputFormat {
  /// Whether a text looks like JSON: an object, or an array that begins with a JSON value.
  ///
  /// A list of paths may begin with a bracket, too, like `[id].tsx`: so the text behind the bracket counts as well.
  static func looksLikeJSON(_ bytes: Span<UInt8>) -> Bool {
    var place = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    func skipSpace() { while place < bytes.count, JSONText.isSpace(bytes[place]) { place += 1 } }
    func next() -> UInt8? { place < bytes.count ? bytes[place] : nil }
    func begins(_ word: String) -> Bool {
      let word = Array(word.utf8)
      guard place + word.count <= bytes.count else { return false }
      for index in word.indices where bytes[place + index] != word[index] { return false }
      return true
    }
    skipSpace()
    let first = next()
    place += 1
    skipSpace()
    switch (first, next()) {
    case (UInt8(ascii: "{"), UInt8(ascii: "\"")?), (UInt8(ascii: "{"), UInt8(ascii: "}")?): return true
    case (UInt8(ascii: "["), let next?):
      if "\"{[]-0123456789".utf8.contains(next) { return true }
      return ["true", "false", "null"].contains(where: begins)
    default: return false
    }
  }

  /// The name of the encoding of a text that is not in UTF-8, recognised by its first bytes; nil if none is recognised.
  static func foreignEncoding(_ bytes: Span<UInt8>) -> String? {
    guard bytes.count >= 2 else { return nil }
    let second = bytes.count >= 4 ? (bytes[2], bytes[3]) : (1, 1)
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE): return second == (0, 0) ? "UTF-32" : "UTF-16"
    case (0xFE, 0xFF): return "UTF-16"
    case (0, 0): return second == (0xFE, 0xFF) ? "UTF-32" : nil
    case (UInt8(ascii: "{"), 0), (UInt8(ascii: "["), 0), (UInt8(ascii: "\""), 0): return "UTF-16"
    case (0, UInt8(ascii: "{")), (0, UInt8(ascii: "[")), (0, UInt8(ascii: "\"")): return "UTF-16"
    default: return nil
    }
  }
}
