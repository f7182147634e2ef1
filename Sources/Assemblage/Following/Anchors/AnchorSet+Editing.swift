// Several edits whose places were counted before the first one. An edit of a view may change other places: the view
// shows an element twice, or a child becomes hidden.
extension AnchorSet {
  /// Edits some places of the node, one after the other and in one transaction.
  ///
  /// Each edit finds its element where the edits before have left it. An element that has left is skipped.
  ///
  /// - Parameters:
  ///   - paths: the places, before the first edit.
  ///   - edit: receives an anchor of the element and its present path, and returns whether it has edited the place.
  /// - Returns: the number of places that were edited.
  /// - Precondition: there are such places.
  /// - Complexity: as `anchor(at:)` for each place, and the edits.
  @discardableResult
  package func edit(
    _ paths: some Sequence<IndexPath>, _ edit: (_ child: NodeAnchor<Element>, _ path: IndexPath) -> Bool
  ) -> Int {
    var waiting = Array(paths.map { anchor(at: $0) }.reversed())
    return node.performUpdates {
      var count = 0
      // An anchor is released after its edit. Anchors of lost elements would gather at the same survivor.
      while let child = waiting.popLast() {
        if let path = child.path, edit(child, path) { count += 1 }
      }
      return count
    }
  }

  /// Moves children of the node to one place, one behind the other and in one transaction.
  ///
  /// - Parameters:
  ///   - paths: the children, before the first move; none lies below another one.
  ///   - parent: the new parent, before the first move.
  ///   - position: 0...the parent's count, before the first move.
  ///   - move: moves the child at a path into a parent, before the child at a position. All places are counted before
  ///     this move. Returns whether the child was moved, or lies there already.
  /// - Returns: the number of children that were moved.
  /// - Precondition: there are such places.
  /// - Complexity: as `anchor(at:)` for each place, and the moves.
  @discardableResult
  package func move(
    _ paths: some Sequence<IndexPath>, into parent: IndexPath, at position: Int,
    by move: (_ path: IndexPath, _ parent: IndexPath, _ position: Int) -> Bool
  ) -> Int {
    let goal = InsertionAnchor(self, parent, position, of: node)
    var last: NodeAnchor<Element>?
    return edit(paths) { child, path in
      guard let (parent, position) = goal.place(behind: last), move(path, parent, position) else { return false }
      last = child
      return true
    }
  }
}
