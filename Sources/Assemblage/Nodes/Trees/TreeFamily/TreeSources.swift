public import OffsetIndexing

/// The nodes of the tree that a view shows, by the view's records.
///
///     BranchTree              record  →  handle            handle  →  record
///     any other tree          record  →  object, reader
///
/// A handle needs no object. An edit of a tree names the branch, so that the record is found without a path. A view
/// that finds the handles in another way keeps no lists. Only a view that reads values by record keeps readers.
///
/// The lists are not generic over the element: a generic type is looked up at run time wherever the code uses it. Only
/// `copy()` copies the whole. With a copy for each question of a view, `benchmark --suite tree-sort --operation build`
/// took 1.2 times as long.
@usableFromInline
struct TreeSources<Element>: ~Copyable {
  @usableFromInline typealias Record = TreeIndex.Branch

  /// The lists that a view keeps.
  enum Lists { case none, nodes, nodesAndReaders }

  /// The tree; nil when the view is being released.
  private(set) var root: (any TreeNode<Element>)?

  /// The tree, as long as its branches are known by handles.
  private(set) var tree: (any BranchTree<Element>)?

  /// The forest that has the tree's values, if these are read directly.
  @usableFromInline private(set) var forest: ForestNode<Element>?

  /// The hierarchy that the forest belongs to. A leaf of the forest may have children in the hierarchy.
  private(set) var hierarchy: HierarchyTree<Element>?

  /// Whether there is a hierarchy. To read `hierarchy` itself would count references.
  @usableFromInline private(set) var isHierarchy = false

  private let lists: Lists
  private var objects: [(any TreeNode)?] = []
  @usableFromInline private(set) var readers: [StoredReader?] = []
  @usableFromInline private(set) var branches: [TreeIndex.Branch?] = []
  /// The records by the numbers of handles.
  private var records: [Record?] = []

  /// Creates the list of a view of `root`.
  ///
  /// - Parameters:
  ///   - root: the tree.
  ///   - tree: the same tree, if its branches are known by handles.
  ///   - lists: the lists that the view keeps.
  init(_ root: any TreeNode<Element>, _ tree: (any BranchTree<Element>)?, _ lists: Lists) {
    self.root = root
    self.tree = tree
    self.lists = lists
    if let node = root as? HierarchyNode<Element>, tree != nil {
      (forest, hierarchy, isHierarchy) = (node.forest, node.tree, true)
    } else if tree != nil {
      forest = root as? ForestNode<Element>
    }
    if tree == nil { insert(.object(root), for: TreeIndex.root) } else { branches = [nil] }
  }

  private init(copying other: borrowing TreeSources) {
    (root, tree, forest) = (other.root, other.tree, other.forest)
    (hierarchy, isHierarchy, lists) = (other.hierarchy, other.isHierarchy, other.lists)
    (objects, readers, branches, records) = (other.objects, other.readers, other.branches, other.records)
  }

  /// A copy of the lists, for a visit during which the view may change.
  @usableFromInline
  func copy() -> TreeSources { TreeSources(copying: self) }

  /// Whether the nodes of records are kept here.
  var isKept: Bool { lists != .none }

  /// Whether nodes are kept as objects.
  var holdsObjects: Bool { tree == nil }

  /// Whether readers are kept, in a view that has been made.
  @inlinable
  var hasReaders: Bool { !readers.isEmpty }

  // MARK: Following

  /// Lets a view follow the tree by handles, if there are any.
  func follow(_ view: any ShapeFollower) {
    if let tree, tree.lendsHandles { tree.add(view) }
  }

  /// Stops a view from following the tree.
  func stopFollowing(_ identity: ObjectIdentifier) { tree?.removeFollower(identity) }

  /// An edit of the tree as a change of its root.
  func change(_ edit: ShapeEdit) -> ChangeSet { tree!.change(edit) }

  /// The number of trees, one through the other, that are read by handles.
  var handleDepth: Int { tree?.handleDepth ?? 0 }

  // MARK: By record

  // The functions that each row or edit needs are inlined: a call would copy the lists, and look up this type at run
  // time.

