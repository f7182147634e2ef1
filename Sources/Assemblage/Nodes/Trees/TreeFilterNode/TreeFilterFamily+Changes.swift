import OffsetIndexing

// How a change of the source is gone through downwards, and settled upwards.
extension TreeFilterFamily {
  func apply(_ change: ChangeSet, to record: Record, arriving: [Int], depth: Int, _ work: inout TreeFilterWork) -> Int {
    let first = touch(record, &work)
    work.edit.touches[first].updatesValue = change.updatesValue
    // Where nothing has been read, there is nothing to bring up to date.
    guard translation.value[record].isLoaded else { return first }
    let nodes = change.nodes
    if first == 0 { work.edit.touches.reserveCapacity(1 + nodes.count) }
    var open = [TreeFilterVisit(index: nodes.count, touch: first, arriving: arriving, depth: depth)]
    while let visit = open.popLast() {
      let delta = visit.index == nodes.count ? change.level : nodes[visit.index].delta
      let record = work.edit.touches[visit.touch].record!
      if !delta.isEmpty { applyLevel(delta, visit.touch, visit.arriving, depth: visit.depth, &work) }
      let updated = work.edit.touches[visit.touch].decisions.count
      ChangeSet.forEachChildBackward(of: visit.index, in: nodes) { child in
        let position = nodes[child].position
        guard let touch = self.touch(inside: position, of: record, visit.touch, updated, &work) else { return }
        let arriving =
          visit.arriving.isEmpty
          ? [] : visit.arriving.filter { work.passages[$0].destination.map { $0[visit.depth] } == position }
        open.append(TreeFilterVisit(index: child, touch: touch, arriving: arriving, depth: visit.depth + 1))
      }
      if work.edit.touches[visit.touch].decisions.count > max(1, updated) {
        work.edit.touches[visit.touch].decisions.sort { $0.position < $1.position }
      }
    }
    return first
  }

  /// The node of a record that a change has been gone through up to.
  ///
  /// Where nothing crosses, the filter's shape is that of the forest as far as that, so that a number leads to the branch.
  private func node(_ record: Record, _ work: TreeFilterWork) -> Node {
    guard record != TreeIndex.root, work.passages.isEmpty, let forest = state.value.sources.forest else {
      return node(record)
    }
    guard let place = forest.place(ofDescendant: translation.value.shape.number(of: record)) else {
      trap("TreeFilterNode: a ForestNode has a leaf where according to what it told it has a branch.")
    }
    return .branch(forest, place.shape, place.branch)
  }

  private func touch(_ record: Record, _ work: inout TreeFilterWork) -> Int {
    work.edit.touches.append(
      TreeFilterEdit.Touch(record: record, formerCount: translation.value[record].matchCount))
    return work.edit.touches.count - 1
  }

  /// The touch of a child inside which something happened; nil where that need not be looked at.
  private func touch(
    inside position: Int, of record: Record, _ parent: Int, _ updated: Int, _ work: inout TreeFilterWork
  ) -> Int? {
    let decision = work.edit.touches[parent].decisions[..<updated].partitioningIndex { $0.position >= position }
    let isUpdated = decision < updated && work.edit.touches[parent].decisions[decision].position == position
    if isUpdated {
      let known = work.edit.touches[parent].decisions[decision]
      if known.touch < 0 {
        // Without a record it may have been a leaf, whose children have come with this change.
        guard work.isHeard, known.record == nil, known.verdict == true,
          let inner = node(record, work).child(at: position)
        else { return nil }
        let child = makeFresh(inner, at: position, of: record, isMatch: true, &work)
        work.edit.touches[parent].decisions[decision].record = child
        work.edit.touches[parent].decisions[decision].touch = appear(child, &work)
        return nil
      }
      // What is new is up to date, and what has gone is not looked into.
      return work.edit.touches[known.touch].record == nil ? nil : known.touch
    }
    var child = translation.value.record(ofChild: position, of: record)
    if let child, translation.value[child].isLoaded {
      // Elsewhere it may have got another handle.
      if !work.passages.isEmpty { findAgain(child, at: position, of: record) }
      let touch = touch(child, &work)
      work.edit.touches[parent].decisions.append(
        TreeFilterTranslation.Decision(position: position, record: child, touch: touch, isUpdated: false))
      return touch
    }
    // The child's children have not been read: it may have been a leaf when it was shown.
    guard work.isHeard else { return nil }
    let node = node(record, work)
    if let child {
      load(child, self.node(child))
    } else if let inner = node.child(at: position) {
      let isMatch = ask(node, position..<position + 1)[0]
      let fresh = makeFresh(inner, at: position, of: record, isMatch: isMatch, &work)
      if translation.value.isEager { work.edit.touches[parent].growth += translation.value[fresh].matchCount }
      child = fresh
    } else {
      return nil
    }
    work.edit.touches[parent].decisions.append(
      TreeFilterTranslation.Decision(
        position: position, record: child, touch: appear(child!, &work), isUpdated: false))
    return nil
  }

  /// Makes, loads and attaches the record of a node that has come.
  func makeFresh(
    _ node: Node, at position: Int, of parent: Record, isMatch: Bool, _ work: inout TreeFilterWork
  ) -> Record {
    let record = makeRecord(
      node, at: position, of: parent, isMatch: isMatch, showsAll: showsAll(below: parent, isMatch: isMatch),
      isWhole: translation.value[parent].isWhole)
    load(record, node)
    work.fresh.append(record)
    return record
  }

  /// The touch that says that all children of a fresh record have come.
  func appear(_ record: Record, _ work: inout TreeFilterWork) -> Int {
    let count = translation.value.count(of: record)
    work.edit.touches.append(
      TreeFilterEdit.Touch(record: nil, delta: count > 0 ? .insertion(0..<count) : Delta()))
    return work.edit.touches.count - 1
  }

