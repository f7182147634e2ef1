// What the tree changes.
extension OutlineNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    // Released at the end: that may run code of the elements.
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    let memory = hub.recall(OutlineMemory.self)
    if change.mayFreeRecords { hub.remember(OutlineMemory(state.value.translation)) }
    guard change.crossings.isEmpty else { return translateWithTransfers(change, restoring: memory, &released) }
    forgetDeparted(&released)
    var edit = OutlineEdit()
    apply(change, to: 0, &edit, &released)
    // What a rolled back change had taken away is expanded as it was, also where no state tells.
    if let memory { recall(memory, &edit, &released) }
    state.value.discardOrphans(to: &released)
    return ChangeSet(edit.rows.net(), updatesValue: change.updatesValue)
  }

  /// Brings a record, and those below it, up to date with what happened in its node.
  func apply(
    _ change: ChangeSet, to record: Int, _ edit: inout OutlineEdit, _ released: inout [any TreeNode]
  ) {
    let nodes = change.nodes
    let depth = depth(ofChildrenOf: record)
    var walk = OutlineWalk(from: record, tag: nodes.count)
    while let (record, index) = walk.next(&state.value.translation) {
      let delta = index == nodes.count ? change.level : nodes[index].delta
      if !delta.isEmpty { applyLevel(delta, to: record, &walk, &edit, &released) }
      // Where a child has no record, nothing of what happened inside it is, or has been, visible.
      ChangeSet.forEachChildBackward(of: index, in: nodes) { child in
        let record = state.value.translation.anyRecord(ofChild: nodes[child].position, of: record)
        if record >= 0 { walk.visit(record, tag: child) }
      }
      // Last, because records that are made now are up to date already.
      if !delta.isEmpty { lookAtChildren(delta, of: record, depth: depth + walk.depth, &walk, &edit, &released) }
    }
  }

  /// Takes children out, moves them and makes room for new ones.
  private func applyLevel(
    _ delta: Delta, to record: Int, _ walk: inout OutlineWalk, _ edit: inout OutlineEdit,
    _ released: inout [any TreeNode]
  ) {
    let removed = walk.apply(delta, &edit, &state.value.translation)
    state.value.discard(removed, to: &released)
    let node = state.value.node(record)
    require(
      state.value.translation.records[record].level.count == node.count,
      """
      OutlineNode: a \(type(of: node)) has \(node.count) children, but according to what it told it has \
      \(state.value.translation.records[record].level.count).
      """)
  }

  /// Expands new children as the state says, and looks whether updated ones are nodes still, or have become nodes.
  private func lookAtChildren(
    _ delta: Delta, of record: Int, depth: Int, _ walk: inout OutlineWalk, _ edit: inout OutlineEdit,
    _ released: inout [any TreeNode]
  ) {
    var lost: [Int] = []
    let node = state.value.node(record)
    for range in delta.updates {
      var entries: [OutlineLevel.Entry] = []
      state.value.translation.records[record].level.forEachEntry(in: range) { entry, _ in entries.append(entry) }
      for entry in entries {
        if let child = node.child(at: entry.position) {
          let reader = child.reader
          state.value.nodes[entry.record].map { released.append($0) }
          state.value.nodes[entry.record] = child
          state.value.readers[entry.record] = reader
        } else {
          walk.detach(entry.record, &edit, &state.value.translation)
          lost.append(entry.record)
        }
      }
    }
    if !lost.isEmpty {
      walk.skip(Set(lost))
      state.value.discard(lost, to: &released)
    }
    let expansion = state.value.expansion
    if !expansion.isAll, !delta.insertions.isEmpty || !delta.updates.isEmpty {
      state.value.translation.noLongerFull(record)
    }
    guard expansion.hasChoices || expansion.policy != .collapsed else { return }
    let reader = state.value.readers[record]!
    for range in Array(delta.insertions) + Array(delta.updates) {
      for child in expandedChildren(in: range, of: node, reader, depth: depth)
      where state.value.translation.record(ofChild: child.position, of: record) < 0 {
        let record = state.value.install(plan(child.node, at: child.position, depth: depth))
        walk.attach(record, at: child.position, &edit, &state.value.translation)
      }
    }
  }

  /// The depth of the children of a record's node; found only where the policy asks for it.
  func depth(ofChildrenOf record: Int) -> Int {
    guard case .depth = state.value.expansion.policy else { return 0 }
    return state.value.translation.depth(ofRecord: record)
  }

  /// Frees what left with an earlier change and did not come back.
  func forgetDeparted(_ released: inout [any TreeNode]) {
    guard !state.value.departed.isEmpty else { return }
    let records = state.value.departed.map { $0.record }
    state.value.departed = []
    state.value.discard(records, to: &released)
  }
}

extension ChangeSet {
  /// Whether children may have left that had records.
  fileprivate var mayFreeRecords: Bool {
    !level.removals.isEmpty || !level.updates.isEmpty || !crossings.isEmpty
      || nodes.contains { !$0.delta.removals.isEmpty || !$0.delta.updates.isEmpty }
  }
}
