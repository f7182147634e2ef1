import OffsetIndexing

/// What a group and its sections have in common: it derives from the source, and they derive from it.
///
///     source  →  core  →  group                the sections, and the rows in them
///                   ↘  →  section, section …   the rows of one key
///
/// An edit concerns one or two sections of perhaps many thousand. So the core tells nothing to all of its dependents, as other
/// nodes do, but to each the change that is its own, and to the others nothing.
@usableFromInline
final class GroupCore<Element, Key: Hashable>: ReadableNode, DerivedNode {
  @usableFromInline let port: NodePort = NodeHub()
  @usableFromInline let state: Cell<State>
  let functions: Functions
  /// The group's hub.
  let groupHub: NodeHub
  let header: ((Key) -> Element)?
  let emptySections: EmptySectionPolicy

  /// What has to be specialized for the element and the key where the group is made.
  @usableFromInline
  struct Functions {
    @usableFromInline let reading: NodeReader<Element>.Functions
    /// The slots of the keys of a range of the source's children.
    @usableFromInline let slots: (NodeReader<Element>, Range<Int>, KeyTable<Key>, (Element) -> Key?) -> [Int]

    @inlinable
    init(
      reading: NodeReader<Element>.Functions,
      slots: @escaping (NodeReader<Element>, Range<Int>, KeyTable<Key>, (Element) -> Key?) -> [Int]
    ) {
      self.reading = reading
      self.slots = slots
    }
  }

  @usableFromInline
  struct State {
    @usableFromInline var translation: GroupTranslation
    @usableFromInline let reader: NodeReader<Element>
    @usableFromInline let table: KeyTable<Key>
    var source: (any TreeNode<Element>)?
    var key: (Element) -> Key?
    var comparator: ((Key, Key) -> Bool)?
    /// The living sections. Each removes itself before it dies, so the references are never used too late.
    var sections: [Int: Part] = [:]
    /// When sections that are shown without a row lost their last one.
    var emptied: [Int: Int] = [:]
    /// The transaction that `translation.vanished` is about.
    var transaction: Int?
  }

  struct Part {
    unowned let node: GroupSection<Element, Key>
  }

  init(
    _ source: any TreeNode<Element>, _ key: @escaping (Element) -> Key?, _ comparator: ((Key, Key) -> Bool)?,
    _ header: ((Key) -> Element)?, _ emptySections: EmptySectionPolicy, _ functions: Functions,
    groupHub: NodeHub
  ) {
    let table = KeyTable<Key>()
    let reader = source.reader
    let count = source.count
    let (slots, order) = source.hub.refusingChanges {
      let slots = functions.slots(reader, 0..<count, table, key)
      // Slots were given out in the order of first appearance.
      var order = Array(table.keys.indices.dropFirst())
      if let comparator { order.sort { comparator(table.keys[$0]!, table.keys[$1]!) } }
      return (slots, order)
    }
    var translation = GroupTranslation(slots, slotCount: table.keys.count, order: order)
    if translation.rows.sizes[0] > 0 { translation.show(0, at: order.count) }
    state = Cell(
      State(
        translation: translation, reader: reader, table: table, source: source, key: key, comparator: comparator))
    self.functions = functions
    self.groupHub = groupHub
    self.header = header
    self.emptySections = emptySections
    hub.attach(to: self)
    hub.link(source, slot: 0)
  }

  deinit {
    hub.detach()
    var references: [any TreeNode] = []
    surrenderSources(to: &references)
    release(&references)
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    if let source = state.value.source { references.append(source) }
    state.value.source = nil
  }

  var source: any TreeNode<Element> { state.value.source! }

  // MARK: The sections as children

  @usableFromInline var value: Element? { source.value }

  @usableFromInline var count: Int { state.value.translation.display.count }

  @usableFromInline
  func element(at position: Int) -> Element? {
    guard position >= 0, position < count else { return nil }
    return header(ofSlot: state.value.translation.slot(at: position))
  }

  @usableFromInline
  func child(at position: Int) -> (any TreeNode<Element>)? {
    guard position >= 0, position < count else { return nil }
    return section(inSlot: state.value.translation.slot(at: position))
  }

  func header(ofSlot slot: Int) -> Element? {
    guard let header, let key = state.value.table.keys[slot] else { return nil }
    return hub.refusingChanges { header(key) }
  }

  /// The section in a slot, which is made where there is none.
  func section(inSlot slot: Int) -> GroupSection<Element, Key> {
    if let part = state.value.sections[slot] { return part.node }
    let node = GroupSection(self, slot: slot)
    state.value.sections[slot] = Part(node: node)
    return node
  }

  /// Notes that a section dies.
  func forget(_ section: GroupSection<Element, Key>) {
    state.value.sections[section.slot] = nil
    freeIfUnused(section.slot)
  }

