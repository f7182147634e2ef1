/// Compares one query with many texts, one after the other, without an allocation for each text.
///
/// ```swift
/// var matcher = TextMatcher(.substring("strasse"))
/// matcher.matches(Array("Lange Straße".utf8).span)      // true
/// ```
///
/// A matcher is for texts that are compared once, for example the texts of a file or a directory. For texts that are
/// compared again, `TextIndex` keeps them folded.
package struct TextMatcher {
  private let query: TextQuery
  /// The text that is being compared, in the form of a chunk: a separator, the folded text, and padding.
  private var bytes: [UInt8] = []
  /// The bytes behind the folded text.
  private let padding = [UInt8](repeating: ByteNeedle.separator, count: ByteNeedle.padding + 1)

  /// Creates a matcher.
  package init(_ query: TextQuery) { self.query = query }

  /// Whether the query matches a text.
  ///
  /// - Parameter text: UTF-8, not folded. Bytes that are not well formed count as U+FFFD.
  /// - Returns: whether the text matches.
  /// - Complexity: O(n) for n bytes. More only where the text repeats a part of the query.
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
