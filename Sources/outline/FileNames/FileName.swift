/// A name or a path as the system has it: bytes, which are mostly UTF-8 and need not be.
///
///     FileName("src").appending("a.c") == "src/a.c"
///     FileName(bytes: [0x61, 0xFF]).printed == "a\\xFF"
///
/// Two names are the same only if all their bytes are.
struct FileName: Hashable, Sendable {
  var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }

  /// The text; where there is none, replacement characters stand for bytes that are no UTF-8.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// See `sanitized(_:)`: everything escaped that would steer a terminal, and the bytes that are no UTF-8.
  var printed: String { sanitized(bytes.span) }

  /// The same of a pattern, whose backslashes are not doubled.
  var printedPattern: String { sanitized(bytes.span, backslash: #"\"#) }

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether the name begins with a point, by which the system's tools leave it out.
  var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  /// The path of an entry of this directory.
  func appending(_ name: FileName) -> FileName {
    var result = self
    if result.bytes.last != FileName.slash { result.bytes.append(FileName.slash) }
    result.bytes += name.bytes
    return result
  }

  /// Whether the path begins at the root of the file system.
  var isAbsolute: Bool { bytes.first == FileName.slash }

  /// What follows the last slash but for those at the end; the whole where there is none.
  var lastComponent: FileName {
    guard let end = bytes.lastIndex(where: { $0 != FileName.slash }) else { return self }
    let start = bytes[...end].lastIndex(of: FileName.slash).map { $0 + 1 } ?? 0
    return FileName(bytes: Array(bytes[start...end]))
  }

  static let slash = UInt8(ascii: "/")
}

extension FileName: ExpressibleByStringLiteral {
  init(stringLiteral text: String) { self.init(text) }
}
