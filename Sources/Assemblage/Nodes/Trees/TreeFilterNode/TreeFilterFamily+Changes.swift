import OffsetIndexing

// Applies a change of the source from the root downwards.
extension TreeFilterFamily {
  func apply(
    _ change: ChangeSet, to record: Record, arriving: Range<Int>, depth: Int, _ work: inout TreeFilterEdit
  ) -> Int {
    let first = touch(record, &work)
    work.touches[first].updatesValue = change.updatesValue
    // If nothing has been read, there is nothing to bring up to date.
    guard translation.value[record].isLoaded else { return first }
    let nodes = change.nodes
    if first == 0 { work.touches.reserveCapacity(1 + nodes.count) }
    var open = [TreeFilterVisit(index: nodes.count, touch: first, arriving: arriving, depth: depth)]
    while let visit = open.popLast() {
      let delta = visit.index == nodes.count ? change.level : nodes[visit.index].delta
      let record = work.touches[visit.touch].record!
      if !delta.isEmpty { applyLevel(delta, visit.touch, visit.arriving, depth: visit.depth, &work) }
      let updated = work.touches[visit.touch].decisions.count
      ChangeSet.forEachChildBackward(of: visit.index, in: nodes) { child in
        let position = nodes[child].position
        guard let touch = self.touch(inside: position, of: record, visit.touch, updated, &work) else { return }
        let arriving = work.transfers.arriving(below: position, at: visit.depth, in: visit.arriving)
        open.append(TreeFilterVisit(index: child, touch: touch, arriving: arriving, depth: visit.depth + 1))
      }
      if work.touches[visit.touch].decisions.count > max(1, updated) {
        work.touches[visit.touch].decisions.sort(byNumber: \.position)
      }
    }
    return first
  }

  /// The source's node of a record, if the change has been applied up to this record.
  ///
  /// If no child moves between parents, the shapes of the filter and of the forest are the same up to this record. So a
  /// number leads to the branch.
  private func node(_ record: Record, _ work: TreeFilterEdit) -> SourceBranch {
    work.transfers.isEmpty ? numberedNode(record) : node(record)
  }

  /// Adds the touch of a record.
  func touch(_ record: Record, _ work: inout TreeFilterEdit) -> Int {
    work.touches.append(
      TreeFilterEdit.Touch(
        record: record, isTurned: turn(record), becomesWhole: becomesWhole(record),
        formerCount: translation.value[record].matchCount))
    return work.touches.count - 1
  }

  /// Whether everything below a node is to be known from now on, because the node has moved to a parent below which
  /// everything is known.
  private func becomesWhole(_ record: Record) -> Bool {
    if translation.value.isEager || translation.value[record].isWhole { return false }
    return translation.value.parent(of: record).map { translation.value[$0].isWhole } ?? false
  }

  /// Notes whether all children of a record's node are shown from now on, because the node or an ancestor matches.
  ///
  /// - Returns: whether this has changed.
  private func turn(_ record: Record) -> Bool {
    guard policy == .keepingDescendants, let parent = translation.value.parent(of: record) else { return false }
    let showsAll = showsAll(below: parent, isMatch: translation.value[record].isMatch)
    if translation.value[record].showsAll == showsAll { return false }
    translation.value[record].showsAll = showsAll
    return true
  }

  /// Adds touches of the nodes below turned nodes that turn with them.
  ///
  /// - Complexity: O(s) for the s nodes below that are concerned.
  func turnBelow(_ work: inout TreeFilterEdit) {
    var next = 0
    while next < work.touches.count {
      if work.touches[next].isTurned, let record = work.touches[next].record {
        for (position, child) in translation.value.children(of: record)
        where showsAll(below: record, isMatch: translation.value[child].isMatch) != translation.value[child].showsAll {
          // Nothing else has changed in the child: otherwise the child would have turned already.
          let touch = touch(child, &work)
          work.touches[next].decisions.append(
            TreeFilterTranslation.Decision(position: position, record: child, touch: touch, isUpdated: false))
        }
        work.touches[next].decisions.sort(byNumber: \.position)
      }
      next += 1
    }
  }

