// What a change of the source does to the sorted children, found out without changing anything.
//
// A child that neither came nor changed nor moved in the source stands as before among the others of that kind: the
// *standing*. Every other child arrives: the arrivals are sorted, and each looks for its place among the standing, from
// the place of the one before it on.
extension SortTranslation {
  /// What a change of the source does.
  struct Plan {
    /// The change of the sorted children.
    var delta = Delta()
    /// Positions in the source, before the change, of what leaves it, if only for another place; ascending.
    var removals: [Int] = []
    /// What gets a place among the sorted children, in sorted order.
    var arrivals: [PermutationIndex.Arrival] = []
    /// For each sorted position after the change, the position in the source; nil where the orders are to be changed
    /// one by one.
    var sources: [Int]?
    /// Whether the position of any child changes in either order.
    var movesPositions = true
  }

  /// Plans for a change of the source.
  ///
  /// - Parameters:
  ///   - delta: the source's change; the source shows it already.
  ///   - method: how the orders will be brought up to date.
  ///   - places: the sorted positions after the change, by position in the source after it, of all whose place is to be
  ///     found, where that is known; neither `sort` nor `place` is called then.
  ///   - sort: the order of several children, given by ascending positions of the source after the change, as indexes of
  ///     these; children that tie keep their order.
  ///   - place: finds a place for a child, given by its position in the source after the change, as the others are of which
  ///     the search is told whether they come before it; of children that tie the first in the source does.
  /// - Returns: the plan, to be carried out before the source changes again.
  /// - Complexity: O(k · log n) comparisons for k children that came, changed or moved, and O(k · log² n) steps, or O(n)
  ///   where that is less.
  func plan(
    _ delta: Delta, by method: OrderUpdate = .automatic, places: [Int: Int]? = nil, sort: ([Int]) -> [Int],
    place: (Int, Search) -> Int
  ) -> Plan {
    let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
    var plan = Plan()
    plan.arrivals = arrivals(of: delta, map)
    plan.removals = delta.removals.flatMap { $0 }
    let changes = plan.arrivals.count + plan.removals.count
    let isWholesale = method == .wholesale || (method == .automatic && changes > count / 16)
    var removed: [Int] = []
    let standing =
      isWholesale
      ? listStanding(&plan, map, &removed) : findStanding(&plan, map, &removed)

    if !takePlaces(&plan.arrivals, among: standing, places) {
      // Their elements are read once for that, and not for each comparison.
      if plan.arrivals.count > 1 { plan.arrivals = sort(plan.arrivals.map(\.position)).map { plan.arrivals[$0] } }
      if plan.arrivals.count > standing.count {
        spread(&plan.arrivals, among: standing, place)
      } else {
        findPlaces(&plan.arrivals, among: standing, guesses: removed.isEmpty, place)
      }
    }

    if !plan.arrivals.allSatisfy(\.keepsSource) {
      plan.removals += plan.arrivals.lazy.filter { !$0.keepsSource && $0.former >= 0 }.map(\.former)
      plan.removals.sort()
    }
    plan.delta = sortedDelta(removed, plan.arrivals)
    plan.movesPositions = delta.movesPositions || plan.delta.movesPositions
    if isWholesale { plan.sources = standing.merged(with: plan.arrivals) }
    return plan
  }

  /// Gives the arrivals the places that are known, if all of them are.
  private func takePlaces(
    _ arrivals: inout [PermutationIndex.Arrival], among standing: Standing, _ places: [Int: Int]?
  ) -> Bool {
    guard let places else { return false }
    var placed: [PermutationIndex.Arrival] = []
    for var arrival in arrivals {
      guard let place = places[arrival.position] else { return false }
      arrival.sorted = place
      placed.append(arrival)
    }
    placed.sort(byNumber: \.sorted)
    // Each behind the one before, and not behind more than there are.
    var previous = -1
    for (index, arrival) in placed.enumerated() {
      guard arrival.sorted > previous, arrival.sorted - index <= standing.count else { return false }
      previous = arrival.sorted
    }
    arrivals = placed
    return true
  }

  /// Finds the place of each arrival.
  ///
  /// - Parameters:
  ///   - arrivals: in sorted order.
  ///   - standing: those among whom they stand.
  ///   - guesses: whether a single arrival may be where it was.
  ///   - place: finds a place for a child.
  private func findPlaces(
    _ arrivals: inout [PermutationIndex.Arrival], among standing: Standing, guesses: Bool, _ place: (Int, Search) -> Int
  ) {
    // An update often leaves a child where it was.
    let guess = arrivals.count == 1 && guesses ? arrivals[0].formerSorted : -1
    let step = Self.step(standing.count, arrivals.count)
    var rank = 0
    for index in arrivals.indices {
      let low = rank
      rank = place(arrivals[index].position) { isBefore in
        standing.rank(from: low, step: step, guess: guess, isBefore: isBefore)
      }
      arrivals[index].sorted = rank + index
    }
  }

