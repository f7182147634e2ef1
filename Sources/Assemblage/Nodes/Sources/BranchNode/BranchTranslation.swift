import OffsetIndexing

/// Knows which children of a branch are nodes, and the position of each node.
///
///     children     leaf   node   leaf   leaf   node
///     isNode         0      1      0      0      1
///     slots               slot 0               slot 1     of the nodes alone, in their order
///
/// A leaf costs one bit. A node is identified by its *slot*, which stays the same while the node stays. Nearly all
/// branches have up to 64 children. They need no other memory until a node arrives, leaves or moves among others.
@usableFromInline
struct BranchTranslation {
  private var isNode: ChildBits
  private var slots: Slots

  /// The slots of the nodes, in the order of the nodes.
  private enum Slots {
    /// Node k is in slot k.
    case numbered
    /// The slots of up to 64 nodes; each slot is below 64.
    case few([UInt8])
    case many(OrderIndex)
  }

  /// The largest number of nodes whose slots are searched one by one.
  private static let fewCapacity = 64

  /// Creates the translation for nodes in slots 0, 1, 2, …, which lie at the positions where `isNode` is true.
  @usableFromInline
  init(_ isNode: BitRun) {
    self.isNode = ChildBits(isNode)
    let count = self.isNode.setCount
    slots = count <= Self.fewCapacity ? .numbered : .many(OrderIndex(count: count))
  }

  /// Returns the position of the node in a slot.
  func position(ofSlot slot: Int) -> Int {
    switch slots {
    case .numbered: isNode.select(slot)
    case .few(let slots): isNode.select(slots.firstIndex(of: UInt8(truncatingIfNeeded: slot))!)
    case .many(let order): isNode.select(order.position(of: OrderIndex.Handle(number: slot)))
    }
  }

  /// Returns whether a node is at a position, 0..<the number of children.
  @usableFromInline
  func isNode(at position: Int) -> Bool { isNode[position] }

  /// Returns the slot of the node at a position, or nil if a leaf is there.
  func slot(at position: Int) -> Int? {
    guard isNode[position] else { return nil }
    let rank = isNode.rank(position)
    return switch slots {
    case .numbered: rank
    case .few(let slots): Int(slots[rank])
    case .many(let order): order[rank].number
    }
  }

  /// Inserts a leaf at a position.
  mutating func insertLeaf(at position: Int) { isNode.insert(BitRun(word: 0, count: 1), at: position) }

  /// Inserts a node at a position, and returns its slot.
  mutating func insertNode(at position: Int) -> Int {
    let (rank, count) = (isNode.rank(position), isNode.setCount)
    isNode.insert(BitRun(word: 1, count: 1), at: position)
    if count == Self.fewCapacity { makeMany() }
    if case .numbered = slots, rank == count { return count }
    return changeSlots(
      of: count,
      ifFew: { slots in
        let used = slots.reduce(0 as UInt64) { $0 | 1 << UInt64($1) }
        let slot = (~used).trailingZeroBitCount
        slots.insert(UInt8(slot), at: rank)
        return slot
      }, orMany: { $0.insert(at: rank).number })
  }

  /// Removes a child, and returns its slot if the child was a node.
  mutating func remove(at position: Int) -> Int? {
    let slot = slot(at: position)
    if slot != nil {
      let (rank, count) = (isNode.rank(position), isNode.setCount)
      // If the last numbered node leaves, the other nodes keep their numbers.
      var isLast = false
      if case .numbered = slots { isLast = rank == count - 1 }
      if !isLast { changeSlots(of: count, ifFew: { _ = $0.remove(at: rank) }, orMany: { _ = $0.remove(at: rank) }) }
    }
    isNode.remove(position..<position + 1)
    return slot
  }

  /// Moves a child to another position, counted after the move.
  mutating func move(from position: Int, to destination: Int) {
    let (former, count) = (isNode.rank(position), isNode.setCount)
    let bit = isNode.bits(in: position..<position + 1)
    isNode.remove(position..<position + 1)
    isNode.insert(bit, at: destination)
    let rank = isNode.rank(destination)
    guard bit[0], rank != former else { return }
    changeSlots(
      of: count, ifFew: { $0.insert($0.remove(at: former), at: rank) }, orMany: { $0.move(from: former, to: rank) })
  }

  /// Changes the slots of `count` nodes.
  private mutating func changeSlots<Result>(
    of count: Int, ifFew changeFew: (inout [UInt8]) -> Result, orMany changeMany: (inout OrderIndex) -> Result
  ) -> Result {
    // If two variables held the slots, a change would copy them.
    var former = Slots.numbered
    swap(&former, &slots)
    switch consume former {
    case .many(var order):
      defer { slots = .many(order) }
      return changeMany(&order)
    case .few(var few):
      defer { slots = .few(few) }
      return changeFew(&few)
    case .numbered:
      var few = Array(0..<UInt8(count))
      defer { slots = .few(few) }
      return changeFew(&few)
    }
  }

  /// Replaces the list of `fewCapacity` slots, all of them in use, by an index.
  private mutating func makeMany() {
    if case .many = slots { return }
    var order = OrderIndex(count: Self.fewCapacity)
    if case .few(let few) = slots {
      for (rank, slot) in few.enumerated() {
        order.move(from: order.position(of: OrderIndex.Handle(number: Int(slot))), to: rank)
      }
    }
    slots = .many(order)
  }
}
