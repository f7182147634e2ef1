typealias OrderStorage = TreeStorage<CountedTree<HandleLeaves>>

/// The storage that all empty sequences share, so that they need no memory. It always has more than one owner, so it is
/// never changed.
private let sharedOrderStorage = OrderStorage(CountedTree(limits: .handles, leaves: HandleLeaves()))

extension TreeStorage<CountedTree<HandleLeaves>> {
  /// The storage of every empty sequence.
  static var empty: OrderStorage { sharedOrderStorage }
}

extension OrderIndex {
  /// The tree, for reading.
  @inline(__always)
  var tree: Tree { unsafe storage.tree.pointee }

  /// Makes the tree this sequence's own, so that the sequence can change it.
  @inline(__always)
  mutating func makeUnique() -> UnsafeMutablePointer<Tree> {
    if !isKnownUniquelyReferenced(&storage) { copyStorage() }
    return unsafe storage.tree
  }

  @inline(never)
  private mutating func copyStorage() { storage = OrderStorage(tree.copy()) }

  /// Traps where the structure differs from the description at `CountedTree`, or where the table of handles is wrong.
  package func checkInvariants() { tree.checkInvariants() }

  /// Checks the invariants where the trait `InternalChecks` is on.
  @inline(__always)
  func checkAfterMutation() {
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
  }

  @inline(__always)
  func checkPosition(_ position: Int) {
    if position < 0 || position >= count { UnitTrap.position(position, of: "position", count: count) }
  }

  @inline(__always)
  func checkBoundary(_ position: Int) {
    if position < 0 || position > count { UnitTrap.boundary(position, count: count) }
  }

  /// Traps where `added` more handles don't fit.
  @inline(__always)
  func checkRoom(_ added: Int) {
    if added < 0 { UnitTrap.count(added, of: "handles") }
    if added > Self.maximumCount - count {
      UnitTrap.limit(count, adding: added, limit: Self.maximumCount, of: "handles")
    }
  }
}

extension CountedTree<HandleLeaves>.Limits {
  /// Leaves are filled to 29 of 31 handles. So the first insertions after a bulk build don't each split a leaf.
  static var handles: CountedTree<HandleLeaves>.Limits {
    CountedTree<HandleLeaves>.Limits(
      leafCapacity: HandleLeaves.capacity, leafFill: HandleLeaves.capacity - 2, fanOut: InnerNode.capacity)
  }
}
