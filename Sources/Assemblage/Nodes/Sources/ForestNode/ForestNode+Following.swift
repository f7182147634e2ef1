public import OffsetIndexing

/// The functions that must be specialized for the element, at the place where a forest is created.
@safe @usableFromInline
struct ForestFunctions<Element> {
  @usableFromInline let reading: NodeReader<Element>.Functions
  /// Returns the value of a child of a branch, in a tree of the storage at an address.
  let element: (UnsafeRawPointer, _ position: Int, TreeIndex.Branch, _ tree: Int) -> Element?
  /// Lends a reader of a branch, in a tree of the storage at an address.
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

/// A branch of a forest that is read without a node.
@safe @usableFromInline
struct ForestBranch<Element>: NodeState {
  // Points to the forest's storage, which is kept alive meanwhile.
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

// The methods that followers use to read.
extension ForestNode {
  /// Returns the value of a child of a branch of this tree; nil if there is no such child.
  func element(at position: Int, of branch: TreeIndex.Branch) -> Element? {
    unsafe arena.functions.element(state.value.storage.place, position, branch, state.value.tree.index)
  }

  /// Passes the values of a range of children to a closure, in pieces that are contiguous in memory.
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

  /// Makes all followers receive changes by path from now on, because the handles will change.
  ///
  /// The followers make nodes for branches, and read them. That settles nothing: this forest may be in the middle of a
  /// move.
  func releaseFollowers() {
    let followers = state.value.followers.removeAll()
    if followers.isEmpty { return }
    hub.graph.freezing { followers.stopFollowing() }
  }
}
