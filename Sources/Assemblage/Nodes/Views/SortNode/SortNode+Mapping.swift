// Translation of positions to the source, and back.
@_spi(NodeAuthors)
extension SortNode: SourceView {}

extension SortNode: SectionNode, WritableNode {
  /// Returns the position of a child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "SortNode")
    return state.value.translation.sourcePosition(of: position)
  }

  /// Returns the sorted position of a child of the source.
  ///
  /// - Parameter position: `0..<count`, in the source's index space.
  /// - Returns: a position in this node's index space.
  /// - Complexity: O(log n) for n children.
  public func position(ofSource position: Int) -> Int? {
    checkPosition(position, in: count, of: "SortNode's source")
    return state.value.translation.sortedPosition(of: position)
  }

  /// Returns the end of the source if there is a comparator, because the comparator decides the position of the new
  /// child here.
  @_spi(NodeAuthors)
  public func insertionPoint(at position: Int) -> Int { state.value.translation.isSorted ? count : position }

  /// The memory of the order, in bytes; almost none without a comparator.
  package var byteCount: Int {
    state.value.translation.order.byteCount + (state.value.landmarks?.byteCount ?? 0)
  }
}
