import OffsetIndexing

// What a change of the source does to the tree.
extension NestTranslation {
  /// What crosses into the source or out of it, as its change says.
  struct Crossings {
    /// What a row leaves or comes with, and whether it was updated before it left, or meanwhile.
    typealias End = (token: Crossing.Token, isUpdated: Bool)

    /// What rows leave with, by their positions before the change.
    var departures: [Int: End] = [:]
    /// What rows come with, by their positions after it.
    var arrivals: [Int: End] = [:]
  }

  /// Follows what crosses into the source or out of it, also from below its rows, where it is not shown.
  ///
  /// What crosses may be a node when it leaves, and a leaf when it comes back: unless the move is known to be a leaf's, it is told as a
  /// row both times, for what is below it in the source is not shown.
  mutating func follow(_ change: ChangeSet, _ plan: inout NestPlan) -> Crossings {
    func shown(_ end: Crossing.End) -> Crossing.End? { end.depth > 1 ? nil : end }
    var result = Crossings()
    if change.crossings.isEmpty, disappearances.isEmpty { return result }
    let origins = disappearances.origins(of: change.crossings, before: shown)
    for crossing in disappearances.follow(change, from: origins, leaving: [], coming: [], after: shown) {
      switch (crossing.from, crossing.to) {
      case (.inside(let place), .outside(let token)):
        result.departures[place.first] = (token.rowUnlessLeaf, crossing.change.updatesValue)
      case (.outside, .inside(let place)) where place.depth > 1:
        // It came along with a row, and may come out from below it.
        disappearances.enter(crossing, at: place)
      case (.outside(let token), .inside(let place)):
        disappearances.come(with: token, at: place.first)
        result.arrivals[place.first] = (token.rowUnlessLeaf, crossing.change.updatesValue)
      case (.inside(let place), .inside(let destination)):
        let token = Crossing.Token().row
        result.departures[place.first] = (token, false)
        result.arrivals[destination.first] = (token, crossing.change.updatesValue)
      case (.outside(let former), .outside(let next)):
        disappearances.leave(with: next)
        let ends: (Crossing.End, Crossing.End) = (.outside(former.rowUnlessLeaf), .outside(next.rowUnlessLeaf))
        plan.tellLink(Crossing(from: ends.0, to: ends.1, change: crossing.change))
      }
    }
    return result
  }

  /// Translates a change of the source, and brings everything up to date.
  ///
  /// - Parameters:
  ///   - delta: the source's change.
  ///   - inserted: what the rows say that it inserts, one after the other.
  ///   - updated: what the rows say that it updates, one after the other.
  ///   - crossings: what rows leave with and come with.
  ///   - formerParts: the nodes of rows that it inserts, by position, where the removal of these is taken back; nil: rows that come
  ///     are shown by those that wait for their ids.
  ///   - plan: receives what is told.
  /// - Precondition: there is room for all slots.
  /// - Complexity: O(log² n) for each of the rows, of n, that the change names, or that go to another parent because of it; and
  ///   O(d · log n) for each of them d deep, where there is one who hears of it. Where a row stands in a cycle of links, O(c · log n)
  ///   more for the c rows from there to the top level.
  mutating func translate(
    _ delta: Delta, inserted: [NestLink], updated: [NestLink], crossings: Crossings,
    formerParts: [Int: Int]?,
    _ plan: inout NestPlan
  ) {
    let moved = delta.moves.flatMap { move in
      zip(move.source, move.destination).map { (row: row(atSource: $0), position: $1) }
    }
    // From the end: mostly the children before their parent.
    for position in delta.removals.joined().reversed() {
      remove(at: position, crossings.departures[position], &plan)
    }
    move(moved, insertions: delta.insertions, &plan)
    for (position, link) in zip(delta.insertions.joined(), inserted) {
      let part =
        if let formerParts { formerParts[position] } else { parts.lastLost(slot: link.id, except: plan.departedParts) }
      insert(link, at: position, crossings.arrivals[position], part, &plan)
    }
    for (position, link) in zip(delta.updates.joined(), updated) {
      let row = row(atSource: position)
      update(row, link, &plan)
      let place = place(of: row)
      plan.tellUpdate(of: row, at: place.position, in: place.branch, self)
    }
    finish(&plan)
  }

  /// Moves rows to where they stand after the change, but for the rows that it inserts.
  private mutating func move(_ moved: [(row: Int, position: Int)], insertions: Delta.Ranges, _ plan: inout NestPlan) {
    if moved.isEmpty { return }
    var goals: [(row: Int, position: Int)] = []
    var inserted = insertions.joined().makeIterator()
    var next = inserted.next()
    var before = 0
    for (row, position) in moved.sorted(by: { $0.position < $1.position }) {
      while let insertion = next, insertion < position {
        before += 1
        next = inserted.next()
      }
      goals.append((row, position - before))
    }
    // Behind all others, in the order in which they are to stand: then all that is to stand before one of them does.
    if goals.count > 1 {
      for (row, _) in goals { move(row, to: count - 1, &plan) }
    }
    for (row, position) in goals { move(row, to: position, &plan) }
  }

  /// Takes in that rows say something else of themselves, whose values are what they were.
  mutating func relink(_ links: [(position: Int, link: NestLink)], _ plan: inout NestPlan) {
    for (position, link) in links { update(row(atSource: position), link, &plan) }
    finish(&plan)
  }

  /// Makes leaves of the rows that lost all children, and tells of those that became a leaf or a branch.
  private mutating func finish(_ plan: inout NestPlan) {
    for (row, hadChildren) in plan.hadChildren {
      let hasChildren = makeLeafIfEmpty(row)
      if hadChildren == hasChildren { continue }
      let (branch, position) = place(of: row)
      plan.tellTurn(of: row, at: position, in: branch, self)
    }
    freeRows(plan.leftRows)
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
  }
}
