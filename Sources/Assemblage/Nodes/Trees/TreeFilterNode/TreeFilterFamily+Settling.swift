import OffsetIndexing

extension TreeFilterFamily {
  /// Settles all touches from the last to the first: what is shown in a node depends on what is below it.
  func settle(_ work: inout TreeFilterWork) {
    let hasMembers = progress.value.hasMembers
    for touch in work.edit.touches.indices.reversed() where work.edit.touches[touch].record != nil {
      settle(touch, &work)
      if hasMembers { tellMember(touch, work.edit) }
    }
  }

  private func settle(_ touch: Int, _ work: inout TreeFilterWork) {
    let record = work.edit.touches[touch].record!
    decide(touch, &work)
    if let verdicts = work.edit.touches[touch].verdicts {
      let shown = shown(verdicts, of: record)
      work.edit.touches[touch].delta = translation.value.reshow(
        shown, &work.edit.touches[touch].decisions, in: record)
      recount(verdicts, of: record)
    } else {
      let inserted = settleInserted(touch, &work)
      work.edit.touches[touch].delta = translation.value.show(
        work.edit.touches[touch].source, inserted: inserted, &work.edit.touches[touch].decisions, in: record)
      count(touch, &work)
    }
    followCrossings(touch, &work)
    if work.isFollowing { follow(touch, &work) }
  }

  /// Tells the node of a child what happened in it, if a dependent or an observer hears of it.
  private func tellMember(_ touch: Int, _ edit: TreeFilterEdit) {
    guard let part = edit.touches[touch].record.flatMap(part), part.hub.isObserved else { return }
    let change = edit.changeWithCrossings(touch)
    if !change.isSilent { tell(part, change) }
  }

  /// Whether all children of a record's node are shown when everything has been settled and turned, or are still.
  private func showsAll(_ record: Record, _ work: TreeFilterWork) -> Bool {
    translation.value[record].showsAll || work.turning.contains(record)
  }

  /// Decides what is shown, now that all is known about what is below.
  private func decide(_ touch: Int, _ work: inout TreeFilterWork) {
    let record = work.edit.touches[touch].record!
    let showsAll = showsAll(record, work)
    for index in work.edit.touches[touch].decisions.indices {
      let decision = work.edit.touches[touch].decisions[index]
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
      work.edit.touches[touch].decisions[index].isShown = isShown
    }
  }

  /// Which of the inserted children are shown; counts the matches that came with them.
  private func settleInserted(_ touch: Int, _ work: inout TreeFilterWork) -> [BitRun] {
    let record = work.edit.touches[touch].record!
    let showsAll = showsAll(record, work)
    var result = work.edit.touches[touch].inserted
    guard !result.isEmpty else { return result }
    var growth = 0
    for (index, range) in work.edit.touches[touch].source.insertions.enumerated() {
      growth += result[index].setCount
      var found: [Int] = []
      for child in translation.value.shape.branches(in: range, of: record) {
        let matchCount = translation.value[child.branch].matchCount
        let offset = child.position - range.lowerBound
        if translation.value.isEager || result[index][offset] { growth += matchCount }
        if translation.value.isEager, matchCount > 0 { found.append(offset) }
      }
      for offset in found { result[index].set(offset, to: true) }
      if showsAll { result[index] = BitRun(repeating: true, count: range.count) }
    }
    work.edit.touches[touch].growth += growth
    return result
  }

  /// Counts the matches that came and went with children that stay.
  private func count(_ touch: Int, _ work: inout TreeFilterWork) {
    let record = work.edit.touches[touch].record!
    var growth = work.edit.touches[touch].growth
    for decision in work.edit.touches[touch].decisions {
      // A child that has come or gone as a node was counted when that was found.
      let child = decision.touch >= 0 ? work.edit.touches[decision.touch].record : nil
      if translation.value.isEager {
        guard let child else { continue }
        growth += translation.value[child].matchCount - work.edit.touches[decision.touch].formerCount
      } else {
        let present = decision.record.map { translation.value[$0].matchCount } ?? 0
        var former = present
        if decision.touch >= 0 { former = child == nil ? 0 : work.edit.touches[decision.touch].formerCount }
        if decision.formerRank >= 0 { growth -= 1 + former }
        if decision.rank >= 0 { growth += 1 + present }
      }
    }
    translation.value[record].matchCount += growth
  }

