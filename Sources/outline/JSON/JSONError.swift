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
  ///   - line: a line at the position or before, from which lines are counted.
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
  /// Its number, from 1 on.
  private(set) var number = 1
  /// Its first byte.
  private(set) var start = 0

  /// Goes on to the line of a later byte.
  mutating func advance(to position: Int, in bytes: Span<UInt8>) {
    for index in start..<max(start, min(position, bytes.count)) where bytes[index] == 0x0A {
      number += 1
      start = index + 1
    }
  }
}
