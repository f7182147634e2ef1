import OffsetIndexing

/// The keys of sections in the order of a comparator, those side by side that it takes for alike.
///
///     slots        3   1   2   5   4
///     begins       1   0   1   1   0       a BitIndex: the first of those that are alike
///     rank         1   1   2   3   3
///
/// It is told where a key belongs, and never calls the comparator, which may read the group: that must not be half changed.
struct KeyOrder {
  private(set) var slots = OrderIndex()
  private var begins = BitIndex()

  /// Creates the order of keys.
  ///
  /// - Parameters:
  ///   - slots: the keys' slots, in order.
  ///   - isLess: whether the key in one slot comes before that in another; asked about neighbours.
  init(_ slots: [Int], isLess: (Int, Int) -> Bool) {
    for (position, slot) in slots.enumerated() {
      self.slots.put(OrderIndex.Handle(number: slot), at: position)
      begins.append(position == 0 || isLess(slots[position - 1], slot))
    }
  }

  func contains(_ slot: Int) -> Bool { slots.contains(OrderIndex.Handle(number: slot)) }

  /// A number that is the same for keys that are alike, and greater for those that come later.
  ///
  /// - Complexity: O(log m) for m keys.
  func rank(ofSlot slot: Int) -> Int { begins.rank(slots.position(of: OrderIndex.Handle(number: slot)) + 1) }

  /// Where a new key belongs.
  ///
  /// - Parameters:
  ///   - slot: its slot.
  ///   - isLess: whether the key in one slot comes before that in another.
  /// - Returns: its position, and whether it is like the key that stands there.
  /// - Complexity: O(log m) calls of `isLess` for m keys.
  func place(of slot: Int, isLess: (Int, Int) -> Bool) -> (position: Int, isLikeNext: Bool) {
    let position = (0..<slots.count).partitioningIndex { !isLess(slots[$0].number, slot) }
    return (position, position < slots.count && !isLess(slot, slots[position].number))
  }

  /// Takes a key in.
  mutating func insert(_ slot: Int, at place: (position: Int, isLikeNext: Bool)) {
    if place.isLikeNext { begins[place.position] = false }
    slots.put(OrderIndex.Handle(number: slot), at: place.position)
    begins.insert(true, at: place.position)
  }

  /// Forgets a key.
  mutating func remove(_ slot: Int) {
    let handle = OrderIndex.Handle(number: slot)
    let position = slots.position(of: handle)
    // The next of those that are alike is the first now.
    if begins[position], position + 1 < slots.count { begins[position + 1] = true }
    slots.takeOut(handle)
    begins.remove(at: position)
  }
}

extension KeyTable {
  /// The keys in the order of a comparator.
  ///
  /// - Complexity: O(m · log m) calls of it for m keys.
  func order(by areInIncreasingOrder: (Key, Key) -> Bool) -> KeyOrder {
    // A copy: each access to the property would be checked for exclusivity, which costs more than most comparators.
    let keys = keys
    func isLess(_ slot: Int, _ other: Int) -> Bool { areInIncreasingOrder(keys[slot]!, keys[other]!) }
    return KeyOrder(keys.indices.filter { keys[$0] != nil }.sorted(by: isLess), isLess: isLess)
  }
}
