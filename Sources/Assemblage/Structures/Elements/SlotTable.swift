/// Values in numbered slots: a dictionary from small dense numbers.
@usableFromInline
struct SlotTable<Value> {
  @usableFromInline private(set) var values: ContiguousArray<Value?>

  /// Creates a table that holds values in slots 0, 1, 2, ….
  init(_ values: [Value]) {
    // Some spare room, so that the first insertion does not copy all values.
    let room = values.count + values.count / 8 + 2
    self.values = unsafe ContiguousArray(unsafeUninitializedCapacity: room) { slots, count in
      for slot in values.indices { unsafe slots.initializeElement(at: slot, to: values[slot]) }
      count = values.count
    }
  }

  /// How many slots there are, in use or not.
  var capacity: Int { values.count }

  /// The value in a slot below the capacity, or nil.
  @inlinable
  subscript(slot: Int) -> Value? { values[slot] }

  /// Puts a value in a slot, which may lie beyond the capacity.
  mutating func insert(_ value: Value, at slot: Int) {
    while values.count <= slot { values.append(nil) }
    values[slot] = value
  }

  /// Empties a slot.
  mutating func remove(at slot: Int) { values[slot] = nil }

  /// Empties all slots.
  ///
  /// - Returns: the values.
  mutating func removeAll() -> [Value] {
    var former: [Value] = []
    former.reserveCapacity(values.count)
    // By number: an iterator looks up types at run time where this is not specialized.
    for slot in values.indices { if let value = values[slot] { former.append(value) } }
    values = []
    return former
  }
}
