import OffsetIndexing

/// The nodes of the tree that a view shows, by the view's records.
///
///     tree of nodes                 record  →  node
///     BranchTree                    record  →  handle             handle  →  record
///     any other                     record  →  object, which is held
///
/// A view that finds the handles in another way keeps no list of them.
///
/// The lists know no elements: the type of one that does is looked up at run time where it is used.
struct TreeSources<Element> {
  typealias Record = TreeIndex.Branch

  private struct Contents {
    /// The tree; nil when the view is being released.
    var root: (any TreeNode)?
    var nodes: [SourceBranch?]
    /// The records by the numbers of handles.
    var records: [Record?] = []
  }

  /// The tree, as long as its branches are known by handles.
  let tree: Cell<(any BranchTree<Element>)?>
  private let contents: Cell<Contents>
  /// Whether the nodes of records are kept here.
  let isKept: Bool

  /// Creates the list of a view of `root`.
  ///
  /// - Parameters:
  ///   - root: the tree.
  ///   - tree: the same, where its branches are known by handles.
  ///   - isKept: whether the nodes of records are kept here.
  init(_ root: any TreeNode<Element>, _ tree: (any BranchTree<Element>)?, isKept: Bool = true) {
    self.tree = Cell(tree)
    self.isKept = isKept
    contents = Cell(Contents(root: root, nodes: [tree == nil ? .object(root) : nil]))
  }

  func destroy() {
    tree.destroy()
    contents.destroy()
  }

  /// Lets a view follow the tree by handles, where there are any.
  func follow(_ view: any ShapeFollower) {
    if let tree = tree.value, tree.topBranch != nil { tree.add(view) }
  }

  /// Ends that.
  func stopFollowing(_ identity: ObjectIdentifier) { tree.value?.removeFollower(identity) }

  /// An edit of the tree as a change of its root.
  func change(_ edit: ShapeEdit) -> ChangeSet { tree.value!.change(edit) }

  /// How many trees in a row are read by handles.
  var handleDepth: Int { tree.value?.handleDepth ?? 0 }

  // MARK: Nodes

  /// A node that is held, with its element's type.
  private func typed(_ node: any TreeNode) -> any TreeNode<Element> {
    // Only such nodes come into the list, and both types are a reference and a table of witnesses.
    unsafe unsafeBitCast(node as any TreeNode, to: (any TreeNode<Element>).self)
  }

  /// A node as an object, which is made where there is none.
  func object(_ node: SourceBranch) -> any TreeNode<Element> {
    switch node {
    case .object(let object): typed(object)
    case .branch(let branch): tree.value!.object(of: branch)
    }
  }

  /// The same where the object is there already: one that nothing has asked for is held by nothing.
  func living(_ node: SourceBranch) -> (any TreeNode<Element>)? {
    switch node {
    case .object(let object): typed(object)
    case .branch(let branch): tree.value!.livingNode(of: branch)
    }
  }

  func count(_ node: SourceBranch) -> Int {
    switch node {
    case .object(let object): object.count
    case .branch(let branch): tree.value!.childCount(of: branch)
    }
  }

  func hasChildren(_ node: SourceBranch) -> Bool {
    switch node {
    case .object(let object): object.hasChildren
    case .branch(let branch): tree.value!.hasChildren(branch)
    }
  }

  /// Whether it is known that no child of a record's node is a node; asked where that spares looks at each of them.
  func hasOnlyLeaves(_ record: Record) -> Bool {
    switch node(record) {
    case .object(let object): object.hub.hasOnlyLeaves
    // Only the root is asked: a view of flat nodes knows it without a question for each child.
    case .branch: record == TreeIndex.root && tree.value!.hub.hasOnlyLeaves
    }
  }

  /// The child of a node that is a node itself; nil for a leaf, and where there is none.
  func child(at position: Int, of node: SourceBranch) -> SourceBranch? {
    switch node {
    case .object(let object): typed(object).child(at: position).map { .object($0) }
    case .branch(let branch): tree.value!.branch(at: position, of: branch).map { .branch($0) }
    }
  }

