import OffsetIndexing

/// The nodes of the tree that is filtered, by record.
///
///     tree of nodes      record  →  node
///     ForestNode         record  →  path  →  branch
///
/// Of a forest nothing is kept: the filter knows its whole shape, so that a record's path leads to the branch, and no branch
/// needs an object. So nothing has to be followed of branches that leave the forest, come back or become leaves.
struct TreeFilterSources<Element> {
  /// A node of the tree.
  enum Node {
    case object(any TreeNode<Element>)
    /// A branch of a forest, and the shape of that: to get it looks up the types of the forest at run time.
    case branch(ForestNode<Element>, TreeIndex, TreeIndex.Branch)
  }

  /// The tree, where it is a forest of which every branch has a record.
  private(set) var forest: ForestNode<Element>?
  private var objects: [(any TreeNode<Element>)?] = []

  init(_ root: any TreeNode<Element>, isEager: Bool) {
    if isEager { forest = root as? ForestNode<Element> }
    if forest == nil { objects = [root] }
  }

  /// The node of a record, where that is kept; nil in a forest.
  func object(_ record: TreeIndex.Branch) -> (any TreeNode<Element>)? {
    record.number < objects.count ? objects[record.number] : nil
  }

  /// Keeps the node of a record, where it is an object.
  mutating func insert(_ node: Node, for record: TreeIndex.Branch) {
    guard case .object(let object) = node else { return }
    while objects.count <= record.number { objects.append(nil) }
    objects[record.number] = object
  }

  /// Forgets the node of a record, and returns it where it was kept.
  mutating func remove(_ record: TreeIndex.Branch) -> (any TreeNode<Element>)? {
    guard record.number < objects.count else { return nil }
    defer { objects[record.number] = nil }
    return objects[record.number]
  }

  /// How many trees in a row are read by handles.
  var handleDepth: Int { forest == nil ? 0 : 1 }

  /// Whether a node that had left is in the forest again.
  func contains(_ node: any TreeNode<Element>) -> Bool {
    guard let forest, let node = node as? ForestNode<Element> else { return false }
    return node.root === forest.root
  }

  /// The nodes that are held, to be released.
  mutating func removeAll() -> [any TreeNode<Element>] {
    let held = objects.compactMap { $0 } + (forest.map { [$0] } ?? [])
    (objects, forest) = ([], nil)
    return held
  }
}

extension TreeFilterSources.Node {
  /// The node as an object, made where there is none.
  var object: any TreeNode<Element> {
    switch self {
    case .object(let object): object
    case .branch(let forest, _, let branch): forest.node(of: branch)
    }
  }

  /// The same, where it is there already: an object that nothing has asked for is held by nothing.
  var living: (any TreeNode<Element>)? {
    switch self {
    case .object(let object): object
    case .branch(let forest, _, let branch): forest.arena.member(branch)
    }
  }

  var count: Int {
    switch self {
    case .object(let object): object.count
    case .branch(_, let shape, let branch): shape.childCount(of: branch)
    }
  }

  var hasChildren: Bool {
    switch self {
    case .object(let object): object.hasChildren
    case .branch(_, let shape, let branch): shape.childCount(of: branch) > 0
    }
  }

  /// The child that is a node itself; nil for a leaf, and where there is none.
  func child(at position: Int) -> Self? {
    switch self {
    case .object(let object): object.child(at: position).map { .object($0) }
    case .branch(let forest, let shape, let branch):
      position >= 0 && position < shape.childCount(of: branch)
        ? shape.branch(at: position, of: branch).map { .branch(forest, shape, $0) } : nil
    }
  }

  /// The children in a range that are nodes themselves, of those that are wanted, ascending.
  func children(in range: Range<Int>, where isWanted: (Int) -> Bool) -> [(position: Int, node: Self)] {
    switch self {
    case .object(let object):
      var found: [(position: Int, node: Self)] = []
      if object.hub.hasOnlyLeaves { return found }
      for position in range where isWanted(position) {
        if let child = object.child(at: position) { found.append((position, .object(child))) }
      }
      return found
    case .branch(let forest, let shape, let branch):
      return shape.branches(in: range, of: branch).filter { isWanted($0.position) }
        .map { ($0.position, .branch(forest, shape, $0.branch)) }
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
