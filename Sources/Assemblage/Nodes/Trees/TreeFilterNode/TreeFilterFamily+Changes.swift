import OffsetIndexing

// How a change of the source is gone through downwards, and settled upwards.
extension TreeFilterFamily {
  /// Goes through a change of a record's node.
  ///
  /// - Parameters:
  ///   - change: what happened to the node, without crossings.
  ///   - record: the node's record.
  ///   - arriving: the passages that end below the node.
  ///   - depth: the length of the node's path after the change.
  ///   - work: receives the touches.
  /// - Returns: the touch of the node.
  func apply(_ change: ChangeSet, to record: Int, arriving: [Int], depth: Int, _ work: inout TreeFilterWork) -> Int {
    let first = touch(record, &work)
    // Where nothing has been read, there is nothing to bring up to date.
    guard translation.value.records[record].isLoaded else { return first }
    let nodes = change.nodes
    if first == 0 { work.edit.touches.reserveCapacity(1 + nodes.count) }
    var open = [
      TreeFilterVisit(index: nodes.count, touch: first, branch: branch(node(record)), arriving: arriving, depth: depth)
    ]
    while let visit = open.popLast() {
      let delta = visit.index == nodes.count ? change.level : nodes[visit.index].delta
      let record = work.edit.touches[visit.touch].record
      let node = node(record, visit.branch)
      if !delta.isEmpty { applyLevel(delta, node, visit.touch, visit.arriving, depth: visit.depth, &work) }
      let updated = work.edit.touches[visit.touch].decisions.count
      ChangeSet.forEachChildBackward(of: visit.index, in: nodes) { child in
        let position = nodes[child].position
        guard let touch = self.touch(inside: position, of: record, node, visit.touch, updated, &work) else { return }
        let arriving =
          visit.arriving.isEmpty
          ? [] : visit.arriving.filter { work.passages[$0].destination.map { $0[visit.depth] } == position }
        open.append(
          TreeFilterVisit(
            index: child, touch: touch, branch: visit.branch == nil ? nil : node.child(at: position).flatMap(branch),
            arriving: arriving, depth: visit.depth + 1))
      }
      if work.edit.touches[visit.touch].decisions.count > max(1, updated) {
        work.edit.touches[visit.touch].decisions.sort { $0.position < $1.position }
      }
    }
    return first
  }

  /// The branch that a node is, in a forest.
  private func branch(_ node: Node) -> TreeIndex.Branch? {
    if case .branch(_, let branch) = node { branch } else { nil }
  }

  private func node(_ record: Int, _ branch: TreeIndex.Branch?) -> Node {
    if let branch, let forest = state.value.sources.forest { .branch(forest, branch) } else { node(record) }
  }

  private func touch(_ record: Int, _ work: inout TreeFilterWork) -> Int {
    work.edit.touches.append(
      TreeFilterEdit.Touch(record: record, formerCount: translation.value.records[record].matchCount))
    return work.edit.touches.count - 1
  }

  /// The touch of a child inside which something happened; nil where that need not be looked at.
  private func touch(
    inside position: Int, of record: Int, _ node: Node, _ parent: Int, _ updated: Int, _ work: inout TreeFilterWork
  ) -> Int? {
    let decision = work.edit.touches[parent].decisions[..<updated].partitioningIndex { $0.position >= position }
    let isUpdated = decision < updated && work.edit.touches[parent].decisions[decision].position == position
    if isUpdated {
      let known = work.edit.touches[parent].decisions[decision]
      if known.touch < 0 {
        // Without a record it may have been a leaf, whose children have come with this change.
        guard work.isHeard, known.record < 0, known.verdict == true, let inner = node.child(at: position) else {
          return nil
        }
        let child = makeFresh(inner, at: position, of: record, isMatch: true, &work)
        work.edit.touches[parent].decisions[decision].record = child
        work.edit.touches[parent].decisions[decision].touch = appear(child, &work)
        return nil
      }
      // What is new is up to date, and what has gone is not looked into.
      return work.edit.touches[known.touch].record < 0 ? nil : known.touch
    }
    var child = translation.value.record(ofChild: position, of: record)
    if child >= 0, translation.value.records[child].isLoaded {
      let touch = touch(child, &work)
      work.edit.touches[parent].decisions.append(
        TreeFilterTranslation.Decision(position: position, record: child, touch: touch, isUpdated: false))
      return touch
    }
    // The child's children have not been read: it may have been a leaf when it was shown.
    guard work.isHeard else { return nil }
    if child >= 0 {
      load(child, self.node(child))
    } else if let inner = node.child(at: position) {
      let isMatch = ask(node, position..<position + 1)[0]
      child = makeFresh(inner, at: position, of: record, isMatch: isMatch, &work)
      if translation.value.isEager { work.edit.touches[parent].growth += translation.value.records[child].matchCount }
    } else {
      return nil
    }
    work.edit.touches[parent].decisions.append(
      TreeFilterTranslation.Decision(
        position: position, record: child, touch: appear(child, &work), isUpdated: false))
    return nil
  }

  /// Makes, loads and attaches the record of a node that has come.
  func makeFresh(
    _ node: Node, at position: Int, of parent: Int, isMatch: Bool, _ work: inout TreeFilterWork
  ) -> Int {
    let record = makeRecord(
      node, at: position, of: parent, isMatch: isMatch, showsAll: showsAll(below: parent, isMatch: isMatch),
      isWhole: translation.value.records[parent].isWhole)
    load(record, node)
    work.fresh.append(record)
    return record
  }

