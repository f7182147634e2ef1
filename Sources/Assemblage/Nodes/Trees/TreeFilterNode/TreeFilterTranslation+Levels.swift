import OffsetIndexing

// Changes of the children of one record's node: first of their order, then, when all below is known, of the shown ones.
extension TreeFilterTranslation {
  /// The fate of one child that stays.
  struct Decision {
    /// The child's position after the change, in the source.
    let position: Int
    /// The child's record.
    var record: Record?
    /// The touch of the child, by its number in the edit; -1: nothing happened inside.
    var touch: Int
    /// Whether the child's value was updated.
    var isUpdated: Bool
    /// Whether it passes, where that was asked.
    var verdict: Bool?
    /// Whether it is shown from now on; nil: as before.
    var isShown: Bool?
    /// Its place among those that were shown before; -1: it was hidden.
    var formerRank = -1
    /// Its place among those that are shown now; -1: it is hidden.
    var rank = -1
  }

  /// Brings the order of a record's children up to date. New ones have no records at first.
  ///
  /// - Parameters:
  ///   - delta: the change of the children.
  ///   - inserted: which of the inserted ones pass.
  ///   - record: the node's record.
  ///   - removed: receives the removed children that have records, detached.
  /// - Returns: the matches that went with removed children.
  mutating func rearrange(
    _ delta: Delta, inserted: [BitRun], in record: Record, _ removed: inout [Record]
  ) -> Int {
    guard delta.movesPositions else { return 0 }
    // Not kept while the bits are edited: that would copy them.
    let former = delta.removals.isEmpty ? ChildBits() : verdicts(ofLeavesIn: record)
    var lost = 0
    for range in delta.removals {
      lost += former.rank(range).count
      for child in shape.branches(in: range, of: record) {
        // The count above has taken a shown one for a match.
        let isCounted = former[child.position]
        lost += contribution(of: child.branch, isShown: isCounted) - (isCounted ? 1 : 0)
      }
    }
    rearrangeShape(delta, in: record, &removed)
    followPasses(delta, inserted: inserted, in: record)
    return lost
  }

  /// Brings up to date which children of a record's node are shown.
  ///
  /// - Parameters:
  ///   - delta: the change of the children in the source.
  ///   - inserted: which of the inserted ones are shown.
  ///   - decisions: the fates of children that may appear or vanish although they stay in the source, ascending by position;
  ///     receives their places.
  ///   - record: the node's record.
  /// - Returns: the change of the children that are shown.
  mutating func show(
    _ delta: Delta, inserted: [BitRun], _ decisions: inout [Decision], in record: Record
  ) -> Delta {
    var flips = false
    if !decisions.isEmpty {
      let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
      for index in decisions.indices {
        let position = decisions[index].position
        let former = map.map { $0.position(before: position)! } ?? position
        if self[record].shown[former] { decisions[index].formerRank = self[record].shown.rank(former) }
        let wasShown = decisions[index].formerRank >= 0
        let isShown = decisions[index].isShown ?? wasShown
        decisions[index].isShown = isShown
        if isShown != wasShown { flips = true }
      }
    }
    if !flips, delta.isEmpty {
      for index in decisions.indices { decisions[index].rank = decisions[index].formerRank }
      guard decisions.contains(where: \.isUpdated) else { return Delta() }
      return ShownDelta().with([], [], decisions.filter { $0.isUpdated && $0.rank >= 0 }.map(\.rank))
    }
    let shown = showMoved(delta, inserted: inserted, decisions, flips: flips, in: record)
    for index in decisions.indices where decisions[index].isShown! {
      decisions[index].rank = self[record].shown.rank(decisions[index].position)
    }
    guard flips || decisions.contains(where: \.isUpdated) else { return shown.with([], [], []) }
    return shown.with(
      decisions.filter { $0.formerRank >= 0 && $0.rank < 0 }.map(\.formerRank),
      decisions.filter { $0.formerRank < 0 && $0.rank >= 0 }.map(\.rank),
      decisions.filter { $0.isUpdated && $0.formerRank >= 0 && $0.rank >= 0 }.map(\.rank))
  }

