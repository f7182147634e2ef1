import OffsetIndexing

/// The nodes of the tree that is filtered, by record.
///
///     tree of nodes                    record  →  node
///     ForestNode, all of it known      record  →  number  →  branch
///     any other                        see `TreeSources`
///
/// Of a forest of which the filter knows the whole shape nothing is kept: a record's number leads to the branch. So nothing has
/// to be followed of branches that leave the forest, come back or become leaves.
struct TreeFilterSources<Element> {
  /// A node of the tree.
  enum Node {
    case object(any TreeNode<Element>)
    /// A branch of a forest, and the shape of that: to get it looks up the types of the forest at run time.
    case branch(ForestNode<Element>, TreeIndex, TreeIndex.Branch)
    /// A branch of another tree that is known by handles.
    case handle(any BranchTree<Element>, TreeIndex.Branch)
  }

  /// The tree, where it is a forest of which every branch has a record.
  private(set) var forest: ForestNode<Element>?
  /// Otherwise the nodes of records; in a forest, those of branches that are away.
  let nodes: TreeSources<Element>
  /// The records of branches that are away.
  private(set) var away: [TreeIndex.Branch] = []

  init(_ root: any TreeNode<Element>, isEager: Bool) {
    if isEager { forest = root as? ForestNode<Element> }
    nodes = TreeSources(root)
  }

  func destroy() { nodes.destroy() }

  /// How many trees in a row are read by handles.
  var handleDepth: Int { forest == nil ? nodes.handleDepth : 1 }

  /// Lets a view follow the tree by handles, where there are any.
  func follow(_ view: any ShapeFollower) {
    guard let forest else { return nodes.follow(view) }
    if forest.isRoot { forest.add(view) }
  }

  /// Ends that.
  func stopFollowing(_ identity: ObjectIdentifier) {
    if let forest { forest.removeFollower(identity) } else { nodes.stopFollowing(identity) }
  }

  /// An edit of the tree as those hear it who do not follow it.
  func change(_ edit: ShapeEdit) -> ChangeSet { forest?.change(edit) ?? nodes.change(edit) }

  /// The node of a record; nil where none is kept: in a forest, of what is not away.
  func kept(_ record: TreeIndex.Branch) -> Node? {
    forest == nil ? nodes.node(record) : away.isEmpty ? nil : nodes.held(record).map { .object($0) }
  }

  /// Keeps a branch that leaves a forest as a node.
  mutating func hold(_ node: any TreeNode, for record: TreeIndex.Branch) {
    nodes.hold(node, for: record)
    if forest != nil { away.append(record) }
  }

  /// Forgets the nodes of branches of a forest that are there again, or no more.
  mutating func forgetAway(where isBack: (TreeIndex.Branch) -> Bool) {
    for record in away where isBack(record) { _ = nodes.remove(record) }
    away.removeAll(where: isBack)
  }

  /// Keeps the node of a record.
  func insert(_ node: Node, for record: TreeIndex.Branch) {
    switch node {
    case .object(let object): nodes.insert(.object(object), for: record)
    case .branch: break
    case .handle(_, let branch): nodes.insert(.branch(branch), for: record)
    }
  }

  /// Forgets the node of a record, and returns it where it was held.
  func remove(_ record: TreeIndex.Branch) -> (any TreeNode<Element>)? {
    forest == nil || !away.isEmpty ? nodes.remove(record) : nil
  }

  /// Whether a node that had left is in the forest again.
  func contains(_ node: any TreeNode<Element>) -> Bool {
    guard let forest, let node = node as? ForestNode<Element> else { return false }
    return node.root === forest.root
  }

  /// The nodes that are held, to be released.
  mutating func removeAll() -> [any TreeNode] {
    forest = nil
    return nodes.removeAll()
  }
}

extension TreeSources {
  /// The node of a record.
  fileprivate func node(_ record: Record) -> TreeFilterSources<Element>.Node {
    branch(record).map { .handle(tree.value!, $0) } ?? .object(object(record))
  }
}

extension TreeFilterSources.Node {
  /// The node as an object, made where there is none.
  var object: any TreeNode<Element> {
    switch self {
    case .object(let object): object
    case .branch(let forest, _, let branch): forest.node(of: branch)
    case .handle(let tree, let branch): tree.object(of: branch)
    }
  }

  /// The same, where it is there already: an object that nothing has asked for is held by nothing.
  var living: (any TreeNode<Element>)? {
    switch self {
    case .object(let object): object
    case .branch(let forest, _, let branch): forest.arena.member(branch)
    case .handle(let tree, let branch): tree.livingNode(of: branch)
    }
  }

  var count: Int {
    switch self {
    case .object(let object): object.count
    case .branch(_, let shape, let branch): shape.childCount(of: branch)
    case .handle(let tree, let branch): tree.childCount(of: branch)
    }
  }

  var hasChildren: Bool {
    switch self {
    case .object(let object): object.hasChildren
    case .branch(_, let shape, let branch): shape.childCount(of: branch) > 0
    case .handle(let tree, let branch): tree.hasChildren(branch)
    }
  }

  /// The child that is a node itself; nil for a leaf, and where there is none.
  func child(at position: Int) -> Self? {
    switch self {
    case .object(let object): object.child(at: position).map { .object($0) }
    case .branch(let forest, let shape, let branch):
      position >= 0 && position < shape.childCount(of: branch)
        ? shape.branch(at: position, of: branch).map { .branch(forest, shape, $0) } : nil
    case .handle(let tree, let branch): tree.branch(at: position, of: branch).map { .handle(tree, $0) }
    }
  }

  /// The children in a range that are nodes themselves, of those that are wanted, ascending.
  func children(in range: Range<Int>, where isWanted: (Int) -> Bool) -> [(position: Int, node: Self)] {
    switch self {
    case .object(let object):
      var found: [(position: Int, node: Self)] = []
      if object.hub.hasOnlyLeavesNow { return found }
      for position in range where isWanted(position) {
        if let child = object.child(at: position) { found.append((position, .object(child))) }
      }
      return found
    case .branch(let forest, let shape, let branch):
      return shape.branches(in: range, of: branch).filter { isWanted($0.position) }
        .map { ($0.position, .branch(forest, shape, $0.branch)) }
    case .handle(let tree, let branch):
      let wanted = range.filter(isWanted)
      if wanted.count == range.count {
        return tree.branches(in: range, of: branch).map { ($0.position, .handle(tree, $0.branch)) }
      }
      return wanted.compactMap { position in
        tree.branch(at: position, of: branch).map { (position, .handle(tree, $0)) }
      }
    }
  }
}

extension ForestNode {
  /// The place of a descendant in the shape of the tree, by its number among this node's descendants; nil for a leaf.
  func place(ofDescendant number: Int) -> (shape: TreeIndex, branch: TreeIndex.Branch)? {
    let (branch, top, shape) = (state.value.branch, state.value.tree.top, state.value.storage.value.shape)
    let start = branch == top ? 0 : shape.descendants(of: branch).lowerBound
    return shape.depth(ofNumber: start + number, in: top).branch.map { (shape, $0) }
  }
}
