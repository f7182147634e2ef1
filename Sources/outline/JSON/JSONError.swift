/// The reason why a text is no JSON document, and the position of the error.
struct JSONError: Error, Equatable, CustomStringConvertible {
  /// The line, from 1 on.
  let line: Int
  /// The character of the line, from 1 on.
  ///
  /// The column counts Unicode scalars, as far as the text is UTF-8.
  let column: Int
  let reason: String

  var description: String { "line \(line), column \(column): \(reason)" }

  init(line: Int, column: Int, reason: String) {
    (self.line, self.column, self.reason) = (line, column, reason)
  }

  /// Creates the error at a position.
  ///
  /// - Parameters:
  ///   - reason: the reason, in words that can follow a colon.
  ///   - position: the first invalid byte; the text's length if the text ends too early.
  ///   - bytes: the whole text.
  ///   - line: a line at or before the position, from which lines are counted.
  init(_ reason: String, at position: Int, in bytes: Span<UInt8>, from line: JSONLine = JSONLine()) {
    var line = line
    line.advance(to: position, in: bytes)
    self.line = line.number
    column = 1 + (line.start..<min(position, bytes.count)).count { bytes[$0] & 0xC0 != 0x80 }
    self.reason = reason
  }
}

/// A line of a text.
struct JSONLine {
  /// The number of the line, from 1 on.
  private(set) var number = 1
  /// The position of the line's first byte.
  private(set) var start = 0

  /// Advances to the line of a later byte.
  mutating func advance(to position: Int, in bytes: Span<UInt8>) {
    for index in start..<max(start, min(position, bytes.count)) where bytes[index] == 0x0A {
      number += 1
      start = index + 1
    }
  }
}
