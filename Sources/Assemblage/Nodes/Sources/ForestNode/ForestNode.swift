public import OffsetIndexing

/// A whole tree of values in one node.
///
/// ```swift
/// let tree = ForestNode(value: "home", leaves: ["x.txt"])
/// tree.insert(ForestNode(value: "notes", leaves: ["a.md"]), at: 0)
/// tree[[0, 0]]                        // "a.md"
/// tree.insert("b.md", at: [0, 1])     // tree reports an insertion at [0, 1]
/// tree.insert("draft", at: [1, 0])    // "x.txt" becomes a branch
/// tree.descendantCount                // 5
/// ```
///
/// An element is a *leaf* or a *branch*. A branch is a node of the same kind. The node is created when it is first
/// asked for, and stays the same object while it is held. A branch whose node nobody asks for costs no object. An
/// element becomes a branch with its first child, and remains a branch when its last child leaves: a folder without
/// files is still a folder (`turnIntoLeaf(at:)`).
///
/// When a branch is removed, its node becomes the root of a separate forest, which can be read, changed, and inserted
/// again. Nodes that derive from this node, and its observers, stay with it. A move between parents is such a removal
/// and insertion: `move(from:to:)` of `TreeNode`.
///
/// The shape is a `TreeIndex`, and all elements lie in one chunked array, in document order. So the time to find a
/// branch, or to move a subtree, grows with the logarithm of the size, at any depth, and `snapshot().descendants` scans
/// memory. A branch takes about 40 bytes, and a leaf takes no more than its element; runs of leaves take almost
/// nothing.
public final class ForestNode<Element>: TreeNode, ReadableNode, DerivedNode, ElementUpdating {
  // The type is concrete: a hub that is read through `port` would be retained at each use.
  @usableFromInline let hub = NodeHub()
  @_spi(NodeAuthors)
  public var port: NodePort { hub }
  @usableFromInline let state: Cell<State>

  /// Creates the root of a new forest.
  @usableFromInline
  init(value: Element?, _ storage: consuming ForestStorage<Element>, _ functions: ForestFunctions<Element>) {
    state = Cell(State(arena: ForestArena(storage, functions), tree: .first, branch: TreeIndex.root))
    state.value.value = value
    hub.attach(to: self)
  }

  /// Creates the node of a tree that was cut out.
  init(_ arena: ForestArena<Element>, tree: ForestTree) {
    state = Cell(State(arena: arena, tree: tree, branch: tree.top))
    arena.addRoot(self)
    hub.attach(to: self)
  }

  /// Creates the node of a branch.
  private init(_ branch: TreeIndex.Branch, root: ForestNode) {
    state = Cell(State(arena: root.arena, tree: root.state.value.tree, branch: branch))
    state.value.root = root
    arena.add(self, for: branch)
    hub.attach(to: self)
    hub.becomePart(of: root.hub)
  }

  deinit {
    releaseSources()
    arena.forget(self, of: branch)
    if !hub.state.value.isPart { endTree() }
    state.destroy()
  }

  /// Ends the tree whose root is this node.
  private func endTree() {
    let (keeper, tree) = (arena.keeper, state.value.tree)
    arena.forgetRoot(self)
    keeper?.forget(tree.top)
    if isKnownUniquelyReferenced(&state.value.arena) { return }
    // Other trees still use the arena. The elements are released when no change of the storage is under way.
    let elements = arena.storage.value.removeTree(tree) { keeper?.forget($0) }
    withExtendedLifetime(elements) {}
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    guard let root = state.value.root else { return }
    arena.forget(self, of: branch)
    references.append(root)
    state.value.root = nil
  }

  /// The location of a branch: its handle, and the storage of everything below it.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    /// The storage of the arena. The state keeps the arena alive.
    @usableFromInline var storage: Cell<ForestStorage<Element>>
    @usableFromInline var tree: ForestTree
    @usableFromInline var branch: TreeIndex.Branch
    @usableFromInline var arena: ForestArena<Element>
    /// The root of the tree that holds this branch; nil: this node is the root itself.
    @usableFromInline var root: ForestNode?
    /// The nodes that follow a root by the handles of its branches.
    var followers = ShapeFollowers()
    /// The value of a root that is not an element.
    var value: Element?

