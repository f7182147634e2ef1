/// Numbers in the order in which they were last touched.
///
///     newest  7 ⇄ 2 ⇄ 9  oldest      touch(9)  →  9 ⇄ 7 ⇄ 2
///
/// A list whose links are positions in an array, with a dictionary that tells where a number stands.
struct RecencyList {
  private struct Entry {
    var number: Int
    var newer: Int?
    var older: Int?
  }

  private var places: [Int: Int] = [:]
  private var entries: [Entry] = []
  private var free: [Int] = []
  private var head: Int?
  private var tail: Int?

  var count: Int { places.count }

  func contains(_ number: Int) -> Bool { places[number] != nil }

  /// Makes a number the newest one, whether it is in the list or not.
  ///
  /// - Complexity: expected O(1).
  mutating func touch(_ number: Int) {
    if let head, entries[head].number == number { return }
    remove(number)
    let entry = Entry(number: number, newer: nil, older: head)
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
    places[number] = place
  }

  /// Takes a number out, if it is in the list.
  ///
  /// - Complexity: expected O(1).
  mutating func remove(_ number: Int) {
    guard let place = places.removeValue(forKey: number) else { return }
    let entry = entries[place]
    if let newer = entry.newer { entries[newer].older = entry.older } else { head = entry.older }
    if let older = entry.older { entries[older].newer = entry.newer } else { tail = entry.newer }
    free.append(place)
  }

  mutating func removeAll() { self = RecencyList() }

  /// The newest number that fits; nil where none does.
  ///
  /// - Complexity: O(k) for k numbers that are asked about.
  func newest(where fits: (Int) -> Bool) -> Int? {
    var place = head
    while let here = place {
      if fits(entries[here].number) { return entries[here].number }
      place = entries[here].older
    }
    return nil
  }

  /// The oldest number that fits; nil where none does.
  ///
  /// - Complexity: O(k) for k numbers that are asked about.
  func oldest(where fits: (Int) -> Bool) -> Int? {
    var place = tail
    while let here = place {
      if fits(entries[here].number) { return entries[here].number }
      place = entries[here].newer
    }
    return nil
  }
}
