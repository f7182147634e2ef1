/// A kind of edit of a node's children, about which `WritableNode.allows(_:at:)` is asked before.
///
/// ```swift
/// let friends = ArrayNode(["Al", "Bo"])
/// friends.allows(.move(to: 0), at: 1)    // true
/// friends.allows(.remove, at: 2)         // false: there are two
/// friends.allows(.insertNode, at: 0)     // false: an array holds elements only
/// ```
public enum ChildEdit: Hashable, Sendable {
  /// An element is inserted at a position, `0...count`.
  case insert

  /// A node is inserted at a position, `0...count`. Which nodes the place takes is up to its owner: a branch takes all that do not
  /// derive from it, a node that stands on model objects takes those of its own kind.
  case insertNode

  /// The child at a position, `0..<count`, is removed.
  case remove

  /// The child at a position, `0..<count`, gets another value.
  case replace

  /// The child at a position, `0..<count`, moves to another one, `0..<count` after the move.
  case move(to: Int)

  /// Whether the edit concerns places that a node has.
  ///
  /// - Parameters:
  ///   - position: any integer, in the node's index space.
  ///   - count: the number of the node's children.
  /// - Returns: whether the positions are within the ranges that the cases name.
  @_spi(NodeAuthors)
  public func isInRange(at position: Int, of count: Int) -> Bool {
    switch self {
    case .insert, .insertNode: position >= 0 && position <= count
    case .remove, .replace: position >= 0 && position < count
    case .move(let destination): position >= 0 && position < count && destination >= 0 && destination < count
    }
  }
}
