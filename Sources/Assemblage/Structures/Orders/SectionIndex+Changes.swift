import OffsetIndexing

// Applies changes of the source to the rows in their sections.
extension SectionIndex {
  /// The change of one row that arrived, left, moved in the source, or was updated.
  struct RowChange {
    /// Its place before the change; nil where the row arrived.
    var former: Place?
    /// Its place after the change; nil where the row left.
    var place: Place?
    /// Its position in the source before the change; negative where the row arrived.
    var formerPosition: Int
    /// Its position in the source after the change; negative where the row left.
    var position: Int
    /// Whether the source reported an update of the row.
    var isUpdated: Bool
    /// Whether the row moved in the source.
    var isMoved: Bool

    /// Whether the row keeps its place among its neighbours.
    var stays: Bool {
      guard let former, let place else { return false }
      return !isMoved && former.slot == place.slot
    }

    /// Whether the row moves from one section to another.
    var isTransferred: Bool {
      guard let former, let place else { return false }
      return former.slot != place.slot
    }
  }

  /// Translates a change of the source, and applies it to the orders.
  ///
  /// - Parameters:
  ///   - delta: the source's change.
  ///   - inserted: the sections of the rows that the delta inserts, one after the other.
  ///   - updated: the sections of the rows that the delta updates, one after the other. They may differ from the former
  ///     ones.
  ///   - method: how the change is applied to the orders.
  /// - Returns: the change of each row that the delta names.
  /// - Precondition: there is room for all slots.
  /// - Complexity: O(k · log² n) for k rows that the delta names, of n; O(n) where that is less.
  mutating func apply(
    _ delta: Delta, inserted: [Int], updated: [Int], by method: OrderUpdate = .automatic
  ) -> [RowChange] {
    var changes = list(delta, inserted, updated)
    let isWholesale = method == .wholesale || (method == .automatic && changes.count > max(64, count / 16))
    if isWholesale {
      applyWholesale(delta, &changes)
    } else {
      applyStepwise(&changes)
    }
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
    return changes
  }

  /// The changes of the rows that a delta names. Of their places, only the slots after the change are set.
  private func list(_ delta: Delta, _ inserted: [Int], _ updated: [Int]) -> [RowChange] {
    func arrival(_ slot: Int?) -> Place? { slot.map { Place(slot: $0, row: -1) } }
    var changes: [RowChange] = []
    for former in delta.removals.joined() {
      changes.append(
        RowChange(former: nil, place: nil, formerPosition: former, position: -1, isUpdated: false, isMoved: false))
    }
    let moves = delta.moves
    // The slots of updated rows that moved too; a row that only moved keeps its own.
    var slots: [Int: Int] = [:]
    if !updated.isEmpty {
      let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
      let moved = Delta.Ranges(moves.map(\.destination))
      for (position, slot) in zip(delta.updates.joined(), updated) {
        if moved.contains(position: position) {
          slots[position] = slot
          continue
        }
        let former = map.map { $0.position(before: position)! } ?? position
        changes.append(
          RowChange(
            former: nil, place: arrival(slot), formerPosition: former, position: position, isUpdated: true,
            isMoved: false))
      }
    }
    for move in moves {
      for (former, position) in zip(move.source, move.destination) {
        changes.append(
          RowChange(
            former: nil, place: arrival(slots[position]), formerPosition: former, position: position,
            isUpdated: slots[position] != nil, isMoved: true))
      }
    }
    for (position, slot) in zip(delta.insertions.joined(), inserted) {
      changes.append(
        RowChange(
          former: nil, place: arrival(slot), formerPosition: -1, position: position, isUpdated: false, isMoved: false))
    }
    return changes
  }

  // MARK: Row by row

  /// Follows the insertion of one row in the source.
  ///
  /// - Parameters:
  ///   - position: its position in the source after the insertion.
  ///   - slot: the slot of its section; there is room for this slot.
  /// - Returns: the row in the section.
  /// - Complexity: O(log² n) for n rows.
  mutating func insert(at position: Int, inSlot slot: Int) -> Int {
    source.insert(at: position)
    let row = rank(of: position, inSlot: slot)
    grouped.put(source[position], at: sizes.offset(of: slot) + row)
    sizes.add(1, at: slot)
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
    return row
  }

