/// A structure in memory that it does not own as a value does.
protocol StoredTree {
  /// A second structure of the same shape, in memory of its own.
  func copy() -> Self
  /// Frees the memory. The structure must not be used afterwards.
  func releaseAll()
}

/// The tree that the copies of an index share. The last copy frees the tree.
///
/// `@unchecked Sendable`: only an index that holds the sole reference (`makeUnique`) changes the tree. So other owners
/// never read the tree while it is written. The tree is behind a pointer, so that a read needs no dynamic exclusivity
/// check. The pointer itself never changes.
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
