public import OffsetIndexing

/// What the nodes of one sorted tree have in common: the orders, the nodes of the source, and which node shows which.
@usableFromInline
final class TreeSortFamily<Element> {
  @usableFromInline typealias Record = TreeSortTranslation.Record
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

  /// A shown node. Each removes itself before it dies, so the reference is never used too late.
  struct Member {
    unowned let node: TreeSortNode<Element>
    /// Tells the node from others when it dies: by then the reference can't be read.
    let identity: ObjectIdentifier

    init(_ node: TreeSortNode<Element>) {
      self.node = node
      identity = ObjectIdentifier(node)
    }
  }

  struct State: ~Copyable {
    var comparator: Comparator?
    /// The nodes of the source, by the numbers of their records.
    var sources: [Source?] = []
    /// The living nodes of children, by the numbers of their records.
    var members: [Int: Member] = [:]
    /// What left for an unknown place with the last change, and may come back with the next.
    var departed: [Departure] = []
    /// Members whose child has left in the transaction under way, by the node of the source that they showed; a rollback brings
    /// it back.
    var lost: [ObjectIdentifier: [Member]] = [:]

    init(comparator: Comparator?) { self.comparator = comparator }
  }

  /// A child that left for an unknown place.
  struct Departure {
    let token: Crossing.Token
    /// The record that it took along, detached; nil where it had none.
    let record: Record?
    /// Whether those above have heard of it.
    let wasShown: Bool
  }

  let functions: Functions
  /// Tells the family from others.
  let number = SerialNumber.next()
  let translation = Cell(TreeSortTranslation())
  let state: Cell<State>

  init(_ source: any TreeNode<Element>, _ comparator: Comparator?, _ functions: Functions) {
    self.functions = functions
    state = Cell(State(comparator: comparator))
    state.value.sources = [Source(node: source)]
  }

  deinit {
    translation.destroy()
    state.destroy()
  }

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
    if let member = state.value.members[record.number] { return member.node }
    let node = TreeSortNode(self, record: record, root: root)
    state.value.members[record.number] = Member(node)
    return node
  }

  /// Notes that the node of a child dies.
  func forget(_ node: TreeSortNode<Element>, record: Record) {
    if state.value.members[record.number]?.identity == ObjectIdentifier(node) {
      state.value.members[record.number] = nil
    }
  }

  /// Notes that a node dies that has lost its child.
  func forgetLost(_ node: TreeSortNode<Element>, source: any TreeNode<Element>) {
    state.value.lost[ObjectIdentifier(source)]?.removeAll { $0.identity == ObjectIdentifier(node) }
  }

  /// Frees detached children with all below, and hands over their nodes, to be released when nothing is being changed.
  ///
  /// The nodes that showed them show nothing from now on.
  func discard(_ pieces: [Record], to released: inout [any TreeNode]) {
    for piece in pieces {
      if !state.value.members.isEmpty { loseMembers(inPiece: piece) }
      for record in translation.value.discard(piece) where record.number < state.value.sources.count {
        if let source = state.value.sources[record.number] { released.append(source.node) }
        state.value.sources[record.number] = nil
      }
    }
  }

  private func loseMembers(inPiece piece: Record) {
    for record in translation.value.records(inPiece: piece) {
      guard let member = state.value.members.removeValue(forKey: record.number) else { continue }
      let count = translation.value.count(of: record)
      member.node.lose()
      tell(member, ChangeSet(count > 0 ? .removal(0..<count) : Delta(), updatesValue: true))
      if member.node.hub.isRecording {
        state.value.lost[ObjectIdentifier(member.node.source), default: []].append(member)
      }
    }
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
      let source = ObjectIdentifier(node(record))
      guard state.value.members[record.number] == nil, let member = state.value.lost[source]?.popLast() else {
        continue
      }
      state.value.members[record.number] = member
      member.node.find(record)
      let count = translation.value.count(of: record)
      tell(member, ChangeSet(count > 0 ? .insertion(0..<count) : Delta(), updatesValue: true))
    }
  }

  /// Tells the node of a child what happened in it, if a dependent or an observer hears of it.
  func tell(_ member: Member, _ change: @autoclosure () -> ChangeSet) {
    if member.node.hub.isObserved { member.node.hub.receiveFromWhole(change()) }
  }

  /// Gives up what left and did not come back.
  func discardDeparted(to released: inout [any TreeNode]) {
    let pieces = state.value.departed.compactMap { $0.record.flatMap(translation.value.shape.parent) }
    state.value.departed = []
    discard(pieces, to: &released)
  }

  /// All nodes of the source, to be released.
  func surrenderSources(to references: inout [any TreeNode]) {
    for case let source? in state.value.sources { references.append(source.node) }
    state.value.sources = []
  }
}
