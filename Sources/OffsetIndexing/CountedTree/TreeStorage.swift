/// What the copies of a bit index, or of an order index, share: a tree, freed with the last of them.
///
/// `@unchecked Sendable`: the tree is changed only by an index that holds the sole reference (`makeUnique`), so that
/// others that can read it do so while it is not written. It is behind a pointer so that reading it takes no dynamic
/// exclusivity check; the pointer itself never changes.
@safe
final class TreeStorage<Leaves: LeafStore>: @unchecked Sendable {
  let tree: UnsafeMutablePointer<CountedTree<Leaves>>

  init(_ tree: CountedTree<Leaves>) {
    unsafe self.tree = .allocate(capacity: 1)
    unsafe self.tree.initialize(to: tree)
  }

  deinit {
    unsafe tree.pointee.releaseAll()
    unsafe tree.deinitialize(count: 1)
    unsafe tree.deallocate()
  }
}
