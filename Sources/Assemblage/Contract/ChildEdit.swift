/// A kind of edit of a node's children, which a caller passes to `WritableNode.allows(_:at:)` before the edit.
///
/// ```swift
/// let friends = ArrayNode(["Al", "Bo"])
/// friends.allows(.move(to: 0), at: 1)    // true
/// friends.allows(.remove, at: 2)         // false: the node has only two children
/// friends.allows(.insertNode, at: 0)     // false: an array holds elements only
/// ```
public enum ChildEdit: Hashable, Sendable {
  /// An element is inserted at a position, `0...count`.
  case insert

  /// A node is inserted at a position, `0...count`.
  ///
  /// The owner of the place decides which nodes can be its children. A branch accepts every node that does not derive
  /// from the branch. A node whose children are model objects accepts nodes of its own kind only.
  case insertNode

  /// The child at a position, `0..<count`, is removed.
  case remove

  /// The child at a position, `0..<count`, gets another value.
  case replace

  /// The child at a position, `0..<count`, moves to another one, `0..<count` after the move.
  case move(to: Int)

  /// The leaf at a position, `0..<count`, becomes a node without children.
  ///
  /// The leaves of a `ForestNode` can become branches, also through a view that shows them.
  case turnIntoBranch

  /// Whether the positions of the edit exist in a node.
  ///
  /// - Parameters:
  ///   - position: any integer, in the node's index space.
  ///   - count: the number of the node's children.
  /// - Returns: whether the positions are within the ranges that the cases name.
  @_spi(NodeAuthors)
  public func isInRange(at position: Int, of count: Int) -> Bool {
    switch self {
    case .insert, .insertNode: position >= 0 && position <= count
    case .remove, .replace, .turnIntoBranch: position >= 0 && position < count
    case .move(let destination): position >= 0 && position < count && destination >= 0 && destination < count
    }
  }
}