  /// The effect of the source's own delta on the children that are shown, besides the decisions.
  private mutating func showMoved(
    _ delta: Delta, inserted: [BitRun], _ decisions: [Decision], flips: Bool, in record: Record
  ) -> ShownDelta {
    var result = ShownDelta()
    for range in delta.removals {
      let shown = self[record].shown.rank(range)
      if !shown.isEmpty { result.removals.append(shown) }
    }
    // Moved children that are shown before and after, as blocks without a gap on either side.
    var blocks: [(source: Range<Int>, destination: Int)] = []
    if delta.hasMoves {
      let changed = Set(decisions.lazy.filter { ($0.formerRank >= 0) != $0.isShown! }.map(\.position))
      for move in delta.moves {
        var start = 0
        for offset in 0...move.source.count {
          let isEnd = offset == move.source.count
          guard isEnd || changed.contains(move.destination.lowerBound + offset) else { continue }
          let shown = self[record].shown.rank(move.source.lowerBound + start..<move.source.lowerBound + offset)
          if !shown.isEmpty { blocks.append((shown, move.destination.lowerBound + start)) }
          start = offset + 1
        }
      }
    }
    self[record].shown.apply(delta, inserted: inserted)
    if flips { for decision in decisions { self[record].shown[decision.position] = decision.isShown! } }
    for range in delta.insertions {
      let shown = self[record].shown.rank(range)
      if !shown.isEmpty { result.insertions.append(shown) }
    }
    result.moves = blocks.map { block in
      let start = self[record].shown.rank(block.destination)
      return Delta.Move(from: block.source, to: start..<start + block.source.count)
    }
    return result
  }

  /// Shows other children of a record's node, whose order has not changed.
  ///
  /// - Parameters:
  ///   - run: which of them are shown from now on.
  ///   - decisions: receive the ranks of those among them that are shown.
  ///   - record: the node's record.
  /// - Returns: the change of the children that are shown.
  mutating func show(_ run: BitRun, _ decisions: inout [Decision], in record: Record) -> Delta {
    let delta = Delta(replacing: self[record].shown.bits(in: 0..<run.count), by: run)
    if delta.isEmpty { return delta }
    self[record].shown = ChildBits(run)
    for index in decisions.indices where decisions[index].rank >= 0 {
      decisions[index].rank = self[record].shown.rank(decisions[index].position)
    }
    return delta
  }
}

/// The parts of a delta of the children that are shown.
private struct ShownDelta {
  var removals: [Range<Int>] = []
  var insertions: [Range<Int>] = []
  var moves: [Delta.Move] = []

  /// The delta, with some single children that vanish, appear and are updated as well.
  func with(_ vanished: [Int], _ appeared: [Int], _ updated: [Int]) -> Delta {
    if vanished.isEmpty, appeared.isEmpty, updated.isEmpty, moves.isEmpty {
      if removals.isEmpty, insertions.isEmpty { return Delta() }
      if removals.isEmpty, insertions.count == 1 { return .insertion(insertions[0]) }
      if insertions.isEmpty, removals.count == 1 { return .removal(removals[0]) }
    }
    return Delta(
      removals: removals + vanished.map { $0..<$0 + 1 }, insertions: insertions + appeared.map { $0..<$0 + 1 },
      updates: updated.map { $0..<$0 + 1 }, moves: moves)
  }
}

extension Delta {
  /// The change from the set bits of one run to those of another, as long, by their ranks.
  init(replacing former: BitRun, by present: BitRun) {
    var removals = RankedRuns(start: 0)
    var insertions = RankedRuns(start: 0)
    for (before, after) in zip(former.allWords, present.allWords) {
      removals.append(before & ~after, among: before)
      insertions.append(after & ~before, among: after)
    }
    let changes = !removals.runs.isEmpty || !insertions.runs.isEmpty
    self = changes ? Delta(removals: removals.runs, insertions: insertions.runs) : Delta()
  }
}
