public import OffsetIndexing

/// What has to be specialized for the element where a forest is made.
@safe @usableFromInline
struct ForestFunctions<Element> {
  @usableFromInline let reading: NodeReader<Element>.Functions
  /// The value of a child of a branch, in a tree of the storage at a place.
  let element: (UnsafeRawPointer, _ position: Int, TreeIndex.Branch, _ tree: Int) -> Element?
  /// Lends what reads a branch, in a tree of the storage at a place.
  let lend: (UnsafeRawPointer, TreeIndex.Branch, _ tree: Int, (NodeReader<Element>) -> Void) -> Void

  @usableFromInline
  init(
    reading: NodeReader<Element>.Functions,
    element: @escaping (UnsafeRawPointer, Int, TreeIndex.Branch, Int) -> Element?,
    lend: @escaping (UnsafeRawPointer, TreeIndex.Branch, Int, (NodeReader<Element>) -> Void) -> Void
  ) {
    self.reading = reading
    unsafe self.element = element
    unsafe self.lend = lend
  }

  @inlinable @inline(__always)
  static var specialized: Self {
    unsafe Self(
      reading: .reading(ForestNode<Element>.State.self),
      element: { storage, position, branch, tree in
        unsafe storage.assumingMemoryBound(to: ForestStorage<Element>.self).pointee.element(
          at: position, of: branch, in: tree)
      },
      lend: { storage, branch, tree, body in
        let state = unsafe ForestBranch(
          storage: storage.assumingMemoryBound(to: ForestStorage<Element>.self), branch, tree: tree)
        NodeReader.lend(state, depth: 0, to: body)
      })
  }
}

/// A branch of a forest, as it is read without a node.
@safe @usableFromInline
struct ForestBranch<Element>: NodeState {
  // The forest's, which is held meanwhile.
  @usableFromInline let storage: UnsafePointer<ForestStorage<Element>>
  @usableFromInline let branch: TreeIndex.Branch
  @usableFromInline let tree: Int

  @inlinable
  init(storage: UnsafePointer<ForestStorage<Element>>, _ branch: TreeIndex.Branch, tree: Int) {
    unsafe self.storage = storage
    self.branch = branch
    self.tree = tree
  }

  @inlinable
  var count: Int { unsafe storage.pointee.shape.childCount(of: branch) }

  @inlinable
  func element(at position: Int) -> Element? { unsafe storage.pointee.element(at: position, of: branch, in: tree) }

  @inlinable
  static func forEachSpan(
    in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    let copy = unsafe state.pointee
    unsafe ForestStorage.forEachSpan(in: range, of: copy.branch, in: copy.tree, of: copy.storage, body)
  }
}

// What followers read.
extension ForestNode {
  /// The value of a child of a branch of this tree; nil where there is no such child.
  func element(at position: Int, of branch: TreeIndex.Branch) -> Element? {
    unsafe arena.functions.element(state.value.storage.place, position, branch, state.value.tree.index)
  }

  /// The same for a range of children, in pieces that are contiguous in memory.
  @usableFromInline
  func forEachSpan(
    in range: Range<Int>, of branch: TreeIndex.Branch, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    lendReader(of: branch) { $0.forEachSpan(in: range, body) }
  }
}

// MARK: - Followers

extension ForestNode {
  func add(_ follower: any ShapeFollower) { state.value.followers.add(follower) }

  func removeFollower(_ identity: ObjectIdentifier) { state.value.followers.remove(identity) }

  /// Lets all followers hear by path from now on, because the handles are going to be others.
  func releaseFollowers() {
    for follower in state.value.followers.removeAll() { follower.stopFollowing() }
  }
}
