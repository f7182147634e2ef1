// The places of elements in the source; writing goes to the node of the source.
@_spi(NodeAuthors)
extension TreeSortNode: SourceView {}

extension TreeSortNode: SectionNode, WritableNode {
  /// The position in the source of a child.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "TreeSortNode")
    return state.value.sourcePosition(of: position)
  }

  /// The sorted position of a child of the source; nil where the child that this node showed has left the source.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space.
  /// - Complexity: O(log n) for n children.
  public func position(ofSource position: Int) -> Int? {
    load()
    checkPosition(position, in: source.count, of: "TreeSortNode's source")
    return state.value.record.map { family.translation.value.sortedPosition(of: position, in: $0) }
  }

  /// The path in the source of an element.
  ///
  /// - Parameter path: a path from this node.
  /// - Returns: a path from this node's source; nil where there is no such element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func sourcePath(of path: IndexPath) -> IndexPath? { map(path, .toSource) }

  /// The path of an element of the source among the sorted.
  ///
  /// - Parameter path: a path from this node's source.
  /// - Returns: a path from this node; nil where there is no such element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func path(ofSource path: IndexPath) -> IndexPath? { map(path, .toView) }

  // MARK: Writing

  /// The end of the source, where there is a comparator, which decides the place of the child here.
  @_spi(NodeAuthors)
  public func insertionPoint(at position: Int) -> Int { isSorted ? count : position }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "TreeSortNode")
    insertIntoSource(node, at: position)
  }

  /// Nil where the child that this node showed has left the source.
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
      TreeSortNode: the child \(position) cannot be moved to \(destination), because the comparator says where each child \
      stands; move it in the source, or set the comparator to nil.
      """)
    place.requireWriter(for: kindName).move(from: place.position, to: goal.position)
  }

  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    if case .move = edit, isSorted { return false }
    return ownersAllow(edit, at: position)
  }

  private var isSorted: Bool { family.state.value.comparator != nil }
}
