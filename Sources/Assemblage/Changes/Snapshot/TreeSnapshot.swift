public import Foundation

/// A tree of values at one moment: what a node held, or what it is to hold.
///
/// It is a value, shares nothing with the nodes it was taken of, and may cross from one isolation domain to another. Two
/// snapshots give a `ChangeSet`, and a change set leads from one to the other.
///
/// ```swift
/// let sections = TreeSnapshot(children: [
///   TreeSnapshot(value: "family", leaves: ["Dad", "Mum"]),
///   TreeSnapshot(value: "friends", leaves: ["Bo"]),
/// ])
/// sections.description         // "[family[Dad, Mum], friends[Bo]]"
/// sections[[0, 1]].value       // "Mum"
/// sections.count(at: [1])      // 1
/// sections.count(at: [1, 0])   // nil: a leaf
/// ```
///
/// Each place has a value, or none, and is a *node* or a *leaf*. A node may have no children: an empty folder is not a
/// file. Equality tells the two apart, and so does the difference of two snapshots: a place that survives and is a leaf no
/// longer has been updated.
///
/// ## How it is stored
/// The places lie level by level, so that the children of one place are neighbours, and those of the next place follow:
///
/// ```text
///            root                place     0     1  2   3  4  5
///           /    \               value     root  a  b   c  d  e
///          a      b              children  1..<3 .. ..  6..<6 ...
///         / \      \                             3..<5  5..<6
///        c   d      e            starts    1 3 5 6 6 6 6
/// ```
///
/// `starts[p]..<starts[p + 1]` are the children of place p. A child is found by one addition, siblings are read like an
/// array, and nothing here recurses, however deep the tree.
public struct TreeSnapshot<Element> {
  /// The places in one object, which never changes and is shared by all copies.
  @usableFromInline
  final class Storage {
    @usableFromInline let values: [Element?]
    /// The first child of each place, and the number of places; ascending.
    @usableFromInline let starts: [Int]
    /// Whether each place is a node; those with children are.
    @usableFromInline let isNode: [Bool]

    @inlinable
    init(values: [Element?], starts: [Int], isNode: [Bool]) {
      self.values = values
      self.starts = starts
      self.isNode = isNode
    }
  }

  @usableFromInline let storage: Storage

  @inlinable
  init(values: [Element?], starts: [Int], isNode: [Bool]) {
    storage = Storage(values: values, starts: starts, isNode: isNode)
  }

  /// The value of the root itself, or nil.
  @inlinable
  public var value: Element? { storage.values[0] }

  /// The number of the root's children.
  @inlinable
  public var count: Int { storage.starts[1] - 1 }

  /// The number of places at all depths, the root included: at least 1.
  @inlinable
  public var placeCount: Int { storage.values.count }

  /// The number of levels below the root: the length of the longest path.
  ///
  /// - Complexity: O(d) for d levels.
  public var depth: Int {
    var depth = 0
    var level = 0..<1
    while true {
      level = storage.starts[level.lowerBound]..<storage.starts[level.upperBound]
      if level.isEmpty { return depth }
      depth += 1
    }
  }

  /// The paths of all places in document order: `[]` first, and each place before what is below it.
  ///
  /// - Complexity: O(p · d) for p places at depth d.
  public var paths: [IndexPath] {
    var paths: [IndexPath] = []
    paths.reserveCapacity(placeCount)
    var open = [(place: 0, path: IndexPath())]
    while let (place, path) = open.popLast() {
      paths.append(path)
      let first = storage.starts[place]
      for child in (first..<storage.starts[place + 1]).reversed() {
        open.append((child, path.appending(child - first)))
      }
    }
    return paths
  }
}

extension TreeSnapshot: Sendable where Element: Sendable {}
extension TreeSnapshot.Storage: Sendable where Element: Sendable {}