  /// The touch that says that all children of a fresh record have come.
  func appear(_ record: Int, _ work: inout TreeFilterWork) -> Int {
    let count = translation.value.count(ofRecord: record)
    work.edit.touches.append(
      TreeFilterEdit.Touch(record: -1, delta: count > 0 ? .insertion(0..<count) : Delta()))
    return work.edit.touches.count - 1
  }

  /// Brings the order of a node's children up to date, and looks at those that are new and those that were updated.
  private func applyLevel(
    _ delta: Delta, _ node: Node, _ touch: Int, _ arriving: [Int], depth: Int, _ work: inout TreeFilterWork
  ) {
    let record = work.edit.touches[touch].record
    let inserted = delta.insertions.map { ask(node, $0) }
    let updated = delta.updates.map { ask(node, $0) }
    let former = delta.updates.isEmpty ? [] : formerVerdicts(delta, record)
    let (lost, removed) = translation.value.rearrange(delta, inserted: inserted, in: record)
    require(
      translation.value.childCount(of: record) == node.count,
      """
      TreeFilterNode: a \(type(of: node.object)) has \(node.count) children, but according to what it told it has \
      \(translation.value.childCount(of: record)).
      """)
    work.edit.touches[touch].source = delta
    work.edit.touches[touch].inserted = inserted
    work.edit.touches[touch].growth -= lost
    work.removed += removed

    let coming = arriving.filter { work.passages[$0].destination?.count == depth + 1 }
    for (range, verdicts) in zip(delta.insertions, inserted) {
      for position in range {
        let isMatch = verdicts[position - range.lowerBound]
        if let passage = coming.first(where: { work.passages[$0].destination![depth] == position }),
          work.passages[passage].record >= 0
        {
          attach(passage, at: position, of: record, isMatch: isMatch, &work)
        } else if translation.value.isEager || translation.value.records[record].isWhole && isMatch,
          let child = node.child(at: position)
        {
          _ = makeFresh(child, at: position, of: record, isMatch: isMatch, &work)
        }
      }
    }
    var number = 0
    for (range, verdicts) in zip(delta.updates, updated) {
      for position in range {
        lookAtUpdated(
          position, node.child(at: position), verdicts[position - range.lowerBound], former: former[number], touch,
          &work)
        number += 1
      }
    }
  }

  /// What the predicate said of the leaves among updated children; of nodes, their records tell.
  private func formerVerdicts(_ delta: Delta, _ record: Int) -> [Bool] {
    let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
    let bits = translation.value.verdicts(ofLeavesIn: record)
    return delta.updates.joined().map { position in bits[map.map { $0.position(before: position)! } ?? position] }
  }

  func attach(_ passage: Int, at position: Int, of parent: Int, isMatch: Bool, _ work: inout TreeFilterWork) {
    let record = work.passages[passage].record
    if translation.value.records[parent].isWhole { makeWhole(record) }
    translation.value.records[record].isMatch = isMatch
    translation.value.attach(record, to: parent, at: position)
    // It may have become a leaf, and a node again, while it was away.
    if let child = state.value.sources.object(parent)?.child(at: position) {
      exchange(.object(child), of: record, &work)
    }
    work.passages[passage].isAttached = true
    if showsAll(below: parent, isMatch: isMatch) != translation.value.records[record].showsAll {
      work.turned.append(record)
    }
  }

  /// Takes another node of the source for a record, where it is another one.
  private func exchange(_ node: Node, of record: Int, _ work: inout TreeFilterWork) {
    guard case .object(let object) = node, let former = state.value.sources.object(record), former !== object else {
      return
    }
    work.exchanged.append(former)
    state.value.sources.insert(node, for: record)
    state.value.members[record]?.node.take(object)
  }

  /// Takes in that the value of a child has changed; it may also have become a node, or be one no longer.
  private func lookAtUpdated(
    _ position: Int, _ child: Node?, _ verdict: Bool, former: Bool, _ touch: Int, _ work: inout TreeFilterWork
  ) {
    let parent = work.edit.touches[touch].record
    let record = translation.value.record(ofChild: position, of: parent)
    var decision = TreeFilterTranslation.Decision(
      position: position, record: record, touch: -1, isUpdated: true, verdict: verdict)
    let isMatch = record >= 0 && translation.value.isEager ? translation.value.records[record].isMatch : former
    if translation.value.isEager { work.edit.touches[touch].growth += (verdict ? 1 : 0) - (isMatch ? 1 : 0) }
    translation.value.setPasses(verdict, position, in: parent)
    if record >= 0, let child {
      exchange(child, of: record, &work)
      translation.value.records[record].isMatch = verdict
      decision.touch = self.touch(record, &work)
      work.edit.touches[decision.touch].updatesValue = true
      if showsAll(below: parent, isMatch: verdict) != translation.value.records[record].showsAll {
        work.turned.append(record)
      }
    } else if record >= 0 {
      // It is a leaf now: what was below it has gone.
      let count = translation.value.count(ofRecord: record)
      if translation.value.isEager || former {
        work.edit.touches[touch].growth -= translation.value.records[record].matchCount
      }
      translation.value.detachUncounted(record)
      work.removed.append(record)
      decision.record = -1
      decision.formerRecord = record
      work.edit.touches.append(TreeFilterEdit.Touch(record: -1, delta: count > 0 ? .removal(0..<count) : Delta()))
      decision.touch = work.edit.touches.count - 1
    } else if translation.value.isEager || translation.value.records[parent].isWhole && verdict, let child {
      let fresh = makeFresh(child, at: position, of: parent, isMatch: verdict, &work)
      if translation.value.isEager { work.edit.touches[touch].growth += translation.value.records[fresh].matchCount }
      decision.record = fresh
      decision.touch = appear(fresh, &work)
    }
    work.edit.touches[touch].decisions.append(decision)
  }
}
