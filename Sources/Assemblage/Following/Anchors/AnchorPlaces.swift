/// The places of anchors: a tree of places, with a list of the anchors at each place, linked in both directions.
///
/// This is no part of the generic `AnchorSet`, so the compiler specializes it.
struct AnchorPlaces {
  struct Anchor {
    var place: Int32
    /// The other anchors at the place; -1: none.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// Whether the element of the anchor has left.
    var isLost = false
  }

  var tree = PlaceTree()
  /// By their numbers.
  private(set) var anchors: [Anchor] = []
  /// The numbers that no anchor has.
  private(set) var freeNumbers: [Int] = []
  /// The first anchor at each place; -1: none.
  private var firsts: [Int32] = []

  /// Makes an anchor at a place.
  ///
  /// - Returns: the number of the anchor.
  mutating func makeAnchor(at place: Int) -> Int {
    let number: Int
    if let free = freeNumbers.popLast() {
      number = free
      anchors[number].isLost = false
    } else {
      number = anchors.count
      anchors.append(Anchor(place: Int32(place)))
    }
    put([number], at: place)
    return number
  }

  /// Puts anchors at a place, which is kept as long as they stay there.
  mutating func put(_ numbers: [Int], at place: Int) {
    if place >= firsts.count { firsts.append(contentsOf: repeatElement(-1, count: tree.placeLimit - firsts.count)) }
    for number in numbers {
      let next = firsts[place]
      (anchors[number].place, anchors[number].next, anchors[number].previous) = (Int32(place), next, -1)
      if next >= 0 { anchors[Int(next)].previous = Int32(number) }
      firsts[place] = Int32(number)
    }
    tree.keep(place)
  }

  /// Removes an anchor, and the places that are needed for no other.
  mutating func release(_ number: Int) {
    let anchor = anchors[number]
    if anchor.next >= 0 { anchors[Int(anchor.next)].previous = anchor.previous }
    if anchor.previous >= 0 {
      anchors[Int(anchor.previous)].next = anchor.next
    } else {
      firsts[Int(anchor.place)] = anchor.next
      if anchor.next < 0 { tree.release(Int(anchor.place)) }
    }
    freeNumbers.append(number)
  }

  /// Frees places that left, with everything below them.
  ///
  /// - Returns: the anchors that were there, which are lost.
  mutating func lose(_ places: [Int]) -> [Int] {
    var lost: [Int] = []
    for place in places.flatMap({ tree.discard($0) }) {
      var next = firsts[place]
      firsts[place] = -1
      while next >= 0 {
        anchors[Int(next)].isLost = true
        lost.append(Int(next))
        next = anchors[Int(next)].next
      }
    }
    return lost
  }

  /// Traps if the parts do not fit together.
  func checkInvariants() {
    tree.checkInvariants()
    var count = 0
    for (place, first) in firsts.enumerated() where first >= 0 {
      require(tree.isKept(place), "AnchorPlaces: the place \(place) has anchors, and is not kept.")
      var (number, previous) = (first, Int32(-1))
      while number >= 0 {
        let anchor = anchors[Int(number)]
        require(
          anchor.place == place && anchor.previous == previous,
          "AnchorPlaces: the anchor \(number) does not know its place \(place), or the anchor before.")
        (number, previous, count) = (anchor.next, number, count + 1)
      }
    }
    require(
      count == anchors.count - freeNumbers.count,
      "AnchorPlaces: \(count) of \(anchors.count - freeNumbers.count) anchors are at a place.")
  }
}
