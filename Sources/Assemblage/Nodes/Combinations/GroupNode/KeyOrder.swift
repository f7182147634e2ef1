import OffsetIndexing

/// The keys of sections in the order of a comparator, where keys that the comparator finds equal lie side by side.
///
///     slots        3   1   2   5   4
///     begins       1   0   1   1   0       a BitIndex: marks the first of several equal keys
///     rank         1   1   2   3   3
///
/// The caller says where a new key belongs. The order itself never calls the comparator, because the comparator may
/// read the group, which must not be half changed then.
struct KeyOrder {
  private(set) var slots = OrderIndex()
  private var begins = BitIndex()

  /// Creates the order of keys.
  ///
  /// - Parameters:
  ///   - slots: the keys' slots, in order.
  ///   - isLess: whether the key in one slot is before the key in another; called for neighbours.
  init(_ slots: [Int], isLess: (Int, Int) -> Bool) {
    for (position, slot) in slots.enumerated() {
      self.slots.put(OrderIndex.Handle(number: slot), at: position)
      begins.append(position == 0 || isLess(slots[position - 1], slot))
    }
  }

  func contains(_ slot: Int) -> Bool { slots.contains(OrderIndex.Handle(number: slot)) }

  /// A number that is the same for equal keys, and greater for keys that are later in the order.
  ///
  /// - Complexity: O(log m) for m keys.
  func rank(ofSlot slot: Int) -> Int { begins.rank(slots.position(of: OrderIndex.Handle(number: slot)) + 1) }

  /// Finds the place of a new key.
  ///
  /// - Parameters:
  ///   - slot: the new key's slot.
  ///   - isLess: whether the key in one slot is before the key in another.
  /// - Returns: the new key's position, and whether it is equal to the key that is there now.
  /// - Complexity: O(log m) calls of `isLess` for m keys.
  func place(of slot: Int, isLess: (Int, Int) -> Bool) -> (position: Int, isLikeNext: Bool) {
    let position = (0..<slots.count).partitioningIndex { !isLess(slots[$0].number, slot) }
    return (position, position < slots.count && !isLess(slot, slots[position].number))
  }

  /// Inserts a key at its place.
  mutating func insert(_ slot: Int, at place: (position: Int, isLikeNext: Bool)) {
    if place.isLikeNext { begins[place.position] = false }
    slots.put(OrderIndex.Handle(number: slot), at: place.position)
    begins.insert(true, at: place.position)
  }

  /// Forgets a key.
  mutating func remove(_ slot: Int) {
    let handle = OrderIndex.Handle(number: slot)
    let position = slots.position(of: handle)
    // The next key is the first of its equal keys now.
    if begins[position], position + 1 < slots.count { begins[position + 1] = true }
    slots.takeOut(handle)
    begins.remove(at: position)
  }
}

extension KeyTable {
  /// The keys in the order of a comparator.
  ///
  /// - Complexity: O(m · log m) calls of the comparator for m keys.
  func order(by areInIncreasingOrder: (Key, Key) -> Bool) -> KeyOrder {
    // A copy, because each access to the property would check for exclusivity. That costs more than most comparators.
    let keys = keys
    func isLess(_ slot: Int, _ other: Int) -> Bool { areInIncreasingOrder(keys[slot]!, keys[other]!) }
    return KeyOrder(keys.indices.filter { keys[$0] != nil }.sorted(by: isLess), isLess: isLess)
  }
}
