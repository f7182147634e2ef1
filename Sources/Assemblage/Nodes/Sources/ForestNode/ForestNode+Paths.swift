public import Foundation
import OffsetIndexing

// What every node has by index path, without a node for each branch on the way.
extension ForestNode {
  /// The element at an index path; `[]` is the node itself.
  ///
  /// - Parameter path: a path from this node.
  /// - Returns: the element; nil for `[]` where the root has no value.
  /// - Precondition: there is such a place.
  /// - Complexity: O(d · log n) for a path of length d.
  public subscript(path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    return element(at: last, of: requireBranch(above: path))
  }

  /// The element at an index path, or nil where there is no such place.
  ///
  /// - Parameter path: any path from this node.
  /// - Returns: the element, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func element(at path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    guard let parent = branch(at: path.dropLast()) else { return nil }
    return element(at: last, of: parent)
  }

  /// The node at an index path, or nil where there is none.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the node, made when it is first asked for; nil where the place is a leaf or does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  public func child(at path: IndexPath) -> ForestNode? { branch(at: path).map { node(of: $0) } }

  /// The number of children at an index path, or nil where there is no such branch.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the count, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func count(at path: IndexPath) -> Int? {
    branch(at: path).map { state.value.storage.value.shape.childCount(of: $0) }
  }

  /// Inserts an element at an index path, as a leaf.
  ///
  /// A leaf that it is inserted below becomes a branch, of which observers hear as an update.
  ///
  /// ```swift
  /// let tree = ForestNode(leaves: ["notes"])
  /// tree.insert("a.md", at: [0, 0])
  /// tree.count(at: [0])             // 1
  /// ```
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - path: the place where it is to stand; its last component may equal the count, which is 0 of a leaf.
  /// - Precondition: the path is not empty and in range.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  public func insert(_ element: Element, at path: IndexPath) {
    guard let last = path.last else { trapEmptyPath() }
    let above = path.dropLast()
    if let parent = branch(at: above) {
      checkInsertion(last, in: state.value.storage.value.shape.childCount(of: parent), of: "ForestNode")
      return insertLeaf(element, at: last, of: parent)
    }
    let parent = requireBranch(above: above)
    checkInsertion(last, in: 0, of: "ForestNode")
    performUpdates {
      insertLeaf(element, at: 0, of: makeBranch(at: above[above.count - 1], of: parent))
    }
  }

  /// Removes the child at an index path, with everything below it.
  ///
  /// - Parameter path: the place of the child.
  /// - Returns: the former child; see `remove(at:)`.
  /// - Precondition: the path is not empty and in range.
  /// - Complexity: O(d · log n) for a path of length d, and that of `remove(at:)`.
  @discardableResult
  public func remove(at path: IndexPath) -> TreeChild<Element> {
    remove(at: path.isEmpty ? 0 : path[path.count - 1], of: requireBranch(above: path))
  }

  /// Gives the child at an index path another value.
  ///
  /// - Parameters:
  ///   - path: the place of the child.
  ///   - element: the new value.
  /// - Precondition: the path is not empty and in range.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  public func replace(at path: IndexPath, with element: Element) {
    replaceElement(at: path.isEmpty ? 0 : path[path.count - 1], of: requireBranch(above: path), with: element)
  }

  private func element(at position: Int, of branch: TreeIndex.Branch) -> Element? {
    state.value.storage.value.element(at: position, of: branch, in: state.value.tree.index)
  }

  /// The branch at a path, if there is one.
  func branch(at path: some Sequence<Int>) -> TreeIndex.Branch? {
    let storage = state.value.storage
    var branch = branch
    for position in path {
      guard position >= 0, position < storage.value.shape.childCount(of: branch),
        let child = storage.value.shape.branch(at: position, of: branch)
      else { return nil }
      branch = child
    }
    return branch
  }

  /// The branch that has a child at a path, which is to be in range.
  private func requireBranch(above path: IndexPath) -> TreeIndex.Branch {
    let storage = state.value.storage
    guard !path.isEmpty else { trapEmptyPath() }
    var branch = branch
    for (depth, position) in path.enumerated() {
      let count = storage.value.shape.childCount(of: branch)
      require(
        position >= 0 && position < count,
        "The path \(path.sentence) is out of range: there are \(count) children at \(path.prefix(depth).sentence).")
      if depth == path.count - 1 { break }
      guard let child = storage.value.shape.branch(at: position, of: branch) else {
        trap("The path \(path.sentence) leads through \(path.prefix(depth + 1).sentence), which is a leaf.")
      }
      branch = child
    }
    return branch
  }

  private func trapEmptyPath() -> Never { trap("The path [] is the node itself, not a child that could be written.") }
}
