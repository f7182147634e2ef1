public import Foundation

/// Whether all elements of each subtree are valid, kept up to date and readable at every path.
///
/// ```swift
/// let name = BranchNode(value: "name", leaves: ["Ada", ""])
/// let form = BranchNode([name, BranchNode(value: "address", leaves: ["London"])])
/// let validity = ValidityIndex(of: form) { !$0.isEmpty }
/// validity.isValid            // false
/// validity.isValid(at: [0])   // false: its second field is empty
/// validity.isValid(at: [1])   // true
/// validity.firstInvalidPath   // [0, 1]
/// form.replace(at: [0, 1], with: "Lovelace")
/// validity.isValid            // true
/// ```
///
/// It counts the invalid elements below each node, as an `AggregateIndex` does, and is never behind, like that. A node without
/// a value is valid by itself. Of an element that says so itself, a key path is enough: `ValidityIndex(of: form, where: \.isValid)`;
/// its owner announces an update when it has changed.
///
/// - Complexity: reading takes O(d · log n) at depth d, for n children of a node; a change O(d · log n) for each range in it, and a
///   call of the closure and O(log n) for each element that comes or is updated. The memory is that of the invalid elements,
///   and of the nodes above them: a tree that is valid takes none.
public final class ValidityIndex<Element> {
  private let index: AggregateIndex<Element, Int>

  /// Creates the index of a tree.
  ///
  /// - Parameters:
  ///   - node: the root; it is kept alive.
  ///   - isValid: says whether an element is valid by itself. It must not change nodes.
  /// - Complexity: O(n) for n elements in all, and as many calls of `isValid`.
  public init(of node: any TreeNode<Element>, where isValid: @escaping (Element) -> Bool) {
    index = AggregateIndex(of: node) { isValid($0) ? 0 : 1 }
  }

  /// The node at the root.
  public var node: any TreeNode<Element> { index.node }

  /// Whether all elements are valid, and the node's own value.
  ///
  /// - Complexity: O(1).
  public var isValid: Bool { invalidCount == 0 }

  /// Whether the element at a path and everything below it are valid.
  ///
  /// - Parameter path: a path from the index's node; `[]` is the node itself.
  /// - Returns: whether nothing there is invalid.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n) for a path of length d.
  public func isValid(at path: IndexPath) -> Bool { invalidCount(at: path) == 0 }

  /// The number of invalid elements.
  ///
  /// - Complexity: O(1).
  public var invalidCount: Int { index.total }

  /// The number of invalid elements at a path and below it.
  ///
  /// - Parameter path: a path from the index's node; `[]` is the node itself.
  /// - Returns: the number.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n) for a path of length d.
  public func invalidCount(at path: IndexPath) -> Int { index.total(at: path) }

  /// The place of the first invalid element in the order of paths, for example to show it to the user; nil where all are valid.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  public var firstInvalidPath: IndexPath? {
    index.current.firstPath(below: PlaceTree.root).map(IndexPath.init(indexes:))
  }

  /// The places of all invalid elements, in ascending order; `[]` is the node's own value.
  ///
  /// - Complexity: O(k · d · log n) for k such elements at depth d.
  public var invalidPaths: [IndexPath] {
    index.current.paths(below: PlaceTree.root).map(IndexPath.init(indexes:))
  }

  /// Calls a closure when elements have become valid or invalid, or invalid ones came, left, or went to another parent.
  ///
  /// ```swift
  /// let token = validity.observe { _ in button.isEnabled = validity.isValid }
  /// ```
  ///
  /// - Parameter handler: receives the net change of the tree in a transaction. It may read the index, and read and change any
  ///   node.
  /// - Returns: the token that keeps the observation, and the index, alive; releasing it ends the observation.
  /// - Complexity: O(1); then that of composing the changes of a transaction.
  public func observe(_ handler: @escaping (ChangeSet) -> Void) -> FollowingObservation { index.observe(handler) }

  /// Traps where the parts do not fit; for tests.
  func checkInvariants() { index.checkInvariants() }
}

@available(*, unavailable)
extension ValidityIndex: Sendable {}

extension ValidityIndex: CustomStringConvertible {
  public var description: String { "ValidityIndex(\(invalidCount) invalid elements)" }
}