  /// Finds the place of each arrival where there are more of them than of those that stand: it is these that look for theirs.
  ///
  /// - Parameters:
  ///   - arrivals: in sorted order.
  ///   - standing: those among whom they stand.
  ///   - place: finds a place for a child.
  private func spread(
    _ arrivals: inout [PermutationIndex.Arrival], among standing: Standing, _ place: (Int, Search) -> Int
  ) {
    let step = Self.step(arrivals.count, standing.count)
    let positions = arrivals.map(\.position)
    var index = 0
    for rank in 0...standing.count {
      var end = arrivals.count
      if rank < standing.count {
        let first = index
        end = place(standing.position(rank)) { isBefore in
          Self.search(from: first, to: positions.count, step: step) { isBefore(positions[$0]) }
        }
      }
      while index < end {
        arrivals[index].sorted = rank + index
        index += 1
      }
    }
  }

  /// How far to look first for the place of each of `few` among `many`.
  ///
  /// As merging two lists of such lengths wants it: Hwang & Lin, "A simple algorithm for merging two disjoint linearly
  /// ordered sets" (1972).
  private static func step(_ many: Int, _ few: Int) -> Int { max(1, many / max(1, 2 * few)) }

  /// Looks for a place among what ascends.
  ///
  /// - Parameters:
  ///   - low: where to begin.
  ///   - high: where to end.
  ///   - step: how far to look first.
  ///   - isBefore: whether what stands at a number comes before what is looked for.
  /// - Returns: the first number of `low...high` that is `high`, or where that is no longer so.
  @inlinable
  static func search(from low: Int, to high: Int, step: Int, isBefore: (Int) -> Bool) -> Int {
    var (low, high, step) = (low, high, step)
    while low + step < high {
      if isBefore(low + step) {
        low += step + 1
        step *= 2
      } else {
        high = low + step
      }
    }
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The children that go, change or move.
  ///
  /// - Parameter delta: the source's change.
  /// - Returns: their positions in the source before it, in no order; those of one that moves and changes are there twice.
  static func positions(lostBy delta: Delta) -> [Int] {
    let inverse = delta.inverse()
    return (Array(inverse.insertions) + Array(inverse.updates) + inverse.moves.map(\.destination)).flatMap { $0 }
  }

  /// The sorted positions of the children whose place has to be found when a change is taken back.
  ///
  /// - Parameter delta: the source's change, which this translation has not taken in yet.
  /// - Returns: the present sorted positions, by present positions in the source.
  /// - Complexity: O(k · log n) for k children that go, change or move.
  func places(lostBy delta: Delta) -> [Int: Int] {
    var places: [Int: Int] = [:]
    for position in Self.positions(lostBy: delta) { places[position] = order.sortedPosition(of: position) }
    return places
  }

  /// What came, moved or changed in the source, ascending by position.
  private func arrivals(of delta: Delta, _ map: Delta.PositionMap?) -> [PermutationIndex.Arrival] {
    var arrivals: [PermutationIndex.Arrival] = []
    for position in delta.insertions.joined() {
      arrivals.append(.init(position: position, former: -1, keepsSource: false, isUpdated: false))
    }
    let moves = delta.moves
    for move in moves {
      for (former, position) in zip(move.source, move.destination) {
        let isUpdated = delta.updates.contains(position: position)
        arrivals.append(.init(position: position, former: former, keepsSource: false, isUpdated: isUpdated))
      }
    }
    for range in RangeLists.subtracting(moves.map(\.destination), from: Array(delta.updates)) {
      for position in range {
        let former = map.map { $0.position(before: position)! } ?? position
        arrivals.append(.init(position: position, former: former, keepsSource: true, isUpdated: true))
      }
    }
    // Otherwise there is one list, which is ascending.
    if map != nil { arrivals.sort(byNumber: \.position) }
    return arrivals
  }

  private func sortedDelta(_ removed: [Int], _ arrivals: [PermutationIndex.Arrival]) -> Delta {
    var insertions: [Range<Int>] = []
    var updates: [Range<Int>] = []
    var moves: [Delta.Move] = []
    for arrival in arrivals {
      let range = arrival.sorted..<arrival.sorted + 1
      if arrival.former < 0 {
        RangeLists.append(range, to: &insertions)
      } else {
        if arrival.isUpdated { RangeLists.append(range, to: &updates) }
        moves.append(Delta.Move(from: arrival.formerSorted..<arrival.formerSorted + 1, to: range))
      }
    }
    return Delta(
      removals: removed.map { $0..<$0 + 1 }, insertions: insertions, updates: updates, moves: moves)
  }
}

// MARK: - Which children stand

extension SortTranslation {
  /// The children that keep their places among one another, in sorted order.
  private struct Standing {
    /// How many they are.
    let count: Int
    /// Their positions in the source, after the change; empty where they are to be looked up.
    var listed: [Int] = []
    /// The sorted positions, before the change, of the children that do not stand; ascending.
    var gaps: [Int] = []
    /// The orders before the change.
    let order: PermutationIndex
    /// The source's change, where it concerns positions.
    let map: Delta.PositionMap?

