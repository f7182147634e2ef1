typealias OrderStorage = TreeStorage<CountedTree<HandleLeaves>>

/// What all empty sequences share, so that they cost nothing; it is never changed, being never held once only.
private let sharedOrderStorage = OrderStorage(CountedTree(limits: .handles, leaves: HandleLeaves()))

extension TreeStorage<CountedTree<HandleLeaves>> {
  /// The storage of every empty sequence.
  static var empty: OrderStorage { sharedOrderStorage }
}

extension OrderIndex {
  /// The tree, to be read.
  @inline(__always)
  var tree: Tree { unsafe storage.tree.pointee }

  /// Makes the tree this sequence's own, to be changed.
  @inline(__always)
  mutating func makeUnique() -> UnsafeMutablePointer<Tree> {
    if !isKnownUniquelyReferenced(&storage) { copyStorage() }
    return unsafe storage.tree
  }

  @inline(never)
  private mutating func copyStorage() { storage = OrderStorage(tree.copy()) }

  /// Traps where the structure is not as `CountedTree` describes it, or the table of handles is wrong.
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

  /// Traps where `added` handles more than there are don't fit.
  @inline(__always)
  func checkRoom(_ added: Int) {
    if added < 0 { UnitTrap.count(added, of: "handles") }
    if added > Self.maximumCount - count {
      UnitTrap.limit(count, adding: added, limit: Self.maximumCount, of: "handles")
    }
  }
}

extension CountedTree<HandleLeaves>.Limits {
  /// Leaves are filled to 29 of 31 handles, so that the first insertions after a bulk build don't each split one.
  static var handles: CountedTree<HandleLeaves>.Limits {
    CountedTree<HandleLeaves>.Limits(
      leafCapacity: HandleLeaves.capacity, leafFill: HandleLeaves.capacity - 2, fanOut: InnerNode.capacity)
  }
}
