import OffsetIndexing

// What becomes of everything when the predicate is asked again.
extension TreeFilterFamily {
  /// Shows what passes by the predicate, asked about everything that is known.
  ///
  /// - Parameters:
  ///   - ask: walks over what is known, and asks.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: what came and went.
  /// - Complexity: O(n) for n elements; what is told is made only of nodes in which something changed.
  func show(asking ask: () -> TreeFilterSweep, _ released: inout [any TreeNode]) -> ChangeSet {
    giveUpDeparted(to: &released)
    // What comes and goes here is not followed.
    following.value.hiding = nil
    following.value.transaction = nil
    var sweep = ask()
    var work = TreeFilterWork()
    if !translation.value.isEager { lookInto(&sweep, &work) }
    translation.value.show(&sweep)
    if progress.value.hasMembers { tellMembers(sweep) }
    if !work.fresh.isEmpty { findMembers(below: work.fresh) }
    return translation.value.change(sweep, at: 0)
  }

  /// Asks about all children that have been looked at, parents first.
  ///
  /// - Parameters:
  ///   - known: what need not be asked: which children of a record's node pass.
  ///   - hint: how the predicate relates to the one that was asked before.
  /// - Returns: the walk, with the verdicts.
  func askAll(_ known: [Record: BitRun], _ hint: FilterHint) -> TreeFilterSweep {
    let shape = translation.value.shape
    if known.isEmpty, let forest = state.value.sources.forest, forest.descendantCount == shape.count {
      let passing = hint.verdicts(former: translation.value.passingByNumber) {
        functions.askAll(forest, $0, state.value.predicate)
      }
      return TreeFilterSweep(shape, passing: passing)
    }
    var sweep = TreeFilterSweep(shape)
    for entry in sweep.entries {
      let record = entry.record
      let count = translation.value[record].isLoaded ? translation.value[record].shown.count : 0
      sweep.verdicts.append(
        known[record]
          ?? hint.verdicts(former: translation.value.passes(in: record)) {
            count == 0 ? BitRun(repeating: false, count: 0) : ask(node(record), 0..<count, among: $0)
          })
    }
    return sweep
  }

  /// Makes the records of nodes that pass now and have none, where everything below is to be known.
  private func lookInto(_ sweep: inout TreeFilterSweep, _ work: inout TreeFilterWork) {
    for (index, entry) in sweep.entries.enumerated() where translation.value[entry.record].isWhole {
      let record = entry.record
      let node = node(record)
      let run = sweep.verdicts[index]
      for position in 0..<run.count
      where run[position] && translation.value.record(ofChild: position, of: record) == nil {
        guard let child = node.child(at: position) else { continue }
        let fresh = makeFresh(child, at: position, of: record, isMatch: true, &work)
        sweep.others[index, default: 0] += translation.value[fresh].matchCount
      }
    }
  }

  /// Tells the nodes of children what happened in them, if a dependent or an observer hears of it.
  private func tellMembers(_ sweep: TreeFilterSweep) {
    // Few branches have nodes, and a sweep goes through all: they are marked, and not looked up one by one.
    let members = parts.value.members
    guard let highest = members.keys.lazy.map(\.number).max() else { return }
    var isMember = [Bool](repeating: false, count: highest + 1)
    for record in members.keys { isMember[record.number] = true }
    for (index, entry) in sweep.entries.enumerated().dropFirst().reversed() {
      let number = entry.record.number
      guard number <= highest, isMember[number], let part = part(entry.record), part.hub.isObserved else { continue }
      let change = translation.value.change(sweep, at: index)
      if !change.isSilent { tell(part, change) }
    }
  }

  /// Takes in that one child passes, or no longer does.
  ///
  /// - Returns: what came and went.
  func show(_ verdict: Bool, at position: Int, in parent: Record) -> ChangeSet {
    beginFollowing(nil)
    var work = TreeFilterWork()
    let path = translation.value.sourcePath(of: parent)!
    var record = TreeIndex.root
    for position in path {
      append(record, decision(position, record, touch: work.edit.touches.count + 1), &work)
      record = translation.value.record(ofChild: position, of: record)!
    }
    var last = decision(position, record, touch: -1)
    last.verdict = verdict
    append(record, last, &work)
    if translation.value.isEager { work.edit.touches[work.edit.touches.count - 1].growth += verdict ? 1 : -1 }
    translation.value.setPasses(verdict, position, in: record)
    if let own = last.record {
      translation.value[own].isMatch = verdict
    } else if verdict, translation.value[record].isWhole, !translation.value.isEager {
      lookInto(position, record, &work)
    }
    settle(&work)
    var result = work.edit.change(0)
    if let turned = last.record.flatMap(turnInTree) { result = result.composed(with: turned) }
    return result
  }

  private func decision(_ position: Int, _ record: Record, touch: Int) -> TreeFilterTranslation.Decision {
    TreeFilterTranslation.Decision(
      position: position, record: translation.value.record(ofChild: position, of: record), touch: touch,
      isUpdated: false)
  }

  private func append(_ record: Record, _ decision: TreeFilterTranslation.Decision, _ work: inout TreeFilterWork) {
    work.edit.touches.append(
      TreeFilterEdit.Touch(
        record: record, decisions: [decision], formerCount: translation.value[record].matchCount))
  }

  private func lookInto(_ position: Int, _ record: Record, _ work: inout TreeFilterWork) {
    guard let child = node(record).child(at: position) else { return }
    let fresh = makeFresh(child, at: position, of: record, isMatch: true, &work)
    work.edit.touches[work.edit.touches.count - 1].decisions[0].record = fresh
  }
}
