import OffsetIndexing

extension TreeFilterFamily {
  /// Settles all touches from the last to the first, because the matches below a node decide whether the node is shown.
  func settle(_ work: inout TreeFilterEdit) {
    if policy == .keepingDescendants { turnBelow(&work) }
    for touch in work.touches.indices.reversed() {
      guard let record = work.touches[touch].record else { continue }
      decide(touch, of: record, &work)
      let inserted = settleInserted(touch, of: record, &work)
      work.touches[touch].delta = translation.value.show(
        work.touches[touch].source, inserted: inserted, &work.touches[touch].decisions, in: record)
      if work.touches[touch].isTurned { showTurned(touch, of: record, &work) }
      count(touch, of: record, &work)
      if work.touches[touch].becomesWhole {
        translation.value[record].isWhole = true
        load(record, node(record))
      }
    }
  }

  /// Decides which children are shown, now that the matches below them are known.
  private func decide(_ touch: Int, of record: Record, _ work: inout TreeFilterEdit) {
    let showsAll = translation.value[record].showsAll
    for index in work.touches[touch].decisions.indices {
      let decision = work.touches[touch].decisions[index]
      let isShown: Bool?
      if !translation.value.isEager {
        isShown = decision.verdict
      } else if showsAll {
        isShown = true
      } else if let record = decision.record {
        isShown = translation.value[record].isMatch || translation.value[record].matchCount > 0
      } else {
        isShown = decision.verdict
      }
      work.touches[touch].decisions[index].isShown = isShown
    }
  }

  /// Decides which of the inserted children are shown, and counts the matches that arrived with them.
  private func settleInserted(_ touch: Int, of record: Record, _ work: inout TreeFilterEdit) -> [BitRun] {
    var result = work.touches[touch].inserted
    guard !result.isEmpty else { return result }
    var growth = 0
    for (index, range) in work.touches[touch].source.insertions.enumerated() {
      growth += result[index].setCount
      var found: [Int] = []
      for child in translation.value.shape.branches(in: range, of: record) {
        let matchCount = translation.value[child.branch].matchCount
        let offset = child.position - range.lowerBound
        if translation.value.isEager || result[index][offset] { growth += matchCount }
        if translation.value.isEager, matchCount > 0 { found.append(offset) }
      }
      for offset in found { result[index].set(offset, to: true) }
      if translation.value[record].showsAll { result[index] = BitRun(repeating: true, count: range.count) }
    }
    work.touches[touch].growth += growth
    return result
  }

  /// Shows all children of a node, or only the children that match or have matches below.
  ///
  /// A child that has been decided stays shown or hidden.
  private func showTurned(_ touch: Int, of record: Record, _ work: inout TreeFilterEdit) {
    var shown = translation.value.passes(in: record)
    if translation.value[record].showsAll {
      shown = BitRun(repeating: true, count: shown.count)
    } else {
      for child in translation.value.children(of: record) where translation.value[child.branch].matchCount > 0 {
        shown.set(child.position, to: true)
      }
    }
    let turned = translation.value.show(shown, &work.touches[touch].decisions, in: record)
    if !turned.isEmpty { work.touches[touch].delta = work.touches[touch].delta.composed(with: turned) }
  }

  /// Counts the matches that arrived or left with children that stay.
  private func count(_ touch: Int, of record: Record, _ work: inout TreeFilterEdit) {
    var growth = work.touches[touch].growth
    for decision in work.touches[touch].decisions {
      // A child that has become a node or a leaf was counted when this was found.
      let child = decision.touch >= 0 ? work.touches[decision.touch].record : nil
      if translation.value.isEager {
        guard let child else { continue }
        growth += translation.value[child].matchCount - work.touches[decision.touch].formerCount
      } else {
        let present = decision.record.map { translation.value[$0].matchCount } ?? 0
        var former = present
        if decision.touch >= 0 { former = child == nil ? 0 : work.touches[decision.touch].formerCount }
        if decision.formerRank >= 0 { growth -= 1 + former }
        if decision.rank >= 0 { growth += 1 + present }
      }
    }
    translation.value[record].matchCount += growth
  }
}

// Changes of the children of one record's node. First their order is changed. Then, when everything below is known, the
// shown children are changed.
extension TreeFilterTranslation {
  /// The fate of one child that stays.
  struct Decision {
    /// The child's position after the change, in the source.
    let position: Int
    /// The child's record.
    var record: Record?
    /// The touch of the child, by its number in the edit; -1 if nothing has changed inside.
    var touch: Int
    /// Whether the child's value was updated.
    var isUpdated: Bool
    /// Whether the child passes, if the predicate was asked.
    var verdict: Bool?
    /// Whether the child is shown from now on; nil if this does not change.
    var isShown: Bool?
    /// The child's position among the children that were shown before; -1 if the child was hidden.
    var formerRank = -1
    /// The child's position among the children that are shown now; -1 if the child is hidden.
    var rank = -1
  }

  /// Brings the order of a record's children up to date.
  ///
  /// New children have no records at first.
  ///
  /// - Parameters:
  ///   - delta: the change of the children.
  ///   - inserted: which of the inserted children pass.
  ///   - record: the node's record.
  ///   - removed: receives the pieces of removed children that have records.
  /// - Returns: the number of matches that left with removed children.
  mutating func rearrange(
    _ delta: Delta, inserted: [BitRun], in record: Record, _ removed: inout [Record]
  ) -> Int {
    guard delta.movesPositions else { return 0 }
    // The copy is released before the bits are edited: otherwise the edit would copy all bits.
    let former = delta.removals.isEmpty ? ChildBits() : verdicts(ofLeavesIn: record)
    var lost = 0
    for range in delta.removals {
      lost += former.rank(range).count
      for child in shape.branches(in: range, of: record) {
        // The sum above counts each child whose bit is set as one match.
        let isCounted = former[child.position]
        lost += contribution(of: child.branch, isShown: isCounted) - (isCounted ? 1 : 0)
      }
    }
    rearrangeShape(delta, in: record, &removed)
    followPasses(delta, inserted: inserted, in: record)
    return lost
  }

  /// Updates which children of a record's node are shown.
  ///
  /// - Parameters:
  ///   - delta: the change of the children in the source.
  ///   - inserted: which of the inserted children are shown.
  ///   - decisions: the decisions on children that stay in the source but may be shown or hidden, ascending by
  ///     position; receives the children's ranks.
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

  /// Shows other children of a record's node. The order of the children has not changed.
  ///
  /// - Parameters:
  ///   - run: which of the children are shown from now on.
  ///   - decisions: receives the ranks of the children in it that are shown.
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
