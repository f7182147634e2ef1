/// A text to look for in names, in whatever case.
struct Pattern: Sendable {
  private let characters: [UInt8]
  private let text: String
  private let isASCII: Bool

  init(_ text: String) {
    self.text = text.lowercased()
    characters = Array(self.text.utf8)
    isASCII = characters.allSatisfy { $0 < 0x80 }
  }

  /// Whether the text stands somewhere in `name`.
  func isContained(in name: String) -> Bool {
    guard isASCII else { return name.lowercased().contains(text) }
    // An ASCII text is found byte by byte: no byte of a longer character looks like ASCII.
    var name = name
    return name.withUTF8 { bytes in
      let bytes = unsafe bytes.span
      guard bytes.count >= characters.count else { return false }
      for start in 0...(bytes.count - characters.count) {
        var length = 0
        while length < characters.count, Self.lowered(bytes[start + length]) == characters[length] {
          length += 1
        }
        if length == characters.count { return true }
      }
      return false
    }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
