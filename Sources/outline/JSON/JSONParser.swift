/// Checks a text strictly against RFC 8259, and makes its tape.
///
/// The parser is one loop over the bytes with a list of open values, so that only memory limits the depth. A byte order
/// mark at the start is skipped, as the standard allows. An object may contain a name twice, and `\u` may name half of
/// a pair: both are valid JSON.
struct JSONParser {
  private var tape = JSONTape()
  /// The objects and arrays that have not ended: places on the tape, with the bit set for objects.
  private var open: [UInt32] = []
  /// The byte to read next.
  private var position = 0
  /// A line at or before the position, from which the line of an error is counted.
  private var line = JSONLine()

  typealias Sequence = (tape: JSONTape, errors: [JSONError], resumed: Set<Int>)

  /// Parses one document after another, like the lines of NDJSON, with white space between documents.
  ///
  /// A document with an error in its first line is left out up to the end of the line. An error in a later line has two
  /// possible reasons: the first line was cut, or the document has several lines. Such a document is left out up to the
  /// next line that is a document by itself.
  ///
  /// - Parameter bytes: the text, in UTF-8.
  /// - Returns: the tape, on which the documents are the values of a list without brackets; an error for each document
  ///   that is left out; and the positions in the text behind these documents.
  /// - Throws: the first error, if no document is valid.
  /// - Complexity: O(n) for n bytes.
  static func parseSequence(_ bytes: Span<UInt8>) throws(JSONError) -> Sequence {
    var parser = JSONParser()
    try parser.begin(bytes)
    let list = parser.tape.openSequence()
    var errors: [JSONError] = []
    var resumed: Set<Int> = []
    while parser.position < bytes.count {
      let (start, mark) = (parser.position, parser.tape.mark)
      do throws(JSONError) {
        try parser.parseDocument(bytes)
        parser.tape.count(in: list)
      } catch {
        parser.tape.cut(to: mark)
        errors.append(parser.leaveOut(from: start, error, bytes))
        resumed.insert(parser.position)
      }
    }
    parser.tape.close(list)
    if let first = errors.first, parser.tape.count(0) == 0 { throw first }
    return (parser.tape, errors, resumed)
  }

  /// Skips a document with an error.
  ///
  /// - Parameters:
  ///   - start: the start of the document.
  ///   - error: the error at the position.
  ///   - bytes: the text.
  /// - Returns: the error of the document, or of its first line if that line was cut.
  private mutating func leaveOut(from start: Int, _ error: JSONError, _ bytes: Span<UInt8>) -> JSONError {
    open = []
    line.advance(to: start, in: bytes)
    let end = Self.lineEnd(start, bytes)
    var (next, result) = (min(end + 1, bytes.count), error)
    if position > end {
      if let cut = lineError(from: start, to: end, bytes), next < bytes.count,
        isDocument(from: next, to: Self.lineEnd(next, bytes), bytes)
      {
        result = cut
      } else {
        while next < bytes.count, !isDocument(from: next, to: Self.lineEnd(next, bytes), bytes) {
          next = min(Self.lineEnd(next, bytes) + 1, bytes.count)
          line.advance(to: next, in: bytes)
        }
      }
    }
    position = next
    line.advance(to: next, in: bytes)
    skipSpace(bytes)
    return result
  }

