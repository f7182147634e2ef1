import OffsetIndexing

/// Translates between a source's index space and sections with rows.
///
///     source position  ⇄  slot and row          the `SectionIndex`
///     slot             ⇄  ordinal               the order in which sections are shown
///
/// The translation knows no keys: the group provides the slot of each row and the order of the keys.
@usableFromInline
struct GroupTranslation {
  @usableFromInline private(set) var rows: SectionIndex
  /// The slots of the sections that are shown, in order.
  private(set) var display = OrderIndex()
  /// The keys in the order of a comparator; nil where only the first rows decide.
  private(set) var order: KeyOrder?
  /// Whether sections without rows stay.
  private let keepsEmptySections: Bool
  /// For each section that is shown without a row, by slot, the number of `clock` when the section lost its last row.
  ///
  /// `clock` counts such losses.
  private var emptied: [Int: Int] = [:]
  private var clock = 0

  /// Creates the translation of a source.
  ///
  /// - Parameters:
  ///   - slots: the section of each row, in the order of the source; 0 for rows without a key.
  ///   - slotCount: the number of slots. The slots of sections are in the order of the sections' first rows.
  ///   - order: the keys of all slots but 0 in the order of a comparator, where equal keys have the order of their
  ///     first rows; nil where the first rows decide.
  ///   - keepsEmptySections: whether sections without rows stay.
  init(_ slots: [Int], slotCount: Int, order: KeyOrder?, keepsEmptySections: Bool) {
    rows = SectionIndex(slots, slotCount: slotCount)
    self.order = order
    self.keepsEmptySections = keepsEmptySections
    let slots = order.map { $0.slots.map(\.number) } ?? Array(1..<slotCount)
    for (ordinal, slot) in slots.enumerated() { show(slot, at: ordinal) }
    if rows.count(ofSlot: 0) > 0 { show(0, at: slots.count) }
  }

  /// The slot of a section.
  func slot(at ordinal: Int) -> Int { display[ordinal].number }

  /// The ordinal of the section in a slot; nil where it is not shown.
  func ordinal(ofSlot slot: Int) -> Int? {
    let handle = OrderIndex.Handle(number: slot)
    return display.contains(handle) ? display.position(of: handle) : nil
  }

  /// Whether the section in a slot has no rows and is not shown, so that the translation does not need its key.
  func isUnused(_ slot: Int) -> Bool { rows.count(ofSlot: slot) == 0 && ordinal(ofSlot: slot) == nil }

  // MARK: The order of sections

  /// The rank of a section: by key, then by first row.
  ///
  /// Sections without rows are last, in the order in which they lost their rows. Rows without a key are behind all
  /// others.
  private func rank(_ slot: Int) -> (key: Int, row: Int, emptied: Int) {
    (
      slot == 0 ? .max : order?.rank(ofSlot: slot) ?? 0, rows.firstPosition(ofSlot: slot) ?? .max, emptied[slot] ?? 0
    )
  }

  private func sorted(_ slots: [Int]) -> [Int] {
    slots.map { (slot: $0, rank: rank($0)) }.sorted { $0.rank < $1.rank }.map(\.slot)
  }

  /// Adds a new key; its section has no rows yet.
  mutating func placeKey(_ slot: Int, at place: (position: Int, isLikeNext: Bool)) { order?.insert(slot, at: place) }

  /// Forgets the key in a slot that is unused.
  mutating func removeKey(_ slot: Int) { order?.remove(slot) }

  private mutating func show(_ slot: Int, at ordinal: Int) {
    display.put(OrderIndex.Handle(number: slot), at: ordinal)
  }

  /// Shows the sections in the order of another comparator.
  ///
  /// - Parameter order: the keys in the order of the comparator; nil where the first rows decide.
  /// - Returns: the fewest moves that lead to the new order.
  /// - Complexity: O(m · log m) for m sections.
  mutating func reorder(by order: KeyOrder?) -> Delta {
    self.order = order
    let former = display
    let slots = sorted(former.map(\.number))
    display = OrderIndex()
    var matching = Delta.Matching()
    for (ordinal, slot) in slots.enumerated() {
      show(slot, at: ordinal)
      matching.append(former.position(of: OrderIndex.Handle(number: slot)), ordinal, isUpdated: false)
    }
    return matching.finish(oldCount: slots.count, newCount: slots.count)
  }
}

// MARK: - Changes

extension GroupTranslation {
  /// Translates a change of the source, and updates the rows and sections.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - inserted: the slots of the inserted rows, one after the other.
  ///   - updated: the slots of the updated rows, one after the other.
  ///   - slotCount: the number of slots; with a comparator, `order` knows all of them but 0.
  /// - Returns: the changes of sections and rows.
  /// - Complexity: O(k · log² n) for k rows, of n, that the change names; and O(t · log m) for t sections, of m, that
  ///   got another first row.
  mutating func translate(_ change: ChangeSet, inserted: [Int], updated: [Int], slotCount: Int) -> GroupPlan {
    var plan = GroupPlan(change, rows)
    rows.reserveSlots(slotCount)
    let changes = rows.apply(change.level, inserted: inserted, updated: updated)
    carryOut(&plan, change, changes)
    return plan
  }

