/// The combination of some values, which is brought up to date in logarithmic time when one of them changes.
///
///     root                 9                  the maximum of four values
///     inner nodes     5         9             node i combines the nodes 2i and 2i + 1
///     slots         3   5     ·   9           one for each value; a free slot has the identity
///
/// A value is in the slot that is free first, so the order of the values is no order of the caller's: the monoid must
/// be commutative. The values need no inverses, as in a Fenwick tree.
struct FoldTree<Value: Equatable> {
  /// The root is 1; the slots are the second half. Empty where there is no value.
  private var nodes: [Value] = []
  private var freeSlots: [Int32] = []
  /// The number of slots that were given to values, including the slots that are free again.
  private var usedSlots = 0

  private var capacity: Int { nodes.count / 2 }

  /// The number of values.
  var count: Int { usedSlots - freeSlots.count }

  /// The combination of all values; nil if there is none.
  var root: Value? { nodes.isEmpty ? nil : nodes[1] }

  subscript(slot: Int) -> Value { nodes[capacity + slot] }

  /// Gives another value to a slot.
  ///
  /// - Complexity: O(log n) for n values.
  mutating func set(_ value: Value, at slot: Int, by monoid: Monoid<Value>) {
    nodes[capacity + slot] = value
    refresh(aboveSlot: slot, by: monoid)
  }

  /// Adds a value.
  ///
  /// - Returns: the slot of the value.
  /// - Complexity: O(log n) for n values, amortized.
  mutating func insert(_ value: Value, by monoid: Monoid<Value>) -> Int {
    reserve(1, by: monoid)
    let slot = takeSlot()
    set(value, at: slot, by: monoid)
    return slot
  }

  /// Adds several values.
  ///
  /// - Returns: the slots of the values.
  /// - Complexity: O(m + (f + 1) · log n) for m new values among n, f of them in slots that were free, amortized.
  mutating func insert(_ values: ArraySlice<Value>, by monoid: Monoid<Value>) -> [Int] {
    reserve(values.count, by: monoid)
    let reused = values.prefix(freeSlots.count).map { insert($0, by: monoid) }
    let new = usedSlots..<usedSlots + values.count - reused.count
    monoid.put(values.dropFirst(reused.count), capacity + new.lowerBound, &nodes)
    usedSlots = new.upperBound
    return reused + new
  }

  /// Removes the value of a slot, which becomes free.
  ///
  /// - Complexity: O(log n) for n values.
  mutating func remove(at slot: Int, by monoid: Monoid<Value>) {
    if count == 1 {
      self = FoldTree()
    } else {
      set(monoid.identity, at: slot, by: monoid)
      freeSlots.append(Int32(slot))
    }
  }

  private mutating func takeSlot() -> Int {
    if let free = freeSlots.popLast() { return Int(free) }
    usedSlots += 1
    return usedSlots - 1
  }

  private mutating func reserve(_ number: Int, by monoid: Monoid<Value>) {
    let needed = count + number
    guard needed > capacity else { return }
    var larger = max(1, capacity)
    while larger < needed { larger *= 2 }
    var grown = [Value](repeating: monoid.identity, count: 2 * larger)
    monoid.put(nodes[capacity...], larger, &grown)
    nodes = grown
  }

  /// Brings the nodes above a slot up to date, as far as their values change.
  private mutating func refresh(aboveSlot slot: Int, by monoid: Monoid<Value>) {
    var node = (capacity + slot) / 2
    while node > 0 {
      let value = monoid.combine(nodes[2 * node], nodes[2 * node + 1])
      if value == nodes[node] { return }
      nodes[node] = value
      node /= 2
    }
  }

  /// Traps if an inner node does not combine the nodes below it.
  func checkInvariants(by monoid: Monoid<Value>) {
    require(count == 0 || usedSlots <= capacity, "FoldTree: \(usedSlots) slots of \(capacity).")
    for slot in freeSlots {
      require(self[Int(slot)] == monoid.identity, "FoldTree: the free slot \(slot) has a value.")
    }
    for node in stride(from: capacity - 1, to: 0, by: -1) {
      require(
        nodes[node] == monoid.combine(nodes[2 * node], nodes[2 * node + 1]),
        "FoldTree: the node \(node) is out of date.")
    }
  }
}
