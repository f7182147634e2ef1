import OffsetIndexing

// How a change of the source goes through the tree.
extension TreeSortFamily {
  /// What a change ends, in case that it is taken back.
  struct Memory {
    /// Where children stood before it, by the paths in the source of their parents after it.
    var places: [[Int]: [Int: Int]] = [:]
    /// The nodes that it removes, or may make leaves of, and that had been looked at.
    var losses: [TreeLoss] = []

    var isEmpty: Bool { places.isEmpty && losses.isEmpty }
  }

  /// Brings everything up to date with a change of the root.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - isHeard: whether an observer hears what happens below the children.
  ///   - isRecording: whether it may be taken back.
  ///   - memory: what was remembered of the change that is being taken back.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: what happened to the sorted children, and what to remember of it.
  func translate(
    _ change: ChangeSet, isHeard: Bool, isRecording: Bool, restoring memory: Memory?, _ released: inout [any TreeNode]
  ) -> (change: ChangeSet, memory: Memory) {
    var edit = TreeSortEdit()
    (edit.isHeard, edit.isRecording) = (isHeard, isRecording)
    var remembered = Memory()
    if isRecording {
      remembered.losses = translation.value.losses(by: change) { [translation] range, parent in
        range.compactMap { position in
          translation.value.record(ofChild: position, of: parent).map { (position, $0) }
        }
      }
    }
    for (path, places) in memory?.places ?? [:] {
      if let record = translation.value.record(at: path) { edit.knownPlaces[record] = places }
    }
    // What left earlier in the transaction and does not come back now may do so later.
    if !progress.value.departed.isEmpty || !change.crossings.isEmpty { beginPassages(change, &edit) }
    let root = apply(change, to: TreeIndex.root, arriving: Array(edit.passages.indices), depth: 0, &edit)
    if !edit.passages.isEmpty {
      settlePassages(&edit)
      for passage in edit.passages where passage.isAttached && passage.isFromOutside {
        sources.findAgain(below: passage.record!, in: translation.value)
      }
    }
    tellMembers(edit)
    var result = edit.change(root)
    if !edit.passages.isEmpty { endPassages(&result, &edit) }
    if !edit.removed.isEmpty { discard(edit.removed, to: &released) }
    result.checkInvariants()
    restore(memory?.losses ?? [])
    for (record, places) in edit.lostPlaces where !places.isEmpty {
      if translation.value.shape.contains(record), let path = translation.value.sourcePath(of: record) {
        remembered.places[path] = places
      }
    }
    return (result, remembered)
  }

  func apply(
    _ change: ChangeSet, to record: Record, arriving: [Int], depth: Int, _ edit: inout TreeSortEdit
  ) -> Int {
    let first = edit.touch(record, updatesValue: change.updatesValue)
    // Where nothing has been read, there is nothing to bring up to date.
    guard translation.value.isLoaded(record) else { return first }
    let nodes = change.nodes
    var open = [(index: nodes.count, touch: first, arriving: arriving, depth: depth)]
    while let (index, touch, arriving, depth) = open.popLast() {
      let delta = index == nodes.count ? change.level : nodes[index].delta
      var updated: [Int: Int?] = [:]
      if !delta.isEmpty { updated = applyLevel(delta, touch, arriving, depth: depth, &edit) }
      ChangeSet.forEachChildBackward(of: index, in: nodes) { child in
        let position = nodes[child].position
        // What has come or gone with an update has been told.
        if let known = updated[position], known.flatMap({ edit.touches[$0].record }) == nil { return }
        let inner =
          arriving.isEmpty ? [] : arriving.filter { edit.passages[$0].destination.map { $0[depth] } == position }
        guard
          let next = updated[position]
            ?? self.touch(inside: position, of: touch, nodes[child].delta, hasArrivals: !inner.isEmpty, &edit)
        else { return }
        open.append((child, next, inner, depth + 1))
      }
    }
    return first
  }

  /// The touch of a child inside which something happened.
  ///
  /// Of children that have not been read only so much is told as one may know who has asked for the child: that a leaf became a
  /// branch, or a branch a leaf. All other branches are left alone, for a change of the whole tree would make a record and a node for
  /// each of them.
  ///
  /// - Parameters:
  ///   - position: the child's position in the source.
  ///   - parent: the touch of its parent.
  ///   - delta: what happened to its children.
  ///   - hasArrivals: whether there is something among them that was shown elsewhere.
  ///   - edit: receives the touch.
  /// - Returns: the touch; nil where there is no more to tell of what is below the child.
  private func touch(
    inside position: Int, of parent: Int, _ delta: Delta, hasArrivals: Bool, _ edit: inout TreeSortEdit
  ) -> Int? {
    let record = edit.touches[parent].record!
    let place = translation.value.sortedPosition(of: position, in: record)
    let known = translation.value.shape.branch(at: place, of: record)
    if let known, translation.value.isLoaded(known) {
      // Elsewhere it may have got another handle.
      if !edit.passages.isEmpty { sources.findAgain(known, at: position, of: record) }
      let touch = edit.touch(known)
      edit.touches[parent].children.append((place, touch))
      return touch
    }
    func tell(_ delta: Delta) { edit.touches[parent].children.append((place, edit.touch(nil, delta))) }
    guard edit.isHeard, hasArrivals || translation.value.isAsked(record) else { return nil }
    if !hasArrivals, !delta.mayBeginEmpty {
      // Where it has no record, nobody has asked for it.
      if let known, delta.countChange < 0, !sources.hasChildren(known) { tell(.removal(0..<(-delta.countChange))) }
      return nil
    }
    guard let child = makeRecord(ofChild: position, of: record) else { return nil }
    load(child)
    let count = translation.value.count(of: child)
    if count > 0 { tell(.insertion(0..<count)) }
    return nil
  }

