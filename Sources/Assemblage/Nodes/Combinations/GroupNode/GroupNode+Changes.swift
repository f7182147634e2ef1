// Changes of the source, other keys and another order.
extension GroupNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    state.value.work?.follow(change.level)
    if let whole = translateRow(change) { return whole }
    // The closures are called first: they must find the group as it was, not half changed.
    let inserted = change.level.insertions.flatMap(askedSlots)
    let updated = change.level.updates.flatMap(askedSlots)
    placeKeys(inserted)
    placeKeys(updated)
    let plan = state.value.translation.translate(
      change, inserted: inserted, updated: updated, slotCount: state.value.table.keys.count)
    finish(plan)
    return plan.whole
  }

  /// `translate(_:)` of the arrival or removal of one row; nil for any other change.
  private func translateRow(_ change: ChangeSet) -> ChangeSet? {
    let step: GroupTranslation.RowStep
    if let range = change.onlyInsertion, range.count == 1 {
      let slot = functions.slot(state.value.reader, range.lowerBound, state.value.table, state.value.key)
      if state.value.comparator != nil { placeKeys([slot]) }
      step = state.value.translation.insertRow(
        change, at: range.lowerBound, inSlot: slot, slotCount: state.value.table.keys.count)
    } else if let range = change.onlyRemoval, range.count == 1 {
      step = state.value.translation.removeRow(change, at: range.lowerBound)
    } else {
      return nil
    }
    switch step {
    case .inside(let slot, let ordinal, let delta):
      var change = ChangeSet(delta)
      if let node = livingSection(inSlot: slot), node.hub.isObserved { node.hub.receiveFromWhole(change) }
      change.wrap(at: ordinal)
      return change
    case .several(let plan):
      finish(plan)
      return plan.whole
    }
  }

  private func askedSlots(_ range: Range<Int>) -> [Int] {
    functions.slots(state.value.reader, range, state.value.table, state.value.key)
  }

  /// Finds the places of new keys among all keys.
  private func placeKeys(_ slots: [Int]) {
    guard let comparator = state.value.comparator else { return }
    let keys = state.value.table.keys
    for slot in slots where slot > 0 {
      guard let order = state.value.translation.order, !order.contains(slot) else { continue }
      let place = order.place(of: slot) { comparator(keys[$0]!, keys[$1]!) }
      state.value.translation.placeKey(slot, at: place)
    }
  }

  /// Gives each observed section its own change, and forgets the keys of sections that are gone.
  private func finish(_ plan: GroupPlan) {
    for (slot, section) in plan.sections {
      if let node = livingSection(inSlot: slot), node.hub.isObserved {
        let change = section.change
        if !change.isSilent { node.hub.receiveFromWhole(change) }
      }
      if section.isTouched, section.ordinal == nil { freeIfUnused(slot) }
    }
  }

  /// Forgets a section that is being released.
  func forget(_ section: GroupSection<Element, Key>) {
    state.cell.value.sections.forget(section, for: section.slot)
    freeIfUnused(section.slot)
  }

  /// Forgets the key of a section that has no rows, is not shown, and has no node.
  private func freeIfUnused(_ slot: Int) {
    let cell = state.cell
    guard slot > 0, cell.value.sections[slot] == nil, cell.value.table.keys[slot] != nil,
      cell.value.translation.isUnused(slot)
    else { return }
    cell.value.translation.removeKey(slot)
    cell.value.table.remove(slot: slot)
  }

  // MARK: Grouping otherwise

  /// Sorts the sections by another comparator.
  ///
  /// Observers receive the fewest moves of sections, or nothing where the order is the same.
  ///
  /// - Parameter areInIncreasingOrder: returns whether the section of its first argument is before that of its second;
  ///   nil for the order of the sections' first rows.
  /// - Complexity: O(m · log m) comparisons for m sections.
  public func setSectionComparator(_ areInIncreasingOrder: ((Key, Key) -> Bool)?) {
    hub.prepareForChange()
    let former = state.value.comparator
    let order = areInIncreasingOrder.map { comparator in hub.refusingChanges { state.value.table.order(by: comparator) }
    }
    state.value.comparator = areInIncreasingOrder
    let change = ChangeSet(state.value.translation.reorder(by: order))
    hub.publish(change, of: .view, inverse: { [self] in setSectionComparator(former) })
  }

  /// Groups by another key.
  ///
  /// Observers receive a transfer for each row that moved to another section. This is costly where there are very many
  /// such rows.
  ///
  /// A background call that is still running is superseded, even if the transaction is rolled back.
  ///
  /// - Parameter key: returns the key of a value; nil for rows without a key.
  /// - Complexity: O(n) for n rows, and O(k · log n) for the k rows that move to another section.
  public func setKey(_ key: @escaping (Element) -> Key?) {
    hub.prepareForChange()
    regroup(by: key)
  }

  /// Calls the key closure again for all rows, because the keys depend on something that has changed.
  ///
  /// Use it where elements are objects that changed without a report to their node, or where other state that the
  /// closure captures has changed.
  ///
  /// A background call that is still running is superseded.
  ///
  /// - Complexity: as for `setKey(_:)`.
  public func refresh() { setKey(state.value.key) }

  /// Groups by another key, and supersedes work in the background. The node is prepared for a change.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - slots: returns the slots of all rows; nil to call the key closure for each row.
  func regroup(by key: @escaping (Element) -> Key?, slots: (() -> [Int])? = nil) {
    state.value.work = nil
    let formerKey = state.value.key
    let table = state.value.table
    let all = 0..<state.value.translation.rows.count
    let slots = hub.refusingChanges {
      let slots = slots?() ?? functions.slots(state.value.reader, all, table, key)
      placeKeys(slots)
      return slots
    }
    state.value.key = key
    let plan = state.value.translation.regroup(slots, slotCount: table.keys.count)
    finish(plan)
    hub.publish(plan.whole, of: .view, inverse: { [self] in setKey(formerKey) })
  }
}