  /// The children in a range that are nodes themselves, ascending.
  ///
  /// - Parameters:
  ///   - range: their positions.
  ///   - node: the parent.
  ///   - isWanted: says which children are looked at; nil: all.
  /// - Returns: the nodes with their positions.
  func children(
    in range: Range<Int>, of node: SourceBranch, where isWanted: ((Int) -> Bool)? = nil
  ) -> [(position: Int, node: SourceBranch)] {
    switch node {
    case .object(let object): if object.hub.hasOnlyLeavesNow { return [] }
    case .branch(let branch):
      if isWanted == nil {
        return tree.value!.branches(in: range, of: branch).map { ($0.position, .branch($0.branch)) }
      }
    }
    var found: [(position: Int, node: SourceBranch)] = []
    for position in range where isWanted?(position) ?? true {
      if let child = child(at: position, of: node) { found.append((position, child)) }
    }
    return found
  }

  /// Returns the result of a closure that receives the reader of a node's children.
  func reading<Result>(_ node: SourceBranch, _ body: (NodeReader<Element>) -> Result) -> Result {
    switch node {
    case .object(let object): body(typed(object).reader)
    case .branch(let branch): tree.value!.reading(branch, body)
    }
  }

  // MARK: By record

  /// The node of a record.
  func node(_ record: Record) -> SourceBranch {
    // The root of a tree may get another handle.
    if record == TreeIndex.root, let tree = tree.value { return .branch(tree.rootBranch) }
    return contents.value.nodes[record.number]!
  }

  /// Whether the node of a record is still the child at a position, although that child is a leaf now.
  ///
  /// A node may become a leaf by losing its children. But the handle of a branch that was made a leaf may be another branch's.
  func isReadable(_ record: Record, at position: Int, of parent: SourceBranch) -> Bool {
    switch contents.value.nodes[record.number] {
    case .object: return true
    case .branch(let branch):
      guard let tree = tree.value, tree.contains(branch), let place = tree.place(of: branch) else { return false }
      return place.position == position && .branch(place.parent) == parent
    case nil: return false
    }
  }

  /// The record of a branch of the tree; nil where it has none.
  func record(of branch: TreeIndex.Branch) -> Record? {
    if branch == tree.value?.rootBranch { return TreeIndex.root }
    return branch.number < contents.value.records.count ? contents.value.records[branch.number] : nil
  }

  /// Keeps the node of a record.
  ///
  /// - Returns: the former one, where that was another one.
  @discardableResult
  func insert(_ node: SourceBranch, for record: Record) -> SourceBranch? {
    if !isKept { return nil }
    while contents.value.nodes.count <= record.number { contents.value.nodes.append(nil) }
    let former = contents.value.nodes[record.number]
    if let former, former == node { return nil }
    forgetHandle(of: record)
    contents.value.nodes[record.number] = node
    if case .branch(let branch) = node {
      while contents.value.records.count <= branch.number { contents.value.records.append(nil) }
      contents.value.records[branch.number] = record
    }
    return former
  }

  private func forgetHandle(of record: Record) {
    if case .branch(let branch)? = contents.value.nodes[record.number],
      contents.value.records[branch.number] == record
    {
      contents.value.records[branch.number] = nil
    }
  }

  /// Forgets the node of a record, and returns it where it was held.
  func remove(_ record: Record) -> (any TreeNode)? {
    guard record.number < contents.value.nodes.count, let node = contents.value.nodes[record.number] else { return nil }
    forgetHandle(of: record)
    contents.value.nodes[record.number] = nil
    return if case .object(let object) = node { object } else { nil }
  }

  /// All nodes that are held, to be released.
  func removeAll() -> [any TreeNode] {
    var held: [any TreeNode] = []
    for case .object(let object)? in contents.value.nodes { held.append(object) }
    if let root = contents.value.root { held.append(root) }
    contents.value = Contents(root: nil, nodes: [])
    tree.value = nil
    return held
  }

  /// Holds all nodes as objects from now on.
  func leaveTree() {
    guard isKept, let tree = tree.value else { return }
    insert(.object(tree), for: TreeIndex.root)
    for (number, node) in contents.value.nodes.enumerated() {
      // Nobody reads a branch that has left the tree since the view was brought up to date.
      if case .branch(let branch)? = node {
        contents.value.nodes[number] = tree.contains(branch) ? .object(tree.object(of: branch)) : nil
      }
    }
    contents.value.records = []
    self.tree.value = nil
  }
}

extension SourceBranch: Equatable {
  static func == (first: SourceBranch, second: SourceBranch) -> Bool {
    switch (first, second) {
    case (.object(let first), .object(let second)): first === second
    case (.branch(let first), .branch(let second)): first == second
    default: false
    }
  }
}