  /// The node of a record.
  @inline(__always)
  func node(_ record: Record) -> SourceBranch {
    tree == nil ? .object(objects[record.number]!) : .branch(branch(record))
  }

  /// The handle of a record's node, in a tree that is known by handles.
  @inline(__always)
  func branch(_ record: Record) -> TreeIndex.Branch {
    record == TreeIndex.root ? rootBranch! : branches[record.number]!
  }

  /// The handle of the root. This handle is not kept, because the root of a forest may get another one.
  @inline(__always)
  private var rootBranch: TreeIndex.Branch? { forest?.branch ?? tree?.rootBranch }

  /// Whether the node of a record is still the child at a position, although that child is a leaf now.
  ///
  /// A node may become a leaf by losing its children. But if a branch was made a leaf, another branch may have its
  /// handle now.
  func isReadable(_ record: Record, at position: Int, of parent: SourceBranch) -> Bool {
    guard let tree else { return record.number < objects.count && objects[record.number] != nil }
    guard let branch = branches[record.number], tree.contains(branch), let place = tree.place(of: branch) else {
      return false
    }
    return place.position == position && .branch(place.parent) == parent
  }

  /// The record of a branch of the tree; nil if the branch has none.
  @inline(__always)
  func record(of branch: TreeIndex.Branch) -> Record? {
    if branch == rootBranch { return TreeIndex.root }
    return branch.number < records.count ? records[branch.number] : nil
  }

  /// Keeps the node of a record.
  ///
  /// - Returns: the former node, if that was a different one.
  @discardableResult
  mutating func insert(_ node: SourceBranch, for record: Record) -> SourceBranch? {
    if !isKept { return nil }
    let number = record.number
    switch node {
    case .object(let object):
      let former = number < objects.count ? objects[number] : nil
      if former === object { return nil }
      // The reader is made before anything is changed, because a user's node may read the view.
      let reader = lists == .nodesAndReaders ? StoredReader(typed(object).reader) : nil
      while objects.count <= number { objects.append(nil) }
      objects[number] = object
      if let reader {
        while readers.count <= number { readers.append(nil) }
        readers[number] = reader
      }
      return former.map { .object($0) }
    case .branch(let branch):
      while branches.count <= number { branches.append(nil) }
      while records.count <= branch.number { records.append(nil) }
      let former = branches[number]
      if let former, former != branch, records[former.number] == record { records[former.number] = nil }
      branches[number] = branch
      records[branch.number] = record
      return former == branch ? nil : former.map { .branch($0) }
    }
  }

  /// Forgets the node of a record, and returns the node if it is an object.
  mutating func remove(_ record: Record) -> (any TreeNode)? {
    guard holdsObjects else {
      guard record.number < branches.count, let branch = branches[record.number] else { return nil }
      if records[branch.number] == record { records[branch.number] = nil }
      branches[record.number] = nil
      return nil
    }
    guard record.number < objects.count else { return nil }
    if record.number < readers.count { readers[record.number] = nil }
    defer { objects[record.number] = nil }
    return objects[record.number]
  }

  /// Gives up all nodes that are held, to be released.
  mutating func removeAll(to references: inout [any TreeNode]) {
    for case let object? in objects { references.append(object) }
    if let root { references.append(root) }
    (root, tree, forest, hierarchy, isHierarchy) = (nil, nil, nil, nil, false)
    (objects, readers, branches, records) = ([], [], [], [])
  }

  /// Reserves space for a number of records.
  mutating func reserve(_ count: Int) {
    guard holdsObjects else { return branches.reserveCapacity(count) }
    objects.reserveCapacity(count)
    readers.reserveCapacity(count)
  }

  /// Holds all nodes as objects from now on.
  mutating func leaveTree() {
    guard isKept, let tree else { return }
    let nodes = branches.compactMap { branch -> (record: Record, node: SourceBranch)? in
      // Nobody reads a branch that has left the tree since the view was brought up to date.
      guard let branch, let record = records[branch.number], record != TreeIndex.root, tree.contains(branch) else {
        return nil
      }
      return (record, .object(tree.object(of: branch)))
    }
    (self.tree, forest, hierarchy, isHierarchy, branches, records) = (nil, nil, nil, false, [], [])
    insert(.object(tree), for: TreeIndex.root)
    for (record, node) in nodes { insert(node, for: record) }
  }