  // MARK: Asking about everything again

  /// Which children are shown, for those that pass.
  private func shown(_ verdicts: BitRun, of record: Record) -> BitRun {
    guard translation.value.isEager else { return verdicts }
    if translation.value[record].showsAll { return BitRun(repeating: true, count: verdicts.count) }
    var shown = verdicts
    for child in translation.value.children(of: record) {
      if translation.value[child.branch].matchCount > 0 { shown.set(child.position, to: true) }
    }
    return shown
  }

  private func recount(_ verdicts: BitRun, of record: Record) {
    translation.value.setPasses(verdicts, in: record)
    var count = verdicts.setCount
    for child in translation.value.children(of: record) {
      if translation.value.isEager || verdicts[child.position] {
        count += translation.value[child.branch].matchCount
      }
    }
    translation.value[record].matchCount = count
  }

  // MARK: Children that vanish and may appear again

  /// Takes over what comes and goes inside children.
  private func followCrossings(_ touch: Int, _ work: inout TreeFilterWork) {
    for decision in work.edit.touches[touch].decisions
    where decision.touch >= 0 && !work.edit.touches[decision.touch].crossings.isEmpty {
      var crossings: [Crossing] = []
      swap(&crossings, &work.edit.touches[decision.touch].crossings)
      crossings.removeAll { $0.isLost(inside: decision) }
      let record = work.edit.touches[decision.touch].record
      if decision.formerRank < 0, decision.rank >= 0, following.value.hiding?.notes(inside: record) ?? false {
        // What appeared inside has been noted, and is told with what happened there since the child was hidden.
        crossings.removeAll { if case .outside = $0.from { true } else { false } }
      }
      // In place: a copy would take as long as the path is.
      for index in crossings.indices { crossings[index].wrap(before: decision.formerRank, after: decision.rank) }
      work.edit.touches[touch].crossings += crossings
    }
  }

  /// Tells of children that vanish and appear with tokens, and notes what happens to hidden ones.
  private func follow(_ touch: Int, _ work: inout TreeFilterWork) {
    guard var hiding = following.value.hiding else { return }
    following.value.hiding = nil
    defer { following.value.hiding = hiding }
    let parent = work.edit.touches[touch].record!
    hiding.translate(work.edit.touches[touch].source, in: parent)
    for decision in work.edit.touches[touch].decisions
    where !hiding.isEmpty || decision.formerRank >= 0 && decision.rank < 0 {
      follow(decision, touch, &hiding, &work)
    }
    hiding.note(work.edit.changeWithCrossings(touch), inside: parent)
  }

  private func follow(
    _ decision: TreeFilterTranslation.Decision, _ touch: Int, _ hiding: inout TreeFilterHiding,
    _ work: inout TreeFilterWork
  ) {
    let parent = work.edit.touches[touch].record!
    let (position, record) = (decision.position, decision.record)
    let known = record ?? decision.formerRecord
    guard let token = hiding.token(at: position, in: parent, record: known) else {
      guard decision.formerRank >= 0, decision.rank < 0 else { return }
      let token =
        hiding.recalledToken(at: translation.value.sourcePath(of: parent).map { $0 + [position] }) ?? Crossing.Token()
      var crossing = Crossing(departureOf: token, from: decision.formerRank)
      if decision.touch >= 0 { crossing.change = work.edit.change(decision.touch) }
      if decision.isUpdated { crossing.change.updatesValue = true }
      work.edit.touches[touch].crossings.append(crossing)
      return hiding.hide(token, at: position, in: parent, record: record)
    }
    hiding.follow(token, at: position, in: parent, record: record, formerRecord: decision.formerRecord)
    let child = decision.touch >= 0 ? work.edit.touches[decision.touch].record : nil
    if child == nil {
      // What happened in a node that has a record has been noted with that.
      var change = decision.touch >= 0 ? work.edit.change(decision.touch) : ChangeSet()
      change.updatesValue = decision.isUpdated
      hiding.note(change, of: token)
    }
    guard decision.formerRank < 0, decision.rank >= 0 else { return }
    let source = work.edit.touches[touch].source
    hiding.remember(
      token, shownAt: source.movesPositions ? source.position(before: position) : position, of: parent)
    let end = Crossing.End.inside(Crossing.Place([decision.rank]))
    let change = hiding.takeChange(of: token, at: end, &work.edit.touches[touch].crossings)
    work.edit.touches[touch].crossings.append(Crossing(from: .outside(token), to: end, change: change))
    hiding.find(token, at: position, in: parent, record: record)
  }

