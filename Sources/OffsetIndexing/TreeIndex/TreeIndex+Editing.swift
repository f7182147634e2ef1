extension TreeIndex {
  /// Inserts leaves among the children of a branch.
  ///
  ///     var tree = TreeIndex()
  ///     tree.insertLeaves(3, into: TreeIndex.root, at: 0)
  ///     tree.count                                         // 3
  ///
  /// - Parameters:
  ///   - count: how many; none is legal.
  ///   - parent: the branch, collapsed or not.
  ///   - position: the first one's position, in `0...childCount(of: parent)`.
  /// - Returns: the first one's number, as `number(ofInsertionAt:into:)` tells it before.
  /// - Precondition: `count` is not negative, `position` is in its range, and the number of elements fits in an `Int`;
  ///   anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest, whatever `count`; O(n) once where the storage is shared.
  @discardableResult
  public mutating func insertLeaves(_ count: Int, into parent: Branch, at position: Int) -> Int {
    if count == 0 { return number(ofInsertionAt: position, into: parent) }
    return insertNumberedLeaves(count, into: parent, at: position).number
  }

  /// The same for one leaf or more; tells also the branch in whose forest they are numbered.
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
  ///   - parent: the branch to be its parent, collapsed or not.
  ///   - position: its position, in `0...childCount(of: parent)`.
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

  /// Makes a branch without children of a leaf.
  ///
  ///     var tree = TreeIndex(leafCount: 2)
  ///     let second = tree.makeBranch(at: 1, of: TreeIndex.root)
  ///     tree.number(of: second)                            // 1
  ///
  /// - Parameters:
  ///   - position: the leaf's position, in `0..<childCount(of: parent)`.
  ///   - parent: the branch that it is a child of.
  /// - Returns: the new branch's handle.
  /// - Precondition: `position` is in its range and of a leaf; anything else traps.
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

  /// Makes a leaf of a branch that has no children; its handle ends.
  ///
  ///     var tree = TreeIndex()
  ///     tree.makeLeaf(tree.insertBranch(into: TreeIndex.root, at: 0))
  ///     tree.locate(0).branch                              // nil
  ///
  /// - Parameter branch: a branch that is an element and has no children, collapsed or not.
  /// - Precondition: `branch` is one; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest; O(n) once where the storage is shared.
  public mutating func makeLeaf(_ branch: Branch) {
    checkElement(branch)
    let count = childCount(of: branch)
    if count > 0 { TreeTrap.parents(branch.number, count) }
    edit { $0.makeLeaf(branch.record) }
  }

  /// Removes children of a branch with all that is below them, also below collapsed ones; the handles of branches among
  /// them end.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0])
  ///     tree.removeChildren(0..<1, of: TreeIndex.root)
  ///     tree.count                                         // 1
  ///
  /// - Parameters:
  ///   - range: their positions, within `0..<childCount(of: parent)`; none is legal.
  ///   - parent: a branch of the index.
  ///   - body: receives each branch that has been removed, in no particular order.
  /// - Precondition: `range` is within its bounds; anything else traps.
  /// - Complexity: O(log n + k), n the number of events in the forest, k those that go; O(n) once where the storage is
  ///   shared.
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

  /// Removes a child of a branch that is a leaf.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 1, 0])
  ///     tree.removeLeaf(at: 0, of: tree.locate(1).parent)  // 1
  ///     tree.count                                         // 3
  ///
  /// - Parameters:
  ///   - position: its position, in `0..<childCount(of: parent)`.
  ///   - parent: a branch of the index.
  /// - Returns: the number that it had.
  /// - Precondition: `position` is in its range and of a leaf; anything else traps.
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
  ///   - range: their positions, within `0..<childCount(of: parent)`; not empty.
  ///   - parent: a branch of the index.
  /// - Returns: the number that the first one had, and the branch in whose forest that was; nil where they are not leaves, or
  ///   those of several runs, and nothing has been removed.
  package mutating func removeRun(_ range: Range<Int>, of parent: Branch) -> (number: Int, forest: Branch)? {
    checkRange(range, of: parent)
    return edit { tree in
      guard let place = tree.removeRun(range, of: parent.record) else { return nil }
      tree.addChildren(-range.count, to: parent.record)
      return (place.number, Branch(tree.forests[place.forest].owner))
    }
  }

  // MARK: Moving

  /// Cuts children of a branch out, with all that is below them; their handles stay valid.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0])
  ///     let piece = tree.cutChildren(0..<1, of: TreeIndex.root)
  ///     (tree.count, tree.count(in: piece))                // (1, 2)
  ///     tree.paste(piece, into: TreeIndex.root, at: 1)
  ///     tree.path(to: 2)                                   // [1, 0]
  ///
  /// The piece can be read and changed like any branch that has a forest of its own, until it is pasted.
  ///
  /// - Parameters:
  ///   - range: their positions, within `0..<childCount(of: parent)`; none is legal.
  ///   - parent: a branch of the index.
  /// - Returns: a branch that is no element, and whose children are those that were cut out.
  /// - Precondition: `range` is within its bounds; anything else traps.
  /// - Complexity: O(log n + b), n the number of events in the forest, b the branches among the children; O(n) once where
  ///   the storage is shared.
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

  /// Puts what was cut out among the children of a branch; the piece's own handle ends.
  ///
  /// - Parameters:
  ///   - piece: what `cutChildren(_:of:)` returned.
  ///   - parent: the branch to be the parent; not one that is in the piece.
  ///   - position: the first one's position, in `0...childCount(of: parent)`.
  /// - Precondition: `piece` was cut out of this index, `parent` is not in it, `position` is in its range, and the number of
  ///   elements fits in an `Int`; anything else traps.
  /// - Complexity: O(log n + b), n the number of events in both forests, b the branches among the piece's children; and
  ///   O(log n) for each collapsed branch above the parent. O(n) once where the storage is shared.
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

  /// Moves a child of one branch, with all that is below it, to another place; handles stay valid.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0])
  ///     let first = tree.locate(1).parent
  ///     tree.moveChild(at: 1, of: TreeIndex.root, to: 0, of: first)
  ///     tree.childCount(of: first)                         // 2
  ///
  /// - Parameters:
  ///   - position: the child's position, in `0..<childCount(of: parent)`.
  ///   - parent: the branch that it is a child of.
  ///   - newPosition: its position in the end, without it in the former one.
  ///   - newParent: the branch to be its parent; not the child itself, nor one that is below it.
  /// - Precondition: both positions are in their range, and `newParent` is not in what moves; anything else traps.
  /// - Complexity: O(log n), n the number of events in both forests, and O(log n) for each collapsed branch above
  ///   `newParent`; O(n) once where the storage is shared.
  public mutating func moveChild(at position: Int, of parent: Branch, to newPosition: Int, of newParent: Branch) {
    checkPosition(position, of: parent)
    let piece = cutChildren(position..<position + 1, of: parent)
    paste(piece, into: newParent, at: newPosition)
  }

  /// Whether a branch is in the forest of `piece`, or in that of a collapsed branch in it.
  private func isBelow(_ branch: Branch, _ piece: Branch) -> Bool {
    var branch = branch
    while branch != piece {
      if tree.branches.openLeaf(branch.record) == noBlock { return false }
      branch = forest(of: branch)
    }
    return true
  }

  // MARK: Collapsing

  /// Makes a branch stand as one element without descendants; what is below it becomes a forest of its own.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 1, 0])
  ///     let first = tree.locate(1).parent
  ///     tree.collapse(first)
  ///     (tree.count, tree.childCount(of: first), tree.count(in: first))    // (2, 2, 2)
  ///     tree.expand(first)
  ///     tree.count                                         // 4
  ///
  /// - Parameter branch: a branch that is an element; nothing happens where it is collapsed.
  /// - Precondition: `branch` is one; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest, whatever is below it; O(n) once where the storage is
  ///   shared.
  public mutating func collapse(_ branch: Branch) {
    checkElement(branch)
    if !isCollapsed(branch) { edit { $0.collapse(branch.record) } }
  }

  /// Puts what is below a collapsed branch back where the branch stands.
  ///
  /// - Parameter branch: a branch that is an element; nothing happens where it is not collapsed.
  /// - Precondition: `branch` is one, and the number of elements fits in an `Int`; anything else traps.
  /// - Complexity: O(log n), n the number of events in both forests; O(n) once where the storage is shared.
  public mutating func expand(_ branch: Branch) {
    checkElement(branch)
    if isCollapsed(branch) { edit { $0.expand(branch.record) } }
  }

  /// Puts what is below some collapsed children of a branch back where they stand: sooner than one after the other.
  ///
  ///     var tree = TreeIndex(depths: [0, 1, 0, 1])
  ///     let branches = tree.branches(in: 0..<2, of: TreeIndex.root).map(\.branch)
  ///     for branch in branches { tree.collapse(branch) }
  ///     tree.expand(branches)                              // [1..<2, 3..<4]
  ///
  /// - Parameter branches: collapsed children of one branch, in the order in which they stand.
  /// - Returns: the numbers, in the end, of what has come below each; none where it has no children.
  /// - Precondition: `branches` are that, and the number of elements fits in an `Int`; anything else traps.
  /// - Complexity: O(b log n) for b branches, n the number of events in all forests; O(n) once where the storage is shared.
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
      ranges.append(number + 1 + added..<number + 1 + added + count)
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
