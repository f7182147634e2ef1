/// A table of the ids of places: a hash table in which places with equal ids are chained, in both directions.
struct PlaceTable<ID: Hashable> {
  private var heads: [ID: Int32] = [:]
  /// The id of each place, and the next and the previous place with the same id; -1: none.
  private var ids: [ID?] = []
  private var following: [Int32] = []
  private var preceding: [Int32] = []

  /// The number of places that have an id.
  private(set) var count = 0

  /// The id of a place.
  subscript(place: Int) -> ID? { place < ids.count ? ids[place] : nil }

  /// One of the places with an id.
  func first(_ id: ID) -> Int? { heads[id].map(Int.init) }

  /// The next place with the same id.
  func next(_ place: Int) -> Int? { following[place] < 0 ? nil : Int(following[place]) }

  /// Sets, changes or removes the id of a place.
  ///
  /// - Complexity: expected O(1).
  mutating func set(_ id: ID?, at place: Int) {
    if self[place] == id { return }
    remove(place)
    guard let id else { return }
    if place >= ids.count {
      ids.append(contentsOf: repeatElement(nil, count: place + 1 - ids.count))
      following.append(contentsOf: repeatElement(-1, count: place + 1 - following.count))
      preceding.append(contentsOf: repeatElement(-1, count: place + 1 - preceding.count))
    }
    let next = heads.updateValue(Int32(place), forKey: id) ?? -1
    if next >= 0 { preceding[Int(next)] = Int32(place) }
    following[place] = next
    ids[place] = id
    count += 1
  }

  /// Removes the id of a place, if it has one.
  ///
  /// - Complexity: expected O(1).
  mutating func remove(_ place: Int) {
    guard let id = self[place] else { return }
    let (previous, next) = (preceding[place], following[place])
    if previous >= 0 { following[Int(previous)] = next } else { heads[id] = next < 0 ? nil : next }
    if next >= 0 { preceding[Int(next)] = previous }
    ids[place] = nil
    following[place] = -1
    preceding[place] = -1
    count -= 1
  }
}
