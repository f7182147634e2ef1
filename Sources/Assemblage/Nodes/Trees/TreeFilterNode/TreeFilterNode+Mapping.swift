import OffsetIndexing

// The matches, and the places of elements in the source.
extension TreeFilterNode {
  /// The number of elements below this node that pass, at every depth: "37 inside".
  ///
  /// Only elements that pass themselves are counted, and not the elements that are shown because of them. With
  /// `.hidingSubtrees`, elements below an element that fails are not counted. Under that policy the first request for
  /// the number looks at all of the tree below.
  ///
  /// - Complexity: O(1); with `.hidingSubtrees`, O(n) the first time for the n elements below.
  public var matchCount: Int { state.value.record.map(matchCount) ?? 0 }

  private func matchCount(_ record: TreeIndex.Branch) -> Int {
    let family = family
    if !family.translation.value.isEager, !family.translation.value[record].isWhole {
      hub.refusingChanges { family.makeWhole(record) }
    }
    return family.translation.value[record].matchCount
  }

  /// The number of elements below a child that pass, at every depth; the child itself does not count.
  ///
  /// ```swift
  /// found.matchCount(at: [1])       // 1: the match in notes
  /// found.matchCount(at: [0])       // 0: a leaf has nothing inside
  /// found.matchCount(at: [7])       // nil: there is no such child
  /// ```
  ///
  /// - Parameter path: the path of the child, of positions that are shown; `[]` is the node itself.
  /// - Returns: the number, or nil if there is no such child.
  /// - Complexity: O(d · log n) for a path of length d, and see `matchCount`.
  public func matchCount(at path: IndexPath) -> Int? {
    if path.isEmpty { return matchCount }
    guard let (parent, position) = place(of: path) else { return nil }
    return family.record(ofChild: position, of: parent).map(matchCount) ?? 0
  }

  /// Whether the element at a path passes itself, rather than being shown for an element below or above it.
  ///
  /// - Parameter path: the path of the element, of positions that are shown.
  /// - Returns: whether the element passes; nil if there is no such place, and for `[]`, the node itself.
  /// - Complexity: O(d · log n) for a path of length d.
  public func isMatch(at path: IndexPath) -> Bool? {
    place(of: path).map { family.translation.value.passes($0.position, in: $0.parent) }
  }

  /// The record of the parent of an element, and the element's position in the source; nil if there is no such element.
  private func place(of path: IndexPath) -> (parent: TreeIndex.Branch, position: Int)? {
    guard let way = sourcePath(of: path), let position = way.last, var parent = state.value.record else { return nil }
    for position in way.dropLast() { parent = family.translation.value.record(ofChild: position, of: parent)! }
    return (parent, position)
  }

  // MARK: Places in the source, and back

  /// The position, in the source of this node, of a child that is shown.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children of the source.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "TreeFilterNode")
    return state.value.sourcePosition(of: position)
  }

  /// The position of a child of the source among the children that are shown; nil if the child is hidden.
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
  /// - Returns: a path from this node's source; nil if there is no such element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func sourcePath(of path: IndexPath) -> IndexPath? { map(path, .toSource) }

  /// The path, in this node, of an element of the source.
  ///
  /// - Parameter path: a path from this node's source.
  /// - Returns: a path from this node; nil if the element or one of its ancestors is hidden, or if there is no such
  ///   element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func path(ofSource path: IndexPath) -> IndexPath? { map(path, .toView) }
}

// MARK: - Writing through

// Every edit goes to the node of the source.
@_spi(NodeAuthors)
extension TreeFilterNode: SourceView {}

extension TreeFilterNode: SectionNode, WritableNode {
  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "TreeFilterNode")
    insertIntoSource(node, at: position)
  }

  /// The place directly after the shown child before a position, or at the source's beginning; nil if the child that
  /// this node showed has left the source.
  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    owner(ofInsertionAt: insertionPoint(at: position))
  }
}
