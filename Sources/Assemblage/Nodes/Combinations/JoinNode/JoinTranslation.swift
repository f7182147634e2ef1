public import OffsetIndexing

/// Translates between the index spaces of a join's members and the one index space of the join.
///
///     members      A (2)     B (0)   C (3)
///     local        0 1               0 1 2
///     global       0 1               2 3 4
///
/// A member is known by its *slot* or by its *ordinal*. The slot is a small number that stays the same while the member
/// stays. The ordinal is the member's present place among the members. An `OffsetIndex` holds the members' counts, and
/// an `OrderIndex` their slots.
@usableFromInline
struct JoinTranslation {
  /// The members' counts, by ordinal.
  @usableFromInline private(set) var offsets: OffsetIndex

  /// The members' slots, by ordinal.
  private(set) var order: OrderIndex

  /// Creates the translation for members in slots 0, 1, 2, …, in this order.
  init(counts: some Sequence<Int>) {
    offsets = OffsetIndex(counts)
    order = OrderIndex(count: offsets.count)
  }

  /// The ordinal of the member in a slot.
  ///
  /// - Complexity: O(log m) for m members.
  func ordinal(ofSlot slot: Int) -> Int { order.position(of: OrderIndex.Handle(number: slot)) }

  /// The slot of a member.
  ///
  /// - Complexity: O(log m) for m members.
  func slot(at ordinal: Int) -> Int { order[ordinal].number }

  /// The number of children of all members.
  @usableFromInline var count: Int { offsets.total }

  /// The slot and the local position of a global position; the slot is negative where there is no such position.
  @usableFromInline
  func place(of position: Int) -> (slot: Int, offset: Int) {
    guard position >= 0, position < offsets.total else { return (-1, 0) }
    let (ordinal, offset) = offsets.locate(position)
    return (slot(at: ordinal), offset)
  }

  /// The slot of the member with a global position, and the global positions of all its children; nil where there is no
  /// such position.
  @usableFromInline
  func member(at position: Int) -> (slot: Int, positions: Range<Int>)? {
    guard position >= 0, position < offsets.total else { return nil }
    let (ordinal, offset) = offsets.locate(position)
    return (slot(at: ordinal), position - offset..<position - offset + offsets[ordinal])
  }

  /// `place(of:)` through a pointer, without counting a reference.
  @usableFromInline
  static func place(of position: Int, in translation: UnsafePointer<JoinTranslation>) -> (slot: Int, offset: Int) {
    let offsets = unsafe translation.pointer(to: \.offsets)!
    guard position >= 0, unsafe position < offsets.total else { return (-1, 0) }
    let (ordinal, offset) = unsafe offsets.locate(position)
    return unsafe (translation.pointer(to: \.order)!.number(at: ordinal), offset)
  }

  /// Passes the slot of each member with children in a range, their local range, and the global position of its start.
  @usableFromInline
  func forEachMember(in range: Range<Int>, _ body: (_ slot: Int, _ local: Range<Int>, _ start: Int) -> Void) {
    guard !range.isEmpty else { return }
    if range == 0..<count {
      // The range covers all members: they follow one another, so that none needs a search.
      var position = 0
      for (size, handle) in zip(offsets, order) where size > 0 {
        body(handle.number, 0..<size, position)
        position += size
      }
      return
    }
    var (ordinal, offset) = offsets.locate(range.lowerBound)
    var position = range.lowerBound
    while position < range.upperBound {
      let length = min(offsets[ordinal] - offset, range.upperBound - position)
      if length > 0 { body(slot(at: ordinal), offset..<offset + length, position) }
      position += length
      ordinal += 1
      offset = 0
    }
  }

  /// The member and the local position of an insertion at a global position; a boundary belongs to the earlier member.
  ///
  /// - Parameter position: `0...count`, in the join's index space.
  /// - Returns: the member's ordinal and a local position, which is at most the member's count.
  /// - Precondition: there is a member.
  func insertionPoint(at position: Int) -> (ordinal: Int, offset: Int) {
    guard position > 0 else { return (0, 0) }
    let before = offsets.locate(position - 1)
    return (before.index, before.offset + 1)
  }
}

// MARK: - The members' changes

