public import OffsetIndexing

// Where the children stand in the source, and back.
extension FilterNode {
  /// The position of a visible child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "FilterNode")
    return state.value.translation.passes.select(position)
  }

  /// The position of a child of the source among the visible ones, or nil where it is hidden.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space, or nil.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func visiblePosition(of position: Int) -> Int? {
    checkPosition(position, in: state.value.translation.passes.count, of: "FilterNode's source")
    return state.value.translation.passes[position] ? state.value.translation.passes.rank(position) : nil
  }

  /// The visible children of a range of the source.
  ///
  /// - Parameter range: positions of the source, within 0..<the source's count; may be empty.
  /// - Returns: a range of this node's index space, empty where all of them are hidden.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func visibleRange(of range: Range<Int>) -> Range<Int> {
    checkRange(range, in: state.value.translation.passes.count, of: "FilterNode's source")
    return state.value.translation.passes.rank(range)
  }

  /// The memory that the filter's bits take, in bytes.
  public var byteCount: Int { state.value.translation.passes.byteCount }
}
