/// Asks one query of many texts, one after the other, without an allocation for each.
///
/// ```swift
/// var matcher = TextMatcher(.substring("strasse"))
/// matcher.matches(Array("Lange Straße".utf8).span)      // true
/// ```
///
/// It is for texts that are asked about once, of a file or a directory. For texts that are asked about again,
/// `TextIndex` keeps them folded.
package struct TextMatcher {
  private let query: TextQuery
  /// The text that is asked about, as a chunk has it: a separator, the folded text, and padding.
  private var bytes: [UInt8] = []
  /// The bytes behind the folded text.
  private let padding = [UInt8](repeating: ByteNeedle.separator, count: ByteNeedle.padding + 1)

  /// Creates a matcher.
  package init(_ query: TextQuery) { self.query = query }

  /// Whether the query finds something in a text.
  ///
  /// - Parameter text: UTF-8, not folded; bytes that are not well formed count as U+FFFD.
  /// - Returns: whether it is found.
  /// - Complexity: O(n) for n bytes; more only where the text repeats a part of the query.
  package mutating func matches(_ text: Span<UInt8>) -> Bool {
    if query.isEmpty { return true }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(ByteNeedle.separator)
    unsafe text.withUnsafeBufferPointer { utf8 in
      unsafe query.folding.fold(utf8, into: &bytes)
    }
    let end = bytes.count
    bytes.append(contentsOf: padding)
    return unsafe bytes.withUnsafeBufferPointer { unsafe query.pattern.matches($0.baseAddress!, 1..<end) }
  }
}
