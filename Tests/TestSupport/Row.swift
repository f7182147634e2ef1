/// An element that can be told from every other, and changed.
public struct Row: Hashable, CustomStringConvertible, Sendable {
  /// No other row of a test has it.
  public let id: Int
  /// Counts the changes, or is one of a few numbers by which a test sorts and filters.
  public var version: Int

  /// Creates a row.
  public init(id: Int, version: Int = 0) {
    self.id = id
    self.version = version
  }

  public var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}