  /// Forgets the key of a section that has no rows, is not shown, and that nobody holds.
  private func freeIfUnused(_ slot: Int) {
    guard state.value.translation.rows.count(ofSlot: slot) == 0, state.value.sections[slot] == nil,
      state.value.translation.ordinal(ofSlot: slot) == nil, state.value.translation.vanished?[slot] == nil
    else { return }
    state.value.table.remove(slot: slot)
  }
}

// MARK: - Changes

extension GroupCore {
  /// What a change takes away that a rollback has to bring back: the keys that rows had, whatever the closure says by now,
  /// and which sections were shown without rows.
  private struct Memory {
    var keys: [Int: Key?]
    var shown: [Shown]
  }

  /// Whether the section of a key was shown, and if so, but without a row, since when.
  struct Shown {
    let key: Key?
    let isShown: Bool
    let emptied: Int?
  }

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    // There is one source, linked once.
    guard let (_, change) = changes.takeOnly() else { trap("A group has one source.") }
    followVanishedSections()
    let delta = change.level
    let isRecording = hub.isRecording
    let former = isRecording ? hub.recall() as? Memory : nil
    // The closure is asked first: it must find the group as it was, not half changed.
    let inserted = delta.insertions.flatMap { slots($0, former) }
    let updated = delta.updates.flatMap { slots($0, former) }
    let lost = isRecording ? keys(lostBy: delta) : [:]
    var plan = GroupPlan(change, state.value.translation.rows)
    let rows = state.value.apply(delta, inserted, updated)
    plan.note(rows, change, state.value.translation)
    let shown = arrange(&plan, restoring: former?.shown ?? [])
    if isRecording { hub.remember(Memory(keys: lost, shown: shown)) }
    let whole = plan.finish(change, &state.value.translation)
    freeSections(touchedBy: plan)
    tell(whole, plan)
    return ChangeSet()
  }

  /// Follows sections that vanish, while a transaction is open in which they may come back.
  private func followVanishedSections() {
    let transaction = hub.isListenedTo ? hub.graph.transaction : nil
    if state.value.transaction == transaction { return }
    state.value.transaction = transaction
    let former = state.value.translation.vanished ?? [:]
    state.value.translation.vanished = transaction == nil ? nil : [:]
    for slot in former.keys { freeIfUnused(slot) }
  }

  /// Forgets the keys of sections that have gone.
  private func freeSections(touchedBy plan: GroupPlan) {
    for (slot, section) in plan.sections where section.isTouched && section.ordinal == nil {
      state.value.emptied[slot] = nil
      freeIfUnused(slot)
    }
  }

  /// The slots of a range of the source's children: of the keys they had, where that is known.
  private func slots(_ range: Range<Int>, _ memory: Memory?) -> [Int] {
    guard let memory, range.allSatisfy({ memory.keys[$0] != nil }) else {
      return functions.slots(state.value.reader, range, state.value.table, state.value.key)
    }
    return range.map { state.value.table.slot(for: memory.keys[$0]!) }
  }

  /// The keys of rows that leave or are updated, by their positions before the change.
  private func keys(lostBy delta: Delta) -> [Int: Key?] {
    let inverse = delta.inverse()
    var keys: [Int: Key?] = [:]
    for position in Array(inverse.insertions).joined() { keys[position] = .some(key(ofRow: position)) }
    for position in Array(inverse.updates).joined() { keys[position] = .some(key(ofRow: position)) }
    return keys
  }

  private func key(ofRow position: Int) -> Key? {
    state.value.table.keys[state.value.translation.rows.place(of: position).slot]
  }

  /// Hands each dependent its own change.
  private func tell(_ whole: consuming ChangeSet, _ plan: GroupPlan) {
    let graph = hub.graph
    for (section, change) in parts(plan) { section.hub.broadcast(change, in: graph) }
    if !whole.isSilent { groupHub.broadcast(whole, in: graph) }
  }

  /// The changes of the sections that somebody holds.
  private func parts(_ plan: GroupPlan) -> [(node: GroupSection<Element, Key>, change: ChangeSet)] {
    if state.value.sections.isEmpty { return [] }
    return plan.sections.compactMap { slot, section in
      guard let node = state.value.sections[slot]?.node, node.hub.isObserved else { return nil }
      var change = ChangeSet(delta: section.delta, children: section.children)
      change.crossings = section.crossings
      return change.isSilent ? nil : (node, change)
    }
  }

  /// Gives the sections that got another first row, or their first one, or lost the last, their places.
  ///
  /// - Parameters:
  ///   - plan: what became of the rows.
  ///   - memory: which of the sections were shown before the change that is being taken back.
  /// - Returns: which of them were shown.
  private func arrange(
    _ plan: inout GroupPlan, restoring memory: [Shown]
  ) -> [Shown] {
    var touched = plan.sections.filter { $0.value.isTouched }.map(\.key)
    guard !touched.isEmpty else { return [] }
    // In an order that is the same each time: it says which of several sections became empty first.
    touched.sort { (plan.sections[$0]!.formerOrdinal ?? .max, $0) < (plan.sections[$1]!.formerOrdinal ?? .max, $1) }
    var shown: [Shown] = []
    var arriving: [Int] = []
    for slot in touched {
      let wasShown = plan.sections[slot]!.formerOrdinal != nil
      shown.append(Shown(key: state.value.table.keys[slot], isShown: wasShown, emptied: state.value.emptied[slot]))
      if wasShown { state.value.translation.hide(slot) }
      if state.value.translation.rows.count(ofSlot: slot) > 0 {
        state.value.emptied[slot] = nil
        arriving.append(slot)
      } else if emptySections == .stay, wasShown {
        state.value.emptied[slot] = SerialNumber.next()
        arriving.append(slot)
      }
    }
    for entry in memory {
      guard let slot = state.value.table.known(entry.key), state.value.emptied[slot] != nil else { continue }
      state.value.emptied[slot] = entry.emptied
      if !entry.isShown { arriving.removeAll { $0 == slot } }
    }
    for slot in arriving {
      let place = state.value.translation.place { precedes($0, slot) }
      state.value.translation.show(slot, at: place)
    }
    return shown
  }

  /// Whether one section comes before another, by their slots.
  ///
  /// By the comparator, then by the first row, and those without rows last, in the order in which they lost them. Rows without
  /// a key come behind all others.
  private func precedes(_ slot: Int, _ other: Int) -> Bool {
    if slot == 0 || other == 0 { return slot != 0 && other == 0 }
    if let comparator = state.value.comparator {
      let (key, otherKey) = (state.value.table.keys[slot]!, state.value.table.keys[other]!)
      if comparator(key, otherKey) { return true }
      if comparator(otherKey, key) { return false }
    }
    let rows = state.value.translation.rows
    switch (rows.firstPosition(ofSlot: slot), rows.firstPosition(ofSlot: other)) {
    case (let first?, let second?): return first < second
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): return state.value.emptied[slot] ?? 0 < state.value.emptied[other] ?? 0
    }
  }
}

