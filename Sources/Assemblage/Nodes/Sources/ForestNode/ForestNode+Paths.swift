public import OffsetIndexing

// The methods by index path that every node has. Here they create no node for the branches on the way.
extension ForestNode {
  /// The element at an index path; `[]` is the node itself.
  ///
  /// - Parameter path: a path from this node.
  /// - Returns: the element; nil for `[]` if the root has no value.
  /// - Precondition: the path leads to an element.
  /// - Complexity: O(d · log n) for a path of length d.
  public subscript(path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    return element(at: last, of: requireBranch(above: path))
  }

  /// Returns the element at an index path, or nil if the path leads nowhere.
  ///
  /// - Parameter path: any path from this node.
  /// - Returns: the element, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func element(at path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    guard let parent = branch(above: path) else { return nil }
    return element(at: last, of: parent)
  }

  /// Returns the node at an index path, or nil if there is none.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the node, created when it is first asked for; nil for a leaf, or if the path leads nowhere.
  /// - Complexity: O(d · log n) for a path of length d.
  public func child(at path: IndexPath) -> ForestNode? { branch(along: path, path.count).map { node(of: $0) } }

  /// Returns the number of children at an index path, or nil if there is no such branch.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the count, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func count(at path: IndexPath) -> Int? {
    branch(along: path, path.count).map { shape.childCount(of: $0) }
  }

  /// Inserts an element at an index path, as a leaf.
  ///
  /// If the path leads below a leaf, the leaf becomes a branch. Observers are notified of that as an update.
  ///
  /// ```swift
  /// let tree = ForestNode(leaves: ["notes"])
  /// tree.insert("a.md", at: [0, 0])
  /// tree.count(at: [0])             // 1
  /// ```
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - path: the path of the new element after the insertion. Its last component may equal the number of children,
  ///     which is 0 for a leaf.
  /// - Precondition: the path is not empty and in range.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  @inlinable
  public func insert(_ element: Element, at path: IndexPath) {
    guard let parent = branch(above: path) else { return insertBelowLeaf(element, at: path) }
    let last = path[path.count - 1]
    checkInsertion(last, in: shape.childCount(of: parent), of: "ForestNode")
    insertLeaf(element, at: last, of: parent, path: path)
  }

  @usableFromInline
  func insertBelowLeaf(_ element: Element, at path: IndexPath) {
    let above = path.dropLast()
    let parent = requireBranch(above: above)
    checkInsertion(path[above.count], in: 0, of: "ForestNode")
    performUpdates {
      insertLeaf(element, at: 0, of: makeBranch(at: above[above.count - 1], of: parent), path: path)
    }
  }

  /// Removes the child at an index path, with everything below it.
  ///
  /// - Parameter path: the path of the child.
  /// - Returns: the former child; see `remove(at:)`.
  /// - Precondition: the path is not empty and in range.
  /// - Complexity: O(d · log n) for a path of length d, and that of `remove(at:)`.
  @inlinable @discardableResult
  public func remove(at path: IndexPath) -> TreeChild<Element> {
    let parent = requireBranch(above: path)
    return remove(at: path[path.count - 1], of: parent, path: path)
  }

  /// Replaces the value of the child at an index path.
  ///
  /// - Parameters:
  ///   - path: the path of the child.
  ///   - element: the new value.
  /// - Precondition: the path is not empty and in range.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  @inlinable
  public func replace(at path: IndexPath, with element: Element) {
    let parent = requireBranch(above: path)
    replaceElement(at: path[path.count - 1], of: parent, with: element, path: path)
  }

  /// Returns the branch that has, or could have, a child at a path that is not []; nil if the way to it leads nowhere.
  @usableFromInline
  func branch(above path: IndexPath) -> TreeIndex.Branch? {
    guard !path.isEmpty else { trapEmptyPath() }
    return branch(along: path, path.count - 1)
  }

  /// Returns the branch at the end of the first components of a path, if there is one.
  private func branch(along path: IndexPath, _ depth: Int) -> TreeIndex.Branch? {
    var branch = branch
    for depth in 0..<depth {
      let position = path[depth]
      guard position >= 0, position < shape.childCount(of: branch),
        let child = shape.branch(at: position, of: branch)
      else { return nil }
      branch = child
    }
    return branch
  }

  /// Returns the branch that has a child at a path; traps if the path is out of range.
  @usableFromInline
  func requireBranch(above path: IndexPath) -> TreeIndex.Branch {
    guard let branch = branch(above: path),
      shape.childCount(of: branch) > path[path.count - 1],
      path[path.count - 1] >= 0
    else { trapPath(path, path) }
    return branch
  }

  /// Returns the branch at a path, which the caller needs to reach `goal`.
  func requireBranch(at path: IndexPath, for goal: IndexPath) -> TreeIndex.Branch {
    guard let branch = branch(along: path, path.count) else { trapPath(path, goal) }
    return branch
  }

  /// Traps, because a path leads nowhere.
  private func trapPath(_ path: IndexPath, _ goal: IndexPath) -> Never {
    var branch = branch
    for (depth, position) in path.enumerated() {
      let count = shape.childCount(of: branch)
      require(
        position >= 0 && position < count,
        "The path \(goal.sentence) is out of range: there are \(count) children at \(path.prefix(depth).sentence).")
      guard let child = shape.branch(at: position, of: branch) else {
        trap("The path \(goal.sentence) leads through \(path.prefix(depth + 1).sentence), which is a leaf.")
      }
      branch = child
    }
    trap("The path \(goal.sentence) is the node itself, not a place that a child could have.")
  }

  private func trapEmptyPath() -> Never { trap("The path [] is the node itself, not a child that could be written.") }
}
