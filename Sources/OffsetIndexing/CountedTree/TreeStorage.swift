/// A structure in memory that it does not own in the sense of a value.
protocol StoredTree {
  /// A second one of the same shape, in memory of its own.
  func copy() -> Self
  /// Gives the memory back; the structure must not be used afterwards.
  func releaseAll()
}

/// What the copies of an index share: a tree, freed with the last of them.
///
/// `@unchecked Sendable`: the tree is changed only by an index that holds the sole reference (`makeUnique`), so that
/// others that can read it do so while it is not written. It is behind a pointer so that reading it takes no dynamic
/// exclusivity check; the pointer itself never changes.
@safe
final class TreeStorage<Tree: StoredTree>: @unchecked Sendable {
  let tree: UnsafeMutablePointer<Tree>

  init(_ tree: Tree) {
    unsafe self.tree = .allocate(capacity: 1)
    unsafe self.tree.initialize(to: tree)
  }

  deinit {
    unsafe tree.pointee.releaseAll()
    unsafe tree.deinitialize(count: 1)
    unsafe tree.deallocate()
  }
}