  /// The effect of one row that arrives or leaves.
  enum RowStep {
    /// A change of the rows of one section, where the changed row is not the first.
    ///
    /// So the section keeps its place.
    case inside(slot: Int, ordinal: Int, delta: Delta)
    case several(GroupPlan)
  }

  /// Translates the insertion of one row in the source.
  ///
  /// - Parameters:
  ///   - change: the source's change, which is this insertion and nothing else.
  ///   - position: the position of the row in the source.
  ///   - slot: the slot of the row's section.
  ///   - slotCount: as in `translate(_:inserted:updated:slotCount:)`.
  /// - Returns: the changes of sections and rows.
  /// - Complexity: O(log² n) for n rows; O(log m) more for m sections, where the row is the first of its section.
  mutating func insertRow(_ change: ChangeSet, at position: Int, inSlot slot: Int, slotCount: Int) -> RowStep {
    rows.reserveSlots(slotCount)
    let row = rows.insert(at: position, inSlot: slot)
    if row > 0, let ordinal = ordinal(ofSlot: slot) {
      return .inside(slot: slot, ordinal: ordinal, delta: .insertion(row..<row + 1))
    }
    return .several(
      plan(
        change,
        SectionIndex.RowChange(
          former: nil, place: SectionIndex.Place(slot: slot, row: row), formerPosition: -1, position: position,
          isUpdated: false, isMoved: false)))
  }

  /// Translates the removal of one row in the source; see `insertRow`.
  mutating func removeRow(_ change: ChangeSet, at position: Int) -> RowStep {
    let place = rows.remove(at: position)
    if place.row > 0, let ordinal = ordinal(ofSlot: place.slot) {
      return .inside(slot: place.slot, ordinal: ordinal, delta: .removal(place.row..<place.row + 1))
    }
    return .several(
      plan(
        change,
        SectionIndex.RowChange(
          former: place, place: nil, formerPosition: position, position: -1, isUpdated: false, isMoved: false)))
  }

  private mutating func plan(_ change: ChangeSet, _ row: SectionIndex.RowChange) -> GroupPlan {
    var plan = GroupPlan(change, rows)
    carryOut(&plan, change, [row])
    return plan
  }

  /// Moves the rows to other sections, where their keys have changed.
  ///
  /// - Parameters:
  ///   - slots: the new slots of all rows.
  ///   - slotCount: as in `translate(_:inserted:updated:slotCount:)`.
  /// - Returns: the changes of sections and rows.
  /// - Complexity: O(n) for n rows, and O(k · log n) for the k rows that move to another section.
  mutating func regroup(_ slots: [Int], slotCount: Int) -> GroupPlan {
    var plan = GroupPlan(ChangeSet(), rows)
    rows.reserveSlots(slotCount)
    var changes = rows.apply(.update(0..<rows.count), inserted: [], updated: slots)
    changes.removeAll { $0.stays }
    // The keys of the rows have changed, but not their values.
    for index in changes.indices { changes[index].isUpdated = false }
    carryOut(&plan, ChangeSet(), changes)
    return plan
  }

  private mutating func carryOut(
    _ plan: inout GroupPlan, _ change: ChangeSet, _ changes: [SectionIndex.RowChange]
  ) {
    plan.note(changes, change, self)
    arrange(plan)
    plan.finish(updatesValue: change.updatesValue, self)
  }

  /// Finds the places of the sections that got another first row, got their first row, or lost their last row.
  private mutating func arrange(_ plan: GroupPlan) {
    // The order is the same each time, because it decides which of several sections became empty first.
    var touched: [(ordinal: Int, slot: Int)] = []
    for (slot, section) in plan.sections where section.isTouched {
      touched.append((section.formerOrdinal ?? .max, slot))
    }
    if touched.count > 1 { touched.sort { $0 < $1 } }
    var arriving: [Int] = []
    for (_, slot) in touched {
      if rows.count(ofSlot: slot) > 0 {
        emptied[slot] = nil
        arriving.append(slot)
      } else if keepsEmptySections, plan.sections[slot]!.formerOrdinal != nil {
        clock += 1
        emptied[slot] = clock
        arriving.append(slot)
      }
    }
    // Usually one section changes and keeps its place.
    if touched.count == 1, arriving.count == 1, isInPlace(arriving[0]) { return }
    for (_, slot) in touched where ordinal(ofSlot: slot) != nil {
      display.takeOut(OrderIndex.Handle(number: slot))
    }
    for slot in arriving {
      let rank = rank(slot)
      show(slot, at: (0..<display.count).partitioningIndex { self.rank(self.slot(at: $0)) > rank })
    }
    for (_, slot) in touched where ordinal(ofSlot: slot) == nil { emptied[slot] = nil }
  }

  /// Whether a section is shown, and its two neighbours are in order with it.
  private func isInPlace(_ slot: Int) -> Bool {
    guard let ordinal = ordinal(ofSlot: slot) else { return false }
    let rank = rank(slot)
    return (ordinal == 0 || self.rank(self.slot(at: ordinal - 1)) < rank)
      && (ordinal == display.count - 1 || rank < self.rank(self.slot(at: ordinal + 1)))
  }
}
