public import OffsetIndexing

/// Translates between a source's index space and the index space of the first child of each id.
///
///     source      a   b   a   -   c   b      '-' has no id
///     slots       1   2   1   0   3   2      the rows of one id are a section of a `SectionIndex`
///     visible     1   1   0   1   1   0      a BitIndex: first rows of sections, and all of slot 0
@usableFromInline
struct UniqueTranslation {
  private(set) var rows: SectionIndex
  @usableFromInline private(set) var visible: BitIndex
  /// A bit for each child of the source that is a node; nil if none is. A node is never reported as the row of another
  /// child.
  private var nodes: BitIndex?

  /// Creates the translation of a source.
  ///
  /// - Parameters:
  ///   - slots: the slot of each child's id, 0 for no id.
  ///   - slotCount: the number of slots.
  ///   - isNode: for each child, whether it is a node.
  init(_ slots: [Int], slotCount: Int, isNode: [Bool]) {
    rows = SectionIndex(slots, slotCount: slotCount)
    var isKnown = [Bool](repeating: false, count: slotCount)
    visible = BitIndex(
      slots.map { slot in
        defer { isKnown[slot] = slot != 0 }
        return !isKnown[slot]
      })
    nodes = isNode.contains(true) ? BitIndex(isNode) : nil
  }

  /// Whether a child of the source is known to be a node.
  var hasNodes: Bool { nodes != nil }

  private func isNode(_ position: Int) -> Bool { nodes?[position] ?? false }

  /// Returns the position of a child of the source here; nil if the child is hidden.
  private func shownPosition(of position: Int) -> Int? { visible[position] ? visible.rank(position) : nil }

  /// Reserves slots.
  mutating func reserveSlots(_ count: Int) { rows.reserveSlots(count) }

  /// A child of the source that is in the change, or that the change hides or shows.
  private struct Child {
    /// The child's position in the source before the change; negative for a new child.
    var former: Int
    /// The child's position in the source after the change; negative if the child left.
    var position: Int
    var isUpdated = false
    var isMoved = false
    /// The slots of the child before and after the change; -1 for none.
    var formerSlot = -1
    var slot = -1
  }

  /// Translates a change of the source, and applies the change to this translation.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - inserted: the slots of the inserted rows, one after the other.
  ///   - updated: the slots of the updated rows, one after the other.
  ///   - isNode: whether inserted and updated rows are nodes, by position after the change. A row that is missing here
  ///     is no node.
  ///   - freed: receives the slots that have no rows any more.
  /// - Returns: the change of the visible rows.
  /// - Complexity: O(k · log² n) for k rows in the change, of n rows.
  mutating func translate(
    _ change: consuming ChangeSet, inserted: [Int], updated: [Int], isNode: [Int: Bool], freed: inout [Int]
  ) -> ChangeSet {
    let delta = change.delta
    let changes = rows.apply(delta, inserted: inserted, updated: updated)
    let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
    let children = concerned(changes, map, &freed)

    // From the former bits.
    let formerRanks = children.map { $0.former >= 0 ? shownPosition(of: $0.former) : nil }
    let wereNodes = children.map { $0.former >= 0 && self.isNode($0.former) }
    let origins = change.formerPositions { shownPosition(of: $0) }
    let survived = change.children.map { child in
      visible[map.map { $0.position(before: child.position)! } ?? child.position]
    }
    update(delta, children, isNode)

    // From the present bits.
    var lists = Delta.Lists()
    // By slot: the former position here of a child that is no longer shown for its id.
    var gone: [Int: Int] = [:]
    let crossed = Crossed(change.crossings)
    for (index, child) in children.enumerated() {
      guard let former = formerRanks[index] else { continue }
      if child.position >= 0, let present = shownPosition(of: child.position) {
        if child.isMoved { lists.append(former, present) }
        if child.isUpdated { lists.updates.append(single(present)) }
      } else if child.formerSlot > 0, !wereNodes[index], !crossed.departs(child.former) {
        gone[child.formerSlot] = former
      } else {
        lists.append(former, nil)
      }
    }
    for (index, child) in children.enumerated() where formerRanks[index] == nil && child.position >= 0 {
      guard let present = shownPosition(of: child.position) else { continue }
      if child.slot > 0, !self.isNode(child.position), !crossed.arrives(child.position),
        let former = gone.removeValue(forKey: child.slot)
      {
        // Another child with the same id: the row is at another position now, and has another value.
        lists.append(former, present)
        lists.updates.append(single(present))
      } else {
        lists.append(nil, present)
      }
    }
    for former in gone.values { lists.append(former, nil) }

    let nested = zip(change.children, survived).compactMap { child, survived -> (position: Int, change: ChangeSet)? in
      guard survived else { return nil }
      return shownPosition(of: child.position).map { ($0, child.change) }
    }
    var result = ChangeSet(delta: lists.delta, updatesValue: change.updatesValue, children: nested)
    result.crossings = change.crossings.compactMap {
      $0.mapped(before: { origins[$0] }, after: { shownPosition(of: $0) })
    }
    return result
  }

