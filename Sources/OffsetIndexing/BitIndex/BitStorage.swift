/// What the copies of a bit index share: a tree, freed with the last of them.
///
/// `@unchecked Sendable`: the tree is changed only by a `BitIndex` that holds the sole reference (`makeUnique`), so
/// that whoever else can read it does so while nobody writes. It is behind a pointer so that reading it takes no
/// dynamic exclusivity check; the pointer itself never changes.
@safe
final class BitStorage: @unchecked Sendable {
  /// What all empty sequences share, so that they cost nothing; it is never changed, being never held once only.
  static let empty = BitStorage(CountedTree(limits: .bits, leaves: BitLeaves()))

  let tree: UnsafeMutablePointer<CountedTree<BitLeaves>>

  init(_ tree: CountedTree<BitLeaves>) {
    unsafe self.tree = .allocate(capacity: 1)
    unsafe self.tree.initialize(to: tree)
  }

  deinit {
    unsafe tree.pointee.releaseAll()
    unsafe tree.deinitialize(count: 1)
    unsafe tree.deallocate()
  }
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
