import OffsetIndexing

/// Some places of a tree, which follow what stands there through change sets.
///
/// It holds the places that somebody keeps, and those on the way to them from the root, each as a child in the `PlaceLevel` of
/// its parent. So the path of a place takes O(d log k), and a change the same for each of its ranges, for k kept children of
/// a node at depth d.
struct PlaceTree {
  private struct Place {
    /// The parent; -1: none, as for the root and for places that have been taken out; -2: the number is free.
    var parent: Int32
    var handle = OrderIndex.Handle(number: 0)
    /// The number of its level; -1: no child is kept.
    var level: Int32 = -1
    /// Whether somebody keeps this very place.
    var isKept = false
  }

  private var places = [Place(parent: -1)]
  private var freePlaces: [Int] = []
  private(set) var levels: [PlaceLevel] = []
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
  /// - Complexity: O(d log k) for k kept children of each node on the way.
  func path(of place: Int) -> [Int] {
    var path: [Int] = []
    var place = place
    while places[place].parent >= 0 {
      let parent = Int(places[place].parent)
      path.append(levels[Int(places[parent].level)].position(of: places[place].handle))
      place = parent
    }
    path.reverse()
    return path
  }

  /// The place that is known at a position below another one.
  func place(at position: Int, in parent: Int) -> Int? {
    places[parent].level < 0 ? nil : levels[Int(places[parent].level)].place(at: position)
  }

  /// The place that is known at a path.
  func place(at path: some Sequence<Int>) -> Int? {
    var place = Self.root
    for position in path {
      guard let next = self.place(at: position, in: place) else { return nil }
      place = next
    }
    return place
  }

  // MARK: Keeping

  /// Whether somebody keeps a place.
  func isKept(_ place: Int) -> Bool { places[place].isKept }

  /// Keeps a place.
  mutating func keep(_ place: Int) { places[place].isKept = true }

  /// Keeps a place no longer; it goes, with those above it that are not needed any more.
  mutating func release(_ place: Int) {
    places[place].isKept = false
    prune(place)
  }

  /// Removes a place that nobody needs, and those above it likewise.
  private mutating func prune(_ place: Int) {
    var place = place
    while places[place].parent >= 0, !places[place].isKept, places[place].level < 0 {
      let parent = Int(places[place].parent)
      takeOut(place)
      free(place)
      place = parent
    }
  }

  /// The place at a path, made where it is not known.
  mutating func makePlace(at path: some Sequence<Int>) -> Int {
    var place = Self.root
    for position in path { place = makePlace(at: position, in: place) }
    return place
  }

  /// The place at a position below another one, made where it is not known.
  mutating func makePlace(at position: Int, in parent: Int) -> Int {
    if let known = place(at: position, in: parent) { return known }
    return makePlaces(1, at: position, in: parent)[0]
  }

  /// Makes places one behind the other, where none is known.
  ///
  /// - Returns: the places, in order.
  /// - Complexity: O(log k + m) for m places besides k.
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

