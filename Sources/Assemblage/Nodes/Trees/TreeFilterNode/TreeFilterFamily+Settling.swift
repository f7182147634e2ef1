import OffsetIndexing

extension TreeFilterFamily {
  /// Settles all touches from the last to the first: the matches below a node decide whether it is shown.
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

  /// Which of the inserted children are shown; counts the matches that came with them.
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

  /// Shows all children of a node, or only those that match or have matches below; those that have been decided stay so.
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

  /// Counts the matches that came and went with children that stay.
  private func count(_ touch: Int, of record: Record, _ work: inout TreeFilterEdit) {
    var growth = work.touches[touch].growth
    for decision in work.touches[touch].decisions {
      // A child that has come or gone as a node was counted when that was found.
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
