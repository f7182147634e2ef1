public import OffsetIndexing

/// What keeps handles of a forest's branches.
protocol BranchHolder: AnyObject {
  /// Says that the handles are going to be others: from now on it has to hold nodes.
  func stopFollowing()
}

/// A node that shows a whole forest and keeps track of its branches by their handles.
///
/// It hears of an edit by the branch, and not by a path: that takes no time for the levels above.
protocol ShapeFollower: BranchHolder {
  /// The hub of the node, which is a dependent of the forest's.
  var followingHub: NodeHub { get }

  /// Notes an edit, to be translated in its turn.
  func follow(_ edit: ShapeEdit)
}

/// A node that follows a forest; it removes itself before it dies.
struct ForestFollower {
  unowned let node: any ShapeFollower
  /// Tells the node from others when it dies: by then the reference can't be read.
  let identity: ObjectIdentifier

  init(_ node: any ShapeFollower) {
    self.node = node
    identity = ObjectIdentifier(node)
  }
}

/// A node that keeps handles of a forest's branches; it removes itself before it dies.
struct ForestHolder {
  unowned let node: any BranchHolder
  /// See `ForestFollower.identity`.
  let identity: ObjectIdentifier

  init(_ node: any BranchHolder) {
    self.node = node
    identity = ObjectIdentifier(node)
  }
}

/// What has to be specialized for the element where a forest is made.
@safe @usableFromInline
struct ForestFunctions<Element> {
  @usableFromInline let reading: NodeReader<Element>.Functions
  /// Lends what reads a branch, in a tree of the storage at a place.
  let lend: (UnsafeRawPointer, TreeIndex.Branch, _ tree: Int, (NodeReader<Element>) -> Void) -> Void

  @usableFromInline
  init(
    reading: NodeReader<Element>.Functions,
    lend: @escaping (UnsafeRawPointer, TreeIndex.Branch, Int, (NodeReader<Element>) -> Void) -> Void
  ) {
    self.reading = reading
    unsafe self.lend = lend
  }

  @inlinable @inline(__always)
  static var specialized: Self {
    unsafe Self(
      reading: .reading(ForestNode<Element>.State.self),
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
    reading(branch) { $0.element(at: position) }
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
  /// Lets a node follow this forest, which is a root.
  func add(_ follower: any ShapeFollower) { state.value.followers.append(ForestFollower(follower)) }

  /// Ends that, also where the node is being released.
  func removeFollower(_ identity: ObjectIdentifier) { state.value.followers.removeAll { $0.identity == identity } }

  /// Lets a node that hears by path keep handles of this forest, which is a root.
  func addHolder(_ holder: any BranchHolder) { state.value.holders.append(ForestHolder(holder)) }

  /// Ends that, also where the node is being released.
  func removeHolder(_ identity: ObjectIdentifier) { state.value.holders.removeAll { $0.identity == identity } }

  /// Lets all followers hear by path from now on, and holders keep nodes, because the handles are going to be others.
  func releaseFollowers() {
    var followers: [ForestFollower] = []
    var holders: [ForestHolder] = []
    swap(&followers, &state.value.followers)
    swap(&holders, &state.value.holders)
    for follower in followers { follower.node.stopFollowing() }
    for holder in holders { holder.node.stopFollowing() }
  }

  /// Tells the followers of an edit.
  ///
  /// - Returns: whether anything else hears of changes.
  func tellFollowers(_ edit: ShapeEdit, in graph: Graph) -> Bool {
    for follower in state.value.followers {
      let node = follower.node
      let hub = node.followingHub
      node.follow(edit)
      hub.state.value.hasHeard = true
      graph.schedule(hub)
    }
    return !hub.state.value.observers.isEmpty || hub.state.value.dependents.count > state.value.followers.count
  }
}
