// Where the children stand in the source, and back.
@_spi(NodeAuthors)
extension SortNode: SourceView {}

extension SortNode: SectionNode, WritableNode {
  /// The position of a child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "SortNode")
    return state.value.translation.sourcePosition(of: position)
  }

  /// The sorted position of a child of the source.
  ///
  /// - Parameter position: `0..<count`, in the source's index space.
  /// - Returns: a position in this node's index space.
  /// - Complexity: O(log n) for n children.
  public func position(ofSource position: Int) -> Int? {
    checkPosition(position, in: count, of: "SortNode's source")
    return state.value.translation.sortedPosition(of: position)
  }

  /// The end of the source, where there is a comparator: it says where the inserted child stands here.
  @_spi(NodeAuthors)
  public func insertionPoint(at position: Int) -> Int { state.value.translation.isSorted ? count : position }

  /// The memory that the order takes, in bytes; next to nothing without a comparator.
  package var byteCount: Int {
    state.value.translation.order.byteCount + (state.value.landmarks?.byteCount ?? 0)
  }
}
