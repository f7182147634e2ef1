/// An element that has an identity and can be changed.
public struct Row: Hashable, CustomStringConvertible, Sendable {
  /// The row's identity; no other row of a test has the same one.
  public let id: Int
  /// The number of changes, or one of a few numbers by which a test sorts and filters.
  public var version: Int

  /// Creates a row.
  public init(id: Int, version: Int = 0) {
    self.id = id
    self.version = version
  }

  public var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}
