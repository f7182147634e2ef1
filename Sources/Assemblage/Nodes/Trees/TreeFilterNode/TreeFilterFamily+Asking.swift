import OffsetIndexing

// What becomes of everything when the predicate is asked again.
extension TreeFilterFamily {
  /// Shows what passes by the predicate, asked about everything that is known.
  ///
  /// - Parameters:
  ///   - known: what need not be asked: which children of a record's node pass.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: what came and went.
  /// - Complexity: O(n) for n elements; what is told is made only of nodes in which something changed.
  func show(_ known: [Int: BitRun], _ released: inout [any TreeNode]) -> ChangeSet {
    giveUpDeparted(to: &released)
    // What comes and goes here is not followed.
    state.value.hiding = nil
    state.value.transaction = nil
    var sweep = askAll(known)
    var work = TreeFilterWork()
    if !translation.value.isEager { lookInto(&sweep, &work) }
    translation.value.show(&sweep)
    if hasMembers { tellMembers(sweep) }
    if !work.fresh.isEmpty { findMembers(below: work.fresh) }
    return translation.value.change(sweep, at: 0)
  }

  /// Asks about all children that have been looked at, parents first.
  private func askAll(_ known: [Int: BitRun]) -> TreeFilterSweep {
    let shape = translation.value.shape
    if known.isEmpty, let forest = state.value.sources.forest, forest.descendantCount == shape.count {
      return TreeFilterSweep(shape, passing: functions.askAll(forest, state.value.predicate))
    }
    var sweep = TreeFilterSweep(shape)
    for entry in sweep.entries {
      let record = entry.record
      let count = translation.value.records[record].shown.count
      let isLoaded = translation.value.records[record].isLoaded
      sweep.verdicts.append(
        isLoaded ? known[record] ?? ask(node(record), 0..<count) : BitRun(repeating: false, count: 0))
    }
    return sweep
  }

  /// Makes the records of nodes that pass now and have none, where everything below is to be known.
  private func lookInto(_ sweep: inout TreeFilterSweep, _ work: inout TreeFilterWork) {
    for (index, entry) in sweep.entries.enumerated() where translation.value.records[entry.record].isWhole {
      let record = entry.record
      let node = node(record)
      let run = sweep.verdicts[index]
      for position in 0..<run.count where run[position] && translation.value.record(ofChild: position, of: record) < 0 {
        guard let child = node.child(at: position) else { continue }
        let fresh = makeFresh(child, at: position, of: record, isMatch: true, &work)
        sweep.others[index, default: 0] += translation.value.records[fresh].matchCount
      }
    }
  }

  /// Tells the nodes of children what happened in them, if a dependent or an observer hears of it.
  private func tellMembers(_ sweep: TreeFilterSweep) {
    for (index, entry) in sweep.entries.enumerated().dropFirst().reversed() {
      guard let member = state.value.members[entry.record], member.node.hub.isObserved else { continue }
      let change = translation.value.change(sweep, at: index)
      if !change.isSilent { tell(member, change) }
    }
  }

  /// Takes in that one child passes, or no longer does.
  ///
  /// - Returns: what came and went.
  func show(_ verdict: Bool, at position: Int, in parent: Int) -> ChangeSet {
    beginFollowing(nil)
    var work = TreeFilterWork()
    let path = translation.value.path(ofRecord: parent)
    var record = 0
    for position in path {
      append(record, decision(position, record, touch: work.edit.touches.count + 1), &work)
      record = translation.value.record(ofChild: position, of: record)
    }
    var last = decision(position, record, touch: -1)
    last.verdict = verdict
    append(record, last, &work)
    if translation.value.isEager { work.edit.touches[work.edit.touches.count - 1].growth += verdict ? 1 : -1 }
    translation.value.setPasses(verdict, position, in: record)
    if last.record >= 0 {
      translation.value.records[last.record].isMatch = verdict
    } else if verdict, translation.value.records[record].isWhole, !translation.value.isEager {
      lookInto(position, record, &work)
    }
    settle(&work)
    var result = work.edit.change(0)
    if last.record >= 0, let turned = turnInTree(last.record) { result = result.composed(with: turned) }
    return result
  }

  private func decision(_ position: Int, _ record: Int, touch: Int) -> TreeFilterTranslation.Decision {
    TreeFilterTranslation.Decision(
      position: position, record: translation.value.record(ofChild: position, of: record), touch: touch,
      isUpdated: false)
  }

  private func append(_ record: Int, _ decision: TreeFilterTranslation.Decision, _ work: inout TreeFilterWork) {
    work.edit.touches.append(
      TreeFilterEdit.Touch(
        record: record, decisions: [decision], formerCount: translation.value.records[record].matchCount))
  }

  private func lookInto(_ position: Int, _ record: Int, _ work: inout TreeFilterWork) {
    guard let child = node(record).child(at: position) else { return }
    let fresh = makeFresh(child, at: position, of: record, isMatch: true, &work)
    work.edit.touches[work.edit.touches.count - 1].decisions[0].record = fresh
  }

  // MARK: Taking it back

  /// Which children of a record's node pass, and where the record stands among the others.
  struct Memory {
    let parent: Int
    let position: Int
    let verdicts: BitRun
  }

  /// Takes down what passes; parents before their children.
  ///
  /// - Complexity: O(n / 64 + r) for n elements and r records.
  func memory() -> [Memory] {
    var result: [Memory] = []
    var records: [(record: Int, parent: Int, position: Int)] = [(0, -1, 0)]
    var next = 0
    while next < records.count {
      let (record, parent, position) = records[next]
      result.append(Memory(parent: parent, position: position, verdicts: translation.value.passes(in: record)))
      for (position, child) in translation.value.children(of: record) {
        if translation.value.records[child].isLoaded { records.append((child, next, position)) }
      }
      next += 1
    }
    return result
  }

  /// The verdicts of a memory, by the records that there are now.
  func recall(_ memory: [Memory]) -> [Int: BitRun] {
    var records: [Int] = []
    var result: [Int: BitRun] = [:]
    for entry in memory {
      var record = 0
      if entry.parent >= 0 {
        let parent = records[entry.parent]
        record =
          parent >= 0 && entry.position < translation.value.childCount(of: parent)
          ? translation.value.record(ofChild: entry.position, of: parent) : -1
      }
      records.append(record)
      if record >= 0, translation.value.records[record].shown.count == entry.verdicts.count {
        result[record] = entry.verdicts
      }
    }
    return result
  }
}
