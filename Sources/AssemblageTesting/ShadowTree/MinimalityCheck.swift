@_spi(NodeAuthors) import Assemblage

/// Checks law 5 for one level of a change.
struct MinimalityCheck<Element> {
  let demands: Minimality
  let checker: NodeChecker<Element>
  /// Whether the id of a value identifies its element.
  let identifies: (Element) -> Bool

  /// The id that identifies an element; nil where there is none.
  func id(of value: Element?) -> AnyHashable? {
    guard let id = checker.id, let value, identifies(value) else { return nil }
    return id(value)
  }

  /// Throws where a delta reports more than the change of a node's children.
  ///
  /// `map` is the position map of the delta, which fits the counts; `old` and `new` are the values before and after the
  /// delta.
  func check(
    _ delta: Delta, _ map: Delta.PositionMap, _ old: [Element?], _ new: [Element?]
  ) throws(Finding) {
    if demands.contains(.survivors), checker.id != nil {
      try checkSurvivors(delta, map, old.map(id), new.map(id))
    }
    if demands.contains(.fewestMoves) { try checkMoves(delta, map, newCount: new.count) }
    if demands.contains(.realUpdates) {
      for position in delta.updates.joined() {
        guard let former = map.position(before: position) else { continue }
        if checker.isSame(old[former], new[position]) {
          throw Finding(
            .changesAreMinimal, at: [position], "\(delta) updates \(text(new[position])), but the value is unchanged")
        }
      }
    }
    if demands.contains(.replacedEnds), !delta.hasMoves { try checkReplacedEnds(delta, map, old, new) }
  }

  private func checkSurvivors(
    _ delta: Delta, _ map: Delta.PositionMap, _ old: [AnyHashable?], _ new: [AnyHashable?]
  ) throws(Finding) {
    var removed: [AnyHashable: Int] = [:]
    for position in delta.removals.joined() {
      if let id = old[position] { removed[id] = position }
    }
    for position in delta.insertions.joined() {
      guard let id = new[position], let former = removed[id] else { continue }
      throw Finding(
        .changesAreMinimal, at: [position], "\(delta) removes \(id) at \(former) and inserts it at \(position)")
    }
    let places = uniquePlaces(new)
    for (id, former) in uniquePlaces(old) {
      guard let place = places[id], map.position(after: former) != place else { continue }
      let followed = map.position(after: former).map { "to \($0)" } ?? "nowhere"
      throw Finding(
        .changesAreMinimal, at: [place],
        "\(delta) follows \(id) from \(former) \(followed), but it is at \(place)")
    }
  }

  /// The positions of the ids that occur only once.
  private func uniquePlaces(_ ids: [AnyHashable?]) -> [AnyHashable: Int] {
    var places: [AnyHashable: Int] = [:]
    for (position, id) in ids.enumerated() {
      if let id { places[id] = places[id] == nil ? position : -1 }
    }
    return places.filter { $0.value >= 0 }
  }

  private func checkMoves(_ delta: Delta, _ map: Delta.PositionMap, newCount: Int) throws(Finding) {
    let moved = delta.moves.reduce(0) { $0 + $1.source.count }
    if moved == 0 { return }
    let order = (0..<newCount).compactMap { map.position(before: $0) }
    let fewest = order.count - longestIncreasingSubsequence(order)
    guard moved == fewest else {
      throw Finding(.changesAreMinimal, at: [], "\(delta) moves \(moved) children where \(fewest) would do")
    }
  }

  private func checkReplacedEnds(
    _ delta: Delta, _ map: Delta.PositionMap, _ old: [Element?], _ new: [Element?]
  ) throws(Finding) {
    func check(_ gapInOld: Range<Int>, _ gapInNew: Range<Int>) throws(Finding) {
      guard let firstOld = gapInOld.first, let firstNew = gapInNew.first else { return }
      for (former, present) in [(firstOld, firstNew), (gapInOld.upperBound - 1, gapInNew.upperBound - 1)]
      where isSameElement(old[former], new[present]) {
        throw Finding(
          .changesAreMinimal, at: [present],
          "\(delta) replaces \(gapInOld) by \(gapInNew), and \(text(old[former])) at \(former) by itself at \(present)")
      }
    }
    var runs: [(old: Range<Int>, new: Range<Int>)] = []
    map.forEachRun(inNew: 0..<new.count) { runs.append(($0, $1)) }
    runs.append((old.count..<old.count, new.count..<new.count))
    var ends = (old: 0, new: 0)
    for run in runs {
      try check(ends.old..<run.old.lowerBound, ends.new..<run.new.lowerBound)
      ends = (run.old.upperBound, run.new.upperBound)
    }
  }

  private func isSameElement(_ left: Element?, _ right: Element?) -> Bool {
    guard let id = checker.id, let left, let right else { return checker.isSame(left, right) }
    return id(left) == id(right)
  }

  /// The length of a longest increasing subsequence (patience sorting).
  private func longestIncreasingSubsequence(_ numbers: [Int]) -> Int {
    var tails: [Int] = []
    for number in numbers {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if tails[middle] < number { low = middle + 1 } else { high = middle }
      }
      if low == tails.count { tails.append(number) } else { tails[low] = number }
    }
    return tails.count
  }
}
