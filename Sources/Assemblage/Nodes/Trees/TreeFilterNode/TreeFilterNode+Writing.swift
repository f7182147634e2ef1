// Writing through: every edit goes to the node of the source.
extension TreeFilterNode: WritableNode {
  /// Inserts an element in the source, directly after the shown child before the place, or as the source's first.
  ///
  /// An element that does not pass is inserted all the same, and hidden.
  public func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "TreeFilterNode")
    requireWriter().insert(element, at: insertionPoint(at: position))
  }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "TreeFilterNode")
    // A node of this tree stands for the one that it shows.
    let shown = node as? TreeFilterNode
    requireWriter().insert(
      shown?.family === family ? shown!.source : node, at: insertionPoint(at: position))
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

  /// Moves a child in the source to the place of the shown child that stands at the destination.
  public func move(from position: Int, to destination: Int) {
    requireWriter().move(from: sourcePosition(of: position), to: sourcePosition(of: destination))
  }

  private func requireWriter() -> any WritableNode<Element> {
    guard state.value.record >= 0 else {
      trap("TreeFilterNode: the child that it showed has left the source, so that it cannot be written.")
    }
    guard let writer = source.writer else {
      trap("TreeFilterNode: its source is a \(type(of: source)), which cannot be written.")
    }
    return writer
  }
}
