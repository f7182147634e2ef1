import OffsetIndexing

/// The nodes of the tree that a view shows, by the view's records.
///
///     tree of nodes                 record  →  node
///     BranchTree                    record  →  handle             handle  →  record
///     any other                     record  →  object, which is held
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

  init(_ root: any TreeNode<Element>) {
    let tree = root.branchTree
    self.tree = Cell(tree)
    contents = Cell(Contents(root: root, nodes: [tree == nil ? .object(root) : nil]))
  }

  func destroy() {
    tree.destroy()
    contents.destroy()
  }

  /// Lets a view follow the tree by handles, where there are any.
  func follow(_ view: any ShapeFollower) { tree.value?.add(view) }

  /// Ends that.
  func stopFollowing(_ identity: ObjectIdentifier) { tree.value?.removeFollower(identity) }

  /// An edit of the tree as those hear it who do not follow it.
  func change(_ edit: ShapeEdit) -> ChangeSet { tree.value!.change(edit) }

  /// How many trees in a row are read by handles.
  var handleDepth: Int { tree.value?.handleDepth ?? 0 }

  // MARK: By record

  func insert(_ node: SourceBranch, for record: Record) {
    while contents.value.nodes.count <= record.number { contents.value.nodes.append(nil) }
    forgetHandle(of: record)
    contents.value.nodes[record.number] = node
    guard case .branch(let branch) = node else { return }
    while contents.value.records.count <= branch.number { contents.value.records.append(nil) }
    contents.value.records[branch.number] = record
  }

  /// The record of a branch of the tree; nil where it has none.
  func record(of branch: TreeIndex.Branch) -> Record? {
    if branch == tree.value?.topBranch { return TreeIndex.root }
    return branch.number < contents.value.records.count ? contents.value.records[branch.number] : nil
  }

  private func forgetHandle(of record: Record) {
    if case .branch(let branch)? = contents.value.nodes[record.number],
      contents.value.records[branch.number] == record
    {
      contents.value.records[branch.number] = nil
    }
  }

  /// Keeps a branch that leaves a forest as a node, in place of its handle.
  func hold(_ node: any TreeNode, for record: Record) {
    if tree.value is ForestNode<Element>, node is ForestNode<Element> { insert(.object(node), for: record) }
  }

  /// The node that is held for a record.
  func held(_ record: Record) -> (any TreeNode<Element>)? {
    guard record.number < contents.value.nodes.count, case .object(let object)? = contents.value.nodes[record.number]
    else { return nil }
    return typed(object)
  }

  /// Forgets the node of a record, and returns it where it was held.
  func remove(_ record: Record) -> (any TreeNode<Element>)? {
    guard record.number < contents.value.nodes.count, let node = contents.value.nodes[record.number] else { return nil }
    forgetHandle(of: record)
    contents.value.nodes[record.number] = nil
    guard case .object(let object) = node else { return nil }
    return typed(object)
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
    guard let tree = tree.value else { return }
    insert(.object(tree), for: TreeIndex.root)
    for (number, node) in contents.value.nodes.enumerated() {
      if case .branch(let branch)? = node { contents.value.nodes[number] = .object(tree.object(of: branch)) }
    }
    contents.value.records = []
    self.tree.value = nil
  }

  /// The node of a record.
  // The root of a tree may get another handle.
  private func node(_ record: Record) -> SourceBranch {
    if record == TreeIndex.root, let tree = tree.value { return .branch(tree.topBranch!) }
    return contents.value.nodes[record.number]!
  }

  /// The handle of a record's node; nil where that is held as an object.
  func branch(_ record: Record) -> TreeIndex.Branch? {
    if case .branch(let branch) = node(record) { branch } else { nil }
  }

  /// A node that is held as what it is known to be.
  private func typed(_ node: any TreeNode) -> any TreeNode<Element> {
    // Only such nodes come into the list, and both types are a reference and a table of witnesses.
    unsafe unsafeBitCast(node as any TreeNode, to: (any TreeNode<Element>).self)
  }

  /// The node of a record as an object, made where there is none.
  func object(_ record: Record) -> any TreeNode<Element> {
    if record == TreeIndex.root, let tree = tree.value { return tree }
    return switch node(record) {
    case .object(let object): typed(object)
    case .branch(let branch): tree.value!.object(of: branch)
    }
  }

  /// The same, where it is there already: an object that nothing has asked for is held by nothing.
  func living(_ record: Record) -> (any TreeNode<Element>)? {
    switch node(record) {
    case .object(let object): typed(object)
    case .branch(let branch): tree.value!.livingNode(of: branch)
    }
  }

  /// The number of the children of a record's node.
  func count(of record: Record) -> Int {
    switch node(record) {
    case .object(let object): object.count
    case .branch(let branch): tree.value!.childCount(of: branch)
    }
  }

  /// The number of the children of a child; nil where that is a leaf.
  func childCount(at position: Int, of record: Record) -> Int? {
    switch child(at: position, of: record) {
    case .object(let object): object.count
    case .branch(let branch): tree.value!.childCount(of: branch)
    case nil: nil
    }
  }

  func hasChildren(_ record: Record) -> Bool {
    switch node(record) {
    case .object(let object): object.hasChildren
    case .branch(let branch): tree.value!.hasChildren(branch)
    }
  }

  /// Whether it is known that no child of a record's node is a node; asked where that spares looks at each of them.
  func hasOnlyLeaves(_ record: Record) -> Bool {
    switch node(record) {
    case .object(let object): object.hub.hasOnlyLeaves
    // Asked of the root, it need not ask all views below for each child: where it stands on flat nodes, that is known.
    case .branch: record == TreeIndex.root && tree.value!.hub.hasOnlyLeaves
    }
  }

  /// The child of a record's node that is a node itself; nil for a leaf, and where there is none.
  func child(at position: Int, of record: Record) -> SourceBranch? {
    switch node(record) {
    case .object(let object): typed(object).child(at: position).map { .object($0) }
    case .branch(let branch): tree.value!.branch(at: position, of: branch).map { .branch($0) }
    }
  }

  /// The children in a range that are nodes themselves, ascending.
  func children(in range: Range<Int>, of record: Record) -> [(position: Int, node: SourceBranch)] {
    switch node(record) {
    case .object(let object):
      if object.hub.hasOnlyLeavesNow { return [] }
      let node = typed(object)
      return range.compactMap { position in node.child(at: position).map { (position, .object($0)) } }
    case .branch(let branch):
      if hasOnlyLeaves(record) { return [] }
      return tree.value!.branches(in: range, of: branch).map { ($0.position, .branch($0.branch)) }
    }
  }

  /// What a closure makes of what reads the children of a record's node.
  func reading<Result>(_ record: Record, _ body: (NodeReader<Element>) -> Result) -> Result {
    switch node(record) {
    case .object(let object): body(typed(object).reader)
    case .branch(let branch): tree.value!.reading(branch, body)
    }
  }

  // MARK: Handles that may be others

  /// Asks for a record's node again, where there are handles; it is now the child at a position.
  func findAgain(_ record: Record, at position: Int, of parent: Record) {
    if tree.value != nil, let child = child(at: position, of: parent) { insert(child, for: record) }
  }

  /// The same for all records below one.
  ///
  /// - Complexity: O(r · log n) for r records; O(1) where there are no handles.
  func findAgain(below record: Record, in translation: some TreeTranslation) {
    if tree.value == nil { return }
    var open = [record]
    while let record = open.popLast() {
      for child in translation.children(of: record).map(\.branch) {
        findAgain(child, at: translation.position(of: child), of: record)
        open.append(child)
      }
    }
  }
}
