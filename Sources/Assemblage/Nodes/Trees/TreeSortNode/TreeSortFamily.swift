public import OffsetIndexing

/// What the nodes of one sorted tree have in common: the orders, the nodes of the source, and which node shows which.
@usableFromInline
final class TreeSortFamily<Element>: TreeFamily {
  @usableFromInline typealias Record = TreeIndex.Branch
  @usableFromInline typealias Comparator = (Element, Element) -> Bool

  /// What has to be specialized for the element where the tree is made.
  @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    /// Whether one child of a node comes before another.
    let precedes: (NodeReader<Element>, Int, Int, Comparator) -> Bool
    /// The positions of a node's children in the order of a comparator.
    let sort: (NodeReader<Element>, Int, Comparator) -> [Int]

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions,
      precedes: @escaping (NodeReader<Element>, Int, Int, Comparator) -> Bool,
      sort: @escaping (NodeReader<Element>, Int, Comparator) -> [Int]
    ) {
      self.reading = reading
      self.precedes = precedes
      self.sort = sort
    }
  }

  /// A node of the source.
  struct Source {
    let node: any TreeNode<Element>
    /// What reads it, once its children have been looked at: to ask for that may load them.
    var reader: NodeReader<Element>?
  }

  struct State: ~Copyable {
    var comparator: Comparator?
    /// The nodes of the source, by the numbers of their records.
    var sources: [Source?] = []

    init(comparator: Comparator?) { self.comparator = comparator }
  }

  let functions: Functions
  let number = SerialNumber.next()
  let translation = Cell(TreeSortTranslation())
  let parts = Cell(TreeParts<TreeSortNode<Element>>())
  let progress = Cell(TreeProgress())
  let state: Cell<State>

  init(_ source: any TreeNode<Element>, _ comparator: Comparator?, _ functions: Functions) {
    self.functions = functions
    state = Cell(State(comparator: comparator))
    state.value.sources = [Source(node: source)]
  }

  deinit {
    translation.destroy()
    parts.destroy()
    progress.destroy()
    state.destroy()
  }

  var findsAgain: Bool { false }

  /// The node of a record.
  func node(_ record: Record) -> any TreeNode<Element> { state.value.sources[record.number]!.node }

  /// What reads the node of a record that has been looked at.
  func reader(_ record: Record) -> NodeReader<Element> { state.value.sources[record.number]!.reader! }

  // MARK: Sorting

  /// Looks at the children of a record's node, where that has not been done yet.
  ///
  /// - Complexity: O(n · log n) for n children.
  func load(_ record: Record) {
    guard !translation.value.isLoaded(record) else { return }
    let node = node(record)
    state.value.sources[record.number]!.reader = node.reader
    translation.value.load(record, order(of: record, node.count, by: state.value.comparator))
  }

  /// The order of so many children of a record's node by a comparator.
  func order(of record: Record, _ count: Int, by comparator: Comparator?) -> SortTranslation {
    SortTranslation(count: count, sources: comparator.map { functions.sort(reader(record), count, $0) })
  }

  /// Plans what a change of the children of a record's node does to their order.
  ///
  /// - Parameters:
  ///   - delta: the change; the source shows it already.
  ///   - record: the record, which has been looked at.
  ///   - places: where a change that is taken back leads to, if that is known.
  /// - Returns: the plan; nil where the order is the source's own.
  func plan(_ delta: Delta, of record: Record, places: [Int: Int]?) -> SortTranslation.Plan? {
    guard let comparator = state.value.comparator else { return nil }
    let reader = reader(record)
    return translation.value.order(of: record).plan(delta, places: places) {
      functions.precedes(reader, $0, $1, comparator)
    }
  }

  // MARK: Records and nodes

  /// The record of the child at a position of the source, made where there is none; nil where the child is a leaf.
  func makeRecord(ofChild position: Int, of parent: Record) -> Record? {
    guard let node = node(parent).child(at: position) else { return nil }
    let place = translation.value.sortedPosition(of: position, in: parent)
    if let known = translation.value.shape.branch(at: place, of: parent) { return known }
    let record = translation.value.makeRecord(at: place, of: parent)
    while state.value.sources.count <= record.number { state.value.sources.append(nil) }
    state.value.sources[record.number] = Source(node: node)
    return record
  }

  /// Says that the node of a record may be another object now.
  func replaceNode(of record: Record, by node: any TreeNode<Element>) {
    let reader = translation.value.isLoaded(record) ? node.reader : nil
    state.value.sources[record.number] = Source(node: node, reader: reader)
  }

  /// The node of a child, made when it is first asked for; nil where the child is a leaf.
  ///
  /// - Parameters:
  ///   - position: the child's position in the source.
  ///   - parent: its parent's record.
  ///   - root: the root of the sorted tree.
  /// - Returns: the node, or nil.
  func node(ofChild position: Int, of parent: Record, root: TreeSortNode<Element>) -> TreeSortNode<Element>? {
    guard let record = makeRecord(ofChild: position, of: parent) else { return nil }
    if let part = part(record) { return part }
    let node = TreeSortNode(self, record: record, root: root)
    insert(node, for: record)
    return node
  }

  func takeSource(of record: Record) -> (any TreeNode<Element>)? {
    guard record.number < state.value.sources.count else { return nil }
    defer { state.value.sources[record.number] = nil }
    return state.value.sources[record.number]?.node
  }

  /// Looks again at nodes that had been looked at, where the change that took them away is taken back; the nodes that showed
  /// them show them again.
  ///
  /// - Parameter paths: their paths in the source; parents first.
  func restore(_ paths: [[Int]]) {
    for path in paths {
      let position = path[path.count - 1]
      guard let parent = translation.value.record(at: path.dropLast()), translation.value.isLoaded(parent),
        position < translation.value.count(of: parent), let record = makeRecord(ofChild: position, of: parent)
      else { continue }
      load(record)
      findMember(record, showing: ObjectIdentifier(node(record)))
    }
  }

  /// Gives up what left and did not come back.
  func discardDeparted(to released: inout [any TreeNode]) {
    let pieces = translation.value.pieces(of: progress.value.departed.map(\.record))
    progress.value.departed = []
    discard(pieces, to: &released)
  }

  /// All nodes of the source, to be released.
  func surrenderSources(to references: inout [any TreeNode]) {
    for case let source? in state.value.sources { references.append(source.node) }
    state.value.sources = []
  }
}
