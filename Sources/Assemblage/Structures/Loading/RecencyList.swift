/// Keys in the order in which they were last touched.
///
///     newest  7 ⇄ 2 ⇄ 9  oldest      touch(9)  →  9 ⇄ 7 ⇄ 2
///
/// A list whose links are positions in an array, with a dictionary of these positions.
struct RecencyList<Key: Hashable> {
  private struct Entry {
    var key: Key
    var newer: Int?
    var older: Int?
  }

  private var places: [Key: Int] = [:]
  private var entries: [Entry] = []
  private var free: [Int] = []
  private var head: Int?
  private var tail: Int?

  var count: Int { places.count }

  func contains(_ key: Key) -> Bool { places[key] != nil }

  /// Makes a key the newest one; a key that is not in the list is added.
  ///
  /// - Complexity: expected O(1).
  mutating func touch(_ key: Key) {
    if let head, entries[head].key == key { return }
    remove(key)
    let entry = Entry(key: key, newer: nil, older: head)
    let place: Int
    if let last = free.popLast() {
      place = last
      entries[place] = entry
    } else {
      place = entries.count
      entries.append(entry)
    }
    if let head { entries[head].newer = place } else { tail = place }
    head = place
    places[key] = place
  }

  /// Removes a key, if it is in the list.
  ///
  /// - Complexity: expected O(1).
  mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    let entry = entries[place]
    if let newer = entry.newer { entries[newer].older = entry.older } else { head = entry.older }
    if let older = entry.older { entries[older].newer = entry.newer } else { tail = entry.newer }
    free.append(place)
  }

  mutating func removeAll() { self = RecencyList() }

  /// The newest key that fits; nil where none does.
  ///
  /// - Complexity: O(k) for k keys that are asked about.
  func newest(where fits: (Key) -> Bool) -> Key? {
    var place = head
    while let here = place {
      if fits(entries[here].key) { return entries[here].key }
      place = entries[here].older
    }
    return nil
  }

  /// The oldest key that fits; nil where none does.
  ///
  /// - Complexity: O(k) for k keys that are asked about.
  func oldest(where fits: (Key) -> Bool) -> Key? {
    var place = tail
    while let here = place {
      if fits(entries[here].key) { return entries[here].key }
      place = entries[here].newer
    }
    return nil
  }

  /// Removes the oldest key and returns it; nil where there is none.
  ///
  /// - Complexity: expected O(1).
  mutating func popOldest() -> Key? {
    guard let tail else { return nil }
    let key = entries[tail].key
    remove(key)
    return key
  }
}
