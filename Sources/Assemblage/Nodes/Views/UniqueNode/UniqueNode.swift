public import OffsetIndexing

/// A live view of a node's children that shows the first child of each id.
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
/// If the shown child of an id leaves or gets another id, the next child with the id is shown, at its own position. If
/// a child with the id arrives before the shown one, the new child is shown instead. Equal ids mean the same row, so
/// observers are notified of a move and an update. They are notified of a removal and an insertion only if one of the
/// children is a node, or moves from one parent to another. A child that gets another id, and is shown before and
/// after, stays the same row. A move is made in the source: behind a hidden child with its id, the moved child is
/// hidden, and the other one is shown. Children without a value, and children whose id is nil, are all shown. The node
/// itself has the value of its source, and children that are nodes stay nodes.
///
/// An id must depend only on the value. If it reads the contents of objects that change, call `refresh()` after such a
/// change. The closure must not change any node of the graph: that traps. The view takes about 20 bytes for each child,
/// and the ids.
public final class UniqueNode<Element, ID: Hashable>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: KeyFunctions<Element, ID>

  /// Creates the view.
  ///
  /// - Parameters:
  ///   - source: the node whose children are shown; it is kept alive.
  ///   - id: returns the id that equal children share; nil for a child that equals no other. It is called once for each
  ///     child now, and once for each child that arrives or changes later.
  /// - Complexity: expected O(n) for n children.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, id: @escaping (Element) -> ID?) {
    self.init(source, id, KeyFunctions(reading: .reading(State.self)))
  }

  /// Creates the view by an id that every child has: see the other initializer.
  ///
  /// Without this initializer, the compiler would infer an optional element for
  /// `UniqueNode(ArrayNode([1, 1, 2])) { $0 }`.
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

  /// The bits of the shown children, the source, and the ids. The source is given up when the node is released.
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
    // The closure is asked first, so that it finds the node in its former state, and not half changed.
    let inserted = delta.insertions.flatMap(askedSlots)
    let updated = delta.updates.flatMap(askedSlots)
    return translate(change, inserted: inserted, updated: updated)
  }

  /// Translates a change, given the slots of its inserted and updated children.
  private func translate(_ change: ChangeSet, inserted: [Int], updated: [Int]) -> ChangeSet {
    let isNode = nodes(at: Array(change.level.insertions) + Array(change.level.updates))
    state.value.translation.reserveSlots(state.value.table.keys.count)
    var freed: [Int] = []
    let result = state.value.translation.translate(
      change, inserted: inserted, updated: updated, isNode: isNode, freed: &freed)
    for slot in freed { state.value.table.remove(slot: slot) }
    return result
  }

  /// Translates the insertion or removal of one child, if no child is a node; returns nil otherwise.
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

  /// Returns whether each of some children of the source is a node; empty if no child is or was a node.
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

  /// Distinguishes children by another id.
  ///
  /// Observers are notified of the rows that arrive and leave. If another child is now the first of its id, they are
  /// notified of a move and an update, as after a change of the source. A child that is shown before and after is the
  /// same row.
  ///
  /// - Parameter id: returns the id that equal children share; nil for a child that equals no other. It is called once
  ///   for each child.
  /// - Complexity: expected O(n · log n) for n children, and O(k · log² n) for the k children whose id changes.
  public func setID(_ id: @escaping (Element) -> ID?) { distinguish(by: id) }

  /// Asks for all ids again, because the data that they depend on have changed.
  ///
  /// Call this if elements are objects that changed without their node's knowledge, or if anything else that the
  /// closure captures has changed.
  ///
  /// - Complexity: that of `setID(_:)`.
  public func refresh() { distinguish(by: state.value.id) }

  /// Distinguishes children by another id.
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
    // The translation treats another id as an update. But a child that stays visible has the same value as before.
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
  /// Creates the view of the first `Identifiable` element of each id.
  ///
  /// - Parameter source: the node whose children are shown; it is kept alive.
  /// - Complexity: expected O(n) for n children.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>) {
    self.init(source, id: { (element: Element) -> ID in element.id })
  }
}
