public import OffsetIndexing

// The methods by index path that every node has. Here they create no node for the branches on the way.
extension ForestNode {
  public func element(at path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    return branch(above: path).flatMap { element(at: last, of: $0) }
  }

  /// Returns the node at an index path, or nil if there is none.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the node, created when it is first asked for; nil for a leaf, or if the path leads nowhere.
  /// - Complexity: O(d · log n) for a path of length d.
  public func child(at path: IndexPath) -> ForestNode? {
    branch(along: path, path.count, from: branch).map { node(of: $0) }
  }

  // Through `any TreeNode` the result has no other type.
  @_disfavoredOverload
  public func child(at path: IndexPath) -> (any TreeNode<Element>)? {
    branch(along: path, path.count, from: branch).map { node(of: $0) }
  }

  public func count(at path: IndexPath) -> Int? { count(along: path, from: branch) }

  @inlinable
  public func insert(_ element: Element, at path: IndexPath) {
    guard let parent = branch(above: path) else { return insertBelowLeaf(element, at: path) }
    let last = path[path.count - 1]
    checkInsertion(last, in: shape.childCount(of: parent), of: "ForestNode")
    insertLeaf(element, at: last, of: parent, path: path)
  }

  @usableFromInline
  func insertBelowLeaf(_ element: Element, at path: IndexPath) {
    performUpdates {
      let parent = adoptingBranch(at: path.dropLast(), for: path)
      checkInsertion(path[path.count - 1], in: 0, of: "ForestNode")
      insertLeaf(element, at: 0, of: parent, path: path)
    }
  }

  @inlinable @discardableResult
  public func remove(at path: IndexPath) -> TreeChild<Element> {
    let parent = requireBranch(above: path)
    return remove(at: path[path.count - 1], of: parent, path: path)
  }

  @inlinable
  public func replace(at path: IndexPath, with element: Element) {
    let parent = requireBranch(above: path)
    replaceElement(at: path[path.count - 1], of: parent, with: element, path: path)
  }

  /// Returns the branch that has, or could have, a child at a path that is not []; nil if the way to it leads nowhere.
  @usableFromInline
  func branch(above path: IndexPath) -> TreeIndex.Branch? {
    requireChildPath(path)
    return branch(along: path, path.count - 1, from: branch)
  }

  /// Returns the branch that has a child at a path; traps if the path is out of range.
  @usableFromInline
  func requireBranch(above path: IndexPath) -> TreeIndex.Branch {
    guard let branch = branch(above: path), shape.childCount(of: branch) > path[path.count - 1],
      path[path.count - 1] >= 0
    else { trapPath(path, for: path) }
    return branch
  }

  /// Returns the branch at a path, which is to adopt a child at `goal`; a leaf becomes a branch.
  func adoptingBranch(at path: IndexPath, for goal: IndexPath) -> TreeIndex.Branch {
    if let branch = branch(along: path, path.count, from: branch) { return branch }
    let leaf = path[path.count - 1]
    guard let parent = branch(above: path), leaf >= 0, leaf < shape.childCount(of: parent) else {
      trapPath(path, for: goal)
    }
    return makeBranch(at: leaf, of: parent)
  }
}
