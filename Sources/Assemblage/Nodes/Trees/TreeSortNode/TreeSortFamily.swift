public import OffsetIndexing

/// What the nodes of one sorted tree have in common: the orders, the nodes of the source, and which node shows which.
@usableFromInline
final class TreeSortFamily<Element>: TreeFamily {
  @usableFromInline typealias Record = TreeIndex.Branch
  typealias Part = TreeSortNode<Element>
  @usableFromInline typealias Comparator = (Element, Element) -> Bool

  /// What has to be specialized for the element where the tree is made.
  @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    /// Finds a place for a child of a node among others; see `placed(_:_:_:_:)`.
    let place: (NodeReader<Element>, Int, @escaping Comparator, SortTranslation.Search) -> Int
    /// The order of some of a node's children by a comparator, as indexes of the list of their positions.
    let sort: (NodeReader<Element>, [Int], Comparator) -> [Int]

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions,
      place: @escaping (NodeReader<Element>, Int, @escaping Comparator, SortTranslation.Search) -> Int,
      sort: @escaping (NodeReader<Element>, [Int], Comparator) -> [Int]
    ) {
      self.reading = reading
      self.place = place
      self.sort = sort
    }
  }

  struct State: ~Copyable {
    var comparator: Comparator?

    init(comparator: Comparator?) { self.comparator = comparator }
  }

  let functions: Functions
  let number = SerialNumber.next()
  let translation = Cell(TreeSortTranslation())
  let parts = Cell(TreeParts())
  let progress = Cell(TreeProgress())
  let state: Cell<State>
  /// The nodes of the source, by the numbers of their records; of this tree's elements.
  ///
  /// It does not say so: the type of a list that does is looked up at run time where it is used.
  private let sources: Cell<[(any TreeNode)?]>

  init(_ source: any TreeNode<Element>, _ comparator: Comparator?, _ functions: Functions) {
    self.functions = functions
    state = Cell(State(comparator: comparator))
    sources = Cell([source])
  }

  deinit {
    translation.destroy()
    parts.destroy()
    progress.destroy()
    state.destroy()
    sources.destroy()
  }

  var findsAgain: Bool { false }

  /// The node of a record.
  func node(_ record: Record) -> any TreeNode<Element> { typed(sources.value[record.number]!) }

  /// A node of the source as what it is known to be.
  private func typed(_ node: any TreeNode) -> any TreeNode<Element> {
    // Only such nodes come into the list, and both types are a reference and a table of witnesses.
    unsafe unsafeBitCast(node as any TreeNode, to: (any TreeNode<Element>).self)
  }

  // MARK: Sorting

  /// Looks at the children of a record's node, where that has not been done yet.
  ///
  /// - Complexity: O(n · log n) for n children.
  func load(_ record: Record) {
    guard !translation.value.isLoaded(record) else { return }
    let node = node(record)
    // To ask for the reader may load the children, so the count comes after it.
    let reader = node.reader
    load(record, node.count, reader)
  }

  /// The same for a node that has so many children, and what reads it.
  func load(_ record: Record, _ count: Int, _ reader: NodeReader<Element>) {
    guard !translation.value.isLoaded(record) else { return }
    translation.value.load(record, order(count, by: state.value.comparator) { reader })
  }

  /// The order of so many children of a record's node by a comparator.
  func order(of record: Record, _ count: Int, by comparator: Comparator?) -> SiblingOrder {
    order(count, by: comparator) { node(record).reader }
  }

  private func order(_ count: Int, by comparator: Comparator?, _ reader: () -> NodeReader<Element>) -> SiblingOrder {
    guard let comparator else { return SiblingOrder(count: count) }
    return SiblingOrder(functions.sort(reader(), Array(0..<count), comparator))
  }

  /// Plans what a change of the children of a record's node does to their order.
  ///
  /// - Parameters:
  ///   - delta: the change; the source shows it already.
  ///   - record: the record, which has been looked at.
  ///   - places: where a change that is taken back leads to, if that is known.
  /// - Returns: the plan; nil where the order is the source's own.
  func plan(_ delta: Delta, of record: Record, places: [Int: Int]?) -> SiblingOrder.Plan? {
    guard let comparator = state.value.comparator else { return nil }
    let reader = node(record).reader
    return translation.value.order(of: record).plan(
      delta, places: places, sort: { functions.sort(reader, $0, comparator) },
      place: { functions.place(reader, $0, comparator, $1) })
  }

  // MARK: Records and nodes

  /// The record of the child at a position of the source, made where there is none; nil where the child is a leaf.
  func makeRecord(ofChild position: Int, of parent: Record) -> Record? {
    guard let node = node(parent).child(at: position) else { return nil }
    let place = translation.value.sortedPosition(of: position, in: parent)
    if let known = translation.value.shape.branch(at: place, of: parent) { return known }
    return makeRecord(of: node, at: place, of: parent)
  }

  private func makeRecord(of node: any TreeNode<Element>, at place: Int, of parent: Record) -> Record {
    let record = translation.value.makeRecord(at: place, of: parent)
    while sources.value.count <= record.number { sources.value.append(nil) }
    sources.value[record.number] = node
    return record
  }

  /// Says that the node of a record may be another object now.
  func replaceNode(of record: Record, by node: any TreeNode<Element>) { sources.value[record.number] = node }

  /// The node of a child, made when it is first asked for; nil where the child is a leaf.
  ///
  /// - Parameters:
  ///   - place: the child's sorted position, which there is.
  ///   - parent: its parent's record.
  ///   - source: its parent's node in the source.
  ///   - root: the root of the sorted tree.
  /// - Returns: the node, or nil.
  func node(
    at place: Int, of parent: Record, in source: any TreeNode<Element>, root: TreeSortNode<Element>
  ) -> TreeSortNode<Element>? {
    translation.value.ask(parent)
    let known = translation.value.shape.branch(at: place, of: parent)
    if known == nil, source.hub.hasOnlyLeaves { return nil }
    guard let child = source.child(at: translation.value.sourcePosition(of: place, in: parent)) else { return nil }
    let record = known ?? makeRecord(of: child, at: place, of: parent)
    if let part = part(record) { return part }
    let node = TreeSortNode(self, record: record, source: self.node(record), root: root)
    insert(node, for: record)
    return node
  }

  func takeSource(of record: Record) -> (any TreeNode<Element>)? {
    guard record.number < sources.value.count, let node = sources.value[record.number] else { return nil }
    sources.value[record.number] = nil
    return typed(node)
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
      translation.value.ask(record)
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
    for case let source? in sources.value { references.append(source) }
    sources.value = []
  }
}
