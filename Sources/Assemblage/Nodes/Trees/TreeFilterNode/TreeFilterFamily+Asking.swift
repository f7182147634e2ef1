import OffsetIndexing

// Asking the predicate again about everything.
extension TreeFilterFamily {
  /// Shows the elements that pass by the predicate, asked about everything that is known.
  ///
  /// - Parameter ask: walks over everything that is known, and asks.
  /// - Returns: the change of the children that are shown.
  /// - Complexity: O(n) for n elements; the change is made only of nodes in which something changed.
  func show(asking ask: () -> TreeFilterSweep) -> ChangeSet {
    var sweep = ask()
    var work = TreeFilterEdit()
    if !translation.value.isEager { lookInto(&sweep, &work) }
    translation.value.show(&sweep)
    if progress.value.hasMembers { tellParts(sweep) }
    return translation.value.change(sweep, at: 0)
  }

  /// Asks about all children that have been looked at, parents first.
  ///
  /// - Parameter hint: how the predicate relates to the one that was asked before.
  /// - Returns: the walk, with the verdicts.
  func askAll(_ hint: FilterHint) -> TreeFilterSweep {
    let shape = translation.value.shape
    if let forest, forest.descendantCount == shape.count {
      let passing = hint.verdicts(former: translation.value.passingByNumber) {
        functions.askAll(forest, $0, state.value.predicate)
      }
      return TreeFilterSweep(shape, passing: passing)
    }
    var sweep = TreeFilterSweep(shape)
    for record in sweep.entries.map(\.record) {
      let count = translation.value[record].isLoaded ? translation.value[record].shown.count : 0
      sweep.verdicts.append(
        hint.verdicts(former: translation.value.passes(in: record)) {
          count == 0 ? BitRun(repeating: false, count: 0) : ask(numberedNode(record), 0..<count, among: $0)
        })
    }
    return sweep
  }

  /// Makes the records of nodes that pass now and have none, where everything below is to be known.
  private func lookInto(_ sweep: inout TreeFilterSweep, _ work: inout TreeFilterEdit) {
    for (index, entry) in sweep.entries.enumerated() where translation.value[entry.record].isWhole {
      let record = entry.record
      let node = node(record)
      let run = sweep.verdicts[index]
      for position in 0..<run.count
      where run[position] && translation.value.record(ofChild: position, of: record) == nil {
        guard let child = sources.value.child(at: position, of: node) else { continue }
        let fresh = makeFresh(child, at: position, of: record, isMatch: true, &work)
        sweep.others[index, default: 0] += translation.value[fresh].matchCount
      }
    }
  }

  /// Reports their changes to the nodes of children that a dependent or an observer follows.
  private func tellParts(_ sweep: TreeFilterSweep) {
    // Few branches have nodes, and a sweep goes through all: they are marked, and not looked up one by one.
    let members = parts.value.members
    guard let highest = members.keys.lazy.map(\.number).max() else { return }
    var isMember = [Bool](repeating: false, count: highest + 1)
    for record in members.keys { isMember[record.number] = true }
    for (index, entry) in sweep.entries.enumerated().dropFirst() {
      let number = entry.record.number
      guard number <= highest, isMember[number], let part = observedPart(entry.record) else { continue }
      let change = translation.value.change(sweep, at: index)
      if !change.isEmpty { part.hub.receiveFromWhole(change) }
    }
  }

  /// Applies that one child passes, or no longer does.
  ///
  /// - Returns: the change of the children that are shown.
  func show(_ verdict: Bool, at position: Int, in parent: Record, of hub: NodeHub) -> ChangeSet {
    var work = TreeFilterEdit()
    var record = TreeIndex.root
    for position in translation.value.path(of: parent)! {
      let touch = touch(record, &work)
      let child = translation.value.record(ofChild: position, of: record)!
      work.touches[touch].decisions = [
        TreeFilterTranslation.Decision(position: position, record: child, touch: touch + 1, isUpdated: false)
      ]
      record = child
    }
    let touch = touch(record, &work)
    var own = translation.value.record(ofChild: position, of: record)
    var decision = TreeFilterTranslation.Decision(
      position: position, record: own, touch: -1, isUpdated: false, verdict: verdict)
    if translation.value.isEager { work.touches[touch].growth += verdict ? 1 : -1 }
    translation.value.setPasses(verdict, position, in: record)
    if let own {
      translation.value[own].isMatch = verdict
      decision.touch = self.touch(own, &work)
    } else if verdict, translation.value[record].isWhole, !translation.value.isEager,
      let child = sources.value.child(at: position, of: node(record))
    {
      own = makeFresh(child, at: position, of: record, isMatch: true, &work)
      decision.record = own
    }
    work.touches[touch].decisions = [decision]
    var released: [any TreeNode] = []
    return report(0, &work, in: hub, &released)
  }
}
