typealias BitStorage = TreeStorage<CountedTree<BitLeaves>>

/// What all empty sequences share, so that they cost nothing; it is never changed, being never held once only.
private let sharedBitStorage = BitStorage(CountedTree(limits: .bits, leaves: BitLeaves()))

extension TreeStorage<CountedTree<BitLeaves>> {
  /// The storage of every empty sequence.
  static var empty: BitStorage { sharedBitStorage }
}

extension BitIndex {
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
  private mutating func copyStorage() { storage = BitStorage(tree.copy()) }
}