    init(arena: ForestArena<Element>, tree: ForestTree, branch: TreeIndex.Branch) {
      storage = arena.storage
      self.arena = arena
      self.tree = tree
      self.branch = branch
    }

    @inlinable
    var count: Int { storage.value.shape.childCount(of: branch) }

    @inlinable
    func element(at position: Int) -> Element? {
      storage.value.element(at: position, of: branch, in: tree.index)
    }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let (branch, tree) = unsafe (state.pointee.branch, state.pointee.tree.index)
      unsafe ForestStorage.forEachSpan(
        in: range, of: branch, in: tree, of: UnsafePointer(state.pointee.storage.pointer), body)
    }
  }

  var arena: ForestArena<Element> { state.value.arena }

  @inlinable
  var branch: TreeIndex.Branch { state.value.branch }

  /// The root of the tree that holds this node.
  @inlinable
  var root: ForestNode { state.value.root ?? self }

  /// Whether the value is an element of the tree. It is one for each branch, and for a root that was cut out as a
  /// branch.
  @inlinable
  var isElement: Bool { branch != state.value.tree.top }

  // MARK: Reading

  /// The value of the node itself.
  ///
  /// A new value is reported as for a `BranchNode`: as an update of the value, and as an update of the child of a
  /// parent.
  ///
  /// - Precondition: a branch of the forest is not set to nil, because all elements of a forest have values.
  /// - Complexity: O(log n); to set it, also the propagation.
  public var value: Element? {
    get { isElement ? state.value.storage.value.element(of: branch, in: state.value.tree.index) : state.value.value }
    set { setValue(newValue) }
  }

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  /// Returns the node of a child, which is created when it is first asked for; nil for a leaf, or if there is no such
  /// child.
  public func child(at position: Int) -> (any TreeNode<Element>)? {
    guard position >= 0, position < count,
      let branch = shape.branch(at: position, of: branch)
    else { return nil }
    return node(of: branch)
  }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "ForestNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(arena.functions.reading) }

  /// Returns the node of a branch of this tree.
  @usableFromInline
  func node(of branch: TreeIndex.Branch) -> ForestNode {
    let root = root
    if branch == root.branch { return root }
    return arena.member(branch) ?? ForestNode(branch, root: root)
  }

  /// The element of a child.
  ///
  /// Setting it is an update, not a removal and an insertion.
  ///
  /// - Parameter position: `0..<count`.
  /// - Complexity: O(log n), and the propagation if it is set.
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      guard let element = element(at: position) else { trapPosition(position, count, "ForestNode") }
      return element
    }
    set { replace(at: position, with: newValue) }
  }

  /// Returns whether a child is a branch, which may have children, and not a leaf.
  ///
  /// Unlike `child(at:)`, this method creates no node.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: whether the child is a branch.
  /// - Complexity: O(log n).
  public func isBranch(at position: Int) -> Bool {
    checkPosition(position, in: count, of: "ForestNode")
    return shape.branch(at: position, of: branch) != nil
  }

  /// The number of elements at all depths below this node.
  ///
  /// - Complexity: O(log n).
  public var descendantCount: Int { shape.descendants(of: branch).count }

  /// The bytes of heap memory that the forest uses besides its elements, including the trees that were cut out of it.
  package var byteCount: Int {
    let storage = state.value.storage
    return storage.value.shape.byteCount
      + storage.value.contents.reduce(0) { $0 + ($1.capacity - $1.count) * MemoryLayout<Element>.stride }
  }

  /// Passes the elements at all depths below this node to a closure, in pieces that are contiguous in memory.
  ///
  /// The elements are in document order, each before the elements below it. This is a scan of arrays, as fast as the
  /// scan of a list, whatever the shape of the tree. A change that `body` makes affects neither the present piece nor
  /// the following ones.
  ///
  /// ```swift
  /// var count = 0
  /// tree.forEachDescendantSpan { span in count += span.count }
  /// ```
  ///
  /// - Parameter body: receives the pieces, which are never empty.
  /// - Complexity: O(log n + s) for s elements.
  @inlinable
  package func forEachDescendantSpan(_ body: (Span<Element>) -> Void) {
    let numbers = shape.descendants(of: branch)
    let elements = treeElements
    elements.forEachSpan(in: numbers) { body($1) }
  }
}

@available(*, unavailable)
extension ForestNode: Sendable {}
