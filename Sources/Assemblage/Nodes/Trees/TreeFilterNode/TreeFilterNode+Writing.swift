// Writing through: every edit goes to the node of the source.
extension TreeFilterNode: SourceView {
  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "TreeFilterNode")
    guard let place = insertionOwner(at: position) else {
      trap("TreeFilterNode: the child that it showed has left the source, so that it cannot be written.")
    }
    // A node of this tree stands for the one that it shows.
    let shown = node as? TreeFilterNode
    place.requireWriter(for: kindName).insert(
      shown?.family === family ? shown!.source : node, at: place.position)
  }

  /// Directly after the shown child before the place, or the source's beginning; nil where the child that this node showed has
  /// left the source.
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    state.value.record == nil ? nil : OwnedPlace(source, at: insertionPoint(at: position))
  }
}
