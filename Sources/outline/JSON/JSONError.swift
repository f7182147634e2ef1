/// Why a text is no JSON document, and where.
struct JSONError: Error, Equatable, CustomStringConvertible {
  /// The line, from 1 on.
  let line: Int
  /// The character of the line, from 1 on: Unicode scalars are counted, as far as the text is UTF-8.
  let column: Int
  let reason: String

  var description: String { "line \(line), column \(column): \(reason)" }

  init(line: Int, column: Int, reason: String) {
    (self.line, self.column, self.reason) = (line, column, reason)
  }

  /// Creates the error of a place.
  ///
  /// - Parameters:
  ///   - reason: what is wrong, in words that can follow a colon.
  ///   - position: the byte that can't stand where it does; the text's length, where it ends too early.
  ///   - bytes: the whole text.
  init(_ reason: String, at position: Int, in bytes: Span<UInt8>) {
    var (line, column) = (1, 1)
    for index in 0..<min(position, bytes.count) {
      if bytes[index] == 0x0A {
        line += 1
        column = 1
      } else if bytes[index] & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
    self.reason = reason
  }
}
