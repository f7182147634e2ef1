public import Foundation

/// A node whose children can be changed through it.
///
/// Derived nodes route a change to the source that owns the place. A node that cannot be written does not conform.
public protocol WritableNode<Element>: TreeNode {
  /// Inserts an element as a child.
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - position: 0 ... `count`.
  func insert(_ element: Element, at position: Int)

  /// Removes a child, with everything below it.
  ///
  /// - Parameter position: 0 ..< `count`.
  /// - Returns: the value the child had.
  @discardableResult
  func removeChild(at position: Int) -> Element?

  /// Moves a child within this node.
  ///
  /// - Parameters:
  ///   - position: 0 ..< `count`, before the move.
  ///   - destination: 0 ..< `count`, after the move: the place where the child then stands.
  func move(from position: Int, to destination: Int)

  /// Gives a child another value.
  ///
  /// - Parameters:
  ///   - position: 0 ..< `count`.
  ///   - element: the new value.
  func replace(at position: Int, with element: Element)
}

extension WritableNode {
  public var writer: (any WritableNode<Element>)? { self }
}

// MARK: - Writing by index path

extension TreeNode {
  /// Inserts an element at an index path.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b"])])
  /// sections.insert("c", at: [1, 1])     // the second section holds "b", "c"
  /// ```
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - path: the place where it is to stand; its last component may equal the count.
  /// - Precondition: the path is not empty and in range, and the node it leads into can be written.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  public func insert(_ element: Element, at path: IndexPath) {
    requireWriter(for: path).insert(element, at: path.lastComponent)
  }

  /// Removes the child at an index path, with everything below it.
  ///
  /// - Parameter path: the place of the child.
  /// - Returns: the value the child had.
  /// - Precondition: the path is not empty and in range, and the child's parent can be written.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  @discardableResult
  public func remove(at path: IndexPath) -> Element? {
    requireWriter(for: path).removeChild(at: path.lastComponent)
  }

  /// Gives the child at an index path another value.
  ///
  /// - Parameters:
  ///   - path: the place of the child.
  ///   - element: the new value.
  /// - Precondition: the path is not empty and in range, and the child's parent can be written.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  public func replace(at path: IndexPath, with element: Element) {
    requireWriter(for: path).replace(at: path.lastComponent, with: element)
  }

  /// Moves the child at an index path to another place.
  ///
  /// Within one parent this is a move. Between parents it removes the child and inserts its value, as one
  /// transaction; a child that is itself a node can be moved only within its parent.
  ///
  /// - Parameters:
  ///   - path: the place of the child, before the move.
  ///   - destination: the place where it is to stand, in the coordinates after the child has been taken out.
  /// - Precondition: both paths are not empty and in range, and both parents can be written.
  /// - Complexity: O(d · log n) for paths of length d, and the propagation.
  public func move(from path: IndexPath, to destination: IndexPath) {
    let source = requireWriter(for: path)
    if path.count == destination.count, path.dropLast() == destination.dropLast() {
      return source.move(from: path.lastComponent, to: destination.lastComponent)
    }
    require(
      source.child(at: path.lastComponent) == nil,
      "The child at \(path.sentence) is a node; it can be moved only within its parent.")
    performUpdates {
      guard let element = source.removeChild(at: path.lastComponent) else {
        trap("The child at \(path.sentence) has no value that could be moved.")
      }
      insert(element, at: destination)
    }
  }

  private func requireWriter(for path: IndexPath) -> any WritableNode<Element> {
    require(!path.isEmpty, "The path [] is the node itself, not a child that could be written.")
    let parent = requireNode(at: path.dropLast(), for: path)
    guard let writer = parent.writer else {
      trap(
        "The path \(path.sentence) leads into a \(type(of: parent)), which cannot be written.")
    }
    return writer
  }
}

extension IndexPath {
  fileprivate var lastComponent: Int { self[count - 1] }
}
