public import Foundation

extension TreeSnapshot {
  /// A place of a snapshot: its value, and the way to its children.
  ///
  /// ```swift
  /// let tree = TreeSnapshot(
  ///   children: [TreeSnapshot(leaf: "x.txt"), TreeSnapshot(value: "notes", leaves: ["a.md", "b.md"])])
  /// let notes = tree[1]
  /// notes.value       // "notes"
  /// notes[0].value    // "a.md"
  /// notes[0].isNode   // false
  /// ```
  public struct Place {
    @usableFromInline let storage: Storage
    /// The number of the place, level by level.
    @usableFromInline let index: Int

    @inlinable
    init(_ storage: Storage, _ index: Int) {
      self.storage = storage
      self.index = index
    }

    /// The value, or nil where the place has none.
    @inlinable
    public var value: Element? { storage.values[index] }

    /// Whether the place is a node, which may have children, and not a leaf.
    @inlinable
    public var isNode: Bool { storage.isNode[index] }

    /// The number of children; 0 for a leaf.
    @inlinable
    public var count: Int { storage.starts[index + 1] - storage.starts[index] }

    /// The children in order.
    @inlinable
    public var children: Children { Children(storage, storage.starts[index]..<storage.starts[index + 1]) }

    /// The child at a position.
    ///
    /// - Precondition: `position` is in `0..<count`.
    @inlinable
    public subscript(position: Int) -> Place { children[position] }

    /// The place and everything below it as a snapshot of its own.
    ///
    /// - Complexity: O(s) for s places; O(1) for the root.
    public var snapshot: TreeSnapshot {
      if index == 0 { return TreeSnapshot(storage: storage) }
      var writer = LevelWriter(value: value, isNode: isNode)
      // The place that each place of the new snapshot was.
      var origins = [index]
      while writer.next < origins.count {
        let origin = origins[writer.next]
        for child in storage.starts[origin]..<storage.starts[origin + 1] {
          writer.append(value: storage.values[child], isNode: storage.isNode[child])
          origins.append(child)
        }
        writer.closeNext()
      }
      return writer.finish()
    }
  }

  /// The children of a place, in order.
  ///
  /// ```swift
  /// let tree = TreeSnapshot(
  ///   children: [TreeSnapshot(leaf: "x.txt"), TreeSnapshot(value: "notes", leaves: ["a.md", "b.md"])])
  /// tree.children.map(\.count)    // [0, 2]
  /// tree.children.values         // ["x.txt", "notes"]
  /// ```
  public struct Children: RandomAccessCollection {
    @usableFromInline let storage: Storage
    @usableFromInline let places: Range<Int>

    @inlinable
    init(_ storage: Storage, _ places: Range<Int>) {
      self.storage = storage
      self.places = places
    }

    /// The position of the first child: 0.
    @inlinable public var startIndex: Int { 0 }

    /// The number of children.
    @inlinable public var endIndex: Int { places.count }

    /// The child at a position.
    ///
    /// - Precondition: `position` is in `0..<count`.
    @inlinable
    public subscript(position: Int) -> Place {
      checkPosition(position, in: places.count, of: "TreeSnapshot")
      return Place(storage, places.lowerBound + position)
    }

    /// The values of the children in order.
    public var values: ArraySlice<Element?> { storage.values[places] }
  }

  init(storage: Storage) { self.storage = storage }

  /// The root as a place.
  @inlinable
  public var root: Place { Place(storage, 0) }

  /// The children of the root, in order.
  @inlinable
  public var children: Children { root.children }

  /// The child of the root at a position.
  ///
  /// - Precondition: `position` is in `0..<count`.
  @inlinable
  public subscript(position: Int) -> Place { root.children[position] }

  /// The place at an index path; `[]` is the root.
  ///
  /// - Precondition: there is such a place.
  /// - Complexity: O(d) for a path of length d.
  public subscript(path: IndexPath) -> Place {
    guard let place = place(at: path) else { trap("The snapshot has no place \(path.sentence).") }
    return place
  }

  /// The place at an index path, or nil where there is none.
  ///
  /// - Parameter path: any path; `[]` is the root.
  /// - Returns: the place, or nil.
  /// - Complexity: O(d) for a path of length d.
  public func place(at path: IndexPath) -> Place? {
    var index = 0
    for position in path {
      let children = storage.starts[index]..<storage.starts[index + 1]
      guard position >= 0, position < children.count else { return nil }
      index = children.lowerBound + position
    }
    return Place(storage, index)
  }

  /// The value at an index path, or nil where the place has none or does not exist.
  ///
  /// - Parameter path: any path; `[]` is the root.
  /// - Returns: the value, or nil.
  /// - Complexity: O(d) for a path of length d.
  public func value(at path: IndexPath) -> Element? { place(at: path)?.value }

  /// The number of children of the node at an index path, or nil where there is no node.
  ///
  /// - Parameter path: any path; `[]` is the root.
  /// - Returns: the number of children, or nil where the place is a leaf or does not exist.
  /// - Complexity: O(d) for a path of length d.
  public func count(at path: IndexPath) -> Int? {
    guard let place = place(at: path), place.isNode else { return nil }
    return place.count
  }
}

extension TreeSnapshot.Place: Sendable where Element: Sendable {}
extension TreeSnapshot.Children: Sendable where Element: Sendable {}