  /// The touch of a child inside which something has changed; nil if the change inside need not be applied.
  private func touch(
    inside position: Int, of record: Record, _ parent: Int, _ updated: Int, _ work: inout TreeFilterEdit
  ) -> Int? {
    let place = work.touches[parent].decisions[..<updated].partitioningIndex { $0.position >= position }
    var known: TreeFilterTranslation.Decision?
    if place < updated, work.touches[parent].decisions[place].position == position {
      known = work.touches[parent].decisions[place]
    }
    // A new node is up to date, and a node that has left is not looked into.
    if let touch = known?.touch, touch >= 0 { return work.touches[touch].record == nil ? nil : touch }
    var child = translation.value.record(ofChild: position, of: record)
    if known == nil, let child, translation.value[child].isLoaded {
      // If records have been renewed, the child may have another handle.
      if !work.renewed.isEmpty, let inner = sources.value.child(at: position, of: node(record)) {
        exchange(inner, for: child, &work)
      }
      let touch = touch(child, &work)
      work.touches[parent].decisions.append(
        TreeFilterTranslation.Decision(position: position, record: child, touch: touch, isUpdated: false))
      return touch
    }
    // The child's children have not been read. The child may have been a leaf when it was shown.
    guard work.hasListeners, known == nil || known?.verdict == true else { return nil }
    let node = node(record, work)
    if let child {
      load(child)
    } else if let inner = sources.value.child(at: position, of: node) {
      let isMatch = known?.verdict ?? ask(node, position..<position + 1)[0]
      let fresh = makeFresh(inner, at: position, of: record, isMatch: isMatch, &work)
      if translation.value.isEager { work.touches[parent].growth += translation.value[fresh].matchCount }
      child = fresh
    } else {
      return nil
    }
    let touch = appear(child!, &work)
    if known != nil {
      work.touches[parent].decisions[place].record = child
      work.touches[parent].decisions[place].touch = touch
    } else {
      work.touches[parent].decisions.append(
        TreeFilterTranslation.Decision(position: position, record: child, touch: touch, isUpdated: false))
    }
    return nil
  }

  /// Makes, loads and attaches the record of a node that has arrived.
  func makeFresh(
    _ node: SourceBranch, at position: Int, of parent: Record, isMatch: Bool, _ work: inout TreeFilterEdit
  ) -> Record {
    let record = makeRecord(node, at: position, of: parent, isMatch: isMatch)
    load(record, node)
    work.fresh.append(record)
    return record
  }

  /// Adds the touch which reports that all children of a fresh record have arrived.
  private func appear(_ record: Record, updatesValue: Bool = false, _ work: inout TreeFilterEdit) -> Int {
    let count = translation.value.count(of: record)
    return work.touch(count > 0 ? .insertion(0..<count) : Delta(), updatesValue: updatesValue)
  }

  /// Brings the order of a node's children up to date, and looks at the new and the updated children.
  private func applyLevel(
    _ delta: Delta, _ touch: Int, _ arriving: Range<Int>, depth: Int, _ work: inout TreeFilterEdit
  ) {
    let record = work.touches[touch].record!
    let node = node(record, work)
    let inserted = delta.insertions.map { ask(node, $0) }
    let updated = delta.updates.map { ask(node, $0) }
    let former = delta.updates.isEmpty ? [] : formerVerdicts(delta, record)
    let lost = translation.value.rearrange(delta, inserted: inserted, in: record, &work.removed)
    let count = sources.value.count(node)
    require(
      translation.value.childCount(of: record) == count,
      """
      TreeFilterNode: \(withArticle(type(of: sources.value.object(node)))) has \(countedChildren(count)), but according to \
      its changes it has \(translation.value.childCount(of: record)).
      """)
    work.touches[touch].source = delta
    work.touches[touch].inserted = inserted
    work.touches[touch].growth -= lost

    // The transfers are ascending by destination.
    var coming = arriving.filter {
      work.transfers[$0].record != nil && work.transfers[$0].destination.count == depth + 1
    }.map { (transfer: $0, position: work.transfers[$0].destination[depth]) }[...]
    for (range, verdicts) in zip(delta.insertions, inserted) {
      coming = coming.drop { $0.position < range.lowerBound }
      let arrived = coming.prefix { $0.position < range.upperBound }
      for (transfer, position) in arrived {
        attach(transfer, at: position, of: record, isMatch: verdicts[position - range.lowerBound], &work)
      }
      let attached = Set(arrived.map(\.position))
      let isEager = translation.value.isEager
      guard isEager || translation.value[record].isWhole else { continue }
      let isWanted = { !attached.contains($0) && (isEager || verdicts[$0 - range.lowerBound]) }
      for (position, child) in sources.value.children(
        in: range, of: node, where: isEager && attached.isEmpty ? nil : isWanted)
      {
        _ = makeFresh(child, at: position, of: record, isMatch: verdicts[position - range.lowerBound], &work)
      }
    }
    var number = 0
    for (range, verdicts) in zip(delta.updates, updated) {
      for position in range {
        lookAtUpdated(
          position, sources.value.child(at: position, of: node), verdicts[position - range.lowerBound],
          former: former[number], touch, &work)
        number += 1
      }
    }
  }

