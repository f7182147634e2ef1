public import OffsetIndexing

/// Translates between the places of a tree and the places of the same tree with each node's children in another order.
///
///     tree          shape            order of the root's children
///     ├ pear        an open branch   1   2   0     from sorted positions to source positions
///     ├ fig         ├ a leaf
///     └ nuts        └ a leaf
///        ├ b
///        └ a        fig < nuts < pear; the children of nuts have been looked at
///
/// The shape is the shape of the sorted tree. Each node that somebody has asked for is a branch of the shape, its
/// *record*. Every other child is a leaf. A record whose children have been looked at has the order of these children.
///
/// The translation knows no nodes and no elements. All walks are loops, so that a deep tree needs no more stack.
@usableFromInline
struct TreeSortTranslation: TreeTranslation, TreeViewTranslation {
  @usableFromInline typealias Record = TreeIndex.Branch

  var shape = TreeIndex()
  /// The orders by the records' numbers; nil if the children have not been looked at.
  private var orders: [SiblingOrder?] = []
  /// Whether somebody has asked for the node of a child, by the records' numbers.
  private var asked: [Bool] = []
  /// The work that computes other orders in the background.
  var work: BackgroundWork? { willSet { work?.isSuperseded = true } }

  // MARK: Look-ups

  @usableFromInline
  func isLoaded(_ record: Record) -> Bool { record.number < orders.count && orders[record.number] != nil }

  /// The order of the children of a record's node. The children have been looked at.
  func order(of record: Record) -> SiblingOrder { orders[record.number]! }

  @usableFromInline
  func count(of record: Record) -> Int { shape.childCount(of: record) }

  /// The position of a child in the source, by its sorted position; -1 if there is no such child.
  ///
  /// - Complexity: O(log n) for n children.
  @usableFromInline
  func sourcePosition(of position: Int, in record: Record) -> Int {
    guard position >= 0, record.number < orders.count, let count = orders[record.number]?.count, position < count else {
      return -1
    }
    return orders[record.number]!.sourcePosition(of: position)
  }

  /// The positions, in the source, of a range of sorted children.
  @usableFromInline
  func sources(in range: Range<Int>, of record: Record) -> [Int] { orders[record.number]!.sources(in: range) }

  @inlinable
  static func forEachSpan<Element>(
    in range: Range<Int>, of record: Record, _ translation: Cell<Self>, _ reader: NodeReader<Element>,
    _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    let sources = translation.value.sources(in: range, of: record)
    gatherSpans(in: range, body) { reader.element(at: sources[$0 &- range.lowerBound]) }
  }

  /// The sorted position of a child of a record's node, whose children have been looked at.
  func sortedPosition(of position: Int, in record: Record) -> Int {
    orders[record.number]!.sortedPosition(of: position)
  }

  func record(ofChild position: Int, of parent: Record) -> Record? {
    shape.branch(at: sortedPosition(of: position, in: parent), of: parent)
  }

  func position(of record: Record) -> Int {
    order(of: shape.parent(of: record)!).sourcePosition(of: shape.position(of: record))
  }

  @usableFromInline
  func shownPosition(of position: Int, in record: Record) -> Int? {
    position >= 0 && position < count(of: record) ? sortedPosition(of: position, in: record) : nil
  }

  /// All records whose children have been looked at, each before the records below it.
  var loadedRecords: [Record] {
    var records = isLoaded(TreeIndex.root) ? [TreeIndex.root] : []
    for run in shape.runs() { if let branch = run.branch, isLoaded(branch) { records.append(branch) } }
    return records
  }

  // MARK: Records

  /// Makes the record of a child that has none, and whose children have not been looked at.
  mutating func makeRecord(at position: Int, of parent: Record) -> Record {
    shape.makeBranch(at: position, of: parent)
  }

  /// Notes the children of a record's node, and their order.
  mutating func load(_ record: Record, _ order: SiblingOrder) {
    while orders.count <= record.number {
      orders.append(nil)
      asked.append(false)
    }
    orders[record.number] = order
    work?.staleParents.insert(record)
    shape.insertLeaves(order.count, into: record, at: 0)
  }

  /// Notes that somebody has asked for the node of a child, and so may know from now on which children are leaves.
  ///
  /// - Parameter record: the record of the child's parent, whose children have been looked at.
  mutating func ask(_ record: Record) { asked[record.number] = true }

  /// Whether somebody has asked for the node of a child of a record's node.
  func isAsked(_ record: Record) -> Bool { asked[record.number] }

  @usableFromInline
  mutating func detach(_ record: Record) { cutOut(record) }

  mutating func forget(_ record: Record) {
    guard record.number < orders.count else { return }
    orders[record.number] = nil
    asked[record.number] = false
  }

  // MARK: Changes

  /// Brings a record up to date with the children of its node.
  ///
  /// - Parameters:
  ///   - delta: the change of the children in the source.
  ///   - plan: the plan of the change; nil if the order is the source's own.
  ///   - record: the node's record.
  ///   - removed: receives the pieces of removed children that were not all leaves.
  /// - Returns: the change of the sorted children.
  mutating func rearrange(
    _ delta: Delta, _ plan: SiblingOrder.Plan?, in record: Record, _ removed: inout [Record]
  ) -> Delta {
    work?.staleParents.insert(record)
    let sorted = orders[record.number]!.rearrange(delta, plan)
    if sorted.movesPositions { rearrangeShape(sorted, in: record, &removed) }
    return sorted
  }

  /// Gives the same children of a record's node another order.
  ///
  /// - Returns: the fewest moves that lead to the new order.
  /// - Complexity: O(n) for n children, O(p · log p) for p runs of children that change their order, and O(b · log m)
  ///   for b children with records; m is the size of the tree.
  mutating func reorder(_ record: Record, to order: SiblingOrder) -> Delta {
    let children = children(of: record)
    let places = children.map { orders[record.number]!.sourcePosition(of: $0.position) }
    let delta = orders[record.number]!.reorder(to: order)
    if delta.isEmpty || children.isEmpty { return delta }
    // All leaves are the same, so only children with records change places.
    var pieces: [(position: Int, piece: Record)] = []
    for (child, place) in zip(children, places).reversed() {
      pieces.append(
        (order.sortedPosition(of: place), shape.cutChildren(child.position..<child.position + 1, of: record)))
    }
    for (position, piece) in pieces.sorted(byNumber: \.position) {
      shape.paste(piece, into: record, at: position)
    }
    return delta
  }
}