  private static func lineEnd(_ start: Int, _ bytes: Span<UInt8>) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    return end
  }

  /// The reason why a part of a line is no document by itself; nil if it is one.
  private func lineError(from start: Int, to end: Int, _ bytes: Span<UInt8>) -> JSONError? {
    var parser = JSONParser()
    (parser.position, parser.line) = (start, line)
    let text = bytes.extracting(first: end)
    parser.skipSpace(text)
    do throws(JSONError) {
      try parser.parseDocument(text)
    } catch {
      return error
    }
    return parser.position < end ? parser.unexpected("nothing more", text) : nil
  }

  private func isDocument(from start: Int, to end: Int, _ bytes: Span<UInt8>) -> Bool {
    lineError(from: start, to: end, bytes) == nil
  }

  /// Parses a document, and skips the white space behind it.
  private mutating func parseDocument(_ bytes: Span<UInt8>) throws(JSONError) {
    try parseValue(bytes)
    // The end of a number or a word is the next byte that may not be in one.
    if open.isEmpty, position < bytes.count, JSONText.isScalar(bytes[position]), JSONText.isScalar(bytes[position - 1])
    {
      throw unexpected("nothing more", bytes)
    }
    while try finishValue(bytes) { try parseValue(bytes) }
  }

  /// Whether a text begins with a document on its first line or lines, and another one may follow on the next line.
  static func looksLikeSequence(_ bytes: Span<UInt8>) -> Bool {
    var parser = JSONParser()
    do throws(JSONError) {
      try parser.begin(bytes)
      try parser.parseDocument(bytes)
    } catch {
      return false
    }
    guard parser.position < bytes.count, "{[\"-0123456789tfn".utf8.contains(bytes[parser.position]) else {
      return false
    }
    var place = parser.position - 1
    while place >= 0, JSONText.isSpace(bytes[place]) {
      if bytes[place] == 0x0A { return true }
      place -= 1
    }
    return false
  }

  /// Checks the length, and skips the byte order mark.
  private mutating func begin(_ bytes: Span<UInt8>) throws(JSONError) {
    guard bytes.count <= JSONTape.maximumLength else {
      throw error("documents of more than 2 GiB are not read", bytes)
    }
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
    skipSpace(bytes)
  }

  /// Parses a document.
  ///
  /// - Parameter bytes: the text, in UTF-8.
  /// - Returns: the tape.
  /// - Throws: `JSONError` for the first invalid byte.
  static func parse(_ bytes: Span<UInt8>) throws(JSONError) -> JSONTape {
    var parser = JSONParser()
    try parser.begin(bytes)
    try parser.parseDocument(bytes)
    if parser.position < bytes.count { throw parser.unexpected("nothing more", bytes) }
    return parser.tape
  }

  /// Parses a scalar, or the openings of objects and arrays up to the first scalar or empty value in them.
  private mutating func parseValue(_ bytes: Span<UInt8>) throws(JSONError) {
    // A value follows each opening, unless the object or array is empty.
    while true {
      guard position < bytes.count else { throw unexpected("a value", bytes) }
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = byte == UInt8(ascii: "{")
        let start = position
        position += 1
        skipSpace(bytes)
        if position < bytes.count, bytes[position] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          position += 1
          return tape.addEmpty(at: start, isObject: isObject)
        }
        let index = tape.open(at: start, isObject: isObject)
        open.append(index | (isObject ? JSONTape.branchBit : 0))
        if isObject { try parseKey(bytes, orElse: "a name or '}'") }
        continue
      case UInt8(ascii: "\""):
        tape.addScalar(at: position)
        try parseString(bytes)
      case UInt8(ascii: "t"): try parseWord("true", bytes)
      case UInt8(ascii: "f"): try parseWord("false", bytes)
      case UInt8(ascii: "n"): try parseWord("null", bytes)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        tape.addScalar(at: position)
        try parseNumber(bytes)
      default: throw unexpected("a value", bytes)
      }
      return
    }
  }

  /// Parses the text behind a value: the ends of objects and arrays, and a comma with the name of the next value.
  ///
  /// - Returns: whether another value follows.
  private mutating func finishValue(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
    skipSpace(bytes)
    while let top = open.last {
      let (index, isObject) = (top & ~JSONTape.branchBit, top & JSONTape.branchBit != 0)
      tape.count(in: index)
      guard position < bytes.count else { throw unexpected(isObject ? "',' or '}'" : "',' or ']'", bytes) }
      switch bytes[position] {
      case UInt8(ascii: ","):
        position += 1
        skipSpace(bytes)
        if isObject { try parseKey(bytes, orElse: "a name") }
        return true
      case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
        position += 1
        tape.close(index)
        open.removeLast()
        skipSpace(bytes)
      default: throw unexpected(isObject ? "',' or '}'" : "',' or ']'", bytes)
      }
    }
    return false
  }

  /// Parses a name, and the colon behind the name.
  private mutating func parseKey(_ bytes: Span<UInt8>, orElse expected: String) throws(JSONError) {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw unexpected(expected, bytes) }
    try parseString(bytes)
    skipSpace(bytes)
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { throw unexpected("':'", bytes) }
    position += 1
    skipSpace(bytes)
  }

  // MARK: Scalars

  private mutating func parseWord(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
    tape.addScalar(at: position)
    for character in "\(word)".utf8 {
      guard position < bytes.count, bytes[position] == character else { throw unexpected("'\(word)'", bytes) }
      position += 1
    }
  }

  private mutating func parseNumber(_ bytes: Span<UInt8>) throws(JSONError) {
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
      position += 1
    } else {
      try parseDigits(bytes)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try parseDigits(bytes)
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
        position += 1
      }
      try parseDigits(bytes)
    }
  }

  private mutating func parseDigits(_ bytes: Span<UInt8>) throws(JSONError) {
    let start = position
    while position < bytes.count, Self.isDigit(bytes[position]) { position += 1 }
    if position == start { throw unexpected("a digit", bytes) }
  }

  private mutating func parseString(_ bytes: Span<UInt8>) throws(JSONError) {
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"):
        position += 1
        try parseEscape(bytes)
      case 0..<0x20: throw error("a control character in a string has to be escaped", bytes)
      case 0..<0x80: position += 1
      default:
        let length = sequenceLength(in: bytes, at: position)
        if length == 0 { throw error("this is not UTF-8", bytes) }
        position += length
      }
    }
    throw unexpected("'\"'", bytes)
  }

  /// Parses the text behind a backslash.
  private mutating func parseEscape(_ bytes: Span<UInt8>) throws(JSONError) {
    guard position < bytes.count else { throw unexpected("an escape", bytes) }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard position < bytes.count, Self.isHexDigit(bytes[position]) else {
          throw unexpected("a code of four hexadecimal digits", bytes)
        }
        position += 1
      }
    default: throw unexpected("one of \"\\/bfnrtu behind '\\'", bytes)
    }
  }

  // MARK: Bytes

  @inline(__always)
  private mutating func skipSpace(_ bytes: Span<UInt8>) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  private static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

  /// The error for a byte that is not expected at the position.
  @inline(never)
  private func unexpected(_ expected: String, _ bytes: Span<UInt8>) -> JSONError {
    guard position < bytes.count else {
      return error("the document ends here, and \(expected) is missing", bytes)
    }
    let byte = bytes[position]
    if byte >= 0x80, sequenceLength(in: bytes, at: position) == 0 {
      return error("this is not UTF-8", bytes)
    }
    let found =
      switch byte {
      case 0x20: "a space"
      case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
      case 0x80...: "this"
      default: "a control character"
      }
    return error("\(expected) is expected, not \(found)", bytes)
  }

  /// The error of the byte at the position.
  private func error(_ reason: String, _ bytes: Span<UInt8>) -> JSONError {
    JSONError(reason, at: position, in: bytes, from: line)
  }
}