  /// Follows the removal of one row in the source.
  ///
  /// - Parameter position: its position in the source before the removal.
  /// - Returns: its place before the removal.
  /// - Complexity: O(log n) for n rows.
  mutating func remove(at position: Int) -> Place {
    let former = place(of: position)
    grouped.takeOut(source[position])
    sizes.add(-1, at: former.slot)
    source.remove(at: position)
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
    return former
  }

  private mutating func applyStepwise(_ changes: inout [RowChange]) {
    for index in changes.indices where changes[index].formerPosition >= 0 {
      let former = place(of: changes[index].formerPosition)
      changes[index].noteFormer(former)
    }
    // First the rows that leave a place.
    var leaving: [Int] = []
    for change in changes where !change.stays {
      guard let former = change.former else { continue }
      grouped.takeOut(source[change.formerPosition])
      sizes.add(-1, at: former.slot)
      if change.isMoved || change.place == nil { leaving.append(change.formerPosition) }
    }
    leaving.sort(by: >)
    for position in leaving { source.remove(at: position) }
    // Then the rows that get a place, in the order of the source: so all rows before them are there already.
    var arrivals = changes.indices.filter { changes[$0].place != nil && !changes[$0].stays }
    if arrivals.count > 1 { arrivals.sort(byNumber: { changes[$0].position }) }
    for index in arrivals where changes[index].isMoved || changes[index].former == nil {
      source.insert(at: changes[index].position)
    }
    for index in arrivals {
      let position = changes[index].position
      let slot = changes[index].place!.slot
      let row = rank(of: position, inSlot: slot)
      grouped.put(source[position], at: sizes.offset(of: slot) + row)
      sizes.add(1, at: slot)
      changes[index].place!.row = row
    }
    for index in changes.indices where changes[index].stays {
      changes[index].place = place(of: changes[index].position)
    }
  }

  /// The number of rows of a section that lie before a position of the source.
  private func rank(of position: Int, inSlot slot: Int) -> Int {
    let range = sizes.range(of: slot)
    // Rows often arrive at the end.
    if let last = range.last, source.position(of: grouped[last]) < position { return range.count }
    return range.partitioningIndex { source.position(of: grouped[$0]) >= position } - range.lowerBound
  }

  // MARK: All rows

  private mutating func applyWholesale(_ delta: Delta, _ changes: inout [RowChange]) {
    // For each position in the source before the change, the place.
    var places = [Place](repeating: Place(slot: 0, row: 0), count: count)
    let positions = positionsByHandle
    var handles = grouped.makeIterator()
    for (slot, size) in sizes.enumerated() {
      for row in 0..<size { places[positions[handles.next()!.number]] = Place(slot: slot, row: row) }
    }
    for index in changes.indices where changes[index].formerPosition >= 0 {
      changes[index].noteFormer(places[changes[index].formerPosition])
    }
    var slots = [Int](repeating: 0, count: count + delta.countChange)
    Delta.PositionMap(delta).forEachRun(inOld: 0..<count) { old, new in
      for (former, position) in zip(old, new) { slots[position] = places[former].slot }
    }
    for change in changes {
      if let place = change.place { slots[change.position] = place.slot }
    }
    let layout = Self.layout(slots, slotCount: sizes.count)
    source = OrderIndex(count: slots.count)
    grouped = OrderIndex(numbers: layout.sources)
    sizes = layout.sizes
    for index in changes.indices where changes[index].place != nil {
      changes[index].place!.row = Int(layout.rows[changes[index].position])
    }
  }
}

extension SectionIndex.RowChange {
  /// Notes the former place of the row; a row that only moved stays in its section.
  fileprivate mutating func noteFormer(_ former: SectionIndex.Place) {
    self.former = former
    if place == nil, position >= 0 { place = SectionIndex.Place(slot: former.slot, row: -1) }
  }
}