  /// Brings the order of a node's children up to date, and looks at those that were updated.
  ///
  /// - Returns: the touches of updated children that are nodes or were, by their positions in the source; nil for those that
  ///   are nodes no longer.
  private func applyLevel(
    _ delta: Delta, _ touch: Int, _ arriving: [Int], depth: Int, _ edit: inout TreeSortEdit
  ) -> [Int: Int?] {
    let record = edit.touches[touch].record!
    let plan = plan(delta, of: record, places: edit.knownPlaces[record])
    if edit.isRecording, plan != nil {
      edit.lostPlaces.append((record, translation.value.order(of: record).places(lostBy: delta)))
    }
    edit.touches[touch].delta = translation.value.rearrange(delta, plan, in: record, &edit.removed)
    let count = sources.count(of: record)
    require(
      translation.value.count(of: record) == count,
      """
      TreeSortNode: a \(type(of: sources.object(record))) has \(count) children, but according to what it told it has \
      \(translation.value.count(of: record)).
      """)
    for passage in arriving where edit.passages[passage].destination?.count == depth + 1 {
      let position = edit.passages[passage].destination![depth]
      if delta.insertions.contains(position: position) { attach(passage, at: position, of: record, &edit) }
    }
    var updated: [Int: Int?] = [:]
    for position in delta.updates.joined() {
      let place = translation.value.sortedPosition(of: position, in: record)
      guard let own = translation.value.shape.branch(at: place, of: record) else { continue }
      if let child = sources.child(at: position, of: record) {
        sources.insert(child, for: own)
        let part = part(own)
        part?.show(sources.object(own))
        guard translation.value.isLoaded(own) else {
          if let part { tell(part, ChangeSet(updatesValue: true)) }
          continue
        }
        let inner = edit.touch(own, updatesValue: true)
        edit.touches[touch].children.append((place, inner))
        updated[position] = inner
      } else {
        // It is a leaf now: what was below it has gone.
        let count = translation.value.count(of: own)
        edit.removed.append(translation.value.cutOut(own))
        if count > 0 { edit.touches[touch].children.append((place, edit.touch(nil, .removal(0..<count)))) }
        updated[position] = .some(nil)
      }
    }
    return updated
  }

  /// Tells the nodes of children what happened in them.
  func tellMembers(_ edit: TreeSortEdit) {
    if !progress.value.hasMembers { return }
    for (number, touch) in edit.touches.enumerated().reversed() {
      guard let part = touch.record.flatMap(part), part.hub.isObserved else { continue }
      let change = edit.change(number)
      if !change.isSilent { tell(part, change) }
    }
  }

  // MARK: What a tree sort does with children on their way

  func hasNode(at position: Int, of parent: Record) -> Bool { sources.child(at: position, of: parent) != nil }

  func openRecord(ofChild position: Int, of parent: Record, _ edit: inout TreeSortEdit) -> Record? {
    guard let record = makeRecord(ofChild: position, of: parent) else { return nil }
    load(record)
    // Observers know the children that cross into it, and whether they are leaves.
    translation.value.ask(record)
    return record
  }

  func attach(_ passage: Int, at position: Int, of parent: Record, _ edit: inout TreeSortEdit) {
    guard let record = edit.passages[passage].record else { return }
    let place = translation.value.sortedPosition(of: position, in: parent)
    if let fresh = translation.value.shape.branch(at: place, of: parent) {
      // It was made with its parent, and shows the same as what comes.
      edit.removed.append(translation.value.cutOut(fresh))
    }
    translation.value.paste(record, into: parent, at: place)
    sources.findAgain(record, at: position, of: parent)
    edit.passages[passage].isAttached = true
  }

  func lookAtNew(
    _ change: ChangeSet, at position: Int, of parent: Record, _ edit: inout TreeSortEdit
  ) -> Int? {
    let count = change.level.countChange
    guard count > 0, sources.childCount(at: position, of: parent) == count,
      openRecord(ofChild: position, of: parent, &edit) != nil
    else { return nil }
    return edit.touch(nil, .insertion(0..<count), updatesValue: change.updatesValue)
  }
}

extension Delta {
  /// Whether what it tells of may have been empty before.
  fileprivate var mayBeginEmpty: Bool {
    removals.isEmpty && updates.isEmpty && !hasMoves && insertions.count == 1 && insertions[0].lowerBound == 0
  }
}