extension JoinTranslation {
  /// Translates the changes that members report, and updates the offsets.
  ///
  /// - Parameter changes: at most one entry for each slot, in any order.
  /// - Returns: the change of the join's index space.
  /// - Complexity: O(j · log m + c) for j entries that hold c ranges in all.
  mutating func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    if case (let slot, var change)? = changes.takeOnly() {
      let ordinal = ordinal(ofSlot: slot)
      let start = offsets.offset(of: ordinal)
      let growth = change.delta.countChange
      if growth != 0 { offsets.add(growth, at: ordinal) }
      if start > 0 {
        change.translate(to: change.delta.shifted(by: start), before: { $0 + start }, after: { $0 + start })
      }
      change.updatesValue = false
      return change
    }
    return translateTogether(consume changes)
  }

  private mutating func translateTogether(_ changes: SourceChanges) -> ChangeSet {
    let located = changes.map { (ordinal: ordinal(ofSlot: $0.slot), change: $0.change) }
      .sorted(byNumber: \.ordinal)
    var removals: [Range<Int>] = []
    var insertions: [Range<Int>] = []
    var updates: [Range<Int>] = []
    var moves: [Delta.Move] = []
    var children: [(position: Int, change: ChangeSet)] = []
    var crossings: [Crossing] = []
    // The growth of all members before this one. A start after the change = the start before the change + growth.
    var growth = 0
    for (ordinal, change) in located {
      let pre = offsets.offset(of: ordinal)
      let post = pre + growth
      removals += change.delta.removals.map { $0.shifted(by: pre) }
      insertions += change.delta.insertions.map { $0.shifted(by: post) }
      updates += change.delta.updates.map { $0.shifted(by: post) }
      moves += change.delta.moves.map {
        Delta.Move(from: $0.source.shifted(by: pre), to: $0.destination.shifted(by: post))
      }
      for child in change.children { children.append((child.position + post, child.change)) }
      for crossing in change.crossings {
        if let shifted = crossing.mapped(before: { $0 + pre }, after: { $0 + post }) { crossings.append(shifted) }
      }
      growth += change.delta.countChange
    }
    for (ordinal, change) in located where change.delta.countChange != 0 {
      offsets.add(change.delta.countChange, at: ordinal)
    }
    var result = ChangeSet(
      delta: Delta(removals: removals, insertions: insertions, updates: updates, moves: moves),
      children: children)
    result.crossings = crossings
    result.pairCompleteCrossings()
    return result
  }
}

// MARK: - Changes of the members themselves

extension JoinTranslation {
  /// Makes room for a member.
  ///
  /// - Returns: its slot, and the change of the join's index space.
  mutating func insertMember(count: Int, at ordinal: Int) -> (slot: Int, delta: Delta) {
    let start = offsets.offset(of: ordinal)
    offsets.insert(count, at: ordinal)
    let slot = order.insert(at: ordinal).number
    return (slot, count == 0 ? Delta() : .insertion(start..<start + count))
  }

  /// Removes a member.
  ///
  /// - Returns: the slot that is free now, and the change of the join's index space.
  mutating func removeMember(at ordinal: Int) -> (slot: Int, delta: Delta) {
    let range = offsets.range(of: ordinal)
    offsets.remove(at: ordinal)
    let slot = order.remove(at: ordinal).number
    return (slot, range.isEmpty ? Delta() : .removal(range))
  }

  /// Gives a member's place to another node with `count` children; the slot stays.
  mutating func replaceMember(at ordinal: Int, count: Int) -> Delta {
    let former = offsets.range(of: ordinal)
    offsets[ordinal] = count
    let start = former.lowerBound
    return Delta(
      removals: former.isEmpty ? [] : [former], insertions: count == 0 ? [] : [start..<start + count])
  }

  /// Changes a member's count, where the caller already knows which children have changed.
  mutating func resizeMember(at ordinal: Int, by growth: Int) {
    if growth != 0 { offsets.add(growth, at: ordinal) }
  }

  /// Moves a member to another ordinal, counted after the move.
  mutating func moveMember(from ordinal: Int, to destination: Int) -> Delta {
    let former = offsets.range(of: ordinal)
    let size = offsets.remove(at: ordinal)
    offsets.insert(size, at: destination)
    order.move(from: ordinal, to: destination)
    let start = offsets.offset(of: destination)
    return former.isEmpty || start == former.lowerBound ? Delta() : .move(former, to: start)
  }
}
