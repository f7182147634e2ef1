// Writing through: every edit goes to the source.
extension SortNode: WritableNode {
  /// Inserts an element at the end of the source; here it stands where the comparator puts it, not at `position`.
  ///
  /// Without a comparator it is inserted at `position`.
  public func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "SortNode")
    requireWriter().insert(element, at: insertionPoint(at: position))
  }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "SortNode")
    requireWriter().insert(node, at: insertionPoint(at: position))
  }

  private func insertionPoint(at position: Int) -> Int { state.value.translation.isSorted ? count : position }

  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    requireWriter().removeChild(at: sourcePosition(of: position))
  }

  /// Gives a child another value, by which it may get another place.
  public func replace(at position: Int, with element: Element) {
    requireWriter().replace(at: sourcePosition(of: position), with: element)
  }

  /// Moves a child in the source.
  ///
  /// - Precondition: there is no comparator: among sorted children the values say where each of them stands.
  public func move(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "SortNode")
    checkPosition(destination, in: count, of: "SortNode")
    require(
      !state.value.translation.isSorted,
      """
      SortNode: the child \(position) cannot be moved to \(destination), because the comparator says where each child \
      stands; move it in the source, or set the comparator to nil.
      """)
    requireWriter().move(from: position, to: destination)
  }

  private func requireWriter() -> any WritableNode<Element> {
    guard let writer = source.writer else {
      trap("SortNode: its source is a \(type(of: source)), which cannot be written.")
    }
    return writer
  }
}