extension GroupCore.State {
  /// Brings the rows up to date, and makes room for sections that are new.
  fileprivate mutating func apply(_ delta: Delta, _ inserted: [Int], _ updated: [Int]) -> [SectionIndex.RowChange] {
    translation.rows.reserveSlots(table.keys.count)
    return translation.rows.apply(delta, inserted: inserted, updated: updated)
  }
}

// MARK: - Other keys, another order

extension GroupCore {
  /// Puts the sections in the order of another comparator.
  ///
  /// - Returns: what the group tells.
  func reorder(by comparator: ((Key, Key) -> Bool)?) -> ChangeSet {
    state.value.comparator = comparator
    let order = hub.refusingChanges {
      state.value.translation.display.map(\.number).sorted { precedes($0, $1) }
    }
    return ChangeSet(state.value.translation.reorder(order))
  }

  /// Asks for the keys of all rows again.
  ///
  /// - Parameters:
  ///   - key: the closure to ask.
  ///   - former: the keys by position, and which sections were shown, where that is known.
  /// - Returns: what the group and the sections tell, and which sections were shown.
  func regroup(
    by key: @escaping (Element) -> Key?, former: (keys: [Key?], shown: [Shown])?
  ) -> (whole: ChangeSet, parts: [(hub: NodeHub, change: ChangeSet)], shown: [Shown]) {
    followVanishedSections()
    state.value.key = key
    let count = state.value.translation.rows.count
    let slots: [Int]
    if let former {
      slots = former.keys.map { state.value.table.slot(for: $0) }
    } else {
      slots = hub.refusingChanges { functions.slots(state.value.reader, 0..<count, state.value.table, key) }
    }
    var plan = GroupPlan(ChangeSet(), state.value.translation.rows)
    var rows = state.value.apply(.update(0..<count), [], slots)
    rows.removeAll { $0.stands }
    // The rows are what they were; only their keys are others.
    for index in rows.indices { rows[index].isUpdated = false }
    plan.note(rows, ChangeSet(), state.value.translation)
    let shown = hub.refusingChanges { arrange(&plan, restoring: former?.shown ?? []) }
    let whole = plan.finish(ChangeSet(), &state.value.translation)
    freeSections(touchedBy: plan)
    return (whole, parts(plan).map { ($0.node.hub, $0.change) }, shown)
  }

  /// The keys of all rows, by position.
  ///
  /// - Complexity: O(n · log n) for n rows.
  var keys: [Key?] { (0..<state.value.translation.rows.count).map { key(ofRow: $0) } }
}
