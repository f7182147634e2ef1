import OffsetIndexing

// Where the children stand in the source, and back; and writing through.
extension UniqueNode {
  /// The position of a child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children of the source.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "UniqueNode")
    return state.value.translation.visible.select(position)
  }

  /// The position of a child of the source, or nil where another one before it has its id.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space, or nil.
  /// - Complexity: O(log n) for n children of the source.
  public func visiblePosition(of position: Int) -> Int? {
    let visible = state.value.translation.visible
    checkPosition(position, in: visible.count, of: "UniqueNode's source")
    return visible[position] ? visible.rank(position) : nil
  }

  /// The position of the child that stands for a child of the source: itself, or the first one with its id.
  ///
  /// ```swift
  /// UniqueNode(ArrayNode(["b", "a", "b"])) { $0 }.position(standingFor: 2)    // 0
  /// ```
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space.
  /// - Complexity: O(log n) for n children of the source.
  public func position(standingFor position: Int) -> Int {
    if let visible = visiblePosition(of: position) { return visible }
    let rows = state.value.translation.rows
    return state.value.translation.visible.rank(rows.position(slot: rows.place(of: position).slot, row: 0))
  }
}

extension UniqueNode: WritableNode {
  /// Inserts an element in the source, behind the child before `position`; it is not shown where another one has its id before
  /// it, and hides a later one that has.
  public func insert(_ element: Element, at position: Int) {
    requireWriter().insert(element, at: insertionPoint(at: position))
  }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    requireWriter().insert(node, at: insertionPoint(at: position))
  }

  private func insertionPoint(at position: Int) -> Int {
    checkInsertion(position, in: count, of: "UniqueNode")
    return position == 0 ? 0 : sourcePosition(of: position - 1) + 1
  }

  /// Removes a child from the source; the next one with its id appears.
  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    requireWriter().removeChild(at: sourcePosition(of: position))
  }

  public func replace(at position: Int, with element: Element) {
    requireWriter().replace(at: sourcePosition(of: position), with: element)
  }

  public func move(from position: Int, to destination: Int) {
    requireWriter().move(from: sourcePosition(of: position), to: sourcePosition(of: destination))
  }

  private func requireWriter() -> any WritableNode<Element> {
    guard let writer = source.writer else {
      trap("UniqueNode: its source is a \(type(of: source)), which cannot be written.")
    }
    return writer
  }
}
