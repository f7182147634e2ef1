import OffsetIndexing

// Changes of the tree.
extension OutlineNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    var change: ChangeSet
    if let edit = state.value.pending {
      state.value.pending = nil
      // Where handles have changed, the outline may not know the handle of the edit yet.
      if !state.value.hasOtherHandles {
        let rows = translate(edit)
        if !drawers.isEmpty { noteDrawing(rows.delta, redrawing: redrawnRows(after: edit)) }
        return rows
      }
      change = state.value.sources.change(edit)
    } else {
      change = changes.takeOnlyChange(of: self)
      // A child that arrives from outside the tree is new here.
      change.dropOpenCrossings()
    }
    let rows = translate(change)
    if !drawers.isEmpty { noteDrawing(rows.delta, redrawing: redrawnRows(after: change)) }
    return rows
  }

  /// Translates a change of the tree.
  private func translate(_ change: ChangeSet) -> ChangeSet {
    if !state.value.hasOtherHandles, let rows = translateLeaves(change) { return ChangeSet(rows) }
    return ChangeSet(apply(change, to: TreeIndex.root), updatesValue: change.updatesValue)
  }

  /// Translates an edit of one branch of the followed tree.
  private func translate(_ edit: ShapeEdit) -> ChangeSet {
    guard let record = state.value.sources.record(of: edit.branch) else { return ChangeSet() }
    if edit.isOfLeaves, let rows = rearrangeLeaves(edit.kind, of: record) { return ChangeSet(rows) }
    return ChangeSet(apply(ChangeSet(edit.delta), to: record))
  }

  /// Brings a record and the records below it up to date with a change of its node: see `OutlineChange`.
  ///
  /// - Returns: the change of the rows.
  private func apply(_ change: ChangeSet, to record: Record) -> Delta {
    // These are released at the end, because a release may run code of the elements.
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    let renewsAll = state.value.hasOtherHandles
    state.value.hasOtherHandles = false
    var renewed: [Record] = []
    var work = OutlineChange(rowCount: state.value.translation.count)
    work.note(
      change, of: record, depth: depth(ofChildrenOf: record), state.value.translation, renewsAll: renewsAll
    ) { record, place in
      let renewal = renew(record, node(at: place), &released)
      if renewal == .renewed { renewed.append(record) }
      return renewal
    }
    work.cut(&state.value.translation)
    for level in work.levels {
      state.value.forget(state.value.translation.rearrange(level.delta, in: level.record), to: &released)
      checkCount(of: level.record)
    }
    for level in work.levels { lookAtChildren(level, &work) }
    work.paste(&state.value.translation)
    let rows = work.rows.delta(state.value.translation)
    renewChildren(of: renewsAll ? nil : renewed, &released)
    let lost = work.detached.filter { state.value.translation.isDetached($0) } + state.value.translation.takeOrphans()
    state.value.discard(lost, to: &released)
    return rows
  }

  /// Expands new children, and children that have become nodes, as the state says.
  private func lookAtChildren(_ level: OutlineChange.Level, _ work: inout OutlineChange) {
    let (inserted, updated) = (level.delta.insertions, level.delta.updates)
    if inserted.isEmpty && updated.isEmpty { return }
    let expansion = state.value.expansion
    if !expansion.isAll { state.value.translation.noLongerFull(level.record) }
    guard expansion.hasChoices || expansion.policy != .collapsed else { return }
    let node = state.value.node(level.record)
    for range in inserted {
      for child in expandedChildren(in: range, of: node, depth: level.depth, step: level.step, work.goals) {
        state.value.install(plan(child, work.goals), at: child.position, of: level.record)
      }
    }
    for range in updated {
      for child in expandedChildren(in: range, of: node, depth: level.depth, step: level.step, work.goals)
      where state.value.translation.record(ofChild: child.position, of: level.record) == nil {
        work.rows.append(.below(state.value.install(plan(child, work.goals), at: child.position, of: level.record)))
      }
    }
  }

  /// The depth of the children of a record's node; 0 if the policy does not ask for a depth.
  func depth(ofChildrenOf record: Record) -> Int {
    guard case .depth = state.value.expansion.policy else { return 0 }
    return state.value.translation.depth(ofRecord: record)
  }

  // MARK: Nodes that may have changed

  /// The node of a child; nil for a leaf.
  private func node(at place: OutlineChange.ChildPlace) -> SourceBranch? {
    switch place {
    case .child(let position, let parent): return state.value.sources.child(at: position, of: state.value.node(parent))
    case .path(let path):
      var node: SourceBranch? = state.value.node(TreeIndex.root)
      for position in path { node = node.flatMap { state.value.sources.child(at: position, of: $0) } }
      return node
    }
  }

  /// Makes a node the node of a record, if the record had another one.
  private func renew(
    _ record: Record, _ node: SourceBranch?, _ released: inout [any TreeNode]
  ) -> OutlineChange.Renewal {
    guard let node else { return .leaf }
    guard let former = state.value.sources.insert(node, for: record) else { return .unchanged }
    if case .object(let object) = former { released.append(object) }
    return .renewed
  }

  /// Asks again for the nodes below renewed records.
  ///
  /// - Parameters:
  ///   - renewed: the records of the renewed nodes; nil if all nodes are asked for.
  ///   - released: receives objects that are given up.
  private func renewChildren(of renewed: [Record]?, _ released: inout [any TreeNode]) {
    var open = renewed.map { $0.filter { !state.value.translation.isDetached($0) } } ?? [TreeIndex.root]
    while let record = open.popLast() {
      for (position, child) in state.value.translation.children(of: record) {
        let renewal = renew(child, node(at: .child(position, of: record)), &released)
        if renewal == .renewed || renewed == nil { open.append(child) }
      }
    }
  }

  /// Traps if the number of a node's children does not follow from its changes.
  private func checkCount(of record: Record) {
    let count = state.value.translation.shape.childCount(of: record)
    let present = state.value.sources.count(state.value.node(record))
    require(
      count == present,
      """
      OutlineNode: \(withArticle(type(of: state.value.object(record)))) has \(countedChildren(present)), but according to \
      its changes it has \(count).
      """)
  }
}

