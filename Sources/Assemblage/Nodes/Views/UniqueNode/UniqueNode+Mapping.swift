import OffsetIndexing

// Translation of positions to the source, and back.
@_spi(NodeAuthors)
extension UniqueNode: SourceView {}

extension UniqueNode: SectionNode, WritableNode {
  /// Returns the position of a child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children of the source.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "UniqueNode")
    return state.value.translation.visible.select(position)
  }

  /// Returns the position of a child of the source, or nil if a child before it has the same id.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space, or nil.
  /// - Complexity: O(log n) for n children of the source.
  public func position(ofSource position: Int) -> Int? {
    let visible = state.value.translation.visible
    checkPosition(position, in: visible.count, of: "UniqueNode's source")
    return visible[position] ? visible.rank(position) : nil
  }

  /// Returns the position of the child that represents a child of the source: itself, or the first one with its id.
  ///
  /// ```swift
  /// UniqueNode(ArrayNode(["b", "a", "b"])) { $0 }.position(standingFor: 2)    // 0
  /// ```
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space.
  /// - Complexity: O(log n) for n children of the source.
  public func position(standingFor position: Int) -> Int {
    if let visible = self.position(ofSource: position) { return visible }
    let rows = state.value.translation.rows
    return state.value.translation.visible.rank(rows.position(slot: rows.place(of: position).slot, row: 0))
  }
}
