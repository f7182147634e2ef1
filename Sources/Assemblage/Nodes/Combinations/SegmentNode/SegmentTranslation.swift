import OffsetIndexing

/// Keeps the order of a segment node's members, and knows which member is shown.
///
///     members      A    B    C
///     slots        0    3    1        an OrderIndex
///     shown             3             a slot, which other members do not change
@usableFromInline
struct SegmentTranslation {
  /// The members' slots, by ordinal.
  private(set) var order: OrderIndex
  /// The slot of the member that is shown, or nil.
  private(set) var shown: Int?
  /// The number of children of the member that is shown.
  @usableFromInline private(set) var count = 0

  /// Creates the translation for members in slots 0, 1, 2, …, in this order; none is shown.
  init(memberCount: Int) { order = OrderIndex(count: memberCount) }

  /// The ordinal of the member that is shown, or nil.
  var selection: Int? { shown.map { ordinal(ofSlot: $0) } }

  /// The ordinal of the member in a slot.
  func ordinal(ofSlot slot: Int) -> Int { order.position(of: OrderIndex.Handle(number: slot)) }

  /// The slot of a member.
  func slot(at ordinal: Int) -> Int { order[ordinal].number }

  /// Translates the changes that members report: only the change of the shown member matters.
  mutating func translate(_ changes: SourceChanges) -> ChangeSet {
    guard let shown, var change = changes.first(where: { $0.slot == shown })?.change else { return ChangeSet() }
    count += change.delta.countChange
    change.updatesValue = false
    return change
  }

  /// Shows another member, or none.
  ///
  /// - Parameters:
  ///   - slot: the member's slot, or nil.
  ///   - count: the number of its children.
  /// - Returns: the removal of all former children and the insertion of all new ones.
  mutating func show(_ slot: Int?, count: Int) -> Delta {
    let former = self.count
    shown = slot
    self.count = count
    return Delta(removals: former == 0 ? [] : [0..<former], insertions: count == 0 ? [] : [0..<count])
  }

  /// Shows another member with the same children, because both members are the same node.
  mutating func showSame(_ slot: Int) { shown = slot }

  /// Makes room for a member, and returns its slot.
  mutating func insertMember(at ordinal: Int) -> Int { order.insert(at: ordinal).number }

  /// Removes a member that is not shown, and returns its slot.
  mutating func removeMember(at ordinal: Int) -> Int { order.remove(at: ordinal).number }

  mutating func moveMember(from ordinal: Int, to destination: Int) { order.move(from: ordinal, to: destination) }
}
