import OffsetIndexing

/// A tree of values, or a view of such a tree, that names its branches by handles.
///
/// A view of this tree needs no object for a branch.
///
///     ForestNode        ◀── handles ──  TreeFilterNode  ◀── handles ──  TreeSortNode  ◀── handles ──  OutlineNode
///     its shape's                       its records                     its records
///
/// Only a root lends handles. A handle is valid until the change that removes its branch has been reported. When a
/// child is updated, or returns from elsewhere, the view asks for the child's handle again.
protocol BranchTree<Element>: TreeNode {
  typealias Branch = TreeIndex.Branch

  /// Whether a view that is being made gets handles.
  ///
  /// The view gets none if the node is no root or is a view of nodes. The same holds if too many views lie above the
  /// tree of values. To read through all of them by calls would take more stack than a thread may have.
  var lendsHandles: Bool { get }

  /// The handle of the node itself.
  var rootBranch: Branch { get }

  /// The number of trees that are read by handles, one through the other, to read this tree: 1 for a tree that has its
  /// values itself.
  var handleDepth: Int { get }

  /// Whether a handle belongs to a branch that is in the tree now.
  func contains(_ branch: Branch) -> Bool

  /// The number of a branch's children, which are looked at first if nobody has looked at them.
  func childCount(of branch: Branch) -> Int

  /// See `TreeNode.hasChildren`.
  func hasChildren(_ branch: Branch) -> Bool

  /// A child that is a node itself; nil for a leaf, and if there is no such child.
  func branch(at position: Int, of branch: Branch) -> Branch?

  /// The children in a range that are nodes themselves, ascending.
  func branches(in range: Range<Int>, of branch: Branch) -> [(position: Int, branch: Branch)]

  /// The node of a branch, which is made if there is none.
  func object(of branch: Branch) -> any TreeNode<Element>

  /// The node of a branch, if that node is alive.
  func livingNode(of branch: Branch) -> (any TreeNode<Element>)?

  /// Calls a closure with the reader of a branch's children, which is valid until the closure returns.
  func lendReader(of branch: Branch, to body: (NodeReader<Element>) -> Void)

  /// The place of a branch; nil for the node itself, and for a branch that is hidden.
  func place(of branch: Branch) -> (parent: Branch, position: Int)?

  /// Lets a node follow this tree, until the node is removed or `stopFollowing()` is called.
  func add(_ follower: any ShapeFollower)

  /// Stops a node from following this tree, also while the node is being released.
  func removeFollower(_ identity: ObjectIdentifier)
}

extension BranchTree {
  /// Whether a view lends handles, given the number of trees that it reads by handles.
  ///
  /// A view of nodes (0) lends none: long chains of nodes are read by walking. A view above more than seven trees lends
  /// none either, because each tree takes some frames of the stack.
  static func lendsHandles(above depth: Int) -> Bool { 1..<8 ~= depth }

  /// Returns the result of a closure that receives the reader of a branch's children.
  func reading<Result>(_ branch: Branch, _ body: (NodeReader<Element>) -> Result) -> Result {
    var result: Result?
    lendReader(of: branch) { result = body($0) }
    return result!
  }

  /// The value at a path from a branch, without a node for any branch; nil if there is no such place, and for `[]`.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  @inline(__always)
  func element(along path: IndexPath, from branch: Branch) -> Element? {
    guard let last = path.last, let parent = self.branch(along: path, path.count - 1, from: branch) else { return nil }
    var element: Element?
    lendReader(of: parent) { element = $0.element(at: last) }
    return element
  }

  /// The number of children at a path from a branch, without a node for any branch; nil if there is no such branch.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  func count(along path: IndexPath, from branch: Branch) -> Int? {
    self.branch(along: path, path.count, from: branch).map { childCount(of: $0) }
  }

  /// The branch at the end of the first `depth` components of a path, if there is one.
  @inline(__always)
  func branch(along path: IndexPath, _ depth: Int, from branch: Branch) -> Branch? {
    var branch = branch
    for depth in 0..<depth {
      guard let child = self.branch(at: path[depth], of: branch) else { return nil }
      branch = child
    }
    return branch
  }

  /// An edit as a change of the root.
  ///
  /// - Complexity: O(d · log n) at depth d.
  func change(_ edit: ShapeEdit) -> ChangeSet { wrapped(ChangeSet(edit.delta), of: edit.branch) }

  /// A change of a branch, as a change of the root.
  func wrapped(_ change: ChangeSet, of branch: Branch) -> ChangeSet {
    var (change, branch) = (change, branch)
    while let place = place(of: branch) {
      change.wrap(at: place.position)
      branch = place.parent
    }
    return change
  }
}

