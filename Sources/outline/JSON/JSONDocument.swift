import Foundation

/// A JSON document: its text, which may be mapped from a file, and the tape with the places of its values.
struct JSONDocument {
  let data: Data
  let tape: JSONTape
  /// Whether the document is a list of documents without brackets.
  let isSequence: Bool
  /// The errors of the documents that are left out of a list.
  let errors: [JSONError]
  /// The places in the text at which the parser went on behind a document that is left out.
  ///
  /// The end of that document may look like a name.
  private let resumed: Set<Int>

  enum Kind: String { case object, array, string, number, boolean, null, sequence }

  /// The number of documents in a text.
  enum Extent {
    case one, several
    /// One, or several if another document begins on a line behind the first one.
    case any
  }

  /// Parses a text.
  ///
  /// - Throws: `JSONError` if the text is no JSON document, and no list with at least one valid document.
  init(_ data: Data, _ extent: Extent = .one) throws(JSONError) {
    self.data = data
    if extent == .several {
      (tape, errors, resumed) = try JSONParser.parseSequence(data.span)
      isSequence = true
      return
    }
    do throws(JSONError) {
      (tape, isSequence, errors, resumed) = (try JSONParser.parse(data.span), false, [], [])
    } catch {
      guard extent == .any, JSONParser.looksLikeSequence(data.span) else { throw error }
      (tape, errors, resumed) = try JSONParser.parseSequence(data.span)
      isSequence = true
    }
  }

