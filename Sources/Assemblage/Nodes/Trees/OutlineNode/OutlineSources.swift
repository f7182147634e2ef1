public import OffsetIndexing

/// The nodes of the tree that an outline shows, by record.
///
///     BranchTree              record  →  handle            handle  →  record
///     any other node          record  →  object, reader
///
/// A handle needs no object, and an edit of a forest, which names the branch, finds the record without a path.
@usableFromInline
struct OutlineSources<Element> {
  @usableFromInline typealias Record = TreeIndex.Branch

  /// The tree; nil when the outline is being released.
  private(set) var root: (any TreeNode<Element>)?

  /// The same, as long as its branches are known by handles.
  private(set) var tree: (any BranchTree<Element>)?

  /// The forest that has the values of such a tree, where these are read directly.
  @usableFromInline private(set) var forest: ForestNode<Element>?

  /// The hierarchy that the forest belongs to: not each of its leaves is one.
  private(set) var hierarchy: HierarchyTree<Element>?

  /// Whether there is one: to look at that itself counts references.
  @usableFromInline private(set) var isHierarchy = false

  // These lists know no elements, as `SourceBranch` does not.
  private var objects: [(any TreeNode)?] = []
  @usableFromInline private(set) var readers: [StoredReader?] = []
  @usableFromInline private(set) var branches: [TreeIndex.Branch?] = []
  private var records: [Record?] = []

  init(_ root: any TreeNode<Element>) {
    self.root = root
    tree = root.branchTree
    if let node = root as? HierarchyNode<Element>, tree != nil {
      (forest, hierarchy, isHierarchy) = (node.forest, node.tree, true)
    } else if tree != nil {
      forest = root as? ForestNode<Element>
    }
    insert(tree.map { .branch($0.topBranch!) } ?? .object(root), for: TreeIndex.root)
  }

  /// Lets an outline follow the tree by handles, where there are any.
  func follow(_ outline: any ShapeFollower) { tree?.add(outline) }

  /// Ends that.
  func stopFollowing(_ identity: ObjectIdentifier) { tree?.removeFollower(identity) }

  /// Whether nodes are kept as objects.
  var holdsObjects: Bool { tree == nil }

  /// The same of an outline that has been made.
  @inlinable
  var hasReaders: Bool { !readers.isEmpty }

  // MARK: By record

  /// The number of records that have a node.
  var count: Int { holdsObjects ? objects.count { $0 != nil } : branches.count { $0 != nil } }

  /// The node of a record.
  func node(_ record: Record) -> SourceBranch {
    if let forest, record == TreeIndex.root { return .branch(forest.branch) }
    return tree == nil ? .object(objects[record.number]!) : .branch(branches[record.number]!)
  }

  /// The record of a branch of the forest; nil where it has none.
  // Inlined, because it is asked with each edit: a call would look up this type at run time.
  @inline(__always)
  func record(of branch: TreeIndex.Branch) -> Record? {
    if branch == forest?.branch { return TreeIndex.root }
    return branch.number < records.count ? records[branch.number] : nil
  }

  /// Whether a node is the one of a record.
  func isNode(_ node: SourceBranch, of record: Record) -> Bool {
    switch node {
    case .object(let object): objects[record.number] === object
    case .branch(let branch): branches[record.number] == branch
    }
  }

  mutating func insert(_ node: SourceBranch, for record: Record) {
    switch node {
    case .object(let object):
      // Before anything is changed: a user's node may read the outline.
      let reader = StoredReader(typed(object).reader)
      while objects.count <= record.number {
        objects.append(nil)
        readers.append(nil)
      }
      objects[record.number] = object
      readers[record.number] = reader
    case .branch(let branch):
      while branches.count <= record.number { branches.append(nil) }
      if let former = branches[record.number], records[former.number] == record { records[former.number] = nil }
      branches[record.number] = branch
      while records.count <= branch.number { records.append(nil) }
      records[branch.number] = record
    }
  }

  /// Forgets the node of a record, and returns it where it is an object.
  mutating func remove(_ record: Record) -> (any TreeNode)? {
    guard holdsObjects else {
      if let branch = branches[record.number], records[branch.number] == record { records[branch.number] = nil }
      branches[record.number] = nil
      return nil
    }
    defer {
      objects[record.number] = nil
      readers[record.number] = nil
    }
    return objects[record.number]
  }