  /// Follows children again as before the change that was taken back.
  func restoreHidden() {
    guard let recalled = following.value.hiding?.recalled else { return }
    for (token, change) in recalled.changes { following.value.hiding!.restore(change, of: token) }
    for (path, child) in recalled.children where child.change.crossings.isEmpty {
      let position = path[path.count - 1]
      guard let parent = translation.value.record(at: path.dropLast()), translation.value[parent].isLoaded,
        position < translation.value[parent].shown.count, !translation.value[parent].shown[position]
      else { continue }
      let record = translation.value.record(ofChild: position, of: parent)
      if let token = following.value.hiding!.token(at: position, in: parent, record: record) {
        if token == child.token { following.value.hiding!.restore(child.change, of: token) }
        continue
      }
      // In a node that came back and has not been read again, what happens is not followed.
      if record == nil, hasNode(at: position, of: parent) { continue }
      following.value.hiding!.hide(child.token, at: position, in: parent, record: record)
      following.value.hiding!.restore(child.change, of: child.token)
    }
  }

  /// Reads again what had been read and was removed, where the removal is taken back: observers have heard of its children.
  ///
  /// - Complexity: that of reading, of r nodes; O(d) more for each of them, d deep, whose parent was not removed.
  func restoreLosses() {
    var fresh: [(record: Record, position: Int, parent: Record)] = []
    restore(following.value.hiding?.recalled?.losses ?? []) { position, parent in
      if let record = translation.value.record(ofChild: position, of: parent) { return record }
      guard let node = node(parent).child(at: position) else { return nil }
      let record = makeRecord(
        node, at: position, of: parent, isMatch: true, showsAll: false, isWhole: translation.value[parent].isWhole)
      load(record, node)
      fresh.append((record, position, parent))
      return record
    }
    if fresh.isEmpty { return }
    // Matches are counted from below: each node is told those of its children at once.
    let all = Set(fresh.lazy.map(\.record))
    for (record, position, parent) in fresh.reversed() where translation.value[parent].shown[position] {
      let count = translation.value[record].matchCount
      if all.contains(parent) {
        translation.value[parent].matchCount += count
      } else {
        translation.value.grow(parent, by: count)
      }
    }
    findMembers(below: fresh.lazy.filter { !all.contains($0.parent) }.map(\.record))
  }

  /// Follows children that vanish, while a transaction is open in which they may appear again.
  func beginFollowing(_ transaction: Int?) {
    if following.value.transaction == transaction { return }
    following.value.transaction = transaction
    following.value.hiding = transaction == nil ? nil : TreeFilterHiding()
  }
}

extension Crossing {
  /// How many levels below a child that vanishes, or appears, others are told to do so by themselves, because they may do the
  /// opposite by themselves in the same transaction.
  ///
  /// Each has a whole path, so that a chain of d levels would need d² / 2 components for them.
  static var deepestVanishing: Int { 64 }

  /// Whether the crossing has no end left, or is too far down, in the parent of the child that it happened in.
  fileprivate func isLost(inside child: TreeFilterTranslation.Decision) -> Bool {
    from.isLost(child.formerRank, otherwise: child.rank) || to.isLost(child.rank, otherwise: child.formerRank)
  }
}

extension Crossing.End {
  /// Whether an end inside a child is lost, given whether the child is shown at that time, and at the other.
  fileprivate func isLost(_ rank: Int, otherwise other: Int) -> Bool {
    guard case .inside(let place) = self else { return false }
    return rank < 0 || other < 0 && place.depth > Crossing.deepestVanishing
  }
}
