@_spi(NodeAuthors) public import Assemblage

/// Holds deliveries in their order, with a text form that can be pasted into a test and read back.
///
/// ```swift
/// let recording = try ChangeRecording(
///   """
///   [+2]
///   [-0, ~1]
///   """)
/// for change in recording { table.apply(change) }
/// ```
public struct ChangeRecording: Hashable, Sendable, RandomAccessCollection {
  /// The changes that were delivered.
  public var changes: [ChangeSet]

  /// Creates a recording of some changes.
  ///
  /// - Parameter changes: the changes; each begins with the contents that the change before it leaves.
  public init(_ changes: [ChangeSet] = []) { self.changes = changes }

  /// Reads a recording.
  ///
  /// - Parameter text: a change in each line, as `ChangeSet.recordedText` gives it; empty lines are skipped.
  /// - Throws: `ChangeTextError` for the first line that is no change; its offset counts from the start of the line.
  public init(_ text: String) throws(ChangeTextError) {
    changes = []
    for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
      changes.append(try ChangeSet(recorded: String(line)))
    }
  }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of deliveries.
  public var endIndex: Int { changes.count }

  /// The delivery number `index`.
  public subscript(index: Int) -> ChangeSet { changes[index] }

  /// The net change of all deliveries.
  ///
  /// - Complexity: O(s · log s) for s ranges and levels in all deliveries.
  public var netChange: ChangeSet {
    var composer = ChangeSetComposer()
    for change in changes { composer.append(change) }
    return composer.net()
  }
}

extension ChangeRecording: CustomStringConvertible {
  /// A line for each delivery.
  public var description: String { changes.map(\.recordedText).joined(separator: "\n") }
}
