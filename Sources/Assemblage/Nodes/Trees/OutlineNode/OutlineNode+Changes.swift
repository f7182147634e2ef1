import OffsetIndexing

// What the tree changes.
extension OutlineNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    if let edit = state.value.pending {
      state.value.pending = nil
      return translate(edit)
    }
    let change = changes.takeOnlyChange(of: self)
    if let rows = translateLeaves(change) { return ChangeSet(rows) }
    // Released at the end: that may run code of the elements.
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    let memory = hub.recall(OutlineMemory.self)
    if change.mayFreeRecords { hub.remember(OutlineMemory(state.value.translation)) }
    state.value.hiding.begin(hub.listenedTransaction)
    guard change.crossings.isEmpty else { return translateWithTransfers(change, restoring: memory, &released) }
    forgetDeparted(&released)
    var edit = OutlineEdit()
    apply(change, to: TreeIndex.root, &edit, &released)
    // What a rolled back change had taken away is expanded as it was, also where no state tells.
    if let memory { recall(memory, &edit, &released) }
    state.value.discardOrphans(to: &released)
    var result = ChangeSet(edit.rows.net(), updatesValue: change.updatesValue)
    if !state.value.hiding.children.isEmpty {
      result.crossings = followHidden(ChangeSetMap(change), result.level)
    }
    return result
  }

  /// Translates an edit of one branch of a tree that is followed.
  private func translate(_ treeEdit: ShapeEdit) -> ChangeSet {
    if treeEdit.isOfLeaves, hasNoHistory {
      guard let record = state.value.sources.record(of: treeEdit.branch) else { return ChangeSet() }
      if let rows = rearrangeLeaves(treeEdit.kind, of: record) { return ChangeSet(rows) }
    }
    let change = ChangeSet(treeEdit.delta)
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    let memory = hub.recall(OutlineMemory.self)
    if change.mayFreeRecords { hub.remember(OutlineMemory(state.value.translation)) }
    forgetDeparted(&released)
    var edit = OutlineEdit()
    if let record = state.value.sources.record(of: treeEdit.branch) {
      apply(change, to: record, &edit, &released)
    }
    if let memory { recall(memory, &edit, &released) }
    state.value.discardOrphans(to: &released)
    var result = ChangeSet(edit.rows.net())
    state.value.hiding.begin(hub.listenedTransaction)
    if !state.value.hiding.children.isEmpty {
      result.crossings = followHidden(ChangeSetMap(state.value.sources.change(treeEdit)), result.level)
    }
    return result
  }

  /// Brings a record, and those below it, up to date with what happened in its node.
  func apply(
    _ change: ChangeSet, to record: Record, _ edit: inout OutlineEdit, _ released: inout [any TreeNode]
  ) {
    let nodes = change.nodes
    var open = [(record: record, index: nodes.count, depth: depth(ofChildrenOf: record))]
    while let (record, index, depth) = open.popLast() {
      let delta = index == nodes.count ? change.level : nodes[index].delta
      if !delta.isEmpty { applyLevel(delta, to: record, &edit, &released) }
      // Where a child has no record, nothing of what happened inside it is, or has been, visible.
      let start = open.count
      ChangeSet.forEachChildBackward(of: index, in: nodes) { child in
        let position = nodes[child].position
        if let record = state.value.translation.shape.branch(at: position, of: record) {
          open.append((record, child, depth + 1))
        }
      }
      // Last, because records that are made now are up to date already.
      guard !delta.isEmpty else { continue }
      let lost = lookAtChildren(delta, of: record, depth: depth, &edit, &released)
      if !lost.isEmpty { open[start...].removeAll { lost.contains($0.record) } }
    }
  }

  /// Takes children out, moves them and makes room for new ones.
  private func applyLevel(
    _ delta: Delta, to record: Record, _ edit: inout OutlineEdit, _ released: inout [any TreeNode]
  ) {
    let freed = edit.rearrange(delta, in: record, of: &state.value.translation)
    state.value.forget(freed, to: &released)
    checkCount(of: record)
  }

  /// Expands new children as the state says, and looks whether updated ones are nodes still, or have become nodes.
  ///
  /// - Returns: the records that are gone.
  private func lookAtChildren(
    _ delta: Delta, of record: Record, depth: Int, _ edit: inout OutlineEdit, _ released: inout [any TreeNode]
  ) -> Set<Record> {
    var lost: Set<Record> = []
    let node = state.value.node(record)
    for range in delta.updates {
      for (position, own) in state.value.translation.shape.branches(in: range, of: record) {
        if let child = state.value.sources.child(at: position, of: node) {
          state.value.forget([own], to: &released)
          state.value.sources.insert(child, for: own)
        } else {
          edit.detach(own, of: &state.value.translation)
          state.value.discard([own], to: &released)
          lost.insert(own)
        }
      }
    }
    let expansion = state.value.expansion
    if !expansion.isAll, !delta.insertions.isEmpty || !delta.updates.isEmpty {
      state.value.translation.noLongerFull(record)
    }
    guard expansion.hasChoices || expansion.policy != .collapsed else { return lost }
    for range in Array(delta.insertions) + Array(delta.updates) {
      for child in expandedChildren(in: range, of: node, depth: depth)
      where state.value.translation.record(ofChild: child.position, of: record) == nil {
        state.value.install(plan(child.node, depth: depth), at: child.position, of: record, &edit)
      }
    }
    return lost
  }

  /// The depth of the children of a record's node; found only where the policy asks for it.
  func depth(ofChildrenOf record: Record) -> Int {
    guard case .depth = state.value.expansion.policy else { return 0 }
    return state.value.translation.depth(ofRecord: record)
  }

  /// Frees what left with an earlier change and did not come back.
  func forgetDeparted(_ released: inout [any TreeNode]) {
    guard !state.value.departed.isEmpty else { return }
    let records = state.value.departed.compactMap { $0.record }
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

// MARK: - Following a tree

extension OutlineNode: ShapeFollower {
  var followingHub: NodeHub { hub }

  func follow(_ edit: ShapeEdit) { state.value.pending = edit }

  func stopFollowing() { state.value.sources.leaveForest() }
}