  /// The former verdicts on the leaves among updated children. The verdicts on nodes are in the nodes' records.
  private func formerVerdicts(_ delta: Delta, _ record: Record) -> [Bool] {
    let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
    let bits = translation.value.verdicts(ofLeavesIn: record)
    return delta.updates.joined().map { position in bits[map.map { $0.position(before: position)! } ?? position] }
  }

  /// Applies an update of a child's value; the child may also have become a node or a leaf.
  private func lookAtUpdated(
    _ position: Int, _ child: SourceBranch?, _ verdict: Bool, former: Bool, _ touch: Int,
    _ work: inout TreeFilterEdit
  ) {
    let parent = work.touches[touch].record!
    let record = translation.value.record(ofChild: position, of: parent)
    var decision = TreeFilterTranslation.Decision(
      position: position, record: record, touch: -1, isUpdated: true, verdict: verdict)
    let isMatch = translation.value.isEager ? record.map { translation.value[$0].isMatch } ?? former : former
    if translation.value.isEager { work.touches[touch].growth += (verdict ? 1 : 0) - (isMatch ? 1 : 0) }
    translation.value.setPasses(verdict, position, in: parent)
    if let record, let child {
      exchange(child, for: record, &work)
      translation.value[record].isMatch = verdict
      if translation.value[record].isLoaded {
        decision.touch = self.touch(record, &work)
        work.touches[decision.touch].updatesValue = true
      } else {
        observedPart(record)?.hub.receiveFromWhole(ChangeSet(updatesValue: true))
      }
    } else if let record {
      // The child is a leaf now: the children that it had have left.
      if translation.value.isEager || former {
        work.touches[touch].growth -= translation.value[record].matchCount
      }
      decision.record = nil
      decision.touch = vanish(record, false, &work)
      work.removed.append(translation.value.cutOut(record))
    } else if translation.value.isEager || translation.value[parent].isWhole && verdict, let child {
      let fresh = makeFresh(child, at: position, of: parent, isMatch: verdict, &work)
      if translation.value.isEager { work.touches[touch].growth += translation.value[fresh].matchCount }
      decision.record = fresh
      decision.touch = appear(fresh, &work)
    }
    work.touches[touch].decisions.append(decision)
  }

  // MARK: Children that move between parents

  func openRecord(ofChild position: Int, of parent: Record, _ work: inout TreeFilterEdit) -> Record? {
    if let known = translation.value.record(ofChild: position, of: parent) {
      load(known)
      return known
    }
    let parentNode = node(parent)
    guard let node = sources.value.child(at: position, of: parentNode) else { return nil }
    let isMatch = ask(parentNode, position..<position + 1)[0]
    return makeFresh(node, at: position, of: parent, isMatch: isMatch, &work)
  }

  func attach(_ transfer: Int, at position: Int, of parent: Record, _ work: inout TreeFilterEdit) {
    // This is asked before the record is cut out. Without a record, a child that is shown as an ancestor would pass.
    let isMatch = translation.value.passes(position, in: parent)
    if let fresh = translation.value.record(ofChild: position, of: parent) {
      // This record was made with its parent's record, and counts the same as the record of the child that arrives.
      work.removed.append(translation.value.cutOut(fresh))
    }
    attach(transfer, at: position, of: parent, isMatch: isMatch, &work)
  }

  private func attach(
    _ transfer: Int, at position: Int, of parent: Record, isMatch: Bool, _ work: inout TreeFilterEdit
  ) {
    let record = work.transfers[transfer].record!
    let parentNode = node(parent)
    let child = sources.value.child(at: position, of: parentNode)
    guard child != nil || forest == nil && sources.value.isReadable(record, at: position, of: parentNode) else {
      return becomeLeaf(transfer, &work)
    }
    translation.value[record].isMatch = isMatch
    translation.value.paste(record, into: parent, at: position)
    if let child { exchange(child, for: record, &work) }
    work.transfers[transfer].isAttached = true
  }

  func lookAtNew(
    _ change: ChangeSet, at position: Int, of parent: Record, _ work: inout TreeFilterEdit
  ) -> Int? {
    let parentNode = node(parent)
    guard let node = sources.value.child(at: position, of: parentNode) else { return nil }
    let count = sources.value.count(node)
    guard count > 0, change.level.countChange == count else { return nil }
    // The bits of shown leaves are brought up to date later.
    let isMatch =
      translation.value.isEager
      ? translation.value.passes(position, in: parent) : ask(parentNode, position..<position + 1)[0]
    guard isMatch || translation.value.isEager else { return nil }
    let record =
      translation.value.record(ofChild: position, of: parent)
      ?? makeFresh(node, at: position, of: parent, isMatch: isMatch, &work)
    return appear(record, updatesValue: change.updatesValue, &work)
  }
}