  private mutating func put(_ children: [Int], at position: Int, in parent: Int) {
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
      places[child].handle = handle
    }
  }

  /// Takes a place out of its parent, with all below.
  private mutating func takeOut(_ place: Int) {
    let parent = Int(places[place].parent)
    levels[Int(places[parent].level)].drop(places[place].handle)
    places[place].parent = -1
    dropEmptyLevel(of: parent)
  }

  private mutating func dropEmptyLevel(of place: Int) {
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

  /// Frees a place that has been taken out, with all below.
  ///
  /// - Returns: those that somebody kept.
  /// - Complexity: O(m) for m places.
  mutating func discard(_ place: Int) -> [Int] {
    var kept: [Int] = []
    var open = [place]
    while let next = open.popLast() {
      if places[next].isKept { kept.append(next) }
      let level = Int(places[next].level)
      if level >= 0 {
        open += levels[level].allPlaces
        levels[level] = PlaceLevel()
        freeLevels.append(level)
      }
      free(next)
    }
    return kept
  }

  // MARK: Following

  /// What a change did that the owner has to see to.
  struct Outcome {
    /// Places that left one parent side by side; they have been taken out, and wait for `discard(_:)`.
    struct Loss {
      let parent: Int
      let places: [Int]
      /// Where the next sibling is now that survived; there may be none, and the position one past the last.
      let next: Int
      /// Where the one before is now that survived.
      let previous: Int?
    }

    var losses: [Loss] = []
    /// What came below places that are known.
    var arrivals: [(parent: Int, range: Range<Int>)] = []
    /// Whose values changed below places that are known.
    var updates: [(parent: Int, range: Range<Int>)] = []
    /// Whom places left that went elsewhere.
    fileprivate var formerParents: [Int] = []
  }

  /// Removes places that nobody needs since a change was followed, after the owner has seen to the losses.
  mutating func prune(_ outcome: Outcome) {
    for parent in outcome.formerParents + outcome.losses.map(\.parent) where places[parent].parent != -2 {
      prune(parent)
    }
  }

  /// Follows a change of the tree.
  ///
  /// - Complexity: O((r + t d) log k + m) for r ranges of the change at known nodes, t transfers and m places that leave
  ///   or move.
  mutating func apply(_ change: ChangeSet) -> Outcome {
    var outcome = Outcome()
    let transfers = change.crossings.compactMap { crossing in
      crossing.places.map { (source: $0.source, destination: $0.destination, change: crossing.change) }
    }
    // All are looked up before the first is taken out, because one may stand below another.
    let travellers = transfers.map { place(at: $0.source.components) }
    for case .some(let place) in travellers {
      outcome.formerParents.append(Int(places[place].parent))
      takeOut(place)
    }
    apply(change, to: Self.root, &outcome)
    for (transfer, place) in zip(transfers, travellers) {
      if let place { apply(transfer.change, to: place, &outcome) }
    }
    // The outermost first: one may come to a place below another.
    for index in transfers.indices.sorted(by: { transfers[$0].destination.depth < transfers[$1].destination.depth }) {
      guard let place = travellers[index] else { continue }
      let parent = makePlace(at: transfers[index].destination.parent)
      let position = transfers[index].destination.position
      put([place], at: position, in: parent)
      if transfers[index].change.updatesValue { outcome.updates.append((parent, position..<position + 1)) }
    }
    return outcome
  }

  /// Follows a change without transfers below a place.
  private mutating func apply(_ change: ChangeSet, to place: Int, _ outcome: inout Outcome) {
    var open = [(place: place, node: change.nodes.count)]
    while let (place, node) = open.popLast() {
      let delta = node == change.nodes.count ? change.level : change.nodes[node].delta
      translate(delta, at: place, &outcome)
      for range in delta.insertions { outcome.arrivals.append((place, range)) }
      for range in delta.updates { outcome.updates.append((place, range)) }
      if change.nodes.isEmpty { continue }
      ChangeSet.forEachChildBackward(of: node, in: change.nodes) { child in
        if let next = self.place(at: change.nodes[child].position, in: place) { open.append((next, child)) }
      }
    }
  }

  private mutating func translate(_ delta: Delta, at place: Int, _ outcome: inout Outcome) {
    let number = Int(places[place].level)
    guard number >= 0, delta.movesPositions else { return }
    var moved: [(position: Int, place: Int)] = []
    for move in delta.moves {
      let distance = move.destination.lowerBound - move.source.lowerBound
      for (position, child) in levels[number].places(in: move.source) { moved.append((position + distance, child)) }
    }
    let lookup = PositionLookup(delta)
    for range in delta.removals {
      let lost = levels[number].places(in: range).map(\.place)
      if lost.isEmpty { continue }
      for child in lost { places[child].parent = -1 }
      // Ranges do not touch, so the neighbours survive.
      outcome.losses.append(
        Outcome.Loss(
          parent: place, places: lost, next: lookup.position(after: range.upperBound)!,
          previous: range.lowerBound == 0 ? nil : lookup.position(after: range.lowerBound - 1)))
    }
    let leaving = RangeLists.union(Array(delta.removals), RangeLists.normalized(delta.moves.map(\.source)))
    for range in leaving.reversed() { levels[number].close(range) }
    let coming = RangeLists.union(Array(delta.insertions), RangeLists.normalized(delta.moves.map(\.destination)))
    for range in coming { levels[number].open(range) }
    for (position, child) in moved { places[child].handle = levels[number].keep([child], at: position)[0] }
    dropEmptyLevel(of: place)
  }

  /// Traps where the levels and the places do not fit.
  func checkInvariants() {
    for (number, place) in places.enumerated() where place.parent != -2 && place.level >= 0 {
      let level = levels[Int(place.level)]
      level.checkInvariants()
      precondition(level.count > 0, "place \(number) has an empty level")
      for child in level.allPlaces {
        precondition(Int(places[child].parent) == number, "place \(child) does not know its parent \(number)")
      }
    }
  }
}
