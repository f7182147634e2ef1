import OffsetIndexing

/// Holds the places of a tree level by level: in this form trees are compared and replayed.
///
/// The children of one place are neighbours, and the children of the next place follow:
///
/// ```text
///            root                value     0     1  2   3  4  5
///           /    \               value     root  a  b   c  d  e
///          a      b              children  1..<3 .. ..  6..<6 ...
///         / \      \                             3..<5  5..<6
///        c   d      e            starts    1 3 5 6 6 6 6
/// ```
///
/// `starts[p]..<starts[p + 1]` are the children of place p. A child is found by one addition, and siblings are read
/// like an array.
@usableFromInline
struct SnapshotLevels<Element> {
  @usableFromInline var values: [Element?]
  /// The first child of each place, and the number of places; ascending. While levels are written, the list covers only
  /// the places whose children are complete.
  @usableFromInline var starts: [Int]
  /// Whether each place is a node; a place with children is one.
  @usableFromInline var isNode: [Bool]

  @inlinable
  init(values: [Element?], starts: [Int], isNode: [Bool]) {
    self.values = values
    self.starts = starts
    self.isNode = isNode
  }

  func children(of place: Int) -> Range<Int> { starts[place]..<starts[place + 1] }

  /// The place at an index path; nil where there is none.
  func place(at path: IndexPath) -> Int? {
    var place = 0
    for position in path {
      let children = children(of: place)
      guard position >= 0, position < children.count else { return nil }
      place = children.lowerBound + position
    }
    return place
  }

  // MARK: Writing

  /// Begins with the root; the caller then appends the children of each place, in the order of the places.
  init(value: Element?, isNode: Bool) { self.init(values: [value], starts: [1], isNode: [isNode]) }

  /// The place whose children are appended next.
  var next: Int { starts.count - 1 }

  /// Appends a child of the place `next`.
  mutating func append(value: Element?, isNode: Bool) {
    values.append(value)
    self.isNode.append(isNode)
  }

  /// Ends the children of the place `next`, which is a node if there are any.
  mutating func closeNext() {
    if values.count > starts[next] { isNode[next] = true }
    starts.append(values.count)
  }
}

extension TreeSnapshot {
  /// Makes a snapshot of levels.
  @usableFromInline
  init(_ levels: SnapshotLevels<Element>) {
    var builder = Builder(value: levels.values[0], isNode: levels.isNode[0])
    var open = [levels.children(of: 0)]
    while let last = open.indices.last {
      guard let place = open[last].popFirst() else {
        open.removeLast()
        if last > 0 { builder.endNode() }
        continue
      }
      if levels.isNode[place] {
        builder.beginNode(levels.values[place])
        open.append(levels.children(of: place))
      } else {
        builder.appendLeaf(levels.values[place])
      }
    }
    self = builder.finish()
  }

  /// All places, level by level.
  ///
  /// - Complexity: O(p · log p) for p places; O(p) for a list.
  @usableFromInline
  var levels: SnapshotLevels<Element> { levelsAndBranches.levels }

  /// All places, level by level, and the branch of each place in the shape.
  var levelsAndBranches: (levels: SnapshotLevels<Element>, branches: [TreeIndex.Branch?]) {
    var levels = SnapshotLevels(value: value, isNode: isNode)
    let shape = structure
    var branches: [TreeIndex.Branch?] = [shape.branch]
    while levels.next < levels.values.count {
      if let branch = branches[levels.next] {
        let count = shape.index.childCount(of: branch)
        var position = 0
        while position < count {
          let (numbers, child) = shape.index.run(at: position, of: branch)
          contents.forEachValue(in: numbers) { value in
            levels.append(value: value, isNode: child != nil)
            branches.append(child)
          }
          position += numbers.count
        }
      }
      levels.closeNext()
    }
    return (levels, branches)
  }
}