// The most frequent edits concern children of one node that have no records and get none. Such an edit takes one search
// in the outline's shape, and no lists.
extension OutlineNode {
  /// Translates a change of children of one node that are leaves.
  ///
  /// - Returns: the change of the rows; nil if the change needs more work. In that case nothing has been changed.
  private func translateLeaves(_ change: ChangeSet) -> Delta? {
    guard change.crossings.isEmpty, !change.updatesValue else { return nil }
    var record = TreeIndex.root
    var delta = change.level
    // Each node lies below the next one in the array: the deepest is the first.
    var index = change.nodes.count
    while index > 0 {
      index -= 1
      guard delta.isEmpty, change.nodes[index].size == index + 1 else { return nil }
      guard let child = state.value.translation.shape.branch(at: change.nodes[index].position, of: record) else {
        // Everything that has changed is hidden.
        return Delta()
      }
      record = child
      delta = change.nodes[index].delta
    }
    switch delta.storage {
    case .insertion(let range):
      return hasNoNodes(range, of: record) ? rearrangeLeaves(.inserted(range), of: record) : nil
    case .removal(let range): return rearrangeLeaves(.removed(range), of: record)
    case .update(let range):
      return hasNoNodes(range, of: record) ? rearrangeLeaves(.updated(range), of: record) : nil
    case .identity, .several: return nil
    }
  }

  /// Whether no child in a range is a node that might be expanded; false if the answer would take time.
  private func hasNoNodes(_ range: Range<Int>, of record: Record) -> Bool {
    if state.value.expansion.policy == .collapsed, !state.value.expansion.hasChoices { return true }
    let node = state.value.node(record)
    return range.count == 1 && state.value.sources.child(at: range.lowerBound, of: node) == nil
  }

  /// Removes or inserts children without records.
  private func rearrangeLeaves(_ kind: ShapeEdit.Kind, of record: Record) -> Delta? {
    guard let rows = state.value.translation.rearrangeLeaves(kind, of: record) else { return nil }
    // A followed tree counts its children itself.
    if state.value.sources.holdsObjects { checkCount(of: record) }
    if case .removed = kind { return rows }
    if !state.value.expansion.isAll { state.value.translation.noLongerFull(record) }
    return rows
  }
}

// MARK: - Following a tree

extension OutlineNode: ShapeFollower {
  var followingHub: NodeHub { hub }

  func follow(_ edit: ShapeEdit) { state.value.pending = edit }

  func renewHandles() {
    guard hub.graph.defers, !state.cell.value.hasOtherHandles else { return }
    state.cell.value.hasOtherHandles = true
    // The tree may report no change, so that no translation follows.
    hub.graph.whenSettled { [weak self] in
      guard let self, state.value.hasOtherHandles else { return }
      state.value.hasOtherHandles = false
      var released: [any TreeNode] = []
      renewChildren(of: nil, &released)
    }
  }

  func stopFollowing() { state.value.sources.leaveTree() }
}
