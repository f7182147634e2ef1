public import Foundation
import OffsetIndexing

// Each of these publishes one delta of rows.
extension OutlineNode {
  /// What is expanded, by id; setting it expands and collapses what differs.
  ///
  /// Observers hear exactly which rows came and went. Nodes that have no value, and so no id, follow the policy then.
  ///
  /// - Complexity: O(1) to read. To set: O(n) for the n children of all nodes that are expanded before or after.
  public var expansion: ExpansionState<ID> {
    get { state.value.expansion }
    set { show(newValue, savedExpansion: state.value.savedExpansion) }
  }

  /// Expands every node, and forgets all choices.
  ///
  /// Every node of the tree is asked for its children; a tree without end needs `expand(toDepth:)`. What has been expanded
  /// before, all of it, and collapsed at once is followed meanwhile, and is not asked again.
  ///
  /// - Complexity: O(n) for the n children of nodes that have not been expanded yet, or of which some was collapsed alone; where
  ///   there are none, O(b · log b) for b children of the root that are nodes, however large the tree is.
  public func expandAll() { expansion = ExpansionState(policy: .expanded) }

  /// Collapses every node, and forgets all choices.
  ///
  /// - Complexity: O(b · log b) for b children of the root that are nodes, where everything is expanded; otherwise O(e) for e nodes
  ///   that are or were expanded.
  public func collapseAll() { expansion = ExpansionState(policy: .collapsed) }

  /// Expands the nodes at the first depths, collapses all others, and forgets all choices.
  ///
  /// - Parameter depth: the number of depths, at least 0: 1 expands the children of the root.
  /// - Complexity: O(n) for the n children of all nodes that are expanded before or after.
  public func expand(toDepth depth: Int) { expansion = ExpansionState(policy: .depth(depth)) }

  // MARK: One row

  /// Shows the children of the node in a row.
  ///
  /// Observers hear of the rows that come below. A leaf, or a node that is expanded already, stays as it is.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - origin: who chooses that.
  /// - Complexity: O(log n), and the propagation; the first time also the children of the node, and
  ///   of all nodes below that are expanded as well.
  public func expand(row: Int, by origin: ExpansionOrigin = .user) { setExpanded(true, row: row, by: origin) }

  /// Hides the rows below a row; what is expanded among them is expanded when they are shown again.
  ///
  /// Observers hear of the rows that go.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - origin: who chooses that.
  /// - Complexity: O(log n), and the propagation.
  public func collapse(row: Int, by origin: ExpansionOrigin = .user) { setExpanded(false, row: row, by: origin) }

  /// Expands the node in a row if it is collapsed, and collapses it if it is expanded.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - origin: who chooses that.
  /// - Complexity: that of `expand(row:by:)`.
  public func toggle(row: Int, by origin: ExpansionOrigin = .user) {
    checkPosition(row, in: count, of: "OutlineNode")
    setExpanded(nil, row: row, by: origin)
  }

  /// Expands or collapses the node in a row; where nothing is said, to the contrary of what it is.
  private func setExpanded(_ isExpanded: Bool?, row: Int, by origin: ExpansionOrigin) {
    checkPosition(row, in: count, of: "OutlineNode")
    let (parent, position, own) = state.value.translation.locate(row)
    let wasExpanded = own.map { state.value.translation.isExpanded($0) } ?? false
    setExpanded(isExpanded ?? !wasExpanded, at: position, of: state.value.node(parent), (parent, own), by: origin)
  }

  // MARK: By path

  /// Expands or collapses the node at a path, visible or not.
  ///
  /// Where an ancestor is collapsed, no row comes or goes; but the choice is made, and shows when the ancestors are
  /// expanded.
  ///
  /// - Parameters:
  ///   - isExpanded: whether it is to be expanded.
  ///   - path: a path in the tree; for a leaf nothing happens.
  ///   - origin: who chooses that.
  /// - Precondition: the path is not empty, and in range.
  /// - Complexity: that of `expand(row:by:)`.
  public func setExpanded(_ isExpanded: Bool, at path: IndexPath, by origin: ExpansionOrigin = .user) {
    guard let position = path.last else { trap("The path [] is the root of the outline, which has no row.") }
    let parent = root.requireNode(at: path.dropLast(), for: path)
    require(
      position >= 0 && position < parent.count,
      "The path \(path.sentence) is out of range: there are \(parent.count) children at \(path.dropLast().sentence).")
    let record = state.value.translation.record(at: path.dropLast())
    setExpanded(
      isExpanded, at: position, of: record.map { state.value.node($0) } ?? .object(parent),
      record.map { ($0, state.value.translation.record(ofChild: position, of: $0)) }, by: origin)
  }

