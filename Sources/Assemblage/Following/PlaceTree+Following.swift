extension PlaceTree {
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
}