    /// The position in the source, after the change, of the one at a place among them.
    func position(_ rank: Int) -> Int {
      if !listed.isEmpty { return listed[rank] }
      // Before gap number i there are gaps[i] - i that stand.
      var low = 0
      var high = gaps.count
      while low < high {
        let middle = (low + high) / 2
        if gaps[middle] - middle <= rank { low = middle + 1 } else { high = middle }
      }
      let former = order.sourcePosition(of: rank + low)
      return map.map { $0.position(after: former)! } ?? former
    }

    /// How many of them stand before an arrival.
    ///
    /// Whatever the comparator says, the answer is a number of `low...count`.
    ///
    /// - Parameters:
    ///   - low: how many stand before it at least.
    ///   - step: how far to look first.
    ///   - guess: how many probably do; negative for no guess.
    ///   - isBefore: whether one of them, by its position in the source, comes before the arrival.
    /// - Returns: how many stand before it.
    func rank(from low: Int, step: Int, guess: Int, isBefore: (Int) -> Bool) -> Int {
      var low = low
      var high = count
      if guess >= 0 {
        if guess > low, !isBefore(position(guess - 1)) {
          high = guess - 1
        } else if guess < high, isBefore(position(guess)) {
          low = guess + 1
        } else {
          return guess
        }
      }
      return SortTranslation.search(from: low, to: high, step: step) { isBefore(position($0)) }
    }

    /// Those and the arrivals, in sorted order, by their positions in the source.
    func merged(with arrivals: [PermutationIndex.Arrival]) -> [Int] {
      var sources: [Int] = []
      sources.reserveCapacity(count + arrivals.count)
      for (index, arrival) in arrivals.enumerated() {
        while sources.count < arrival.sorted { sources.append(position(sources.count - index)) }
        sources.append(arrival.position)
      }
      while sources.count < count + arrivals.count { sources.append(position(sources.count - arrivals.count)) }
      return sources
    }
  }

  /// Writes down where every child stands, and notes where the removed and the arrivals stood; O(n).
  private func listStanding(_ plan: inout Plan, _ map: Delta.PositionMap?, _ removed: inout [Int]) -> Standing {
    // For each position in the source, that after the change. An arrival is -2 - its index; -1 leaves for good.
    var positions = map == nil ? Array(0..<count) : [Int](repeating: -1, count: count)
    map?.forEachRun(inOld: 0..<count) { old, new in
      for (former, position) in zip(old, new) { positions[former] = position }
    }
    for (index, arrival) in plan.arrivals.enumerated() where arrival.former >= 0 {
      positions[arrival.former] = -2 - index
    }
    var standing: [Int] = []
    standing.reserveCapacity(count)
    for (sorted, source) in order.sources.enumerated() {
      let position = positions[source]
      if position >= 0 {
        standing.append(position)
      } else if position == -1 {
        removed.append(sorted)
      } else {
        plan.arrivals[-2 - position].formerSorted = sorted
      }
    }
    return Standing(count: standing.count, listed: standing, order: order, map: map)
  }

  /// Notes where the removed and the arrivals stood; the other children are looked up when needed.
  private func findStanding(_ plan: inout Plan, _ map: Delta.PositionMap?, _ removed: inout [Int]) -> Standing {
    removed = plan.removals.map { order.sortedPosition(of: $0) }
    removed.sort()
    var gaps = removed
    for index in plan.arrivals.indices where plan.arrivals[index].former >= 0 {
      plan.arrivals[index].formerSorted = order.sortedPosition(of: plan.arrivals[index].former)
      gaps.append(plan.arrivals[index].formerSorted)
    }
    gaps.sort()
    return Standing(count: count - gaps.count, gaps: gaps, order: order, map: map)
  }
}
