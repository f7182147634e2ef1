public import OffsetIndexing

/// A live view of a node's children without the ones whose id another child before them has.
///
/// ```swift
/// let visits = ArrayNode(["Ada", "Bo", "Ada", "Cy"])
/// let visitors = UniqueNode(visits) { $0 }
/// visitors.elements               // ["Ada", "Bo", "Cy"]
/// visits.insert("Cy", at: 0)      // visitors reports that 2 moved to 0, and the update of 0
/// visits.remove(at: 1)            // visitors reports that 1 moved to 2, and the update of 2
/// visitors.elements               // ["Cy", "Bo", "Ada"]
/// ```
///
/// It shows the first child of each id. Where that leaves, is hidden behind another first one, or gets another id, the next child
/// with the id appears at its own place. Equal ids mean the same row, so observers receive a move and an update. They receive a
/// removal and an insertion only where one of the children is a node, or moves from one parent to another. A child that gets
/// another id, and is shown before and after, stays the row that it was.
/// Children without a value, and children whose id is nil, are all shown. The node itself has the value of its source,
/// and children that are nodes stay nodes.
///
/// An id must depend on nothing but the value; where it looks into objects that change, call `refresh()` afterwards. The
/// closure must not change any node of the graph: that traps. The view takes about 20 bytes for each child, and the ids.
public final class UniqueNode<Element, ID: Hashable>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: KeyFunctions<Element, ID>

  /// Creates the view.
  ///
  /// - Parameters:
  ///   - source: the node whose children are shown; it is kept alive.
  ///   - id: what equal children have in common; nil for a child that equals no other. It is called once for each child now, and
  ///     once for each that comes or changes later.
  /// - Complexity: expected O(n) for n children.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, id: @escaping (Element) -> ID?) {
    self.init(source, id, KeyFunctions(reading: .reading(State.self)))
  }

  /// Creates the view by an id that every child has: see the other initializer.
  ///
  /// Without it, the compiler would take the element of `UniqueNode(ArrayNode([1, 1, 2])) { $0 }` for an optional one.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, id: @escaping (Element) -> ID) {
    self.init(source, id: id as (Element) -> ID?)
  }

  @usableFromInline
  init(_ source: any TreeNode<Element>, _ id: @escaping (Element) -> ID?, _ functions: KeyFunctions<Element, ID>) {
    let table = KeyTable<ID>()
    let reader = source.reader
    let slots = source.hub.refusingChanges { functions.slots(reader, 0..<source.count, table, id) }
    let hasNodes = !source.hub.hasOnlyLeaves
    let isNode = (0..<source.count).map { hasNodes && source.child(at: $0) != nil }
    state = NodeCell(
      State(
        translation: UniqueTranslation(slots, slotCount: table.keys.count, isNode: isNode), reader: reader,
        source: source, table: table, id: id), of: port)
    self.functions = functions
    hub.attach(to: self)
    hub.state.value.nesting = .ofSources
    hub.link(source, slot: 0)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    if let source = cell.value.source { references.append(source) }
    cell.value.source = nil
  }

  /// Which children are shown, the source, which is given up when the node is released, and the ids.
  @usableFromInline
  struct State: BitsState, ~Copyable {
    @usableFromInline var translation: UniqueTranslation
    @usableFromInline let reader: NodeReader<Element>
    @usableFromInline var source: (any TreeNode<Element>)?
    @usableFromInline let table: KeyTable<ID>
    @usableFromInline var id: (Element) -> ID?

    @inlinable
    var shown: BitIndex { translation.visible }
  }

  // MARK: Reading

  /// The node whose children are shown.
  public var source: any TreeNode<Element> { state.value.source! }

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "UniqueNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions.reading) }

  // MARK: Changes

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    if let result = translateChild(change) { return result }
    let delta = change.level
    // The closure is asked first: it must find the node as it was, not half changed.
    let inserted = delta.insertions.flatMap(askedSlots)
    let updated = delta.updates.flatMap(askedSlots)
    return translate(change, inserted: inserted, updated: updated)
  }

  /// Translates a change whose inserted and updated children are in slots that have been found out.
  private func translate(_ change: ChangeSet, inserted: [Int], updated: [Int]) -> ChangeSet {
    let isNode = nodes(at: Array(change.level.insertions) + Array(change.level.updates))
    state.value.translation.reserveSlots(state.value.table.keys.count)
    var freed: [Int] = []
    let result = state.value.translation.translate(
      change, inserted: inserted, updated: updated, isNode: isNode, freed: &freed)
    for slot in freed { state.value.table.remove(slot: slot) }
    return result
  }

  /// `translate(_:)` of the arrival or removal of one child, where no child is a node; nil otherwise.
  private func translateChild(_ change: borrowing ChangeSet) -> ChangeSet? {
    if state.value.translation.hasNodes { return nil }
    if let range = change.onlyInsertion, range.count == 1, hub.hasOnlyLeaves {
      let slot = functions.slot(state.value.reader, range.lowerBound, state.value.table, state.value.id)
      state.value.translation.reserveSlots(state.value.table.keys.count)
      return ChangeSet(state.value.translation.insert(at: range.lowerBound, inSlot: slot))
    }
    guard let range = change.onlyRemoval, range.count == 1 else { return nil }
    let (delta, freed) = state.value.translation.remove(at: range.lowerBound)
    if let freed { state.value.table.remove(slot: freed) }
    return ChangeSet(delta)
  }

  private func askedSlots(_ range: Range<Int>) -> [Int] {
    functions.slots(state.value.reader, range, state.value.table, state.value.id)
  }

  /// Which of some children of the source are nodes; empty where none is, and none has been.
  private func nodes(at ranges: [Range<Int>]) -> [Int: Bool] {
    let hasNodes = !source.hub.hasOnlyLeaves
    var isNode: [Int: Bool] = [:]
    guard hasNodes || state.value.translation.hasNodes else { return isNode }
    for range in ranges {
      for position in range { isNode[position] = hasNodes && source.child(at: position) != nil }
    }
    return isNode
  }

  // MARK: Other ids

  /// Tells children apart by another id.
  ///
  /// Observers receive which rows came and left. Where another child of an id is the first one now, they receive a move and an
  /// update, as they do when the source changes; a child that is shown before and after is the same row.
  ///
  /// - Parameter id: what equal children have in common; nil for a child that equals no other. It is called once for each
  ///   child.
  /// - Complexity: expected O(n) for n children, and O(k · log² n) for the k of them that have another id than before.
  public func setID(_ id: @escaping (Element) -> ID?) { distinguish(by: id) }

  /// Asks for all ids again, because they depend on something that has changed.
  ///
  /// Use it where elements are objects that changed without their node's knowledge, or where something else that the closure
  /// captures has changed.
  ///
  /// - Complexity: that of `setID(_:)`.
  public func refresh() { distinguish(by: state.value.id) }

  /// Tells children apart by another id.
  private func distinguish(by id: @escaping (Element) -> ID?) {
    hub.prepareForChange()
    let formerID = state.value.id
    let (table, reader, all) = (state.value.table, state.value.reader, 0..<state.value.translation.rows.count)
    let slots = hub.refusingChanges { functions.slots(reader, all, table, id) }
    state.value.id = id
    let others = all.filter { slots[$0] != state.value.translation.rows.place(of: $0).slot }
    let wasVisible = state.value.translation.visible
    var change = translate(
      ChangeSet(Delta(updates: others.map { $0..<$0 + 1 })), inserted: [], updated: others.map { slots[$0] })
    // To the translation, another id is an update; but a child that stays visible has the same value as before.
    let delta = change.level
    let updates = delta.updates.joined().filter { !wasVisible[state.value.translation.visible.select($0)] }
    change.level = Delta(
      removals: Array(delta.removals), insertions: Array(delta.insertions), updates: updates.map { $0..<$0 + 1 },
      moves: delta.moves)
    hub.publish(change, of: .view, inverse: { [self] in distinguish(by: formerID) })
  }
}

@available(*, unavailable)
extension UniqueNode: Sendable {}

extension UniqueNode where Element: Identifiable, ID == Element.ID {
  /// Creates the view of `Identifiable` elements, the first of each id.
  ///
  /// - Parameter source: the node whose children are shown; it is kept alive.
  /// - Complexity: expected O(n) for n children.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>) {
    self.init(source, id: { (element: Element) -> ID in element.id })
  }
}
