import OffsetIndexing

/// Translates between a source's index space and sections with rows.
///
///     source position  ⇄  slot and row          the `SectionIndex`
///     slot             ⇄  ordinal               the order in which sections are shown
///
/// Keys, and what is their order, are not its business: it is told in which slot each row goes, and which section stands
/// where.
@usableFromInline
struct GroupTranslation {
  @usableFromInline var rows: SectionIndex
  /// The slots of the sections that are shown, in order.
  private(set) var display: OrderIndex
  /// The sections that vanished in the transaction under way, by slot; nil outside of one, or where nobody listens.
  ///
  /// A section is its key: one that comes back in the same transaction has survived it. The group tells of the first as of a
  /// departure and of the second as of an arrival with the same token, so that composing makes one of both (see `Crossing`).
  var vanished: [Int: Crossing.Token]?

  /// Creates the translation of a source.
  ///
  /// - Parameters:
  ///   - slots: the section of each row, in the order of the source.
  ///   - slotCount: how many slots there are.
  ///   - order: the slots of the sections that are shown, in order; each that has rows is among them.
  init(_ slots: [Int], slotCount: Int, order: [Int]) {
    rows = SectionIndex(slots, slotCount: slotCount)
    display = OrderIndex()
    for slot in order { show(slot, at: display.count) }
  }

  /// The slot of a section.
  func slot(at ordinal: Int) -> Int { display[ordinal].number }

  /// The ordinal of the section in a slot; nil where it is not shown.
  func ordinal(ofSlot slot: Int) -> Int? {
    let handle = OrderIndex.Handle(number: slot)
    return display.contains(handle) ? display.position(of: handle) : nil
  }

  mutating func show(_ slot: Int, at ordinal: Int) { display.put(OrderIndex.Handle(number: slot), at: ordinal) }

  mutating func hide(_ slot: Int) { display.takeOut(OrderIndex.Handle(number: slot)) }

  /// Where a section belongs that is not shown.
  ///
  /// - Parameter precedes: whether a section that is shown, by its slot, comes before it.
  /// - Returns: the ordinal that it should get.
  /// - Complexity: O(log m) calls for m sections.
  func place(precedes: (Int) -> Bool) -> Int {
    var low = 0
    var high = display.count
    while low < high {
      let middle = (low + high) / 2
      if precedes(slot(at: middle)) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Shows sections in another order.
  ///
  /// - Parameter order: the slots of those that are to be shown.
  /// - Returns: the fewest moves that lead there, and who came and left.
  /// - Complexity: O(m · log m) for m sections.
  mutating func reorder(_ order: [Int]) -> Delta {
    let former = display
    display = OrderIndex()
    var matching = Delta.Matching()
    for (ordinal, slot) in order.enumerated() {
      show(slot, at: ordinal)
      let handle = OrderIndex.Handle(number: slot)
      if former.contains(handle) { matching.append(former.position(of: handle), ordinal, isUpdated: false) }
    }
    return matching.finish(oldCount: former.count, newCount: order.count)
  }
}
