public import OffsetIndexing

// Values by record, for a view that keeps readers.
extension TreeSources {
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

  /// The positions, in a range and ascending, of children of a record's node that are nodes and have children
  /// themselves.
  @usableFromInline
  func parents(in range: Range<Int>, of record: Record) -> [Int] {
    switch node(record) {
    case .object(let object):
      let node = typed(object)
      return object.hub.hasOnlyLeavesNow(sparing: range.count)
        ? [] : range.filter { node.child(at: $0)?.hasChildren ?? false }
    case .branch(let branch):
      if let hierarchy { return range.filter { hierarchy.hasChildren(at: $0, of: branch) } }
      let tree = tree!
      return tree.branches(in: range, of: branch).filter { tree.hasChildren($0.branch) }.map(\.position)
    }
  }

  /// Whether a child of a record's node is a node that has children itself.
  @usableFromInline
  func isParent(at position: Int, of record: Record) -> Bool {
    switch node(record) {
    case .object(let object):
      !object.hub.hasOnlyLeavesNow(sparing: 1) && typed(object).child(at: position)?.hasChildren ?? false
    case .branch(let branch):
      // In a hierarchy, `branch(at:of:)` would make the child a branch, which is not wanted here.
      isHierarchy
        ? hierarchy!.hasChildren(at: position, of: branch)
        : tree!.branch(at: position, of: branch).map { tree!.hasChildren($0) } ?? false
    }
  }

  /// The elements of a forest, if `count` rows are all of them: then rows and document numbers are the same.
  @inlinable
  func elementsOfWholeForest(ofRows count: Int) -> ChunkedArray<Element>? {
    guard let forest, !forest.isElement, forest.treeElements.count == count else { return nil }
    return forest.treeElements
  }

  /// Whether `count` rows are all elements of a forest, and the forest knows which elements have children.
  @inlinable
  func showsAll(ofRows count: Int) -> Bool { !isHierarchy && isWholeForest(ofRows: count) }

  /// Whether `count` rows are all elements of a forest.
  @inlinable
  func isWholeForest(ofRows count: Int) -> Bool {
    guard let forest else { return false }
    return !forest.isElement && forest.treeElements.count == count
  }

  /// The value in a row, if the rows are all elements of a forest.
  @inlinable
  func elementOfWhole(_ row: Int) -> Element { forest!.treeElements[row] }

  /// The reader and the position by which the value of a child of a record's node is read; nil in a tree that is known
  /// by handles.
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

  /// The number of nodes through which a value is read.
  @usableFromInline
  var depth: Int { reading(node(TreeIndex.root)) { $0.depth } + 1 }

  /// The value of a child of a record's node, in a tree that is known by handles.
  @usableFromInline
  func treeElement(at position: Int, of record: Record) -> Element? {
    tree?.reading(branch(record)) { $0.element(at: position) }
  }

  /// Passes the values of a range of children, in a tree that is known by handles.
  ///
  /// The closure may change the tree between two calls: then only the children that are left are passed.
  @usableFromInline
  func forEachTreeSpan(
    in range: Range<Int>, of record: Record, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    guard let tree else { return }
    let branch = branch(record)
    guard tree.contains(branch) else { return }
    let known = range.clamped(to: 0..<tree.childCount(of: branch))
    if !known.isEmpty { tree.lendReader(of: branch) { $0.forEachSpan(in: known, body) } }
  }

  /// The value of a node's child.
  func element(at position: Int, of node: SourceBranch) -> Element? { reading(node) { $0.element(at: position) } }
}

/// A reader without its element type, for a list that is not generic over the element.
@safe @usableFromInline
struct StoredReader {
  @usableFromInline let reader: NodeReader<Never>

  init<Element>(_ reader: NodeReader<Element>) {
    // The functions have the same form for every element, because they are the values of a generic type.
    self.reader = unsafe unsafeBitCast(reader, to: NodeReader<Never>.self)
  }

  /// The reader, with the element that it had when it was stored.
  @inlinable
  func typed<Element>(_ type: Element.Type) -> NodeReader<Element> {
    unsafe unsafeBitCast(reader, to: NodeReader<Element>.self)
  }
}
