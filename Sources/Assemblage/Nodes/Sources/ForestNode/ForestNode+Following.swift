public import OffsetIndexing

/// A node that shows a whole forest and keeps track of its branches by their handles.
///
/// It hears of an edit by the branch, and not by a path: that takes no time for the levels above.
protocol ShapeFollower: AnyObject {
  /// The hub of the node, which is a dependent of the forest's.
  var followingHub: NodeHub { get }

  /// Notes an edit, to be translated in its turn.
  func follow(_ edit: ShapeEdit)

  /// Says that the handles are going to be others: from now on the node hears of changes by path, as any other.
  func stopFollowing()
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

/// What has to be specialized for the element where a forest is made.
@safe @usableFromInline
struct ForestFunctions<Element> {
  @usableFromInline let reading: NodeReader<Element>.Functions
  /// The value of a child of a branch, in a tree of the storage at a place.
  let element: (UnsafeRawPointer, _ position: Int, TreeIndex.Branch, _ tree: Int) -> Element?
  /// Passes the values of some children.
  let spans:
    (UnsafeRawPointer, Range<Int>, TreeIndex.Branch, _ tree: Int, (_ start: Int, _ span: Span<Element>) -> Void) -> Void

  @usableFromInline
  init(
    reading: NodeReader<Element>.Functions,
    element: @escaping (UnsafeRawPointer, Int, TreeIndex.Branch, Int) -> Element?,
    spans:
      @escaping (
        UnsafeRawPointer, Range<Int>, TreeIndex.Branch, Int, (_ start: Int, _ span: Span<Element>) -> Void
      ) -> Void
  ) {
    self.reading = reading
    unsafe self.element = element
    unsafe self.spans = spans
  }

  @inlinable @inline(__always)
  static var specialized: Self {
    unsafe Self(
      reading: .reading(ForestNode<Element>.State.self),
      element: { storage, position, branch, tree in
        unsafe storage.assumingMemoryBound(to: ForestStorage<Element>.self).pointee.element(
          at: position, of: branch, in: tree)
      },
      spans: { storage, range, branch, tree, body in
        unsafe ForestStorage.forEachSpan(
          in: range, of: branch, in: tree, of: storage.assumingMemoryBound(to: ForestStorage<Element>.self), body)
      })
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
    unsafe arena.functions.spans(state.value.storage.place, range, branch, state.value.tree.index, body)
  }
}

// MARK: - Followers

extension ForestNode {
  /// Lets a node follow this forest, which is a root.
  func add(_ follower: any ShapeFollower) { state.value.followers.append(ForestFollower(follower)) }

  /// Ends that, also where the node is being released.
  func removeFollower(_ identity: ObjectIdentifier) { state.value.followers.removeAll { $0.identity == identity } }

  /// Lets all followers hear by path from now on, because the handles are going to be others.
  func releaseFollowers() {
    var followers: [ForestFollower] = []
    swap(&followers, &state.value.followers)
    for follower in followers { follower.node.stopFollowing() }
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