  /// The kind of the value at a place on the tape.
  func kind(_ index: Int) -> Kind {
    if isSequence, index == 0 { return .sequence }
    return switch data.span[tape.offset(index)] {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  /// Whether the value at a place on the tape is an object or an array, empty or not.
  func isBranch(_ index: Int) -> Bool { tape.isBranch(index) || kind(index) == .object || kind(index) == .array }

  /// Calls `body` with the decoded characters of a string, or with the source text of a number or a word.
  ///
  /// - Parameters:
  ///   - index: the place of a scalar on the tape.
  ///   - bytes: the document's text, which the caller already has.
  ///   - body: receives the characters.
  /// - Returns: the result of `body`.
  func withText<Result>(_ index: Int, in bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
    if bytes[tape.offset(index)] != UInt8(ascii: "\"") { return body(bytes.extracting(scalar(index).range)) }
    if let plain = plainText(index, in: bytes) {
      return body(bytes.extracting(plain.lowerBound + 1..<plain.upperBound - 1))
    }
    return body(Array(text(index).text.utf8).span)
  }

  /// Calls `body` with the decoded name of a value in its object.
  ///
  /// - Parameters:
  ///   - index: a place on the tape.
  ///   - bytes: the document's text, which the caller already has.
  ///   - body: receives the name.
  /// - Returns: the result of `body`; nil for an element of an array.
  func withKey<Result>(_ index: Int, in bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result? {
    if let plain = plainKey(index, in: bytes) { return body(bytes.extracting(plain)) }
    return key(index).map { body(Array($0.utf8).span) }
  }

  /// The decoded characters of a string, or the source text of a number or a word.
  ///
  /// - Parameters:
  ///   - index: the place of a scalar on the tape.
  ///   - limit: the approximate largest number of bytes to decode; the whole value by default.
  /// - Returns: the text, and whether it is the whole value.
  func text(_ index: Int, limit: Int = .max) -> (text: String, isWhole: Bool) {
    let bytes = data.span
    let start = tape.offset(index)
    if bytes[start] == UInt8(ascii: "\"") { return JSONText.decode(bytes, after: start, limit: limit) }
    let (range, isWhole) = scalar(index, limit: limit)
    return (JSONText.string(bytes, range), isWhole)
  }

  /// The range of a number or a word in the text.
  ///
  /// With a limit, the range of its beginning, and whether that is the whole.
  func scalar(_ index: Int, limit: Int = .max) -> (range: Range<Int>, isWhole: Bool) {
    let bytes = data.span
    let start = tape.offset(index)
    var end = start
    while end < bytes.count, end - start < limit, JSONText.isScalar(bytes[end]) { end += 1 }
    return (start..<end, end == bytes.count || !JSONText.isScalar(bytes[end]))
  }

  /// The range of a string in the text, with its quotation marks, if the string is printed without changes.
  func plainText(_ index: Int) -> Range<Int>? { plainText(index, in: data.span) }

  private func plainText(_ index: Int, in bytes: Span<UInt8>) -> Range<Int>? {
    let start = tape.offset(index)
    var end = start + 1
    while OutputText.isPlain(bytes[end]) { end += 1 }
    return bytes[end] == UInt8(ascii: "\"") ? start..<end + 1 : nil
  }

  /// The name of a value in its object; nil for an element of an array, and for the whole document.
  func key(_ index: Int) -> String? { shortKey(index, limit: .max)?.text }

  /// The same name, cut as in `text(_:limit:)`.
  func shortKey(_ index: Int, limit: Int) -> (text: String, isWhole: Bool)? {
    let bytes = data.span
    guard let end = keyEnd(index, in: bytes) else { return nil }
    return JSONText.decode(bytes, after: JSONText.start(bytes, ofStringEndingAt: end), limit: limit)
  }

  /// The largest number of bytes that are shown of a name or a value; a longer one ends with `…`.
  static let longestText = 200

  /// The name of a value in the form that is shown; nil for an element of an array, and for the whole document.
  func shownKey(_ index: Int) -> String? {
    guard let (text, isWhole) = shortKey(index, limit: Self.longestText) else { return nil }
    return text.isEmpty ? "\"\"" : text.printed + (isWhole ? "" : "…")
  }

  /// The range of a value's name in the text, if there is one that is printed without changes.
  func plainKey(_ index: Int) -> Range<Int>? { plainKey(index, in: data.span) }

  private func plainKey(_ index: Int, in bytes: Span<UInt8>) -> Range<Int>? {
    guard let end = keyEnd(index, in: bytes) else { return nil }
    var start = end
    while OutputText.isPlain(bytes[start - 1]) { start -= 1 }
    return bytes[start - 1] == UInt8(ascii: "\"") && bytes[start - 2] != UInt8(ascii: "\\") ? start..<end : nil
  }

  /// The position of the closing quotation mark of a value's name.
  private func keyEnd(_ index: Int, in bytes: Span<UInt8>) -> Int? {
    if !resumed.isEmpty, resumed.contains(tape.offset(index)) { return nil }
    var position = tape.offset(index) - 1
    while position >= 0, JSONText.isSpace(bytes[position]) { position -= 1 }
    guard position >= 0, bytes[position] == UInt8(ascii: ":") else { return nil }
    position -= 1
    while JSONText.isSpace(bytes[position]) { position -= 1 }
    return position
  }
}

/// Decodes strings and other scalars of a document that has been checked.
enum JSONText {
  /// Decodes a string.
  ///
  /// A JSON text can contain half of a surrogate pair, but a Swift string cannot; this half becomes U+FFFD.
  ///
  /// - Parameters:
  ///   - bytes: the document.
  ///   - quote: the position of the opening quotation mark.
  ///   - limit: the approximate largest number of bytes to decode.
  /// - Returns: the text, and whether it is the whole string.
  static func decode(_ bytes: Span<UInt8>, after quote: Int, limit: Int) -> (text: String, isWhole: Bool) {
    let start = quote + 1
    var end = start
    while bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"), end - start < limit { end += 1 }
    if bytes[end] != UInt8(ascii: "\\") {
      // The text must not end in the middle of a character.
      while bytes[end] & 0xC0 == 0x80 { end -= 1 }
      return (string(bytes, start..<end), bytes[end] == UInt8(ascii: "\""))
    }
    var result = string(bytes, start..<end)
    while bytes[end] != UInt8(ascii: "\""), end - start < limit {
      if bytes[end] == UInt8(ascii: "\\") {
        result.unicodeScalars.append(escape(bytes, &end))
      } else {
        let run = end
        while bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"), end - start < limit { end += 1 }
        while bytes[end] & 0xC0 == 0x80 { end -= 1 }
        if end == run { break }
        result += string(bytes, run..<end)
      }
    }
    return (result, bytes[end] == UInt8(ascii: "\""))
  }

  /// Decodes an escape, and moves the position behind the escape.
  private static func escape(_ bytes: Span<UInt8>, _ position: inout Int) -> Unicode.Scalar {
    position += 2
    switch bytes[position - 1] {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    case let byte: return Unicode.Scalar(byte)
    }
    let unit = codeUnit(bytes, position)
    position += 4
    guard unit & 0xF800 == 0xD800 else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
    guard unit < 0xDC00, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u") else {
      return "\u{FFFD}"
    }
    let low = codeUnit(bytes, position + 2)
    guard low & 0xFC00 == 0xDC00 else { return "\u{FFFD}" }
    position += 6
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  /// The number in four hexadecimal digits.
  private static func codeUnit(_ bytes: Span<UInt8>, _ position: Int) -> UInt32 {
    (position..<position + 4).reduce(0) { number, index in
      let digit = bytes[index]
      return number << 4 | UInt32(JSONParser.isDigit(digit) ? digit - 0x30 : (digit | 0x20) - 0x61 + 10)
    }
  }

  /// The position of a string's opening quotation mark.
  ///
  /// Going back, this is the first quotation mark with an even number of backslashes before it. Marks inside the string
  /// have an odd number.
  ///
  /// - Parameters:
  ///   - bytes: the document.
  ///   - end: the position of the closing quotation mark.
  /// - Returns: a position before `end`.
  static func start(_ bytes: Span<UInt8>, ofStringEndingAt end: Int) -> Int {
    var position = end - 1
    while true {
      while bytes[position] != UInt8(ascii: "\"") { position -= 1 }
      var slashes = position
      while slashes > 0, bytes[slashes - 1] == UInt8(ascii: "\\") { slashes -= 1 }
      if (position - slashes).isMultiple(of: 2) { return position }
      position = slashes - 1
    }
  }

  static func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    // The bytes are only read while the string is made.
    unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// Whether a byte can be part of a number or a word.
  static func isScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