  // MARK: Nodes

  /// A node of the list, with the type that all nodes in the list have.
  @inline(__always)
  func typed(_ node: any TreeNode) -> any TreeNode<Element> {
    // Only nodes of this type are put into the list. Each of the two types is a reference and a table of witnesses.
    unsafe unsafeBitCast(node as any TreeNode, to: (any TreeNode<Element>).self)
  }

  /// A node as an object, which is made if there is none.
  func object(_ node: SourceBranch) -> any TreeNode<Element> {
    switch node {
    case .object(let object): typed(object)
    case .branch(let branch): tree!.object(of: branch)
    }
  }

  /// A node as an object; nil if nobody has asked for the object.
  func living(_ node: SourceBranch) -> (any TreeNode<Element>)? {
    switch node {
    case .object(let object): typed(object)
    case .branch(let branch): tree!.livingNode(of: branch)
    }
  }

  /// The number of a node's children.
  @inline(__always)
  func count(_ node: SourceBranch) -> Int {
    switch node {
    case .object(let object): object.count
    case .branch(let branch): tree!.childCount(of: branch)
    }
  }

  @inline(__always)
  func hasChildren(_ node: SourceBranch) -> Bool {
    switch node {
    case .object(let object): object.hasChildren
    case .branch(let branch): tree!.hasChildren(branch)
    }
  }

  /// Whether all children of a record's node are known to be leaves. The question saves a look at each child.
  @inline(__always)
  func hasOnlyLeaves(_ record: Record) -> Bool {
    switch node(record) {
    case .object(let object): object.hub.hasOnlyLeaves
    // Only the root is asked: a view of flat nodes knows the answer without a question for each child.
    case .branch: record == TreeIndex.root && tree!.hub.hasOnlyLeaves
    }
  }

  /// The child of a node that is a node itself; nil for a leaf, and if there is no such child.
  @inline(__always)
  func child(at position: Int, of node: SourceBranch) -> SourceBranch? {
    switch node {
    case .object(let object): typed(object).child(at: position).map { .object($0) }
    case .branch(let branch): tree!.branch(at: position, of: branch).map { .branch($0) }
    }
  }

  /// The children in a range that are nodes themselves, ascending.
  ///
  /// - Parameters:
  ///   - range: their positions.
  ///   - node: the parent.
  ///   - isWanted: says which children are looked at; nil if all are.
  /// - Returns: the nodes with their positions.
  func children(
    in range: Range<Int>, of node: SourceBranch, where isWanted: ((Int) -> Bool)? = nil
  ) -> [(position: Int, node: SourceBranch)] {
    switch node {
    case .object(let object): if object.hub.hasOnlyLeavesNow(sparing: range.count) { return [] }
    case .branch(let branch):
      if isWanted == nil { return tree!.branches(in: range, of: branch).map { ($0.position, .branch($0.branch)) } }
    }
    var found: [(position: Int, node: SourceBranch)] = []
    for position in range where isWanted?(position) ?? true {
      if let child = child(at: position, of: node) { found.append((position, child)) }
    }
    return found
  }

  /// Calls a closure with the reader of a node's children, which is valid until the closure returns.
  @inline(__always)
  func lendReader(of node: SourceBranch, to body: (NodeReader<Element>) -> Void) {
    switch node {
    case .object(let object): body(typed(object).reader)
    case .branch(let branch): tree!.lendReader(of: branch, to: body)
    }
  }

  /// Returns the result of a closure that receives the reader of a node's children.
  @inline(__always)
  func reading<Result>(_ node: SourceBranch, _ body: (NodeReader<Element>) -> Result) -> Result {
    switch node {
    case .object(let object): body(typed(object).reader)
    case .branch(let branch): tree!.reading(branch, body)
    }
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
