public import OffsetIndexing

/// The orders of one sorted tree, the nodes of the source, and the parts: the data that all nodes of the sorted tree
/// share.
@usableFromInline
final class TreeSortFamily<Element>: TreeFamily {
  @usableFromInline typealias Record = TreeIndex.Branch
  typealias Part = TreeSortNode<Element>
  typealias Work = TreeSortEdit
  @usableFromInline typealias Comparator = (Element, Element) -> Bool

  /// The functions that are specialized for the element where the tree is made.
  @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    /// Finds a place for a child of a node among others; see `placed(_:_:_:_:)`.
    let place: (NodeReader<Element>, Int, @escaping Comparator, SortTranslation.Search) -> Int
    /// The order of some of a node's children by a comparator, as indexes of the list of their positions.
    let sort: (NodeReader<Element>, [Int], Comparator) -> [Int]
    /// Lends the reader of a record, given the reader of the record's node in the source.
    let lend: (Cell<TreeSortTranslation>, Record, NodeReader<Element>, (NodeReader<Element>) -> Void) -> Void

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions,
      place: @escaping (NodeReader<Element>, Int, @escaping Comparator, SortTranslation.Search) -> Int,
      sort: @escaping (NodeReader<Element>, [Int], Comparator) -> [Int],
      lend:
        @escaping (Cell<TreeSortTranslation>, Record, NodeReader<Element>, (NodeReader<Element>) -> Void) -> Void
    ) {
      self.reading = reading
      self.place = place
      self.sort = sort
      self.lend = lend
    }
  }

  struct State: ~Copyable {
    var comparator: Comparator?
    /// The order by data that do not belong to the children's values; then there is no comparator.
    var order: ChildOrder?
  }

  let functions: Functions
  let translation = Cell(TreeSortTranslation())
  let parts = Cell(TreeParts())
  let progress = Cell(TreeProgress())
  let followers = Cell(ShapeFollowers())
  let state: Cell<State>
  let sources: Cell<TreeSources<Element>>

  init(_ source: any TreeNode<Element>, _ comparator: Comparator?, _ functions: Functions) {
    self.functions = functions
    state = Cell(State(comparator: comparator))
    sources = Cell(TreeSources(source, source.branchTree, .nodes))
  }

  deinit {
    translation.destroy()
    parts.destroy()
    progress.destroy()
    followers.destroy()
    state.destroy()
    sources.destroy()
  }

  var findsAgain: Bool { false }

  // MARK: Sorting

  /// Looks at the children of a record's node, if nobody has looked at them yet.
  ///
  /// - Complexity: O(n · log n) for n children; in an order by other data, O(d · log n) more at depth d.
  func load(_ record: Record) {
    guard !translation.value.isLoaded(record) else { return }
    let node = node(record)
    sources.value.reading(node) { reader in
      // Lending the reader may load the children, so the count is read afterwards.
      let count = sources.value.count(node)
      let order: SiblingOrder
      if let childOrder = state.value.order {
        order = self.order(count, by: childOrder, name(of: record, in: childOrder))
      } else if let comparator = state.value.comparator {
        order = SiblingOrder(functions.sort(reader, Array(0..<count), comparator))
      } else {
        order = SiblingOrder(count: count)
      }
      translation.value.load(record, order)
    }
  }

  /// The order of `count` children of a record's node by a comparator.
  func order(of record: Record, _ count: Int, by comparator: Comparator?) -> SiblingOrder {
    guard let comparator else { return SiblingOrder(count: count) }
    return SiblingOrder(sources.value.reading(node(record)) { functions.sort($0, Array(0..<count), comparator) })
  }

  /// The order of `count` children by data that do not belong to the children's values, given the parent's name.
  func order(_ count: Int, by order: ChildOrder, _ name: Int?) -> SiblingOrder {
    SiblingOrder(order.sort(Array(0..<count), name))
  }

  /// The name of a record's node in an order.
  ///
  /// - Complexity: O(d · log n) at depth d.
  func name(of record: Record, in order: ChildOrder) -> Int? { translation.value.path(of: record).flatMap(order.node) }

  func surrender() { state.value.order = nil }

  /// Plans the change of the order of the children of a record's node.
  ///
  /// - Parameters:
  ///   - delta: the change, which the source already shows.
  ///   - replaced: the positions of children below which something has changed, if that may give them another place.
  ///   - record: the record, whose children have been looked at.
  ///   - name: the name of the record's node in the order, if this is not a comparator's.
  /// - Returns: the plan; nil if the order is the source's own.
  func plan(_ delta: Delta, replacing replaced: [Int], of record: Record, _ name: Int?) -> SiblingOrder.Plan? {
    if let order = state.value.order {
      return translation.value.order(of: record).plan(
        delta, replacing: replaced, sort: { order.sort($0, name) }, place: { order.place($0, name, $1) })
    }
    guard let comparator = state.value.comparator else { return nil }
    return sources.value.reading(node(record)) { reader in
      translation.value.order(of: record).plan(
        delta, sort: { functions.sort(reader, $0, comparator) },
        place: { functions.place(reader, $0, comparator, $1) })
    }
  }

  // MARK: Records and nodes

  func lendReader(of record: Record, over source: NodeReader<Element>, to body: (NodeReader<Element>) -> Void) {
    functions.lend(translation, record, source, body)
  }

  func node(_ record: Record) -> SourceBranch { sources.value.node(record) }

  func record(ofChild position: Int, of parent: Record) -> Record? {
    guard let child = sources.value.child(at: position, of: node(parent)) else { return nil }
    let place = translation.value.sortedPosition(of: position, in: parent)
    return translation.value.shape.branch(at: place, of: parent) ?? makeRecord(of: child, at: place, of: parent)
  }

  private func makeRecord(of node: SourceBranch, at place: Int, of parent: Record) -> Record {
    let record = translation.value.makeRecord(at: place, of: parent)
    sources.value.insert(node, for: record)
    return record
  }

  /// The record of a child, which is made if there is none; nil if the child is a leaf.
  ///
  /// - Parameters:
  ///   - place: the child's sorted position; such a child must exist.
  ///   - parent: the record of the child's parent.
  /// - Returns: the record, or nil.
  func record(at place: Int, of parent: Record) -> Record? {
    translation.value.ask(parent)
    let known = translation.value.shape.branch(at: place, of: parent)
    // A record without children may belong to a child that is a leaf now.
    if let known, translation.value.count(of: known) > 0 { return known }
    if known == nil, sources.value.hasOnlyLeaves(parent) { return nil }
    let position = translation.value.sourcePosition(of: place, in: parent)
    guard let child = sources.value.child(at: position, of: node(parent)) else { return nil }
    return known ?? makeRecord(of: child, at: place, of: parent)
  }

  /// The records of the children in a range of sorted positions, which must exist; makes the missing records.
  ///
  /// - Complexity: O(b · log n) for b children that are nodes, if the range contains all children; otherwise
  ///   O(k · log n) for the k children in the range.
  func records(in range: Range<Int>, of parent: Record) -> [(position: Int, branch: Record)] {
    guard range == 0..<translation.value.count(of: parent) else {
      return range.compactMap { place in record(at: place, of: parent).map { (place, $0) } }
    }
    translation.value.ask(parent)
    var found: [(position: Int, branch: Record)] = []
    if sources.value.hasOnlyLeaves(parent) { return found }
    for (position, child) in sources.value.children(in: range, of: node(parent)) {
      let place = translation.value.sortedPosition(of: position, in: parent)
      let known = translation.value.shape.branch(at: place, of: parent)
      found.append((place, known ?? makeRecord(of: child, at: place, of: parent)))
    }
    found.sort(byNumber: \.position)
    return found
  }
}
