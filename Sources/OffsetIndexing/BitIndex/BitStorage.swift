typealias BitStorage = TreeStorage<CountedTree<BitLeaves>>

/// The storage that all empty sequences share, so that they need no memory. It always has more than one owner, so it is
/// never changed.
private let sharedBitStorage = BitStorage(CountedTree(limits: .bits, leaves: BitLeaves()))

extension TreeStorage<CountedTree<BitLeaves>> {
  /// The storage of every empty sequence.
  static var empty: BitStorage { sharedBitStorage }
}

extension BitIndex {
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
  private mutating func copyStorage() { storage = BitStorage(tree.copy()) }
}
