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
    var fates = ShownFates()
    if !decisions.isEmpty {
      let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
      for index in decisions.indices {
        let position = decisions[index].position
        let former = map.map { $0.position(before: position)! } ?? position
        let formerRank = self[record].shown[former] ? self[record].shown.rank(former) : nil
        let isShown = decisions[index].isShown ?? (formerRank != nil)
        (decisions[index].formerRank, decisions[index].isShown) = (formerRank ?? -1, isShown)
        fates.append(position, formerRank: formerRank, isShown: isShown, isUpdated: decisions[index].isUpdated)
      }
    }
    if fates.isEmpty, delta.isEmpty {
      for index in decisions.indices { decisions[index].rank = decisions[index].formerRank }
      return Delta()
    }
    let shown = self[record].shown.translate(delta, inserted: inserted, fates)
    for index in decisions.indices where decisions[index].isShown! {
      decisions[index].rank = self[record].shown.rank(decisions[index].position)
    }
    return shown
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
