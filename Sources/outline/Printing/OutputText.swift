/// Collects UTF-8 for the output.
struct OutputText {
  var bytes: [UInt8] = []

  /// Adds text.
  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds UTF-8.
  mutating func write(_ text: Span<UInt8>) {
    // The bytes are only read while they are added.
    unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Adds a name in the form of `sanitized(_:)`.
  mutating func write(name: Span<UInt8>) { isPlain(name) ? write(name) : write(sanitized(name)) }

  /// Adds a name as a JSON string.
  ///
  /// A JSON string must be UTF-8. So after a name that is no UTF-8, a member follows with the bytes of the name in
  /// hexadecimal digits.
  mutating func write(jsonName name: Span<UInt8>) {
    if isPlain(name) {
      bytes.append(UInt8(ascii: "\""))
      write(name)
      bytes.append(UInt8(ascii: "\""))
      return
    }
    write(jsonString(JSONText.string(name, 0..<name.count)))
    guard firstInvalidUTF8(in: name) != nil else { return }
    write(",\"bytes\":\"")
    for index in name.indices {
      bytes.append(Self.digit(name[index] >> 4))
      bytes.append(Self.digit(name[index] & 15))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 + value - 10 }

  /// Adds a number.
  ///
  /// With `isGrouped`, a comma follows each three digits, for human readers.
  mutating func write(_ number: Int, isGrouped: Bool = false) {
    guard number >= 0 else { return write(String(number)) }
    let start = bytes.count
    var (rest, digits) = (number, 0)
    repeat {
      if isGrouped, digits > 0, digits.isMultiple(of: 3) { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
      digits += 1
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Adds `1 file`, `2 files`.
  mutating func write(_ number: Int, _ singular: String, _ plural: String) {
    write(number, isGrouped: true)
    bytes.append(UInt8(ascii: " "))
    write(number == 1 ? singular : plural)
  }

  /// Whether a text is printed without changes, as a name and in JSON.
  private func isPlain(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where !OutputText.isPlain(text[index]) { return false }
    return true
  }

  /// Whether a byte is a printable ASCII character that is never escaped.
  static func isPlain(_ byte: UInt8) -> Bool { byte &- 0x20 < 0x5F && byte != 0x5C && byte != 0x22 }
}
