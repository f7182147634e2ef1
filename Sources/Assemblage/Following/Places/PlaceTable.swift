/// A table of the ids of places: a hash table in which places with equal ids are chained.
struct PlaceTable<ID: Hashable> {
  private var heads: [ID: Int32] = [:]
  /// The id of each place, and the next place with the same id; -1: none.
  private var ids: [ID?] = []
  private var following: [Int32] = []

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
  /// - Complexity: expected O(1), and O(k) where k places have the former id.
  mutating func set(_ id: ID?, at place: Int) {
    if self[place] == id { return }
    remove(place)
    guard let id else { return }
    if place >= ids.count {
      ids.append(contentsOf: repeatElement(nil, count: place + 1 - ids.count))
      following.append(contentsOf: repeatElement(-1, count: place + 1 - following.count))
    }
    following[place] = heads.updateValue(Int32(place), forKey: id) ?? -1
    ids[place] = id
    count += 1
  }

  /// Removes the id of a place, if it has one.
  ///
  /// - Complexity: expected O(1), and O(k) where k places have the id.
  mutating func remove(_ place: Int) {
    guard let id = self[place] else { return }
    let rest = following[place]
    if heads[id] == Int32(place) {
      heads[id] = rest < 0 ? nil : rest
    } else {
      var before = Int(heads[id]!)
      while following[before] != Int32(place) { before = Int(following[before]) }
      following[before] = rest
    }
    ids[place] = nil
    following[place] = -1
    count -= 1
  }
}
