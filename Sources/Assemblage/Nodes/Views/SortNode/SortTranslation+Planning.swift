// The effect of a source's change on the sorted children, computed without changing anything.
//
// A child that did not arrive, change or move in the source keeps its order among the other children of this kind.
// These are the `staying` children. All other children are *arrivals*. The arrivals are sorted. Then the position of
// each arrival is searched among the `staying` children, beginning at the position of the arrival before it.
extension SortTranslation {
  /// The effect of a source's change.
  struct Plan {
    /// The change of the sorted children.
    var delta = Delta()
    /// The positions in the source, before the change, of the children that leave or move; ascending.
    var removals: [Int] = []
    /// The children that get a sorted position, in sorted order.
    var arrivals: [PermutationIndex.Arrival] = []
    /// For each sorted position after the change, the position in the source; nil if the orders are changed child by
    /// child.
    var sources: [Int]?
    /// Whether the position of any child changes in either order.
    var movesPositions = true
  }

  /// Plans the effect of a change of the source.
  ///
  /// - Parameters:
  ///   - delta: the source's change, which the source has made already.
  ///   - replaced: the positions, after the change, of children that need another place although they have not changed.
  ///   - method: the way to update the orders.
  ///   - places: the sorted positions of all arrivals after the change, by their source positions after it, if they are
  ///     known. Then neither `sort` nor `place` is called.
  ///   - sort: returns the order of several children as indexes into a list of their source positions. This list is
  ///     ascending, with positions after the change. Children that tie keep their order.
  ///   - place: runs a search for the position of a child. It gives the search a closure that returns whether another
  ///     child is before this one; of children that tie, the first one in the source is. Both children are given by
  ///     their source positions after the change.
  /// - Returns: the plan, which must be carried out before the source changes again.
  /// - Complexity: O(k · log n) comparisons for k children that arrived, changed or moved, and O(k · log² n) steps, or
  ///   O(n) if that is less.
  func plan(
    _ delta: Delta, replacing replaced: [Int] = [], by method: OrderUpdate = .automatic, places: [Int: Int]? = nil,
    sort: ([Int]) -> [Int],
    place: (Int, Search) -> Int
  ) -> Plan {
    let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
    var plan = Plan()
    plan.arrivals = arrivals(of: delta, replaced, map)
    plan.removals = delta.removals.flatMap { $0 }
    let changes = plan.arrivals.count + plan.removals.count
    let isWholesale = method == .wholesale || (method == .automatic && changes > count / 16)
    var removed: [Int] = []
    let staying =
      isWholesale
      ? listStanding(&plan, map, &removed) : findStanding(&plan, map, &removed)

    if !takePlaces(&plan.arrivals, among: staying, places) {
      // `sort` reads each element once, and not for each comparison.
      if plan.arrivals.count > 1 { plan.arrivals = sort(plan.arrivals.map(\.position)).map { plan.arrivals[$0] } }
      if plan.arrivals.count > staying.count {
        spread(&plan.arrivals, among: staying, place)
      } else {
        findPlaces(&plan.arrivals, among: staying, guesses: removed.isEmpty, place)
      }
    }

    if !plan.arrivals.allSatisfy(\.keepsSource) {
      plan.removals += plan.arrivals.lazy.filter { !$0.keepsSource && $0.former >= 0 }.map(\.former)
      plan.removals.sort()
    }
    plan.delta = sortedDelta(removed, plan.arrivals)
    plan.movesPositions = delta.movesPositions || plan.delta.movesPositions
    if isWholesale { plan.sources = staying.merged(with: plan.arrivals) }
    return plan
  }

  /// Gives the arrivals the known positions, if all of them are known.
  private func takePlaces(
    _ arrivals: inout [PermutationIndex.Arrival], among staying: Staying, _ places: [Int: Int]?
  ) -> Bool {
    guard let places else { return false }
    var placed: [PermutationIndex.Arrival] = []
    for var arrival in arrivals {
      guard let place = places[arrival.position] else { return false }
      arrival.sorted = place
      placed.append(arrival)
    }
    placed.sort(byNumber: \.sorted)
    // Each position must be greater than the one before, and must not skip more children than exist.
    var previous = -1
    for (index, arrival) in placed.enumerated() {
      guard arrival.sorted > previous, arrival.sorted - index <= staying.count else { return false }
      previous = arrival.sorted
    }
    arrivals = placed
    return true
  }

