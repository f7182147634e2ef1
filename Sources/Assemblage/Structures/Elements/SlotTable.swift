/// Values in numbered slots, which can be read without counting a reference to the table.
///
/// A dictionary from small dense numbers, and a value: a caller that visits the values while they may change keeps a
/// copy.
@safe
@usableFromInline
struct SlotTable<Value> {
  /// Frees the values with the last table that uses them.
  @safe
  private final class Memory {
    // Allocated and initialized in `init`, and never moved.
    let base: UnsafeMutablePointer<Value?>
    let capacity: Int

    /// The first slots are initialized by a closure.
    init(capacity: Int, count: Int, _ initialize: (UnsafeMutablePointer<Value?>) -> Void) {
      unsafe base = .allocate(capacity: capacity)
      self.capacity = capacity
      unsafe initialize(base)
      unsafe (base + count).initialize(repeating: nil, count: capacity - count)
    }

    deinit {
      unsafe base.deinitialize(count: capacity)
      unsafe base.deallocate()
    }
  }

  private var memory: Memory
  // The memory's own; valid for as long as `memory` is held.
  @usableFromInline private(set) var base: UnsafeMutablePointer<Value?>

  /// Creates a table that holds values in slots 0, 1, 2, ….
  init(_ values: [Value]) {
    // Some room, so that the first insertion need not copy everything.
    memory = unsafe Memory(capacity: values.count + values.count / 8 + 2, count: values.count) { base in
      for slot in 0..<values.count { unsafe (base + slot).initialize(to: values[slot]) }
    }
    unsafe base = memory.base
  }

  /// How many slots there are, in use or not.
  var capacity: Int { memory.capacity }

  /// The value in a slot below the capacity, or nil.
  @inlinable
  subscript(slot: Int) -> Value? { unsafe base[slot] }

  /// Puts a value in a slot, which may lie beyond the capacity.
  mutating func insert(_ value: Value, at slot: Int) {
    makeUnique(capacity: slot < memory.capacity ? memory.capacity : max(slot + 1, memory.capacity * 2))
    unsafe base[slot] = value
  }

  /// Empties a slot.
  mutating func remove(at slot: Int) {
    makeUnique(capacity: memory.capacity)
    unsafe base[slot] = nil
  }

  private mutating func makeUnique(capacity: Int) {
    guard capacity > memory.capacity || !isKnownUniquelyReferenced(&memory) else { return }
    let former = memory
    memory = unsafe Memory(capacity: capacity, count: former.capacity) { base in
      unsafe base.initialize(from: former.base, count: former.capacity)
    }
    unsafe base = memory.base
  }

  /// Takes all values out.
  mutating func removeAll() -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(memory.capacity)
    for slot in 0..<memory.capacity {
      if let value = self[slot] { values.append(value) }
    }
    self = SlotTable([])
    return values
  }
}
