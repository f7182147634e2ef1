import OffsetIndexing

extension TreeSnapshot {
  /// The children of a place, in order, each with everything below it.
  ///
  /// ```swift
  /// let tree = TreeSnapshot(
  ///   children: [TreeSnapshot(leaf: "x.txt"), TreeSnapshot(value: "notes", leaves: ["a.md", "b.md"])])
  /// tree.children.map(\.count)    // [0, 2]
  /// let notes = tree.children[1]
  /// notes.value                   // "notes"
  /// notes.children[0].value       // "a.md"
  /// notes.children[0].isNode      // false
  /// ```
  public struct Children: RandomAccessCollection {
    let parent: TreeSnapshot

    /// The position of the first child: 0.
    public var startIndex: Int { 0 }

    /// The number of children.
    public var endIndex: Int { parent.count }

    /// The child at a position, which shares its storage with the whole snapshot.
    ///
    /// - Precondition: `position` is in `0..<count`.
    /// - Complexity: O(log n).
    public subscript(position: Int) -> TreeSnapshot {
      checkPosition(position, in: parent.count, of: "TreeSnapshot")
      guard let shape = parent.shape else { return TreeSnapshot(leaf: parent.contents.element(at: position)) }
      let (number, branch) = shape.index.child(at: position, of: shape.branch)
      let value = parent.contents.element(at: number)
      guard let branch else { return TreeSnapshot(leaf: value) }
      return TreeSnapshot(value: value, shape: SnapshotShape(shape.index, branch, in: shape.top), parent.contents)
    }
  }

  /// The children of the root, in order, each with everything below it.
  public var children: Children { Children(parent: self) }

  /// The place at an index path, with everything below it; `[]` is the root.
  ///
  /// - Precondition: there is such a place.
  /// - Complexity: O(d · log n) for a path of length d.
  public subscript(path: IndexPath) -> TreeSnapshot {
    guard let place = place(at: path) else { trap("The snapshot has no place \(path.sentence).") }
    return place
  }

  /// The place at an index path, with everything below it; nil where there is none.
  ///
  /// - Parameter path: any path; `[]` is the root.
  /// - Returns: the place, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func place(at path: IndexPath) -> TreeSnapshot? {
    var place = self
    for position in path {
      guard position >= 0, position < place.count else { return nil }
      place = place.children[position]
    }
    return place
  }

  /// The value at an index path, or nil where the place has none or does not exist.
  ///
  /// - Parameter path: any path; `[]` is the root.
  /// - Returns: the value, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func value(at path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    guard let shape else { return path.count == 1 ? element(at: last) : nil }
    return shape.number(at: path).flatMap { contents.element(at: $0) }
  }

  /// The number of children of the node at an index path, or nil where there is no node.
  ///
  /// - Parameter path: any path; `[]` is the root.
  /// - Returns: the number of children, or nil where the place is a leaf or does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  public func count(at path: IndexPath) -> Int? {
    if path.isEmpty { return isNode ? count : nil }
    return shape.flatMap { shape in shape.branch(at: path).map { shape.index.childCount(of: $0) } }
  }

  /// The number of places at all depths, the root included: at least 1.
  package var placeCount: Int { numbers.count + 1 }

  /// The number of levels below the root: the length of the longest path.
  ///
  /// - Complexity: O(p) for p places.
  package var depth: Int {
    let shape = structure
    let base = shape.depth
    return shape.runs.reduce(0) { Swift.max($0, $1.depth - base + 1) }
  }

  /// The paths of all places in document order: `[]` first, and each place before its descendants.
  ///
  /// - Complexity: O(p · d) for p places at depth d.
  public var paths: [IndexPath] {
    var paths = [IndexPath()]
    paths.reserveCapacity(placeCount)
    let shape = structure
    let base = shape.depth
    var path = IndexPath()
    for row in shape.rows {
      path = path.prefix(row.place.depth - base).appending(row.place.position)
      paths.append(path)
    }
    return paths
  }
}

extension TreeSnapshot.Children: Sendable where Element: Sendable {}
