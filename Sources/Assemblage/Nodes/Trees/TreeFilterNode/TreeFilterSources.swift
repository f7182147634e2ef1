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
    case branch(ForestNode<Element>, TreeIndex.Branch)
  }

  /// The tree, where it is a forest of which every branch has a record.
  private(set) var forest: ForestNode<Element>?
  private var objects: [(any TreeNode<Element>)?] = []

  init(_ root: any TreeNode<Element>, isEager: Bool) {
    if isEager { forest = root as? ForestNode<Element> }
    if forest == nil { objects = [root] }
  }

  /// The node of a record, where that is kept; nil in a forest.
  func object(_ record: Int) -> (any TreeNode<Element>)? { record < objects.count ? objects[record] : nil }

  /// Keeps the node of a record, where it is an object.
  mutating func insert(_ node: Node, for record: Int) {
    guard case .object(let object) = node else { return }
    while objects.count <= record { objects.append(nil) }
    objects[record] = object
  }

  /// Forgets the node of a record, and returns it where it was kept.
  mutating func remove(_ record: Int) -> (any TreeNode<Element>)? {
    guard record < objects.count else { return nil }
    defer { objects[record] = nil }
    return objects[record]
  }

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
    case .branch(let forest, let branch): forest.node(of: branch)
    }
  }

  /// The same, where it is there already: an object that nothing has asked for is held by nothing.
  var living: (any TreeNode<Element>)? {
    switch self {
    case .object(let object): object
    case .branch(let forest, let branch): forest.arena.member(branch)
    }
  }

  var count: Int {
    switch self {
    case .object(let object): object.count
    case .branch(let forest, let branch): forest.shape.childCount(of: branch)
    }
  }

  /// The child that is a node itself; nil for a leaf, and where there is none.
  func child(at position: Int) -> Self? {
    switch self {
    case .object(let object): object.child(at: position).map { .object($0) }
    case .branch(let forest, let branch):
      position >= 0 && position < count
        ? forest.shape.branch(at: position, of: branch).map { .branch(forest, $0) } : nil
    }
  }

  /// The children that are nodes themselves, of those that are wanted, ascending.
  func children(where isWanted: (Int) -> Bool) -> [(position: Int, node: Self)] {
    switch self {
    case .object(let object):
      var found: [(position: Int, node: Self)] = []
      if object.hub.hasOnlyLeaves { return found }
      for position in 0..<object.count where isWanted(position) {
        if let child = object.child(at: position) { found.append((position, .object(child))) }
      }
      return found
    case .branch(let forest, let branch):
      return forest.shape.branches(in: 0..<count, of: branch).filter { isWanted($0.position) }
        .map { ($0.position, .branch(forest, $0.branch)) }
    }
  }
}