  /// Whether the node at a path is expanded; where an ancestor is not, whether it was, or will be by its state.
  ///
  /// - Parameter path: a path in the tree.
  /// - Returns: whether it is; false for a leaf and where there is no such child.
  /// - Complexity: O(d · log n) for a path of length d.
  public func isExpanded(at path: IndexPath) -> Bool {
    guard let position = path.last else { return true }
    if let record = state.value.translation.record(at: path) {
      return state.value.translation.isExpanded(record)
    }
    // Siblings of recorded children, that have no record themselves, are collapsed.
    guard state.value.translation.record(at: path.dropLast()) == nil,
      let parent = root.child(at: path.dropLast()), parent.child(at: position) != nil
    else { return false }
    let id = hub.refusingChanges { parent.element(at: position).map(functions.id) }
    return state.value.expansion.isExpanded(id, depth: path.count - 1)
  }

  private func setExpanded(
    _ isExpanded: Bool, at position: Int, of parent: SourceBranch,
    _ records: (parent: Record, own: Record?)?, by origin: ExpansionOrigin
  ) {
    hub.prepareForChange(.wait)
    guard let child = hub.refusingChanges({ state.value.sources.child(at: position, of: parent) }) else { return }
    let wasExpanded = records?.own.map { state.value.translation.isExpanded($0) } ?? false
    guard records != nil, wasExpanded != isExpanded, let node = loadingNode(child) else {
      return setExpanded(isExpanded, child, at: position, of: parent, records, by: origin)
    }
    performUpdates {
      setExpanded(isExpanded, child, at: position, of: parent, records, by: origin)
      if isExpanded { node.resumeLoads() } else { node.suspendLoads() }
    }
  }

  private func setExpanded(
    _ isExpanded: Bool, _ child: SourceBranch, at position: Int, of parent: SourceBranch,
    _ records: (parent: Record, own: Record?)?, by origin: ExpansionOrigin
  ) {
    // Only a change that may be taken back needs to know it.
    let former = hub.isRecording ? choice(at: position, of: parent) : nil
    state.value.sources.reading(parent) { reader in
      unsafe functions.choose(state.pointer, reader, position, isExpanded, origin) { hub.refusingChanges($0) }
    }
    guard let (record, own) = records else {
      // No row comes or goes: only the choice is taken back.
      return hub.publish(ChangeSet(), of: .view, inverse: choosing(former, nil))
    }
    var edit = OutlineEdit()
    let wasExpanded = own.map { state.value.translation.isExpanded($0) } ?? false
    if let own {
      edit.setExpanded(isExpanded, own, of: &state.value.translation)
    } else if isExpanded {
      let plan = hub.refusingChanges { self.plan(child, depth: depth(ofChildrenOf: record)) }
      if plan.nodes.count == 1, let parked = state.value.translation.shape.branch(at: position, of: record) {
        state.value.translation.unparkAlone(parked)
        edit.setExpanded(true, parked, of: &state.value.translation)
      } else {
        state.value.install(plan, at: position, of: record, &edit)
      }
    }
    var released: [any TreeNode] = []
    state.value.discardOrphans(to: &released)
    defer { withExtendedLifetime(released) {} }
    hub.publish(
      ChangeSet(edit.rows.net()), of: .view,
      inverse: choosing(former, (wasExpanded, at: state.value.translation.path(ofRecord: record) + [position])))
  }

  /// What is chosen for a child now; nil where it has no value.
  private func choice(at position: Int, of parent: SourceBranch) -> OutlineChoice<ID>? {
    let id = hub.refusingChanges { state.value.sources.element(at: position, of: parent).map(functions.id) }
    return id.map { OutlineChoice(for: $0, in: state.value.expansion) }
  }

  // MARK: For a while

  /// Shows the tree as if no choice had been made, until `endTemporaryExpansion()`.
  ///
  /// Use it for a search: its results are expanded, and afterwards everything is as it was. Expanding and collapsing goes on
  /// as usual in between, but is forgotten with the rest. Beginning again changes the policy.
  ///
  /// - Parameter policy: what is expanded meanwhile.
  /// - Complexity: O(n) for the n children of all nodes that are expanded before or after.
  public func beginTemporaryExpansion(_ policy: ExpansionPolicy = .expanded) {
    show(ExpansionState(policy: policy), savedExpansion: state.value.savedExpansion ?? state.value.expansion)
  }

  /// Restores what was expanded when the temporary expansion began; does nothing where none has.
  ///
  /// - Complexity: O(n) for the n children of all nodes that are expanded before or after.
  public func endTemporaryExpansion() {
    if let saved = state.value.savedExpansion { show(saved, savedExpansion: nil) }
  }

  /// Whether a temporary expansion has begun and not ended.
  public var isTemporarilyExpanded: Bool { state.value.savedExpansion != nil }

