/// A name or a path in the form of the system: bytes, usually UTF-8, but not always.
///
///     FileName("src").appending("a.c") == "src/a.c"
///     FileName(bytes: [0x61, 0xFF]).printed == "a\\xFF"
///
/// Two names are equal only if all their bytes are equal.
struct FileName: Hashable, Sendable {
  var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }

  /// The text; replacement characters replace bytes that are no UTF-8.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text for a terminal: control characters, and bytes that are no UTF-8, are escaped.
  ///
  /// See `sanitized(_:)`.
  var printed: String { sanitized(bytes.span) }

  /// The same text for a pattern, in which backslashes are not doubled.
  var printedPattern: String { sanitized(bytes.span, backslash: #"\"#) }

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether the name begins with a point.
  ///
  /// The system's tools hide these names.
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

  /// The name behind the last slash, without regard to slashes at the end; the whole path if there is no such slash.
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
