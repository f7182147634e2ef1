extension TreeIndex {
  /// Returns whether the index has a branch with this number.
  ///
  ///     TreeIndex().contains(TreeIndex.root)               // true
  ///
  /// - Parameter branch: any handle.
  /// - Returns: whether the branch is in the index. This is also true for a removed branch whose number has been given
  ///   to another branch.
  /// - Complexity: O(1).
  public func contains(_ branch: Branch) -> Bool {
    tree.branches.isBranch(branch.record)
  }

  /// Returns the place of an element.
  ///
  ///     let tree = TreeIndex(depths: [0, 1, 1])
  ///     let place = tree.locate(2)
  ///     (place.position, place.depth)                      // (1, 1)
  ///     tree.number(of: place.parent)                      // 0
  ///
  /// - Parameters:
  ///   - number: the element's number in document order.
  ///   - branch: the branch in whose forest the element is counted: the root, a collapsed branch, or a piece that was
  ///     cut out.
  /// - Returns: the element's parent, its position among the parent's children, and its depth, which is 0 on the
  ///   forest's top level.
  /// - Precondition: `number` is less than the number of elements in the forest, and not negative; and `branch` has a
  ///   forest of its own; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest (at most twice the branches and the runs of leaves).
  public func locate(_ number: Int, in branch: Branch = root) -> Place {
    let (place, depth) = find(number, in: branch)
    let event = tree.event(place.slot, tree.leaves.lanes(place.leaf))
    let parent = tree.parent(at: place)
    return Place(
      parent: Branch(parent), position: tree.childrenBefore(place, of: parent), depth: Int(depth),
      branch: event.isBranch ? Branch(event.record) : nil)
  }

  /// Returns the depth of an element, and its handle where the element is a branch.
  ///
  /// The result is smaller than the result of `locate(_:in:)`, and takes less time.
  ///
  ///     TreeIndex(depths: [0, 1, 1]).depth(ofNumber: 2)    // (1, nil)
  ///
  /// - Parameters:
  ///   - number: the element's number, as for `locate(_:in:)`.
  ///   - branch: the branch in whose forest it is counted, as for `locate(_:in:)`.
  /// - Returns: the number of branches above the element in its forest, and the element's own handle.
  /// - Precondition: as for `locate(_:in:)`.
  /// - Complexity: O(log n).
  public func depth(ofNumber number: Int, in branch: Branch = root) -> (depth: Int, branch: Branch?) {
    let (place, depth) = find(number, in: branch)
    let event = tree.event(place.slot, tree.leaves.lanes(place.leaf))
    return (Int(depth), event.isBranch ? Branch(event.record) : nil)
  }

  @inline(__always)
  private func find(_ number: Int, in branch: Branch) -> (place: ShapeTree.Place, depth: Int32) {
    let part = tree.forests[ownForest(of: branch)].part
    if number < 0 || number >= part.root.sum.elements { TreeTrap.number(number, count: part.root.sum.elements) }
    return tree.find(number, in: part)
  }

  @inline(__always)
  func ownForest(of branch: Branch) -> UInt32 {
    check(branch)
    guard let forest = tree.branches.forest(branch.record) else { TreeTrap.noForest(branch.number) }
    return forest
  }

  /// Returns the number of elements in a branch's own forest.
  ///
  ///     TreeIndex(depths: [0, 1]).count(in: TreeIndex.root)    // 2
  ///
  /// - Parameter branch: the root, a collapsed branch, or a piece that was cut out.
  /// - Returns: the number of elements below the branch, without the elements below collapsed branches.
  /// - Precondition: `branch` has a forest of its own; anything else traps.
  /// - Complexity: O(1).
  public func count(in branch: Branch) -> Int { tree.forests[ownForest(of: branch)].part.root.sum.elements }

  /// Returns the number of an element that is a branch.
  ///
  ///     var tree = TreeIndex(depths: [0, 0])
  ///     let last = tree.makeBranch(at: 1, of: TreeIndex.root)
  ///     tree.number(of: last)                              // 1
  ///
  /// - Parameter branch: a branch that is an element: not the root, nor a piece that was cut out.
  /// - Returns: the branch's number in its forest. `forest(of:)` gives that forest.
  /// - Precondition: `branch` is an element of the index; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest.
  public func number(of branch: Branch) -> Int { tree.elements(before: element(branch)) }

  /// Returns the number of branches above a branch in its forest.
  ///
  ///     let tree = TreeIndex(depths: [0, 1, 2])
  ///     tree.depth(of: tree.locate(2).parent)              // 1
  ///
  /// - Parameter branch: a branch that is an element, as for `number(of:)`.
  /// - Returns: the branch's depth, which is 0 on the forest's top level.
  /// - Precondition: `branch` is an element of the index; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest.
  public func depth(of branch: Branch) -> Int { Int(tree.depth(of: element(branch))) }

  /// Returns the branch whose own forest contains a branch.
  ///
  ///     let tree = TreeIndex(depths: [0, 1])
  ///     tree.forest(of: tree.locate(1).parent)             // the root
  ///
  /// - Parameter branch: a branch that is an element, as for `number(of:)`.
  /// - Returns: the root, the nearest collapsed branch above the branch, or the piece that was cut out with the branch.
  /// - Precondition: `branch` is an element of the index; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest.
  public func forest(of branch: Branch) -> Branch {
    let leaf = element(branch).leaf
    return Branch(tree.forests[tree.forest(ofLeaf: leaf)].owner)
  }

  /// The place of a branch's opening.
  @inline(__always)
  private func element(_ branch: Branch) -> ShapeTree.Place {
    check(branch)
    if tree.branches.openLeaf(branch.record) == noBlock { TreeTrap.root(branch.number) }
    return tree.place(of: branch.record)
  }

  /// Returns the parent of a branch.
  ///
  ///     TreeIndex().parent(of: TreeIndex.root)             // nil
  ///
  /// - Parameter branch: a branch of the index.
  /// - Returns: the parent. It is `root` on the top level, and nil for the root and for a piece that was cut out.
  /// - Precondition: `branch` is in the index; anything else traps.
  /// - Complexity: O(1).
  public func parent(of branch: Branch) -> Branch? {
    check(branch)
    let parent = tree.branches.parent(branch.record)
    return parent == BranchTable.none ? nil : Branch(parent)
  }

  /// Returns the position of a branch among its parent's children.
  ///
  ///     var tree = TreeIndex(leafCount: 3)
  ///     let last = tree.makeBranch(at: 2, of: TreeIndex.root)
  ///     tree.position(of: last)                            // 2
  ///
  /// - Parameter branch: a branch that is an element, as for `number(of:)`.
  /// - Returns: the number of siblings before the branch.
  /// - Precondition: `branch` is an element of the index; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest; less for a branch that is near its parent.
  public func position(of branch: Branch) -> Int {
    tree.childrenBefore(element(branch), of: tree.branches.parent(branch.record))
  }

  /// Returns the number of a branch's children.
  ///
  ///     TreeIndex(depths: [0, 1, 0]).childCount(of: TreeIndex.root)    // 2
  ///
  /// - Parameter branch: a branch of the index, collapsed or not.
  /// - Returns: the number of the branch's children, without the elements below them.
  /// - Precondition: `branch` is in the index; anything else traps.
  /// - Complexity: O(1).
  public func childCount(of branch: Branch) -> Int {
    check(branch)
    return tree.branches.count(branch.record)
  }

  /// Returns a child of a branch.
  ///
  ///     TreeIndex(depths: [0, 1, 0]).child(at: 1, of: TreeIndex.root).number    // 2
  ///
  /// - Parameters:
  ///   - position: the child's position, in `0..<childCount(of: parent)`.
  ///   - parent: a branch of the index.
  /// - Returns: the child's number, and its handle where it is a branch. The number is in the parent's own forest, if
  ///   the parent has one, and otherwise in the forest of the parent.
  /// - Precondition: `position` is in its range; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest.
  public func child(at position: Int, of parent: Branch) -> (number: Int, branch: Branch?) {
    checkPosition(position, of: parent)
    let place = tree.child(position, of: parent.record)
    let event = tree.event(place.slot, tree.leaves.lanes(place.leaf))
    return (tree.elements(before: place), event.isBranch ? Branch(event.record) : nil)
  }

  /// Returns a child that is a branch, or nil where the child is a leaf.
  ///
  /// The result is smaller than the result of `child(at:of:)`, and takes less time.
  ///
  ///     TreeIndex(leafCount: 1).branch(at: 0, of: TreeIndex.root)    // nil
  ///
  /// - Parameters:
  ///   - position: the child's position, in `0..<childCount(of: parent)`.
  ///   - parent: a branch of the index.
  /// - Returns: the child's handle where the child is a branch.
  /// - Precondition: `position` is in its range; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest.
  public func branch(at position: Int, of parent: Branch) -> Branch? {
    checkPosition(position, of: parent)
    let place = tree.child(position, of: parent.record)
    let event = tree.event(place.slot, tree.leaves.lanes(place.leaf))
    return event.isBranch ? Branch(event.record) : nil
  }

  /// Returns children of a branch that are side by side: leaves from a position on, or one branch.
  ///
  ///     TreeIndex(leafCount: 3).run(at: 1, of: TreeIndex.root).numbers    // 1..<3
  ///
  /// - Parameters:
  ///   - position: the first child's position, in `0..<childCount(of: parent)`.
  ///   - parent: a branch of the index.
  /// - Returns: the children's numbers, as `child(at:of:)` counts, and the handle where the child is a branch. Further
  ///   leaves may follow the last leaf.
  /// - Precondition: `position` is in its range; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest.
  public func run(at position: Int, of parent: Branch) -> (numbers: Range<Int>, branch: Branch?) {
    checkPosition(position, of: parent)
    let place = tree.child(position, of: parent.record)
    let event = tree.event(place.slot, tree.leaves.lanes(place.leaf))
    let number = tree.elements(before: place)
    if event.isBranch { return (number..<number + 1, Branch(event.record)) }
    return (number..<number + tree.elements(event) - place.inside, nil)
  }

  /// Returns the number that a new child would have after an insertion at a position.
  ///
  ///     TreeIndex(depths: [0, 1, 0]).number(ofInsertionAt: 1, into: TreeIndex.root)    // 2
  ///
  /// - Parameters:
  ///   - position: a position in `0...childCount(of: parent)`.
  ///   - parent: a branch of the index.
  /// - Returns: the number of the child at the position. At the end, this is the number behind all descendants of the
  ///   parent.
  /// - Precondition: `position` is in its range; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest.
  public func number(ofInsertionAt position: Int, into parent: Branch) -> Int {
    checkBoundary(position, of: parent)
    if position == childCount(of: parent) { return descendants(of: parent).upperBound }
    return child(at: position, of: parent).number
  }

  /// Returns the numbers of the elements below a branch.
  ///
  ///     let tree = TreeIndex(depths: [0, 1, 2, 0])
  ///     tree.descendants(of: tree.locate(1).parent)        // 1..<3
  ///
  /// - Parameter branch: a branch of the index.
  /// - Returns: the numbers of the branch's descendants, in the forest that contains its children; empty where there
  ///   are none.
  /// - Precondition: `branch` is in the index; anything else traps.
  /// - Complexity: O(log n), n the number of events in the forest.
  public func descendants(of branch: Branch) -> Range<Int> {
    check(branch)
    if let forest = tree.branches.forest(branch.record) {
      return 0..<tree.forests[forest].part.root.sum.elements
    }
    let start = tree.elements(before: tree.place(of: branch.record)) + 1
    return start..<tree.elements(before: tree.closing(of: branch.record))
  }

  /// Returns whether a branch is collapsed.
  ///
  ///     TreeIndex().isCollapsed(TreeIndex.root)            // false
  ///
  /// - Parameter branch: a branch of the index.
  /// - Returns: whether the branch is an element without descendants; false for the root and for a piece that was cut
  ///   out.
  /// - Precondition: `branch` is in the index; anything else traps.
  /// - Complexity: O(1).
  public func isCollapsed(_ branch: Branch) -> Bool {
    check(branch)
    return tree.branches.forest(branch.record) != nil && tree.branches.openLeaf(branch.record) != noBlock
  }

  // MARK: Paths

  /// Returns the positions that lead to an element from the top of its forest.
  ///
  ///     TreeIndex(depths: [0, 1, 1]).path(to: 2)           // [0, 1]
  ///
  /// - Parameters:
  ///   - number: the element's number, as for `locate(_:in:)`.
  ///   - branch: the branch in whose forest it is counted, as for `locate(_:in:)`.
  /// - Returns: the position of each element above the element, from the top level down, and the element's own
  ///   position.
  /// - Precondition: as for `locate(_:in:)`.
  /// - Complexity: O(d log n), d the element's depth, n the number of events in the forest; less where the elements
  ///   above are near the element.
  public func path(to number: Int, in branch: Branch = root) -> [Int] {
    let (place, depth) = find(number, in: branch)
    return tree.path(to: place, depth: Int(depth))
  }

  /// Returns the number of the element at the end of a path.
  ///
  ///     let tree = TreeIndex(depths: [0, 1, 1])
  ///     tree.number(at: [0, 1])                            // 2
  ///     tree.number(at: [1])                               // nil
  ///
  /// - Parameters:
  ///   - path: the positions that lead to the element, as `path(to:in:)` returns them.
  ///   - branch: the branch in whose forest the path begins, as for `locate(_:in:)`.
  /// - Returns: the element's number, or nil where the path is empty or leads to no element of the forest. A path into
  ///   a leaf or a collapsed branch is an example.
  /// - Precondition: `branch` has a forest of its own; anything else traps.
  /// - Complexity: O(d log n), d the length of the path, n the number of events in the forest.
  @inlinable
  public func number(at path: some Sequence<Int>, in branch: Branch = root) -> Int? {
    var end = pathEnd(in: branch)
    for position in path where !advance(&end, to: position) { return nil }
    return number(at: end)
  }

  /// The end of a path that is followed position by position.
  @usableFromInline
  struct PathEnd {
    /// The branch at the end; nil where the element is a leaf or a collapsed branch.
    var branch: UInt32?
    /// The place of the element at the end; nil for the forest in which the path begins.
    var place: ShapeTree.Place?
  }

  @usableFromInline
  func pathEnd(in branch: Branch) -> PathEnd {
    _ = ownForest(of: branch)
    return PathEnd(branch: branch.record)
  }

  /// Follows the path to a child, and returns false where there is no such child.
  @usableFromInline
  func advance(_ end: inout PathEnd, to position: Int) -> Bool {
    guard let branch = end.branch, position >= 0, position < tree.branches.count(branch) else { return false }
    let place = tree.child(position, of: branch, at: end.place)
    let event = tree.event(place.slot, tree.leaves.lanes(place.leaf))
    end = PathEnd(branch: event.isKind(.open) ? event.record : nil, place: place)
    return true
  }

  @usableFromInline
  func number(at end: PathEnd) -> Int? { end.place.map { tree.elements(before: $0) } }
}
