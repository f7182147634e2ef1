// What the source, other keys and another order change.
extension GroupNode {
  /// What a change takes away that a rollback has to bring back: the keys that rows had, whatever the closure says by now,
  /// how sections stood, and what rows were told with that something happened to.
  private struct Memory {
    var keys: [Int: Key?]
    var standings: Standings
    var tokens: [(position: Int, token: Crossing.Token)]
  }

  /// How sections stood, by key: their slots may be others by now.
  private typealias Standings = [(key: Key?, standing: GroupTranslation.Standing)]

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    followTransaction()
    let delta = change.level
    state.value.work?.follow(delta)
    let isRecording = hub.isRecording
    if !isRecording, state.value.translation.transaction == nil, let whole = translateRow(change) { return whole }
    let former = hub.recall(Memory.self)
    // The closures are asked first: they must find the group as it was, not half changed.
    let table = state.value.table
    let inserted = table.slots(of: delta.insertions, lost: former?.keys, asking: askedSlots)
    let updated = table.slots(of: delta.updates, lost: former?.keys, asking: askedSlots)
    placeKeys(inserted)
    placeKeys(updated)
    let lost = isRecording ? table.keys(lostBy: delta, in: state.value.translation.rows) : [:]
    let tokens = isRecording ? state.value.translation.transaction?.rows(touchedBy: change) ?? [] : []
    let formerTokens = hub.isRolledBackPartly ? [] : former?.tokens ?? []
    state.value.translation.transaction?.restore(formerTokens, before: delta)
    let plan = state.value.translation.translate(
      change, inserted: inserted, updated: updated, slotCount: table.keys.count,
      restoring: known(former?.standings ?? []))
    state.value.translation.transaction?.restore(formerTokens)
    if isRecording { hub.remember(Memory(keys: lost, standings: withKeys(plan.standings), tokens: tokens)) }
    finish(plan)
    return plan.whole
  }

  /// `translate(_:)` where one row comes or leaves, outside of a transaction; nil where something else happens.
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

  /// Finds the places of keys that are new among all of them.
  private func placeKeys(_ slots: [Int]) {
    guard let comparator = state.value.comparator else { return }
    let keys = state.value.table.keys
    for slot in slots where slot > 0 {
      guard let order = state.value.translation.order, !order.contains(slot) else { continue }
      let place = order.place(of: slot) { comparator(keys[$0]!, keys[$1]!) }
      state.value.translation.placeKey(slot, at: place)
    }
  }

  private func withKeys(_ standings: [GroupTranslation.Standing]) -> Standings {
    standings.map { (state.value.table.keys[$0.slot], $0) }
  }

  /// How sections stood, by the slots that their keys have now.
  private func known(_ standings: Standings) -> [GroupTranslation.Standing] {
    standings.compactMap { key, standing in
      guard let slot = state.value.table.known(key) else { return nil }
      var standing = standing
      standing.slot = slot
      return standing
    }
  }

  private func followTransaction() {
    follow(transaction: hub.isListenedTo ? hub.graph.transaction : nil)
    if state.value.translation.transaction != nil { hub.graph.callAtEnd(hub) }
  }

  private func follow(transaction: Int?) {
    for slot in state.value.translation.follow(transaction: transaction) { freeIfUnused(slot) }
  }

  /// Gives up what left in the transaction and did not come back.
  func endTransaction() {
    state.value.translation.transaction?.finish()
    hub.graph.add(state.value.translation.transaction?.takeLinks() ?? [])
    follow(transaction: nil)
  }

  func formerToken(of token: Crossing.Token) -> (token: Crossing.Token, change: ChangeSet)? {
    state.value.translation.transaction?.former(of: token)
  }

  /// Hands each section that is derived from or observed what is its own, and forgets the keys of those that have gone.
  private func finish(_ plan: GroupPlan) {
    for (slot, section) in plan.sections {
      if let node = livingSection(inSlot: slot), node.hub.isObserved {
        let change = section.change
        if !change.isSilent { node.hub.receiveFromWhole(change) }
      }
      if section.isTouched, section.ordinal == nil { freeIfUnused(slot) }
    }
    if let links = state.value.translation.transaction?.takeLinks(), !links.isEmpty { hub.graph.add(links) }
  }

  /// Notes that a section dies.
  func forget(_ section: GroupSection<Element, Key>) {
    state.value.sections.forget(section, for: section.slot)
    freeIfUnused(section.slot)
  }

  /// Forgets the key of a section that has no rows, is not shown, and is not held.
  private func freeIfUnused(_ slot: Int) {
    guard slot > 0, state.value.sections[slot] == nil, state.value.table.keys[slot] != nil,
      state.value.translation.isUnused(slot)
    else { return }
    state.value.translation.removeKey(slot)
    state.value.table.remove(slot: slot)
  }

  // MARK: Grouping otherwise

  /// Puts the sections in another order.
  ///
  /// Observers hear the fewest moves of sections; nothing where the order is the same.
  ///
  /// - Parameter areInIncreasingOrder: says whether the section of its first argument comes before that of its second; nil for
  ///   the order in which the sections' first rows stand.
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
  /// Observers hear which rows moved to other sections: a transfer for each, which is costly where there are very many.
  ///
  /// - Parameter key: the key of a value; nil for rows that have none.
  /// - Complexity: O(n) for n rows, and O(k · log n) for the k of them that move to another section.
  public func setKey(_ key: @escaping (Element) -> Key?) { regroup(by: key) }

  /// Asks for all keys again, because what they come from has changed.
  ///
  /// Use it where elements are objects that changed without their node's knowledge, or where something else that the closure
  /// captures has changed.
  ///
  /// - Complexity: that of `setKey(_:)`.
  public func refresh() { regroup(by: state.value.key) }

  /// What a rollback of another key goes back to.
  private struct Former {
    var keys: [Key?]
    var standings: Standings
  }

  /// Groups by another key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - slots: finds out the slots of all rows; nil to ask for the keys.
  func regroup(by key: @escaping (Element) -> Key?, slots: (() -> [Int])? = nil) {
    regroup(by: key, nil, work: nil, slots: slots)
  }

  /// Says what is worked out in the background from now on; what was is superseded.
  func exchange(_ work: BackgroundWork?) -> BackgroundWork? {
    let former = state.value.work
    former?.isSuperseded = true
    state.value.work = work
    work?.isSuperseded = false
    return former
  }

  private func regroup(
    by key: @escaping (Element) -> Key?, _ former: Former?, work: BackgroundWork?, slots: (() -> [Int])? = nil
  ) {
    hub.prepareForChange()
    let formerWork = exchange(work)
    followTransaction()
    let formerKey = state.value.key
    let table = state.value.table
    let count = state.value.translation.rows.count
    // Written down only where they may be wanted back: that takes a pass over all rows.
    let formerKeys =
      hub.isRecording ? (0..<count).map { table.keys[state.value.translation.rows.place(of: $0).slot] } : []
    let slots = hub.refusingChanges {
      let slots =
        former?.keys.map { table.slot(for: $0) } ?? slots?()
        ?? functions.slots(state.value.reader, 0..<count, table, key)
      placeKeys(slots)
      return slots
    }
    state.value.key = key
    let plan = state.value.translation.regroup(
      slots, slotCount: table.keys.count, restoring: known(former?.standings ?? []))
    let standings = hub.isRecording ? withKeys(plan.standings) : []
    finish(plan)
    hub.publish(
      plan.whole, of: .view,
      inverse: { [self] in
        // Where something could not be taken back, the rows may be others by now.
        let former = hub.isRolledBackPartly ? nil : Former(keys: formerKeys, standings: standings)
        regroup(by: formerKey, former, work: formerWork)
      })
  }
}