  /// Gives up all nodes that are held, to be released.
  mutating func removeAll(to references: inout [any TreeNode]) {
    for case let object? in objects { references.append(object) }
    if let root { references.append(root) }
    objects = []
    readers = []
    (root, forest, tree, hierarchy, isHierarchy) = (nil, nil, nil, nil, false)
  }

  /// Makes room for so many records.
  mutating func reserve(_ count: Int) {
    guard holdsObjects else { return branches.reserveCapacity(count) }
    objects.reserveCapacity(count)
    readers.reserveCapacity(count)
  }

  /// A node from the list with the type that all nodes there have.
  func typed(_ node: any TreeNode) -> any TreeNode<Element> {
    // Only such nodes come into the list, and both types are a reference and a table of witnesses.
    unsafe unsafeBitCast(node as any TreeNode, to: (any TreeNode<Element>).self)
  }

  /// Holds all nodes as objects from now on.
  mutating func leaveForest() {
    guard forest != nil, let tree else { return }
    let nodes = branches.enumerated().compactMap { number, branch -> (record: Record, node: SourceBranch)? in
      guard number > 0, let branch, let record = records[branch.number] else { return nil }
      return (record, .object(tree.object(of: branch)))
    }
    (self.tree, forest, hierarchy, isHierarchy, branches, records) = (nil, nil, nil, false, [], [])
    insert(.object(tree), for: TreeIndex.root)
    for (record, node) in nodes { insert(node, for: record) }
  }

  /// The value of a child of a record's node.
  @inlinable
  func element(at position: Int, of record: Record) -> Element? {
    guard let forest else {
      return hasReaders
        ? readers[record.number]?.typed(Element.self).element(at: position) : treeElement(at: position, of: record)
    }
    let branch = record == TreeIndex.root ? forest.branch : branches[record.number]!
    return forest.state.value.storage.value.element(at: position, of: branch, in: forest.state.value.tree.index)
  }

  /// The positions, in a range, of children of a record's node that are nodes and have children themselves, ascending.
  @usableFromInline
  func parents(in range: Range<Int>, of record: Record) -> [Int] { parents(in: range, of: node(record)) }

  /// Whether a child of a record's node is a node that has children itself.
  @usableFromInline
  func isParent(at position: Int, of record: Record) -> Bool {
    switch node(record) {
    case .object(let object): !object.hub.hasOnlyLeavesNow && typed(object).child(at: position)?.hasChildren ?? false
    case .branch(let branch):
      // A child of a hierarchy becomes a branch only where that is wanted.
      isHierarchy
        ? hierarchy!.hasChildren(at: position, of: branch)
        : tree!.branch(at: position, of: branch).map { tree!.hasChildren($0) } ?? false
    }
  }

  /// The elements of a forest, where so many rows are all of them: rows and document numbers are the same then.
  @inlinable
  func elementsOfWholeForest(ofRows count: Int) -> ChunkedArray<Element>? {
    guard let forest, !forest.isElement, forest.treeElements.count == count else { return nil }
    return forest.treeElements
  }

  /// Whether so many rows are all elements of a forest, and it is known which of them have children.
  @inlinable
  func showsAll(ofRows count: Int) -> Bool { !isHierarchy && isWholeForest(ofRows: count) }

  /// Whether so many rows are all elements of a forest.
  @inlinable
  func isWholeForest(ofRows count: Int) -> Bool {
    guard let forest else { return false }
    return !forest.isElement && forest.treeElements.count == count
  }

  /// The value in a row, where the rows are all elements of a forest.
  @inlinable
  func elementOfWhole(_ row: Int) -> Element { forest!.treeElements[row] }

  /// Where the value of a child of a record's node is read; nil in a forest.
  @usableFromInline
  func origin(of position: Int, in record: Record) -> (reader: NodeReader<Element>, position: Int)? {
    holdsObjects ? readers[record.number].map { ($0.typed(Element.self), position) } : nil
  }

