public import Assemblage

extension ChangeSet {
  /// The change as text that `init(recorded:)` reads back.
  ///
  /// ```text
  /// ~[-1, +2..<5, ~0, 7→3; 3: [+0]; 4: [-0]] {[1, 0]→[4, 2]: ~[]}
  /// ```
  ///
  /// A leading `~` means that the node's own value changed. Removals `-` and the sources of moves are positions before
  /// the change. Insertions `+`, updates `~` and the destinations of moves are positions after the change. Then the
  /// changes inside surviving children follow, by the children's positions after the change. Last, in braces, are the
  /// children that moved from one parent to another. Each has its path before the change, its path after the change,
  /// and the change inside the child.
  ///
  /// - Complexity: O(s) for s ranges and levels.
  public var recordedText: String { description }

  /// Reads a change that was recorded as text.
  ///
  /// Spaces are allowed anywhere between numbers and signs. The arrow of a move may be written `->`.
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

/// Reports where a text is no recorded change.
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

  /// The fault at that place.
  public let reason: String

  /// A text like `at character 3: a position is expected`.
  public var description: String { "at character \(offset): \(reason)" }
}
