public import OffsetIndexing

/// The nodes of the tree that an outline shows, by record.
///
///     tree of nodes      record  →  node, reader
///     ForestNode         record  →  branch        branch  →  record
///     HierarchyNode      the same, in its forest
///     BranchTree         the same
///
/// A branch needs no object, and an edit of a forest, which names the branch, finds the record without a path.
@usableFromInline
struct OutlineSources<Element> {
  @usableFromInline typealias Record = TreeIndex.Branch

  /// The tree; nil when the outline is being released.
  private(set) var root: (any TreeNode<Element>)?

  /// The same, as long as it is a forest whose branches are told by their handles.
  @usableFromInline private(set) var forest: ForestNode<Element>?

  /// The same, where it is another tree whose branches are known by handles.
  private(set) var tree: (any BranchTree<Element>)?

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
    if let forest = root as? ForestNode<Element>, forest.isRoot {
      self.forest = forest
      insert(.branch(forest.branch), for: TreeIndex.root)
    } else if let node = root as? HierarchyNode<Element>, node.forest.isRoot {
      forest = node.forest
      hierarchy = node.tree
      isHierarchy = true
      insert(.branch(node.branch), for: TreeIndex.root)
    } else if !(root is ForestNode<Element> || root is HierarchyNode<Element>), let tree = root.branchTree {
      self.tree = tree
      insert(.branch(tree.topBranch!), for: TreeIndex.root)
    } else {
      insert(.object(root), for: TreeIndex.root)
    }
  }

  /// Lets an outline follow the tree by handles, where there are any.
  func follow(_ outline: any ShapeFollower) { if let forest { forest.add(outline) } else { tree?.add(outline) } }

  /// Ends that.
  func stopFollowing(_ identity: ObjectIdentifier) {
    forest?.removeFollower(identity)
    tree?.removeFollower(identity)
  }

  /// An edit of one branch as those hear it who listen to the root.
  func change(_ edit: ShapeEdit) -> ChangeSet { forest?.change(edit) ?? tree!.change(edit) }

  /// Whether nodes are kept as objects.
  var holdsObjects: Bool { forest == nil && tree == nil }

  /// The same of an outline that has been made.
  @inlinable
  var hasReaders: Bool { !readers.isEmpty }

  // MARK: By record

  /// The number of records that have a node.
  var count: Int { holdsObjects ? objects.count { $0 != nil } : branches.count { $0 != nil } }

  /// The node of a record.
  func node(_ record: Record) -> SourceBranch {
    guard let forest else {
      return tree == nil ? .object(objects[record.number]!) : .branch(branches[record.number]!)
    }
    return .branch(record == TreeIndex.root ? forest.branch : branches[record.number]!)
  }

  /// The record of a branch of the forest; nil where it has none.
  // Inlined, as what else is asked with each edit: a call would look up this type at run time.
  @inline(__always)
  func record(of branch: TreeIndex.Branch) -> Record? {
    if branch == forest?.branch { return TreeIndex.root }
    return branch.number < records.count ? records[branch.number] : nil
  }

  /// The number of children of a record's node.
  @inline(__always)
  func childCount(of record: Record) -> Int {
    guard let forest else {
      return tree.map { $0.childCount(of: branches[record.number]!) } ?? objects[record.number]!.count
    }
    return forest.shape.childCount(of: record == TreeIndex.root ? forest.branch : branches[record.number]!)
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

  /// A node that is held as what it is known to be.
  func typed(_ node: any TreeNode) -> any TreeNode<Element> {
    // Only such nodes come into the list, and both types are a reference and a table of witnesses.
    unsafe unsafeBitCast(node as any TreeNode, to: (any TreeNode<Element>).self)
  }

  /// Asks for the handles of a record's node, which comes back from elsewhere, and of those below it again: they may be others.
  ///
  /// - Complexity: O(r · log n) for r records; O(1) in a forest, and where objects are held.
  mutating func findAgain(_ record: Record, in translation: OutlineTranslation) {
    guard let tree else { return }
    var open = [record]
    while let record = open.popLast() {
      guard let parent = translation.shape.parent(of: record), let branch = branches[parent.number],
        let child = tree.branch(at: translation.shape.position(of: record), of: branch)
      else { continue }
      insert(.branch(child), for: record)
      open += translation.children(of: record).map(\.branch)
    }
  }

  /// Looks for the handle that a record's node has now, as `findAgain(_:in:)` does, but by its path.
  ///
  /// - Returns: false where there is a leaf, or nothing; true where nodes are not kept by the handles of a tree of views.
  /// - Complexity: O(d · log n) at depth d.
  mutating func findAgain(_ record: Record, at path: [Int]) -> Bool {
    guard let tree else { return true }
    var branch = tree.topBranch
    for position in path {
      branch = branch.flatMap { position < tree.childCount(of: $0) ? tree.branch(at: position, of: $0) : nil }
    }
    guard let branch else { return false }
    insert(.branch(branch), for: record)
    return true
  }

  /// Holds all nodes as objects from now on.
  mutating func leaveForest() {
    guard let forest else { return }
    (self.forest, hierarchy, isHierarchy) = (nil, nil, false)
    insert(.object(forest), for: TreeIndex.root)
    for (number, branch) in branches.enumerated().dropFirst() {
      guard let branch, let record = records[branch.number], record.number == number else { continue }
      insert(.object(forest.node(of: branch)), for: record)
    }
    (branches, records) = ([], [])
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
      if isHierarchy {
        hierarchy!.hasChildren(at: position, of: branch)
      } else if let tree {
        tree.branch(at: position, of: branch).map { tree.hasChildren($0) } ?? false
      } else {
        forest!.shape.branch(at: position, of: branch).map { forest!.shape.childCount(of: $0) > 0 } ?? false
      }
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

  /// The value in a row, where all rows are those of a forest.
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
  var depth: Int { (tree?.reading(TreeIndex.root) { $0.depth } ?? readers.first??.typed(Element.self).depth ?? 0) + 1 }

  /// The value of a child of a record's node, in a tree that is known by handles.
  @usableFromInline
  func treeElement(at position: Int, of record: Record) -> Element? {
    tree?.reading(branches[record.number]!) { $0.element(at: position) }
  }

  /// The same for a range of children; those that there are still, should the closure change the tree.
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
    case .branch(let branch):
      if isHierarchy { hierarchy!.node(of: branch) } else { tree?.object(of: branch) ?? forest!.node(of: branch) }
    }
  }

  /// The number of a node's children.
  func count(_ node: SourceBranch) -> Int {
    switch node {
    case .object(let object): object.count
    case .branch(let branch):
      isHierarchy
        ? hierarchy!.count(of: branch) : tree?.childCount(of: branch) ?? forest!.shape.childCount(of: branch)
    }
  }

  /// The child of a node that is one itself; nil for a leaf, and where there is none.
  func child(at position: Int, of node: SourceBranch) -> SourceBranch? {
    switch node {
    case .object(let object): typed(object).child(at: position).map { .object($0) }
    case .branch(let branch):
      if isHierarchy {
        hierarchy!.branch(at: position, of: branch).map { .branch($0) }
      } else if let tree {
        tree.branch(at: position, of: branch).map { .branch($0) }
      } else {
        position >= 0 && position < forest!.shape.childCount(of: branch)
          ? forest!.shape.branch(at: position, of: branch).map { .branch($0) } : nil
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
      if isHierarchy { return range.filter { hierarchy!.hasChildren(at: $0, of: branch) } }
      if let tree {
        return tree.branches(in: range, of: branch).filter { tree.hasChildren($0.branch) }.map(\.position)
      }
      return forest!.shape.branches(in: range, of: branch).filter { forest!.shape.childCount(of: $0.branch) > 0 }
        .map(\.position)
    }
  }

  /// The value of a node's child.
  func element(at position: Int, of node: SourceBranch) -> Element? { reading(node) { $0.element(at: position) } }

  /// What a closure makes of what reads a node's children.
  func reading<Result>(_ node: SourceBranch, _ body: (NodeReader<Element>) -> Result) -> Result {
    switch node {
    case .object(let object): body(typed(object).reader)
    case .branch(let branch): tree.map { $0.reading(branch, body) } ?? forest!.reading(branch, body)
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
