/// Maps the keys of sections to slots, and back.
///
/// Slot 0 belongs to rows without a key. A key that is not equal to itself, for example a NaN, counts as no key,
/// because it could not be found again. A slot whose key is forgotten is given to a later key.
@usableFromInline
final class KeyTable<Key: Hashable> {
  @usableFromInline var slots: [Key: Int] = [:]
  /// The key in each slot; nil in slot 0, and in slots that are free.
  @usableFromInline var keys: [Key?] = [nil]
  @usableFromInline var free: [Int] = []

  @usableFromInline
  init() {}

  /// The slot of a key; a key without a slot gets one.
  ///
  /// - Complexity: expected O(1).
  @inlinable
  func slot(for key: Key?) -> Int {
    guard let key else { return 0 }
    return slots[key] ?? (key == key ? insert(key) : 0)
  }

  /// The slot of a key; nil where the key has none.
  func known(_ key: Key?) -> Int? {
    guard let key else { return 0 }
    return slots[key]
  }

  @inlinable
  func insert(_ key: Key) -> Int {
    let slot: Int
    if let last = free.popLast() {
      slot = last
      keys[slot] = key
    } else {
      slot = keys.count
      keys.append(key)
    }
    slots[key] = slot
    return slot
  }

  /// Forgets the key in a slot.
  func remove(slot: Int) {
    guard slot > 0, let key = keys[slot] else { return }
    keys[slot] = nil
    slots[key] = nil
    free.append(slot)
  }
}

/// The functions that are specialized for the element and the key, where a client makes a node with keys.
@usableFromInline
struct KeyFunctions<Element, Key: Hashable> {
  @usableFromInline let reading: NodeReader<Element>.Functions
  /// The slot of the key of a child of the source; 0 where the child has no value.
  @usableFromInline let slot: (NodeReader<Element>, Int, KeyTable<Key>, (Element) -> Key?) -> Int
  /// The slots of the keys of a range of the source's children.
  @usableFromInline let slots: (NodeReader<Element>, Range<Int>, KeyTable<Key>, (Element) -> Key?) -> [Int]

  // Inlined, so that the functions are specialized where this is called.
  @inlinable @inline(__always)
  init(reading: NodeReader<Element>.Functions) {
    self.reading = reading
    let slot = { (reader: NodeReader<Element>, position: Int, table: KeyTable<Key>, key: (Element) -> Key?) in
      countCalls()
      return table.slot(for: reader.element(at: position).flatMap(key))
    }
    self.slot = slot
    slots = { reader, range, table, key in
      if range.count == 1 { return [slot(reader, range.lowerBound, table, key)] }
      countCalls(range.count)
      return reader.results(of: range, placeholder: 0) { table.slot(for: key($0)) }
    }
  }
}
