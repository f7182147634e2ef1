// For clients that keep a value for each branch, by the branch's number.
extension TreeIndex {
  /// Returns the children of a branch that are branches themselves.
  ///
  ///     let tree = TreeIndex(depths: [0, 1, 0, 0, 1])
  ///     tree.branches(in: 0..<3, of: TreeIndex.root).map(\.position)    // [0, 2]
  ///
  /// - Parameters:
  ///   - positions: the positions of the children to search, within `0..<childCount(of: parent)`.
  ///   - parent: a branch of the index.
  /// - Returns: the branches among them in order, with their positions.
  /// - Precondition: `positions` is within its bounds; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest. O(1) more for each run of leaves and for each
  ///   branch, however many elements are below the branch.
  public func branches(in positions: Range<Int>, of parent: Branch) -> [(position: Int, branch: Branch)] {
    checkRange(positions, of: parent)
    var found: [(position: Int, branch: Branch)] = []
    if positions.isEmpty { return found }
    let tree = tree
    var place = tree.child(positions.lowerBound, of: parent.record)
    var position = positions.lowerBound
    while true {
      let event = tree.event(place.slot, tree.leaves.lanes(place.leaf))
      if event.isLeaves {
        position += tree.elements(event) - place.inside
        place.inside = 0
      } else {
        found.append((position, Branch(event.record)))
        position += 1
        if event.isKind(.open) { place = tree.closing(of: event.record) }
      }
      if position >= positions.upperBound { return found }
      place.slot += 1
      if place.slot == tree.count(of: place.leaf), let next = tree.leafAfter(place.leaf) {
        place = ShapeTree.Place(leaf: next, slot: 0)
      }
    }
  }

  /// Returns whether a branch is a piece that was cut out and has not been pasted yet.
  ///
  ///     TreeIndex().isPiece(TreeIndex.root)                // false
  ///
  /// - Parameter branch: a branch of the index.
  /// - Returns: whether the branch is such a piece; false for the root.
  /// - Precondition: `branch` is in the index; anything else traps.
  /// - Complexity: O(1).
  public func isPiece(_ branch: Branch) -> Bool {
    check(branch)
    return branch != Self.root && tree.branches.openLeaf(branch.record) == noBlock
  }

  /// Removes a piece that was cut out, with all elements in the piece.
  ///
  /// The handles of the piece and of all branches in the piece end.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0])
  ///     tree.removePiece(tree.cutChildren(0..<1, of: TreeIndex.root))
  ///     tree.count                                         // 1
  ///
  /// - Parameters:
  ///   - piece: a piece that `cutChildren(_:of:)` returned.
  ///   - body: receives each branch of the piece, also the branches below collapsed ones, in no particular order.
  /// - Precondition: `piece` was cut out of this index, and has not been pasted since; anything else traps.
  /// - Complexity: O(k), k the events in the piece; O(n) once where the storage is shared.
  public mutating func removePiece(_ piece: Branch, _ body: (Branch) -> Void = { _ in }) {
    if !isPiece(piece) { TreeTrap.notCut(piece.number) }
    edit { tree in
      let forest = tree.branches.forest(piece.record)!
      tree.release(tree.forests.remove(forest)) { body(Branch($0)) }
      tree.branches.release(piece.record)
    }
  }
}
