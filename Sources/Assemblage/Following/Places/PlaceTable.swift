/// A table of the ids of places: a hash table in which places with equal ids are chained, in both directions.
@usableFromInline
struct PlaceTable<ID: Hashable> {
  @usableFromInline var heads: [ID: Int32] = [:]
  /// The id of each place, and the next and the previous place with the same id; -1: none.
  @usableFromInline var ids: [ID?] = []
  @usableFromInline var following: [Int32] = []
  @usableFromInline var preceding: [Int32] = []

  /// The number of places that have an id.
  @usableFromInline var count = 0

  /// The id of a place.
  @inlinable
  subscript(place: Int) -> ID? { place < ids.count ? ids[place] : nil }

  /// One of the places with an id.
  func first(_ id: ID) -> Int? { heads[id].map(Int.init) }

  /// The next place with the same id.
  func next(_ place: Int) -> Int? { following[place] < 0 ? nil : Int(following[place]) }

  /// Sets, changes or removes the id of a place.
  ///
  /// - Complexity: expected O(1).
  @inlinable
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
  @inlinable
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

/// Reads the ids of children, and stores them. The functions are specialized where an index is made.
@usableFromInline
struct IdentityFunctions<Element, ID: Hashable> {
  /// The ids of a range of a node's children; nil for a child without a value.
  @usableFromInline let ids: (NodeReader<Element>, Range<Int>, (Element) -> ID) -> [ID?]
  /// Stores ids in a table, each at its place.
  @usableFromInline let store: ([ID?], _ places: [Int], inout PlaceTable<ID>) -> Void

  @inlinable @inline(__always)
  init() {
    ids = { reader, range, id in
      countCalls(range.count)
      return reader.results(of: range, placeholder: nil) { id($0) }
    }
    store = { ids, places, table in
      for index in ids.indices { table.set(ids[index], at: places[index]) }
    }
  }
}
