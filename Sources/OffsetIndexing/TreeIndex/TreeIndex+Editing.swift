extension TreeIndex {
  /// Inserts leaves among the children of a branch.
  ///
  ///     var tree = TreeIndex()
  ///     tree.insertLeaves(3, into: TreeIndex.root, at: 0)
  ///     tree.count                                         // 3
  ///
  /// - Parameters:
  ///   - count: the number of leaves; 0 is legal.
  ///   - parent: the branch, collapsed or not.
  ///   - position: the first leaf's position, in `0...childCount(of: parent)`.
  /// - Returns: the first leaf's number. It is the number that `number(ofInsertionAt:into:)` gives before the
  ///   insertion.
  /// - Precondition: `count` is not negative, `position` is in its range, and the number of elements fits in an `Int`;
  ///   anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest, for any `count`; O(n) once where the storage is
  ///   shared.
  @discardableResult
  public mutating func insertLeaves(_ count: Int, into parent: Branch, at position: Int) -> Int {
    if count == 0 { return number(ofInsertionAt: position, into: parent) }
    return insertNumberedLeaves(count, into: parent, at: position).number
  }

  /// Inserts at least one leaf, and also returns the branch in whose forest the leaves are numbered.
  @discardableResult
  package mutating func insertNumberedLeaves(
    _ count: Int, into parent: Branch, at position: Int
  ) -> (number: Int, forest: Branch) {
    checkBoundary(position, of: parent)
    if count < 0 { TreeTrap.negative(count) }
    return edit { tree in
      let place = tree.insertLeaves(count, into: parent.record, at: position)
      tree.addChildren(count, to: parent.record)
      return (place.number, Branch(tree.forests[place.forest].owner))
    }
  }

  /// Inserts a branch without children among the children of a branch.
  ///
  ///     var tree = TreeIndex()
  ///     let first = tree.insertBranch(into: TreeIndex.root, at: 0)
  ///     tree.insertLeaves(1, into: first, at: 0)
  ///     tree.locate(1).parent == first                     // true
  ///
  /// - Parameters:
  ///   - parent: the parent of the new branch, collapsed or not.
  ///   - position: the new branch's position, in `0...childCount(of: parent)`.
  /// - Returns: the new branch's handle.
  /// - Precondition: `position` is in its range, and there are fewer than 2²⁹ − 1 branches; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest; O(n) once where the storage is shared.
  @discardableResult
  public mutating func insertBranch(into parent: Branch, at position: Int) -> Branch {
    checkBoundary(position, of: parent)
    return edit { tree in
      let branch = tree.insertBranch(into: parent.record, at: position)
      tree.branches.setParent(branch, parent.record)
      tree.addChildren(1, to: parent.record)
      return Branch(branch)
    }
  }

  /// Turns a leaf into a branch without children.
  ///
  ///     var tree = TreeIndex(leafCount: 2)
  ///     let second = tree.makeBranch(at: 1, of: TreeIndex.root)
  ///     tree.number(of: second)                            // 1
  ///
  /// - Parameters:
  ///   - position: the leaf's position, in `0..<childCount(of: parent)`.
  ///   - parent: the parent of the leaf.
  /// - Returns: the new branch's handle.
  /// - Precondition: `position` is in its range, and the child is a leaf; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest; O(n) once where the storage is shared.
  @discardableResult
  public mutating func makeBranch(at position: Int, of parent: Branch) -> Branch {
    checkPosition(position, of: parent)
    return edit { tree in
      let place = tree.child(position, of: parent.record)
      if tree.event(place.slot, tree.leaves.lanes(place.leaf)).isBranch { TreeTrap.isBranch(position) }
      let branch = tree.makeBranch(at: place)
      tree.branches.setParent(branch, parent.record)
      return Branch(branch)
    }
  }

  /// Turns a branch without children into a leaf, and ends the branch's handle.
  ///
  ///     var tree = TreeIndex()
  ///     tree.makeLeaf(tree.insertBranch(into: TreeIndex.root, at: 0))
  ///     tree.locate(0).branch                              // nil
  ///
  /// - Parameter branch: a branch that is an element and has no children, collapsed or not.
  /// - Precondition: `branch` is such a branch; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest; O(n) once where the storage is shared.
  public mutating func makeLeaf(_ branch: Branch) {
    checkElement(branch)
    let count = childCount(of: branch)
    if count > 0 { TreeTrap.parents(branch.number, count) }
    edit { $0.makeLeaf(branch.record) }
  }

  /// Removes children of a branch with all their descendants, also the descendants of collapsed branches.
  ///
  /// The handles of all removed branches end.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0])
  ///     tree.removeChildren(0..<1, of: TreeIndex.root)
  ///     tree.count                                         // 1
  ///
  /// - Parameters:
  ///   - range: the children's positions, within `0..<childCount(of: parent)`; an empty range is legal.
  ///   - parent: a branch of the index.
  ///   - body: receives each removed branch, in no particular order.
  /// - Precondition: `range` is within its bounds; anything else traps.
  /// - Complexity: O(log n + k), n the number of events in the forest, k the number of removed events; O(n) once where
  ///   the storage is shared.
  public mutating func removeChildren(
    _ range: Range<Int>, of parent: Branch, _ body: (Branch) -> Void = { _ in }
  ) {
    checkRange(range, of: parent)
    if range.isEmpty { return }
    edit { tree in
      if tree.removeRun(range, of: parent.record) == nil {
        let part = tree.cut(range, of: parent.record)
        tree.release(part) { body(Branch($0)) }
      }
      tree.addChildren(-range.count, to: parent.record)
    }
  }

  /// Removes a child that is a leaf.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 1, 0])
  ///     tree.removeLeaf(at: 0, of: tree.locate(1).parent)  // 1
  ///     tree.count                                         // 3
  ///
  /// - Parameters:
  ///   - position: the leaf's position, in `0..<childCount(of: parent)`.
  ///   - parent: a branch of the index.
  /// - Returns: the number that the leaf had.
  /// - Precondition: `position` is in its range, and the child is a leaf; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest; O(n) once where the storage is shared.
  @discardableResult
  public mutating func removeLeaf(at position: Int, of parent: Branch) -> Int {
    checkPosition(position, of: parent)
    guard let place = removeRun(position..<position + 1, of: parent) else { TreeTrap.isNoLeaf(position) }
    return place.number
  }

  /// Removes children that are leaves of one run.
  ///
  /// - Parameters:
  ///   - range: the children's positions, within `0..<childCount(of: parent)`; not empty.
  ///   - parent: a branch of the index.
  /// - Returns: the number that the first child had, and the branch in whose forest it was numbered; nil where the
  ///   children are not leaves of one run. Then nothing has been removed.
  package mutating func removeRun(_ range: Range<Int>, of parent: Branch) -> (number: Int, forest: Branch)? {
    checkRange(range, of: parent)
    return edit { tree in
      guard let place = tree.removeRun(range, of: parent.record) else { return nil }
      tree.addChildren(-range.count, to: parent.record)
      return (place.number, Branch(tree.forests[place.forest].owner))
    }
  }

  // MARK: Moving

  /// Cuts out children of a branch with all their descendants. The handles stay valid.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0])
  ///     let piece = tree.cutChildren(0..<1, of: TreeIndex.root)
  ///     (tree.count, tree.count(in: piece))                // (1, 2)
  ///     tree.paste(piece, into: TreeIndex.root, at: 1)
  ///     tree.path(to: 2)                                   // [1, 0]
  ///
  /// Until the piece is pasted, it can be read and changed like any branch that has a forest of its own.
  ///
  /// - Parameters:
  ///   - range: the children's positions, within `0..<childCount(of: parent)`; an empty range is legal.
  ///   - parent: a branch of the index.
  /// - Returns: a branch that is no element, and whose children are the children that were cut out.
  /// - Precondition: `range` is within its bounds; anything else traps.
  /// - Complexity: O(log n + b), n the number of events in the forest, b the number of branches among the children;
  ///   O(n) once where the storage is shared.
  public mutating func cutChildren(_ range: Range<Int>, of parent: Branch) -> Branch {
    checkRange(range, of: parent)
    return edit { tree in
      let part = tree.cut(range, of: parent.record)
      tree.addChildren(-range.count, to: parent.record)
      let piece = tree.branches.allocate()
      tree.branches.setCount(piece, range.count)
      let forest = tree.makeForest(part, owner: piece)
      tree.branches.setForest(piece, forest)
      tree.adopt(forest, by: piece)
      return Branch(piece)
    }
  }

  /// Inserts a piece that was cut out among the children of a branch, and ends the piece's own handle.
  ///
  /// - Parameters:
  ///   - piece: a piece that `cutChildren(_:of:)` returned.
  ///   - parent: the new parent of the children; not a branch in the piece.
  ///   - position: the first child's position, in `0...childCount(of: parent)`.
  /// - Precondition: `piece` was cut out of this index, and `parent` is not in the piece. `position` is in its range,
  ///   and the number of elements fits in an `Int`; anything else traps.
  /// - Complexity: O(log n + b), n the number of events in both forests, b the number of branches among the piece's
  ///   children. O(log n) more for each collapsed branch above the parent. O(n) once where the storage is shared.
  public mutating func paste(_ piece: Branch, into parent: Branch, at position: Int) {
    checkBoundary(position, of: parent)
    check(piece)
    let forest = tree.branches.forest(piece.record)
    guard let forest, piece != Self.root, tree.branches.openLeaf(piece.record) == noBlock else {
      TreeTrap.notCut(piece.number)
    }
    if isBelow(parent, piece) { TreeTrap.into(parent.number) }
    edit { tree in
      tree.adopt(forest, by: parent.record)
      let part = tree.forests.remove(forest)
      tree.paste(part, into: parent.record, at: position)
      tree.addChildren(tree.branches.count(piece.record), to: parent.record)
      tree.branches.release(piece.record)
    }
  }

  /// Moves a child of a branch, with all its descendants, to another place. The handles stay valid.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0])
  ///     let first = tree.locate(1).parent
  ///     tree.moveChild(at: 1, of: TreeIndex.root, to: 0, of: first)
  ///     tree.childCount(of: first)                         // 2
  ///
  /// - Parameters:
  ///   - position: the child's position, in `0..<childCount(of: parent)`.
  ///   - parent: the child's parent before the move.
  ///   - newPosition: the child's position after the move: a position among the other children of `newParent`.
  ///   - newParent: the child's parent after the move; neither the child itself nor a branch below the child.
  /// - Precondition: both positions are in their range, and `newParent` is neither the child nor below it; anything
  ///   else traps.
  /// - Complexity: O(log n), n the number of events in both forests, and O(log n) for each collapsed branch above
  ///   `newParent`; O(n) once where the storage is shared.
  public mutating func moveChild(at position: Int, of parent: Branch, to newPosition: Int, of newParent: Branch) {
    checkPosition(position, of: parent)
    let piece = cutChildren(position..<position + 1, of: parent)
    paste(piece, into: newParent, at: newPosition)
  }

  /// Whether a branch is in the forest of `piece`, or in the forest of a collapsed branch in the piece.
  private func isBelow(_ branch: Branch, _ piece: Branch) -> Bool {
    var branch = branch
    while branch != piece {
      if tree.branches.openLeaf(branch.record) == noBlock { return false }
      branch = forest(of: branch)
    }
    return true
  }

  // MARK: Collapsing

  /// Collapses a branch: it becomes one element without descendants, and the elements below it become a forest of their
  /// own.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 1, 0])
  ///     let first = tree.locate(1).parent
  ///     tree.collapse(first)
  ///     (tree.count, tree.childCount(of: first), tree.count(in: first))    // (2, 2, 2)
  ///     tree.expand(first)
  ///     tree.count                                         // 4
  ///
  /// - Parameter branch: a branch that is an element. If the branch is collapsed already, nothing happens.
  /// - Precondition: `branch` is an element; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest, however many elements are below the branch; O(n)
  ///   once where the storage is shared.
  public mutating func collapse(_ branch: Branch) {
    checkElement(branch)
    if !isCollapsed(branch) { edit { $0.collapse(branch.record) } }
  }

  /// Expands a collapsed branch: the elements below it return to the branch's forest, behind the branch.
  ///
  /// - Parameter branch: a branch that is an element. If the branch is not collapsed, nothing happens.
  /// - Precondition: `branch` is an element, and the number of elements fits in an `Int`; anything else traps.
  /// - Complexity: O(log n), n the number of events in both forests; O(n) once where the storage is shared.
  public mutating func expand(_ branch: Branch) {
    checkElement(branch)
    if isCollapsed(branch) { edit { $0.expand(branch.record) } }
  }

  /// Expands some collapsed children of a branch. This is faster than to expand one after the other.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0, 1])
  ///     let branches = tree.branches(in: 0..<2, of: TreeIndex.root).map(\.branch)
  ///     for branch in branches { tree.collapse(branch) }
  ///     tree.expand(branches)                              // [1..<2, 3..<4]
  ///
  /// - Parameter branches: collapsed children of one branch, in the order of their positions.
  /// - Returns: for each branch, the numbers of its descendants after all have been expanded; an empty range where the
  ///   branch has no children.
  /// - Precondition: `branches` are collapsed children of one branch in order, and the number of elements fits in an
  ///   `Int`; anything else traps.
  /// - Complexity: O(b log n) for b branches, n the number of events in all forests; O(n) once where the storage is
  ///   shared.
  @discardableResult
  public mutating func expand(_ branches: [Branch]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(branches.count)
    var last = -1
    var added = 0
    for branch in branches {
      let (number, count) = (number(of: branch), count(in: branch))
      if number <= last || parent(of: branch) != parent(of: branches[0]) { TreeTrap.siblings(branch.number) }
      last = number
      let start = TreeTrap.sum(number + 1, added)
      ranges.append(start..<TreeTrap.sum(start, count))
      added += count
    }
    if !branches.isEmpty { edit { $0.expand(branches.map { $0.record }) } }
    return ranges
  }

  private func checkElement(_ branch: Branch) {
    check(branch)
    if tree.branches.openLeaf(branch.record) == noBlock { TreeTrap.root(branch.number) }
  }
}

extension ShapeTree {
  func addChildren(_ count: Int, to branch: UInt32) { branches.setCount(branch, branches.count(branch) + count) }
}