  /// Brings the order of a node's children up to date, and looks at those that are new and those that were updated.
  private func applyLevel(
    _ delta: Delta, _ touch: Int, _ arriving: [Int], depth: Int, _ work: inout TreeFilterWork
  ) {
    let record = work.edit.touches[touch].record!
    let node = node(record, work)
    let inserted = delta.insertions.map { ask(node, $0) }
    let updated = delta.updates.map { ask(node, $0) }
    let former = delta.updates.isEmpty ? [] : formerVerdicts(delta, record)
    let lost = translation.value.rearrange(delta, inserted: inserted, in: record, &work.removed)
    require(
      translation.value.childCount(of: record) == node.count,
      """
      TreeFilterNode: a \(type(of: node.object)) has \(node.count) children, but according to what it told it has \
      \(translation.value.childCount(of: record)).
      """)
    work.edit.touches[touch].source = delta
    work.edit.touches[touch].inserted = inserted
    work.edit.touches[touch].growth -= lost

    let coming = arriving.filter { work.passages[$0].destination?.count == depth + 1 }
    for (range, verdicts) in zip(delta.insertions, inserted) {
      var attached: Set<Int> = []
      for passage in coming where work.passages[passage].record != nil {
        let position = work.passages[passage].destination![depth]
        guard range.contains(position), attached.insert(position).inserted else { continue }
        attach(passage, at: position, of: record, isMatch: verdicts[position - range.lowerBound], &work)
      }
      let isEager = translation.value.isEager
      guard isEager || translation.value[record].isWhole else { continue }
      let isWanted = { !attached.contains($0) && (isEager || verdicts[$0 - range.lowerBound]) }
      for (position, child) in node.children(in: range, where: isWanted) {
        _ = makeFresh(child, at: position, of: record, isMatch: verdicts[position - range.lowerBound], &work)
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
  private func formerVerdicts(_ delta: Delta, _ record: Record) -> [Bool] {
    let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
    let bits = translation.value.verdicts(ofLeavesIn: record)
    return delta.updates.joined().map { position in bits[map.map { $0.position(before: position)! } ?? position] }
  }

  func attach(_ passage: Int, at position: Int, of parent: Record, isMatch: Bool, _ work: inout TreeFilterWork) {
    let record = work.passages[passage].record!
    if translation.value[parent].isWhole { makeWhole(record) }
    translation.value[record].isMatch = isMatch
    translation.value.paste(record, into: parent, at: position)
    // It may have become a leaf, and a node again, while it was away.
    if let child = state.value.sources.kept(parent)?.child(at: position) { exchange(child, of: record, &work) }
    work.passages[passage].isAttached = true
    if showsAll(below: parent, isMatch: isMatch) != translation.value[record].showsAll {
      work.turned.append(record)
    }
  }

  /// Takes another node of the source for a record, where it is another one.
  private func exchange(_ node: Node, of record: Record, _ work: inout TreeFilterWork) {
    switch (node, state.value.sources.kept(record)) {
    case (.object(let object), .object(let former)?) where former !== object: work.exchanged.append(former)
    case (.handle, .handle?): break
    default: return
    }
    state.value.sources.insert(node, for: record)
    if let part = part(record) { part.take(node.object) }
  }

  /// Asks for the handle of a record's node again, where there is one; it is now that of the child at a position.
  private func findAgain(_ record: Record, at position: Int, of parent: Record) {
    if state.value.sources.forest == nil { state.value.sources.nodes.findAgain(record, at: position, of: parent) }
  }

  /// Takes in that the value of a child has changed; it may also have become a node, or be one no longer.
  private func lookAtUpdated(
    _ position: Int, _ child: Node?, _ verdict: Bool, former: Bool, _ touch: Int, _ work: inout TreeFilterWork
  ) {
    let parent = work.edit.touches[touch].record!
    let record = translation.value.record(ofChild: position, of: parent)
    var decision = TreeFilterTranslation.Decision(
      position: position, record: record, touch: -1, isUpdated: true, verdict: verdict)
    let isMatch = translation.value.isEager ? record.map { translation.value[$0].isMatch } ?? former : former
    if translation.value.isEager { work.edit.touches[touch].growth += (verdict ? 1 : 0) - (isMatch ? 1 : 0) }
    translation.value.setPasses(verdict, position, in: parent)
    if let record, let child {
      exchange(child, of: record, &work)
      translation.value[record].isMatch = verdict
      decision.touch = self.touch(record, &work)
      work.edit.touches[decision.touch].updatesValue = true
      if showsAll(below: parent, isMatch: verdict) != translation.value[record].showsAll {
        work.turned.append(record)
      }
    } else if let record {
      // It is a leaf now: what was below it has gone.
      let count = translation.value.count(of: record)
      if translation.value.isEager || former {
        work.edit.touches[touch].growth -= translation.value[record].matchCount
      }
      work.removed.append(translation.value.cutOut(record))
      decision.record = nil
      decision.formerRecord = record
      work.edit.touches.append(TreeFilterEdit.Touch(record: nil, delta: count > 0 ? .removal(0..<count) : Delta()))
      decision.touch = work.edit.touches.count - 1
    } else if translation.value.isEager || translation.value[parent].isWhole && verdict, let child {
      let fresh = makeFresh(child, at: position, of: parent, isMatch: verdict, &work)
      if translation.value.isEager { work.edit.touches[touch].growth += translation.value[fresh].matchCount }
      decision.record = fresh
      decision.touch = appear(fresh, &work)
    }
    work.edit.touches[touch].decisions.append(decision)
  }
}
