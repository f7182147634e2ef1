/// The set of characters that a pattern lists in brackets: `[a-z_]`, `[!0-9]`, `[[:alpha:]]`.
struct GlobSet: Hashable, Sendable {
  private var ranges: [ClosedRange<UInt32>] = []
  private let isNegated: Bool
  /// The position in the pattern behind the set.
  let end: Int

  /// Parses a set; nil if the set does not end, or contains an unknown class.
  ///
  /// - Parameters:
  ///   - pattern: the pattern from the opening bracket on.
  ///   - unit: the unit that one set matches.
  init?(_ pattern: ArraySlice<UInt8>, _ unit: Glob.Unit) {
    let bytes = pattern.span
    var place = 1
    var isNegated = false
    if place < bytes.count, bytes[place] == UInt8(ascii: "!") || bytes[place] == UInt8(ascii: "^") {
      isNegated = true
      place += 1
    }
    /// The character before a `-` that may begin a range.
    var last: UInt32?
    var isFirst = true
    while true {
      guard place < bytes.count else { return nil }
      if bytes[place] == UInt8(ascii: "]"), !isFirst { break }
      isFirst = false
      if bytes[place] == UInt8(ascii: "["), place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: ":"),
        let close = Self.classEnd(bytes, from: place + 2)
      {
        guard let found = Self.ranges(ofClass: bytes.extracting(place + 2..<close)) else { return nil }
        ranges += found
        place = close + 2
        last = nil
        continue
      }
      if let first = last, bytes[place] == UInt8(ascii: "-"), place + 1 < bytes.count,
        bytes[place + 1] != UInt8(ascii: "]")
      {
        place += 1
        guard let upper = Self.character(bytes, &place, unit) else { return nil }
        if first <= upper { ranges.append(first...upper) }
        last = nil
        continue
      }
      guard let value = Self.character(bytes, &place, unit) else { return nil }
      ranges.append(value...value)
      last = value
    }
    self.isNegated = isNegated
    end = pattern.startIndex + place + 1
  }

  /// Whether a character is one of the set.
  func contains(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } != isNegated }

  /// Parses a character, which may follow a backslash.
  private static func character(_ bytes: Span<UInt8>, _ place: inout Int, _ unit: Glob.Unit) -> UInt32? {
    if bytes[place] == UInt8(ascii: "\\") { place += 1 }
    guard place < bytes.count else { return nil }
    let (value, length) = GlobToken.character(at: place, of: bytes, unit)
    place += length
    return value
  }

  /// The position of the `:]` of a class; nil if the text is no class.
  private static func classEnd(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    while place + 1 < bytes.count, bytes[place] != UInt8(ascii: "]") {
      if bytes[place] == UInt8(ascii: ":"), bytes[place + 1] == UInt8(ascii: "]") { return place }
      place += 1
    }
    return nil
  }

  private static func ranges(ofClass name: Span<UInt8>) -> [ClosedRange<UInt32>]? {
    switch JSONText.string(name, 0..<name.count) {
    case "alnum": [48...57, 65...90, 97...122]
    case "alpha": [65...90, 97...122]
    case "blank": [9...9, 32...32]
    case "cntrl": [0...31, 127...127]
    case "digit": [48...57]
    case "graph": [33...126]
    case "lower": [97...122]
    case "print": [32...126]
    case "punct": [33...47, 58...64, 91...96, 123...126]
    case "space": [9...13, 32...32]
    case "upper": [65...90]
    case "xdigit": [48...57, 65...70, 97...102]
    default: nil
    }
  }
}
