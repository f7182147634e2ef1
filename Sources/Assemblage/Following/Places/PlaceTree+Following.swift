import OffsetIndexing

extension PlaceTree {
  /// The effects of a change, for the owner of the tree.
  struct Outcome {
    /// Places that left one parent, and were adjacent; they have been taken out, and wait for `discard(_:)`.
    struct Loss {
      let parent: Int
      let places: [Int]
      /// The present position of the next sibling that survived; one past the last position where there is none.
      let next: Int
      /// The present position of the previous sibling that survived.
      let previous: Int?
    }

    /// A place that moved from one parent to another; it is already at its destination.
    struct Transfer {
      let place: Int
      let formerParent: Int
      let parent: Int
    }

    var losses: [Loss] = []
    var transfers: [Transfer] = []
    /// The changes of the children of known places; the update of a child that moved to another parent may be separate.
    var deltas: [(parent: Int, delta: Delta)] = []
    /// Places that were made in order to follow the change.
    fileprivate var made: [Int] = []

    /// The ranges of children that arrived below known places.
    var arrivals: some Sequence<(parent: Int, range: Range<Int>)> {
      deltas.lazy.flatMap { parent, delta in delta.insertions.lazy.map { (parent, $0) } }
    }

    /// The ranges of children below known places whose values changed.
    var updates: some Sequence<(parent: Int, range: Range<Int>)> {
      deltas.lazy.flatMap { parent, delta in delta.updates.lazy.map { (parent, $0) } }
    }
  }

  /// The nodes at which a change is followed.
  enum Scope {
    /// The known nodes.
    case knownPlaces
    /// All nodes; places are made for unknown nodes, and for children that moved to another parent.
    case everywhere
  }

  /// Removes places that are no longer needed after a change, when the owner has handled the losses.
  mutating func prune(_ outcome: Outcome) {
    for place in outcome.transfers.map(\.formerParent) + outcome.losses.map(\.parent) + outcome.made
    where places[place].parent != -2 {
      prune(place)
    }
  }

  /// Follows a change of the tree.
  ///
  /// - Complexity: O((r + t · d) · log k + m) for r ranges of the change at known nodes, t transfers and m places that
  ///   leave or move.
  mutating func apply(_ change: ChangeSet, in scope: Scope = .knownPlaces) -> Outcome {
    var outcome = Outcome()
    let transfers = change.crossings.compactMap { crossing in
      crossing.places.map { (source: $0.source, destination: $0.destination, change: crossing.change) }
    }
    // All places are looked up before the first is taken out, because one may lie below another.
    let travellers = transfers.map { transfer in
      scope == .everywhere ? makePlace(at: transfer.source.components) : place(at: transfer.source.components)
    }
    var formerParents: [Int] = []
    for place in travellers {
      formerParents.append(place.map { Int(places[$0].parent) } ?? -1)
      if let place { takeOut(place) }
    }
    apply(change, to: Self.root, scope, &outcome)
    for (transfer, place) in zip(transfers, travellers) {
      if let place { apply(transfer.change, to: place, scope, &outcome) }
    }
    // The outermost destination first: one child may arrive below another one.
    for index in transfers.indices.sorted(byNumber: { transfers[$0].destination.depth }) {
      guard let place = travellers[index] else { continue }
      let parent = makePlace(at: transfers[index].destination.parent)
      let position = transfers[index].destination.position
      put([place], at: position, in: parent)
      outcome.transfers.append(
        Outcome.Transfer(place: place, formerParent: formerParents[index], parent: parent))
      if transfers[index].change.updatesValue { outcome.deltas.append((parent, .update(position..<position + 1))) }
    }
    if scope == .everywhere { outcome.made += outcome.transfers.map(\.place) }
    return outcome
  }

  /// Follows a change without transfers below a place.
  private mutating func apply(_ change: ChangeSet, to place: Int, _ scope: Scope, _ outcome: inout Outcome) {
    var open = [(place: place, node: change.nodes.count)]
    while let (place, node) = open.popLast() {
      let delta = node == change.nodes.count ? change.level : change.nodes[node].delta
      translate(delta, at: place, &outcome)
      if !delta.isEmpty { outcome.deltas.append((place, delta)) }
      if change.nodes.isEmpty { continue }
      ChangeSet.forEachChildBackward(of: node, in: change.nodes) { child in
        let position = change.nodes[child].position
        if let next = self.place(at: position, in: place) {
          open.append((next, child))
        } else if scope == .everywhere {
          let next = makePlaces(1, at: position, in: place)[0]
          outcome.made.append(next)
          open.append((next, child))
        }
      }
    }
  }

  private mutating func translate(_ delta: Delta, at place: Int, _ outcome: inout Outcome) {
    let number = Int(places[place].level)
    guard number >= 0, delta.movesPositions else { return }
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
    delta.rearrange(
      carrying: { range in levels[number].places(in: range).map { ($0.position - range.lowerBound, $0.place) } },
      lifting: { levels[number].close($0) },
      putting: { range, moved in
        levels[number].open(range)
        for (offset, child) in moved ?? [] {
          places[child].handle = Int32(levels[number].keep([child], at: range.lowerBound + offset)[0].number)
        }
      })
    dropEmptyLevel(of: place)
  }
}
