import OffsetIndexing

/// Some places of a tree, which follow their elements through change sets.
///
/// The tree holds the places that an owner keeps, and the places on the way to them from the root. Each is a child in
/// the `PlaceLevel` of its parent. So the path of a place takes O(d · log k), for k kept children of a node at depth d.
/// A change takes as much for each of its ranges. Decision 50 states why this is no `TreeIndex`.
struct PlaceTree {
  struct Place {
    /// The parent; -1: none, as for the root and for places that have been taken out; -2: the number is free.
    var parent: Int32
    /// The number of its handle in the parent's level.
    var handle: Int32 = 0
    /// The number of its level; -1: no child is kept.
    var level: Int32 = -1
    /// Whether the owner keeps this very place.
    var isKept = false
  }

  var places = [Place(parent: -1)]
  private var freePlaces: [Int] = []
  var levels: [PlaceLevel] = []
  private var freeLevels: [Int] = []

  /// The place of the tree's root, with the path [].
  static var root: Int { 0 }

  /// One more than the greatest number of a place.
  var placeLimit: Int { places.count }

  /// The number of places, the root and those on the way included.
  var count: Int { places.count - freePlaces.count }

  // MARK: Looking up

  /// The path of a place.
  ///
  /// - Complexity: O(d · log k) for k kept children of each node on the way.
  func path(of place: Int) -> [Int] {
    var path: [Int] = []
    var place = place
    while places[place].parent >= 0 {
      path.append(position(of: place))
      place = parent(of: place)
    }
    path.reverse()
    return path
  }

  /// The parent of a place that is neither the root nor taken out.
  func parent(of place: Int) -> Int { Int(places[place].parent) }

  /// The position of a place below its parent.
  ///
  /// - Complexity: O(log k) for k kept children of the parent.
  func position(of place: Int) -> Int {
    levels[Int(places[parent(of: place)].level)].position(of: OrderIndex.Handle(number: Int(places[place].handle)))
  }

  /// Finds the known place at a position below another one.
  func place(at position: Int, in parent: Int) -> Int? {
    places[parent].level < 0 ? nil : levels[Int(places[parent].level)].place(at: position)
  }

  /// The known places below another one, in order.
  func children(of place: Int) -> [Int] { places[place].level < 0 ? [] : levels[Int(places[place].level)].allPlaces }

  /// Finds the known places within a range of positions below another one.
  func places(in range: Range<Int>, of parent: Int) -> [Int] {
    places[parent].level < 0 ? [] : levels[Int(places[parent].level)].places(in: range).map(\.place)
  }

  /// Finds the known place at a path.
  func place(at path: some Sequence<Int>) -> Int? {
    var place = Self.root
    for position in path {
      guard let next = self.place(at: position, in: place) else { return nil }
      place = next
    }
    return place
  }

  // MARK: Keeping

  /// Whether the owner keeps a place.
  func isKept(_ place: Int) -> Bool { places[place].isKept }

  /// Keeps a place.
  mutating func keep(_ place: Int) { places[place].isKept = true }

  /// Stops keeping a place, which stays until it is pruned.
  mutating func cease(toKeep place: Int) { places[place].isKept = false }

  /// Stops keeping a place, and removes the places that are no longer needed: this one, and places above.
  mutating func release(_ place: Int) {
    places[place].isKept = false
    prune(place)
  }

  /// Removes a place if that is not needed, and then the places above in the same way.
  mutating func prune(_ place: Int) {
    var place = place
    while places[place].parent >= 0, !places[place].isKept, places[place].level < 0 {
      let parent = Int(places[place].parent)
      takeOut(place)
      free(place)
      place = parent
    }
  }

  /// Finds or makes the place at a path.
  mutating func makePlace(at path: some Sequence<Int>) -> Int {
    var place = Self.root
    for position in path { place = makePlace(at: position, in: place) }
    return place
  }

  /// Finds or makes the place at a position below another one.
  mutating func makePlace(at position: Int, in parent: Int) -> Int {
    if let known = place(at: position, in: parent) { return known }
    return makePlaces(1, at: position, in: parent)[0]
  }

  /// Makes places at consecutive positions, where none is known.
  ///
  /// - Returns: the places, in order.
  /// - Complexity: O(log k + m) for m new places besides k known ones.
  mutating func makePlaces(_ number: Int, at position: Int, in parent: Int) -> [Int] {
    if number == 0 { return [] }
    let new = (0..<number).map { _ in
      if let free = freePlaces.popLast() {
        places[free] = Place(parent: -1)
        return free
      }
      places.append(Place(parent: -1))
      return places.count - 1
    }
    put(new, at: position, in: parent)
    return new
  }

  mutating func put(_ children: [Int], at position: Int, in parent: Int) {
    if places[parent].level < 0 {
      if let free = freeLevels.popLast() {
        places[parent].level = Int32(free)
      } else {
        places[parent].level = Int32(levels.count)
        levels.append(PlaceLevel())
      }
    }
    let handles = levels[Int(places[parent].level)].keep(children, at: position)
    for (child, handle) in zip(children, handles) {
      places[child].parent = Int32(parent)
      places[child].handle = Int32(handle.number)
    }
  }

  /// Takes a place out of its parent, with all places below.
  mutating func takeOut(_ place: Int) {
    let parent = Int(places[place].parent)
    levels[Int(places[parent].level)].drop(OrderIndex.Handle(number: Int(places[place].handle)))
    places[place].parent = -1
    dropEmptyLevel(of: parent)
  }

  mutating func dropEmptyLevel(of place: Int) {
    let level = Int(places[place].level)
    guard level >= 0, levels[level].count == 0 else { return }
    levels[level] = PlaceLevel()
    freeLevels.append(level)
    places[place].level = -1
  }

  private mutating func free(_ place: Int) {
    places[place] = Place(parent: -2)
    freePlaces.append(place)
  }

  /// Frees a place that has been taken out, with all places below.
  ///
  /// - Returns: the places that were kept.
  /// - Complexity: O(m) for m places.
  mutating func discard(_ place: Int) -> [Int] {
    var kept: [Int] = []
    discard(place) { if $1 { kept.append($0) } }
    return kept
  }

  /// Does the same for an owner that has to see every place that is freed.
  mutating func discard(_ place: Int, _ body: (_ place: Int, _ wasKept: Bool) -> Void) {
    var open = [place]
    while let next = open.popLast() {
      body(next, places[next].isKept)
      let level = Int(places[next].level)
      if level >= 0 {
        open += levels[level].allPlaces
        levels[level] = PlaceLevel()
        freeLevels.append(level)
      }
      free(next)
    }
  }

  /// Traps if the levels and the places do not fit together.
  func checkInvariants() {
    for (number, place) in places.enumerated() where place.parent != -2 && place.level >= 0 {
      let level = levels[Int(place.level)]
      level.checkInvariants()
      require(level.count > 0, "PlaceTree: place \(number) has an empty level.")
      for child in level.allPlaces {
        require(Int(places[child].parent) == number, "PlaceTree: place \(child) does not know its parent \(number).")
      }
    }
  }
}