  /// Finds the sorted position of each arrival.
  ///
  /// - Parameters:
  ///   - arrivals: in sorted order.
  ///   - staying: the children among which the arrivals are placed.
  ///   - guesses: whether a single arrival may still be at its former position.
  ///   - place: runs a search for the position of a child.
  private func findPlaces(
    _ arrivals: inout [PermutationIndex.Arrival], among staying: Staying, guesses: Bool, _ place: (Int, Search) -> Int
  ) {
    // An update often leaves a child in its position.
    let guess = arrivals.count == 1 && guesses ? arrivals[0].formerSorted : -1
    let step = Self.step(staying.count, arrivals.count)
    var rank = 0
    for index in arrivals.indices {
      let low = rank
      rank = place(arrivals[index].position) { isBefore in
        staying.rank(from: low, step: step, guess: guess, isBefore: isBefore)
      }
      arrivals[index].sorted = rank + index
    }
  }

  /// Finds the sorted position of each arrival, if there are more arrivals than `staying` children.
  ///
  /// Here the position of each `staying` child is searched among the arrivals.
  ///
  /// - Parameters:
  ///   - arrivals: in sorted order.
  ///   - staying: the children among which the arrivals are placed.
  ///   - place: runs a search for the position of a child.
  private func spread(
    _ arrivals: inout [PermutationIndex.Arrival], among staying: Staying, _ place: (Int, Search) -> Int
  ) {
    let step = Self.step(arrivals.count, staying.count)
    let positions = arrivals.map(\.position)
    var index = 0
    for rank in 0...staying.count {
      var end = arrivals.count
      if rank < staying.count {
        let first = index
        end = place(staying.position(rank)) { isBefore in
          Self.search(from: first, to: positions.count, step: step) { isBefore(positions[$0]) }
        }
      }
      while index < end {
        arrivals[index].sorted = rank + index
        index += 1
      }
    }
  }

  /// Returns the first step of the search for each of `few` children among `many`.
  ///
  /// The step is that of a merge of two lists with such lengths: Hwang & Lin, "A simple algorithm for merging two
  /// disjoint linearly ordered sets" (1972).
  private static func step(_ many: Int, _ few: Int) -> Int { max(1, many / max(1, 2 * few)) }

  /// Searches for a position in an ascending order.
  ///
  /// - Parameters:
  ///   - low: the start of the search.
  ///   - high: the end of the search.
  ///   - step: the length of the first step.
  ///   - isBefore: whether the item with a number is before the searched item.
  /// - Returns: the first number in `low...high` that is `high`, or whose item is not before the searched one.
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

  /// Returns the positions of the children that leave, change or move.
  ///
  /// - Parameter delta: the source's change.
  /// - Returns: the positions in the source before the change, in no order. A child that moves and changes is listed
  ///   twice.
  static func positions(lostBy delta: Delta) -> [Int] {
    let inverse = delta.inverse()
    return (Array(inverse.insertions) + Array(inverse.updates) + inverse.moves.map(\.destination)).flatMap { $0 }
  }

  /// Returns the sorted positions of the children that must be placed again when a change is reverted.
  ///
  /// - Parameter delta: the source's change, which this translation has not applied yet.
  /// - Returns: the present sorted positions, by present positions in the source.
  /// - Complexity: O(k · log n) for k children that leave, change or move.
  func places(lostBy delta: Delta) -> [Int: Int] {
    var places: [Int: Int] = [:]
    for position in Self.positions(lostBy: delta) { places[position] = order.sortedPosition(of: position) }
    return places
  }

