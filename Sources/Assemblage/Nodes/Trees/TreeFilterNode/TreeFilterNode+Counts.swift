public import Foundation

// The matches.
extension TreeFilterNode {
  /// The number of elements below this node that pass, at every depth: "37 inside".
  ///
  /// Only those that pass themselves are counted, not what is shown because of them. With `.hidingSubtrees`, what is below an
  /// element that fails is not counted; there, all that is below is looked at when the number is first asked for.
  ///
  /// - Complexity: O(1); with `.hidingSubtrees`, O(n) the first time for the n elements below.
  public var matchCount: Int {
    guard let record = state.value.record else { return 0 }
    if !family.translation.value.isEager, !family.translation.value[record].isWhole {
      hub.refusingChanges { family.makeWhole(record) }
    }
    return family.translation.value[record].matchCount
  }

  /// The number of elements below a child that pass, at every depth; the child itself does not count.
  ///
  /// ```swift
  /// found.matchCount(at: [1])       // 1: what is in notes
  /// found.matchCount(at: [0])       // 0: a leaf has nothing inside
  /// found.matchCount(at: [7])       // nil: there is no such child
  /// ```
  ///
  /// - Parameter path: the place of the child among those that are shown; `[]` is the node itself.
  /// - Returns: the number, or nil where there is no such child.
  /// - Complexity: O(d · log n) for a path of length d, and see `matchCount`.
  public func matchCount(at path: IndexPath) -> Int? {
    guard let last = path.last else { return matchCount }
    guard let parent = node(at: path.dropLast()), last >= 0, last < parent.count else { return nil }
    return parent.node(at: last)?.matchCount ?? 0
  }

  /// Whether the element at a path passes itself, rather than being shown for what is below or above it.
  ///
  /// - Parameter path: the place of the element among those that are shown.
  /// - Returns: whether it passes; nil where there is no such place, and for `[]`, the node itself.
  /// - Complexity: O(d · log n) for a path of length d.
  public func isMatch(at path: IndexPath) -> Bool? {
    guard let last = path.last, let parent = node(at: path.dropLast()), last >= 0, last < parent.count else {
      return nil
    }
    return family.translation.value.passes(parent.sourcePosition(of: last), in: parent.state.value.record!)
  }

  /// The node at a path of shown positions; nil where there is none.
  private func node(at path: IndexPath) -> TreeFilterNode? {
    var node = self
    for position in path {
      guard let next = node.node(at: position) else { return nil }
      node = next
    }
    return node
  }
}

// MARK: - Where the elements stand in the source, and back

extension TreeFilterNode {
  /// The position of a child that is shown in the source of this node.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children of the source.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "TreeFilterNode")
    return state.value.sourcePosition(of: position)
  }

  /// The position of a child of the source among those that are shown, or nil where it is hidden.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space, or nil.
  /// - Complexity: O(log n) for n children of the source.
  public func position(ofSource position: Int) -> Int? {
    load()
    checkPosition(position, in: source.count, of: "TreeFilterNode's source")
    return state.value.record.flatMap { family.translation.value.shownPosition(of: position, in: $0) }
  }

  /// The path in the source of an element that is shown.
  ///
  /// - Parameter path: a path from this node, of positions that are shown.
  /// - Returns: a path from this node's source; nil where there is no such element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func sourcePath(of path: IndexPath) -> IndexPath? {
    var result: [Int] = []
    var node: TreeFilterNode? = self
    for position in path {
      guard let parent = node, position >= 0, position < parent.count else { return nil }
      result.append(parent.sourcePosition(of: position))
      node = parent.node(at: position)
    }
    return IndexPath(indexes: result)
  }

  /// The path of an element of the source among those that are shown.
  ///
  /// - Parameter path: a path from this node's source.
  /// - Returns: a path from this node; nil where the element or an ancestor of it is hidden, or there is no such element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func visiblePath(of path: IndexPath) -> IndexPath? {
    var result: [Int] = []
    var node: TreeFilterNode? = self
    for position in path {
      guard let parent = node, let record = parent.state.value.record else { return nil }
      parent.load()
      guard let place = family.translation.value.shownPosition(of: position, in: record) else { return nil }
      result.append(place)
      node = parent.node(at: place)
    }
    return IndexPath(indexes: result)
  }
}