  /// Translates the insertion of one child in the source, if no child is a node.
  ///
  /// - Parameters:
  ///   - position: the position of the child in the source.
  ///   - slot: the slot of the child's id, which is reserved.
  /// - Returns: the change of the visible rows.
  /// - Complexity: O(log² n) for n children.
  mutating func insert(at position: Int, inSlot slot: Int) -> Delta {
    let row = rows.insert(at: position, inSlot: slot)
    if slot > 0, row > 0 {
      visible.insert(false, at: position)
      return Delta()
    }
    if slot > 0, rows.count(ofSlot: slot) > 1 {
      // The child that was shown is hidden behind the new one.
      let hidden = rows.position(slot: slot, row: 1) - 1
      let former = visible.rank(hidden)
      visible[hidden] = false
      visible.insert(true, at: position)
      return replacement(of: former, by: position)
    }
    visible.insert(true, at: position)
    return .insertion(range(of: position))
  }

  /// Translates the removal of one child in the source, if no child is a node.
  ///
  /// - Parameter position: the former position of the child in the source.
  /// - Returns: the change of the visible rows, and the child's slot if that has no rows any more.
  /// - Complexity: O(log n) for n children.
  mutating func remove(at position: Int) -> (delta: Delta, freed: Int?) {
    let place = rows.remove(at: position)
    let former = visible[position] ? visible.rank(position) : nil
    visible.remove(at: position)
    guard let former else { return (Delta(), nil) }
    guard place.slot > 0 else { return (.removal(single(former)), nil) }
    // The next child of the id is shown.
    if let next = rows.firstPosition(ofSlot: place.slot) {
      visible[next] = true
      return (replacement(of: former, by: next), nil)
    }
    return (.removal(single(former)), place.slot)
  }

  /// Returns the change if another child of an id is shown than before: the row has another position and another value.
  ///
  /// - Parameters:
  ///   - former: the former position of the id here.
  ///   - position: the position in the source of the child that is shown now.
  /// - Returns: a move and an update, or an update alone.
  private func replacement(of former: Int, by position: Int) -> Delta {
    let present = range(of: position)
    return .move(single(former), to: present.lowerBound, updating: [present])
  }

  private func single(_ rank: Int) -> Range<Int> { rank..<rank + 1 }

  private func range(of position: Int) -> Range<Int> { single(visible.rank(position)) }

  /// Returns the children in a change, and the children that it hides or shows: old and new first children of an id.
  private func concerned(
    _ changes: [SectionIndex.RowChange], _ map: Delta.PositionMap?, _ freed: inout [Int]
  ) -> [Child] {
    var children = changes.map { change in
      Child(
        former: change.formerPosition, position: change.position, isUpdated: change.isUpdated,
        isMoved: change.isMoved, formerSlot: change.former?.slot ?? -1, slot: change.place?.slot ?? -1)
    }
    // By slot: the rows that arrived, if the first row of the slot may change.
    var arrivals: [Int: Set<Int>] = [:]
    var touched: Set<Int> = []
    for change in changes where !change.stays {
      if let former = change.former, former.slot > 0, former.row == 0 { touched.insert(former.slot) }
      if let place = change.place, place.slot > 0 {
        arrivals[place.slot, default: []].insert(place.row)
        if place.row == 0 { touched.insert(place.slot) }
      }
    }
    let named = Set(changes.lazy.filter(\.stays).map(\.position))
    for slot in touched {
      let count = rows.count(ofSlot: slot)
      if count == 0 {
        freed.append(slot)
        continue
      }
      // The first child that existed before. It was the first of its id then, or is next to a first child that left.
      var row = 0
      while arrivals[slot]?.contains(row) == true { row += 1 }
      guard row < count else { continue }
      let position = rows.position(slot: slot, row: row)
      if named.contains(position) { continue }
      let former = map.map { $0.position(before: position)! } ?? position
      children.append(Child(former: former, position: position, formerSlot: slot, slot: slot))
    }
    return children
  }

  /// Updates the bits.
  private mutating func update(_ delta: Delta, _ children: [Child], _ isNode: [Int: Bool]) {
    if nodes == nil, isNode.values.contains(true) { nodes = BitIndex(repeating: false, count: visible.count) }
    delta.rearrange(
      carrying: { range in range.map { self.isNode($0) } },
      lifting: { range in
        visible.removeSubrange(range)
        nodes?.removeSubrange(range)
      },
      putting: { range, moved in
        visible.insert(repeating: false, count: range.count, at: range.lowerBound)
        nodes?.insert(repeating: false, count: range.count, at: range.lowerBound)
        for (position, bit) in zip(range, moved ?? []) where bit { nodes?[position] = true }
      })
    for (position, bit) in isNode { nodes?[position] = bit }
    if nodes?.setCount == 0 { nodes = nil }
    for child in children where child.position >= 0 {
      let isFirst = child.slot == 0 || rows.firstPosition(ofSlot: child.slot) == child.position
      visible[child.position] = isFirst
    }
  }

  /// The children that leave for another parent, or arrive from one. They are not reported as the row of another child.
  private struct Crossed {
    private var departures: Set<Int> = []
    private var arrivals: Set<Int> = []

    init(_ crossings: [Crossing]) {
      for crossing in crossings {
        if let from = crossing.from, from.depth == 1 { departures.insert(from.first) }
        if let to = crossing.to, to.depth == 1 { arrivals.insert(to.first) }
      }
    }

    func departs(_ position: Int) -> Bool { departures.contains(position) }
    func arrives(_ position: Int) -> Bool { arrivals.contains(position) }
  }
}