extension TreeNode {
  /// The node as a tree that lends handles; nil if the node is not such a tree.
  var branchTree: (any BranchTree<Element>)? {
    // The second cast takes 700 ns, and each branch of a tree of nodes is asked.
    guard hub.state.value.nesting != .none, self is any BranchTree, let tree = self as? any BranchTree<Element>,
      tree.lendsHandles
    else { return nil }
    return tree
  }
}

/// A node of the tree that a view shows, in the form that the view keeps.
///
/// The type is not generic over the element: a generic type is looked up at run time wherever the code uses it.
enum SourceBranch {
  case object(any TreeNode)
  case branch(TreeIndex.Branch)
}

extension NodeReader {
  /// Lends a reader of a state whose values are read through `depth` nodes.
  @inlinable @inline(__always)
  static func lend<State: NodeState & ~Copyable>(
    _ state: borrowing State, depth: Int, to body: (NodeReader<Element>) -> Void
  ) where State.Element == Element {
    unsafe withUnsafePointer(to: state) { state in
      let functions = Functions.reading(State.self)
      body(
        depth < callingDepth
          ? unsafe NodeReader(place: state, functions, depth: depth)
          : unsafe NodeReader(place: state, functions.walking))
    }
  }
}

// MARK: - Trees that keep their shape

extension ForestNode: BranchTree {
  var lendsHandles: Bool { isRoot }

  var handleDepth: Int { 1 }

  func contains(_ branch: Branch) -> Bool { contains(pending: branch) }

  func childCount(of branch: Branch) -> Int { shape.childCount(of: branch) }

  func hasChildren(_ branch: Branch) -> Bool { shape.childCount(of: branch) > 0 }

  func branch(at position: Int, of branch: Branch) -> Branch? {
    position >= 0 && position < shape.childCount(of: branch) ? shape.branch(at: position, of: branch) : nil
  }

  func branches(in range: Range<Int>, of branch: Branch) -> [(position: Int, branch: Branch)] {
    shape.branches(in: range, of: branch)
  }

  func object(of branch: Branch) -> any TreeNode<Element> { node(of: branch) }

  func livingNode(of branch: Branch) -> (any TreeNode<Element>)? { branch == root.branch ? root : arena.member(branch) }

  func lendReader(of branch: Branch, to body: (NodeReader<Element>) -> Void) {
    unsafe arena.functions.lend(state.value.storage.place, branch, state.value.tree.index, body)
  }

  func place(of branch: Branch) -> (parent: Branch, position: Int)? {
    guard branch != self.branch, let parent = shape.parent(of: branch) else { return nil }
    return (parent, shape.position(of: branch))
  }
}

extension HierarchyNode: BranchTree {
  var lendsHandles: Bool { forest.isRoot }

  var rootBranch: Branch { branch }

  var handleDepth: Int { 1 }

  func contains(_ branch: Branch) -> Bool { forest.contains(branch) }

  func childCount(of branch: Branch) -> Int { tree.count(of: branch) }

  func hasChildren(_ branch: Branch) -> Bool { tree.hasChildren(branch) }

  func branch(at position: Int, of branch: Branch) -> Branch? { tree.branch(at: position, of: branch) }

  func branches(in range: Range<Int>, of branch: Branch) -> [(position: Int, branch: Branch)] {
    tree.branches(in: range, of: branch) { _ in true }
  }

  func object(of branch: Branch) -> any TreeNode<Element> { tree.node(of: branch) }

  func livingNode(of branch: Branch) -> (any TreeNode<Element>)? {
    forest.livingNode(of: branch)?.hub.owner as? HierarchyNode
  }

  func lendReader(of branch: Branch, to body: (NodeReader<Element>) -> Void) {
    // The reader of the state does not load.
    tree.look(branch)
    forest.lendReader(of: branch, to: body)
  }

  func place(of branch: Branch) -> (parent: Branch, position: Int)? { forest.place(of: branch) }

  func add(_ follower: any ShapeFollower) { forest.add(follower) }

  func removeFollower(_ identity: ObjectIdentifier) { forest.removeFollower(identity) }
}
