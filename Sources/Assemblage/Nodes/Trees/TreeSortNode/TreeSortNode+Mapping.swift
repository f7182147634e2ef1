// Places of elements in the source. Every edit goes to the node of the source.
@_spi(NodeAuthors)
extension TreeSortNode: SourceView {}

extension TreeSortNode: SectionNode, WritableNode {
  /// The position of a child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "TreeSortNode")
    return state.value.sourcePosition(of: position)
  }

  /// The sorted position of a child of the source; nil if the child that this node showed has left the source.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space.
  /// - Complexity: O(log n) for n children.
  public func position(ofSource position: Int) -> Int? {
    load()
    checkPosition(position, in: source.count, of: "TreeSortNode's source")
    return state.value.record.map { family.translation.value.sortedPosition(of: position, in: $0) }
  }

  /// The path of an element in the source.
  ///
  /// - Parameter path: a path from this node.
  /// - Returns: a path from this node's source; nil if there is no such element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func sourcePath(of path: IndexPath) -> IndexPath? { map(path, .toSource) }

  /// The path, in the sorted tree, of an element of the source.
  ///
  /// - Parameter path: a path from this node's source.
  /// - Returns: a path from this node; nil if there is no such element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func path(ofSource path: IndexPath) -> IndexPath? { map(path, .toView) }

  // MARK: Writing

  /// The end of the source, if there is a comparator: then the comparator decides the child's place in this node.
  @_spi(NodeAuthors)
  public func insertionPoint(at position: Int) -> Int { isSorted ? count : position }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "TreeSortNode")
    insertIntoSource(node, at: position)
  }

  /// The place of an insertion in the source; nil if the child that this node showed has left the source.
  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    owner(ofInsertionAt: insertionPoint(at: position))
  }

  /// Moves a child in the source.
  ///
  /// - Precondition: there is no comparator: the values decide the places of sorted children.
  public func move(from position: Int, to destination: Int) {
    let (place, goal) = (requireOwner(of: position), requireOwner(of: destination))
    require(
      !isSorted,
      """
      TreeSortNode: the child \(position) cannot be moved to \(destination), because the comparator decides where each \
      child is; move it in the source, or set the comparator to nil.
      """)
    place.requireWriter(for: kindName).move(from: place.position, to: goal.position)
  }

  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    if case .move = edit, isSorted { return false }
    return ownersAllow(edit, at: position)
  }

  private var isSorted: Bool { family.state.value.comparator != nil || family.state.value.order != nil }
}