  /// Returns the children that arrived, moved or changed in the source, ascending by position.
  private func arrivals(
    of delta: Delta, _ replaced: [Int], _ map: Delta.PositionMap?
  ) -> [PermutationIndex.Arrival] {
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
    var kept = Array(delta.updates)
    if !replaced.isEmpty {
      let placed = RangeLists.normalized(replaced.map { $0..<$0 + 1 })
      kept = RangeLists.subtracting(Array(delta.insertions), from: RangeLists.union(kept, placed))
    }
    for range in RangeLists.subtracting(RangeLists.normalized(moves.map(\.destination)), from: kept) {
      for position in range {
        let former = map.map { $0.position(before: position)! } ?? position
        let isUpdated = replaced.isEmpty || delta.updates.contains(position: position)
        arrivals.append(.init(position: position, former: former, keepsSource: true, isUpdated: isUpdated))
      }
    }
    // Otherwise there is one list, which is ascending already.
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

// MARK: - The children that keep their order

extension SortTranslation {
  /// The children that keep their order among one another, in sorted order.
  private struct Staying {
    /// The number of these children.
    let count: Int
    /// The positions of these children in the source, after the change; empty if they are looked up.
    var listed: [Int] = []
    /// The sorted positions, before the change, of all other children; ascending.
    var gaps: [Int] = []
    /// The orders before the change.
    let order: PermutationIndex
    /// The source's change, if it changes positions.
    let map: Delta.PositionMap?

    /// Returns the source position, after the change, of the child with a rank among these children.
    func position(_ rank: Int) -> Int {
      if !listed.isEmpty { return listed[rank] }
      // Before gap number i there are gaps[i] - i of these children.
      var low = 0
      var high = gaps.count
      while low < high {
        let middle = (low + high) / 2
        if gaps[middle] - middle <= rank { low = middle + 1 } else { high = middle }
      }
      let former = order.sourcePosition(of: rank + low)
      return map.map { $0.position(after: former)! } ?? former
    }

    /// Returns the number of these children before an arrival.
    ///
    /// The result is a number in `low...count`, even if the comparator is inconsistent.
    ///
    /// - Parameters:
    ///   - low: the smallest possible result.
    ///   - step: the length of the first step of the search.
    ///   - guess: the probable result; negative for no guess.
    ///   - isBefore: whether one of these children, given by its position in the source, is before the arrival.
    /// - Returns: the number of these children before the arrival.
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

    /// Merges these children with the arrivals, in sorted order, and returns their positions in the source.
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

  /// Lists the `staying` children, and records the former positions of the removed children and the arrivals; O(n).
  private func listStanding(_ plan: inout Plan, _ map: Delta.PositionMap?, _ removed: inout [Int]) -> Staying {
    // For each position in the source, the position after the change. An arrival is -2 - its index. A child that leaves
    // for good is -1.
    var positions = map == nil ? Array(0..<count) : [Int](repeating: -1, count: count)
    map?.forEachRun(inOld: 0..<count) { old, new in
      for (former, position) in zip(old, new) { positions[former] = position }
    }
    for (index, arrival) in plan.arrivals.enumerated() where arrival.former >= 0 {
      positions[arrival.former] = -2 - index
    }
    var staying: [Int] = []
    staying.reserveCapacity(count)
    for (sorted, source) in order.sources.enumerated() {
      let position = positions[source]
      if position >= 0 {
        staying.append(position)
      } else if position == -1 {
        removed.append(sorted)
      } else {
        plan.arrivals[-2 - position].formerSorted = sorted
      }
    }
    return Staying(count: staying.count, listed: staying, order: order, map: map)
  }

  /// Records the former positions of the removed children and the arrivals. The other children are looked up when
  /// needed.
  private func findStanding(_ plan: inout Plan, _ map: Delta.PositionMap?, _ removed: inout [Int]) -> Staying {
    removed = plan.removals.map { order.sortedPosition(of: $0) }
    removed.sort()
    var gaps = removed
    for index in plan.arrivals.indices where plan.arrivals[index].former >= 0 {
      plan.arrivals[index].formerSorted = order.sortedPosition(of: plan.arrivals[index].former)
      gaps.append(plan.arrivals[index].formerSorted)
    }
    gaps.sort()
    return Staying(count: count - gaps.count, gaps: gaps, order: order, map: map)
  }
}
