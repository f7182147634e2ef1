/// A token of the pattern of one name.
enum GlobToken: Hashable, Sendable {
  /// This byte.
  case byte(UInt8)
  /// Any one character.
  case any
  /// Any characters, or none.
  case many
  case set(GlobSet)
  /// No match: the pattern is invalid from here on.
  case never

  /// Splits the pattern of a path at its slashes, which cannot be escaped.
  static func split(_ pattern: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var (start, index) = (0, 0)
    while index < pattern.count {
      if pattern[index] == FileName.slash {
        parts.append(pattern[start..<index])
        start = index + 1
      } else if pattern[index] == UInt8(ascii: "["), let set = GlobSet(pattern[index...], .byte), set.end > 0 {
        // A slash in a set ends no name.
        index = set.end - 1
      } else if pattern[index] == UInt8(ascii: "\\"), index + 1 < pattern.count, pattern[index + 1] != FileName.slash {
        index += 1
      }
      index += 1
    }
    return parts + [pattern[start...]]
  }

  /// Parses the pattern of a name.
  static func parse(_ pattern: ArraySlice<UInt8>, _ unit: Glob.Unit) -> [GlobToken] {
    var tokens: [GlobToken] = []
    var index = pattern.startIndex
    while index < pattern.endIndex {
      let byte = pattern[index]
      index += 1
      switch byte {
      case UInt8(ascii: "*"): if tokens.last != .many { tokens.append(.many) }
      case UInt8(ascii: "?"): tokens.append(.any)
      case UInt8(ascii: "["):
        guard let set = GlobSet(pattern[(index - 1)...], unit) else { return tokens + [.never] }
        tokens.append(.set(set))
        index = set.end
      case UInt8(ascii: "\\"):
        guard index < pattern.endIndex else { return tokens + [.never] }
        tokens.append(.byte(pattern[index]))
        index += 1
      default: tokens.append(.byte(byte))
      }
    }
    return tokens
  }

  /// Whether a whole name matches.
  static func matches(_ tokens: [GlobToken], _ name: Span<UInt8>, _ unit: Glob.Unit) -> Bool {
    var (token, place) = (0, 0)
    // The last `*`, and the end of its match in the current attempt.
    var retry: (token: Int, place: Int)?
    while true {
      if token < tokens.count, tokens[token] == .many {
        token += 1
        if token == tokens.count { return true }
        retry = (token, place)
        continue
      }
      if place == name.count { return token == tokens.count }
      if token < tokens.count, let length = tokens[token].length(at: place, of: name, unit) {
        token += 1
        place += length
        continue
      }
      guard let last = retry else { return false }
      retry = (last.token, last.place + 1)
      (token, place) = (last.token, last.place + 1)
    }
  }

  /// The number of bytes that a token matches at a place; nil if the token does not match.
  private func length(at place: Int, of name: Span<UInt8>, _ unit: Glob.Unit) -> Int? {
    switch self {
    case .byte(let byte): return name[place] == byte ? 1 : nil
    case .any: return Self.character(at: place, of: name, unit).length
    case .set(let set):
      let (value, length) = Self.character(at: place, of: name, unit)
      return set.contains(value) ? length : nil
    case .many, .never: return nil
    }
  }

  /// The character at a place; a single byte if the place is no start of UTF-8.
  static func character(at place: Int, of name: Span<UInt8>, _ unit: Glob.Unit) -> (value: UInt32, length: Int) {
    let byte = name[place]
    guard unit == .character, byte >= 0x80 else { return (UInt32(byte), 1) }
    let length = sequenceLength(in: name, at: place)
    // No scalar has these values, so an invalid byte is not equal to any character.
    guard length > 0 else { return (UInt32(byte) | 0x8000_0000, 1) }
    var value = UInt32(byte) & (0x7F >> UInt32(length))
    for index in place + 1..<place + length { value = value << 6 | UInt32(name[index] & 0x3F) }
    return (value, length)
  }
}