  // MARK: All that differs

  /// Expands and collapses whatever is not as a state says, from the root downwards.
  private func show(_ expansion: ExpansionState<ID>, savedExpansion: ExpansionState<ID>?) {
    hub.prepareForChange(.wait)
    guard loadingNode(state.value.sources.node(TreeIndex.root)) != nil else {
      var loading = OutlineLoads()
      return show(expansion, savedExpansion, &loading)
    }
    performUpdates {
      var loading = OutlineLoads(isWanted: true)
      show(expansion, savedExpansion, &loading)
      for node in loading.hidden { node.suspendLoads() }
      for node in loading.shown { node.resumeLoads() }
    }
  }

  private func show(
    _ expansion: ExpansionState<ID>, _ savedExpansion: ExpansionState<ID>?, _ loading: inout OutlineLoads
  ) {
    let former = setting
    // Taken down only where it may be wanted back: that takes a pass over the records.
    let memory = hub.isRecording ? OutlineMemory(state.value.translation) : nil
    state.value.expansion = expansion
    state.value.savedExpansion = savedExpansion
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    // What comes back later is as the new state says.
    forgetDeparted(&released)
    var edit = OutlineEdit()
    hub.refusingChanges {
      var open = [(record: TreeIndex.root, depth: 0)]
      var seen: [Record] = []
      while let (record, depth) = open.popLast() {
        if expansion.isAll, state.value.translation.marks(of: record).contains(.full) {
          open += expandParked(in: record, &edit, &loading).map { ($0, depth + 1) }
        } else {
          open += show(in: record, depth: depth, &edit, &released, &loading).map { ($0, depth + 1) }
          seen.append(record)
        }
      }
      if expansion.isAll { state.value.translation.setFull(seen) }
      state.value.discardOrphans(to: &released)
    }
    hub.publish(
      ChangeSet(edit.rows.net()), of: .view,
      inverse: showing(former, memory ?? OutlineMemory(state.value.translation)))
  }

  /// Expands what is parked in a full record.
  ///
  /// - Returns: the children's records that may have something parked inside.
  private func expandParked(
    in record: Record, _ edit: inout OutlineEdit, _ loading: inout OutlineLoads
  ) -> [Record] {
    guard state.value.translation.marks(of: record).contains(.hasParked) else { return [] }
    state.value.translation.clearParked(below: record)
    var further: [Record] = []
    var parked: [Record] = []
    for (_, child) in state.value.translation.children(of: record) {
      if state.value.translation.marks(of: child).contains(.parked) {
        if loading.isWanted { loading.note(loadingNode(state.value.node(child)), isShown: true) }
        parked.append(child)
      }
      if state.value.translation.marks(of: child).contains(.hasParked) { further.append(child) }
    }
    edit.unpark(parked, of: &state.value.translation)
    return further
  }

  /// Expands and collapses the children of a record's node as the state says.
  ///
  /// - Returns: the children's records where to go on.
  private func show(
    in record: Record, depth: Int, _ edit: inout OutlineEdit, _ released: inout [any TreeNode],
    _ loading: inout OutlineLoads
  ) -> [Record] {
    let isAll = state.value.expansion.isAll
    if isAll { state.value.translation.clearParked(below: record) }
    let count = state.value.translation.shape.childCount(of: record)
    let wanted = expandedChildren(
      in: 0..<count, of: state.value.node(record), depth: depth)
    // What is collapsed is built anew when it is expanded, because the state may say something else inside.
    var further: [Record] = []
    var next = 0
    for (position, child) in state.value.translation.children(of: record) {
      while next < wanted.count, wanted[next].position < position { next += 1 }
      let isWanted = next < wanted.count && wanted[next].position == position
      let marks = state.value.translation.marks(of: child)
      if loading.isWanted, isWanted != state.value.translation.isExpanded(child) {
        loading.note(loadingNode(state.value.node(child)), isShown: isWanted)
      }
      if isWanted, marks.contains(.parked), isAll {
        edit.unpark([child], of: &state.value.translation)
        if marks.isDisjoint(with: .full) || marks.contains(.hasParked) { further.append(child) }
      } else if isWanted, state.value.translation.isExpanded(child) {
        further.append(child)
      } else if !isWanted, marks.contains(.full) {
        edit.park(child, of: &state.value.translation)
      } else {
        edit.detach(child, of: &state.value.translation)
        state.value.discard([child], to: &released)
      }
    }
    for child in wanted where state.value.translation.record(ofChild: child.position, of: record) == nil {
      let plan = plan(child.node, depth: depth)
      if loading.isWanted {
        for node in plan.nodes { loading.note(loadingNode(node), isShown: true) }
      }
      state.value.install(plan, at: child.position, of: record, &edit)
    }
    return further
  }
}
