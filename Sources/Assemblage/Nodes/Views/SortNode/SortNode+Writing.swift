extension SortNode {
  /// Moves a child in the source.
  ///
  /// - Precondition: there is no comparator, because the values decide the position of each sorted child.
  public func move(from position: Int, to destination: Int) {
    let (place, goal) = (requireOwner(of: position), requireOwner(of: destination))
    require(
      !state.value.translation.isSorted,
      """
      SortNode: the child \(position) cannot be moved to \(destination), because the comparator decides where each \
      child is; move it in the source, or set the comparator to nil.
      """)
    place.requireWriter(for: kindName).move(from: place.position, to: goal.position)
  }

  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    if case .move = edit, state.value.translation.isSorted { return false }
    return ownersAllow(edit, at: position)
  }
}
