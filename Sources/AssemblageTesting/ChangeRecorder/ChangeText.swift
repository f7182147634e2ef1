public import Assemblage

extension ChangeSet {
  /// The change as text that `init(recorded:)` reads back.
  ///
  /// ```text
  /// ~[-1, +2..<5, ~0, 7→3; 3: [+0]; 4: [-0]] {[1, 0]→[4, 2]: ~[]}
  /// ```
  ///
  /// A leading `~` says that the node's own value changed. Then come the removals `-` and the sources of moves, in
  /// positions before the change, and insertions `+`, updates `~` and destinations of moves, in positions after it; then
  /// what happened inside surviving children, by their position after the change. In braces follow the children that
  /// moved from one parent to another, from the path before to the path after, with what happened to them.
  ///
  /// - Complexity: O(s) for s ranges and levels.
  public var recordedText: String { description }

  /// Reads a change that was recorded as text.
  ///
  /// Spaces may stand anywhere between numbers and signs; the arrow of a move may be written `->`.
  ///
  /// ```swift
  /// try ChangeSet(recorded: "[-1, 0→2; 0: [+3..<5]]").delta.removals   // [1..<2]
  /// ```
  ///
  /// - Parameter text: one change, as `recordedText` gives it.
  /// - Throws: `ChangeTextError` where the text is no change.
  /// - Complexity: O(s · log s) for s ranges and levels.
  public init(recorded text: String) throws(ChangeTextError) {
    var parser = ChangeTextParser(text)
    self = try parser.parse()
  }
}

/// Says where a text is no recorded change.
///
/// ```swift
/// do {
///   let change = try ChangeSet(recorded: "[+]")
/// } catch {
///   print(error)    // at character 2: a position is expected
/// }
/// ```
public struct ChangeTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of characters before the place.
  public let offset: Int

  /// What is wrong there.
  public let reason: String

  /// As `at character 3: a position is expected`.
  public var description: String { "at character \(offset): \(reason)" }
}