  @inlinable
  func forEachSpan(
    in range: Range<Int>, of record: Record, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    guard let forest else {
      if !hasReaders { return forEachTreeSpan(in: range, of: record, body) }
      readers[record.number]?.typed(Element.self).forEachSpan(in: range, body)
      return
    }
    let branch = record == TreeIndex.root ? forest.branch : branches[record.number]!
    unsafe ForestStorage.forEachSpan(
      in: range, of: branch, in: forest.state.value.tree.index,
      of: UnsafePointer(forest.state.value.storage.pointer), body)
  }

  /// Through how many nodes a value is read.
  @usableFromInline
  var depth: Int { reading(node(TreeIndex.root)) { $0.depth } + 1 }

  /// The value of a child of a record's node, in a tree that is known by handles.
  @usableFromInline
  func treeElement(at position: Int, of record: Record) -> Element? {
    tree?.reading(branches[record.number]!) { $0.element(at: position) }
  }

  /// The same for a range of children: for the children that are left, should the closure change the tree.
  @usableFromInline
  func forEachTreeSpan(
    in range: Range<Int>, of record: Record, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    guard let tree, let branch = branches[record.number], tree.contains(branch) else { return }
    let known = range.clamped(to: 0..<tree.childCount(of: branch))
    if !known.isEmpty { tree.lendReader(of: branch) { $0.forEachSpan(in: known, body) } }
  }
}

// MARK: - Nodes

extension OutlineSources {
  /// The node as an object, made where there is none.
  func object(_ node: SourceBranch) -> any TreeNode<Element> {
    switch node {
    case .object(let object): typed(object)
    case .branch(let branch): tree!.object(of: branch)
    }
  }

  /// The number of a node's children.
  func count(_ node: SourceBranch) -> Int {
    switch node {
    case .object(let object): object.count
    case .branch(let branch): tree!.childCount(of: branch)
    }
  }

  /// The child of a node that is one itself; nil for a leaf, and where there is none.
  func child(at position: Int, of node: SourceBranch) -> SourceBranch? {
    switch node {
    case .object(let object): typed(object).child(at: position).map { .object($0) }
    case .branch(let branch): tree!.branch(at: position, of: branch).map { .branch($0) }
    }
  }

  /// The children in a range that are nodes themselves, but for some; ascending.
  func children(in range: Range<Int>, of node: SourceBranch, without exceptions: Set<Int>) -> [(Int, SourceBranch)] {
    switch node {
    case .object(let object):
      let node = typed(object)
      return range.compactMap { position in
        exceptions.contains(position) ? nil : node.child(at: position).map { (position, .object($0)) }
      }
    case .branch(let branch):
      return tree!.branches(in: range, of: branch).compactMap { position, child in
        exceptions.contains(position) ? nil : (position, .branch(child))
      }
    }
  }

  /// The positions of children that are nodes and have children themselves, ascending.
  func parents(in range: Range<Int>, of node: SourceBranch) -> [Int] {
    switch node {
    case .object(let object):
      let node = typed(object)
      return object.hub.hasOnlyLeavesNow ? [] : range.filter { node.child(at: $0)?.hasChildren ?? false }
    case .branch(let branch):
      if let hierarchy { return range.filter { hierarchy.hasChildren(at: $0, of: branch) } }
      let tree = tree!
      return tree.branches(in: range, of: branch).filter { tree.hasChildren($0.branch) }.map(\.position)
    }
  }

  /// The value of a node's child.
  func element(at position: Int, of node: SourceBranch) -> Element? { reading(node) { $0.element(at: position) } }

  /// The result of a closure that receives the reader of a node's children.
  func reading<Result>(_ node: SourceBranch, _ body: (NodeReader<Element>) -> Result) -> Result {
    switch node {
    case .object(let object): body(typed(object).reader)
    case .branch(let branch): tree!.reading(branch, body)
    }
  }
}

/// A reader as it is stored in a list that knows no elements.
@safe @usableFromInline
struct StoredReader {
  @usableFromInline let reader: NodeReader<Never>

  init<Element>(_ reader: NodeReader<Element>) {
    // Its functions have the same form whatever the element is: they are the values of a generic type.
    self.reader = unsafe unsafeBitCast(reader, to: NodeReader<Never>.self)
  }

  /// The reader, which was stored as one of such elements.
  @inlinable
  func typed<Element>(_ type: Element.Type) -> NodeReader<Element> {
    unsafe unsafeBitCast(reader, to: NodeReader<Element>.self)
  }
}
