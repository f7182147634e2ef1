// Writing through: every edit goes to the source.
extension FilterNode: WritableNode {
  /// Inserts an element in the source, directly after the visible child before the place, or as the source's first.
  ///
  /// An element that does not pass the predicate is inserted all the same, and hidden.
  public func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "FilterNode")
    requireWriter().insert(element, at: insertionPoint(at: position))
  }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "FilterNode")
    requireWriter().insert(node, at: insertionPoint(at: position))
  }

  private func insertionPoint(at position: Int) -> Int {
    position == 0 ? 0 : sourcePosition(of: position - 1) + 1
  }

  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    requireWriter().removeChild(at: sourcePosition(of: position))
  }

  public func replace(at position: Int, with element: Element) {
    requireWriter().replace(at: sourcePosition(of: position), with: element)
  }

  /// Moves a child in the source to the place of the visible child that stands at the destination.
  public func move(from position: Int, to destination: Int) {
    requireWriter().move(from: sourcePosition(of: position), to: sourcePosition(of: destination))
  }

  private func requireWriter() -> any WritableNode<Element> {
    guard let writer = source.writer else {
      trap("FilterNode: its source is a \(type(of: source)), which cannot be written.")
    }
    return writer
  }
}
