import OffsetIndexing

// Settings of the whole outline. Each of them publishes one delta of rows.
extension OutlineNode {
  /// The expanded nodes, by id; a new value expands and collapses the nodes that differ.
  ///
  /// Observers receive exactly the rows that are shown and hidden. A node without a value has no id, and follows the
  /// policy of the new value.
  ///
  /// - Complexity: O(1) to read. To set: O(n) for the n children of all nodes that are expanded before or after.
  public var expansion: ExpansionState<ID> {
    get { state.value.expansion }
    set { show(newValue, savedExpansion: state.value.savedExpansion) }
  }

  /// Expands every node, and forgets all choices.
  ///
  /// Every node of the tree is asked for its children; for a tree without end, use `expand(toDepth:)`. If nodes were
  /// all expanded and then collapsed at once, the outline follows them meanwhile, and does not ask them again.
  ///
  /// - Complexity: O(n) for the n children of nodes that have not been expanded yet, or that have a child that was
  ///   collapsed alone. If there are no such nodes, O(b · log b) for b children of the root that are nodes, in a tree
  ///   of any size.
  public func expandAll() { expansion = ExpansionState(policy: .expanded) }

  /// Collapses every node, and forgets all choices.
  ///
  /// - Complexity: O(b · log b) for b children of the root that are nodes, if everything is expanded; otherwise O(e)
  ///   for e nodes that are or were expanded.
  public func collapseAll() { expansion = ExpansionState(policy: .collapsed) }

  /// Expands the nodes at the first depths, collapses all others, and forgets all choices.
  ///
  /// - Parameter depth: the number of depths, at least 0: 1 expands the children of the root.
  /// - Complexity: O(n) for the n children of all nodes that are expanded before or after.
  public func expand(toDepth depth: Int) { expansion = ExpansionState(policy: .depth(depth)) }

  // MARK: Temporary expansion

  /// Shows the tree as if no choice had been made, until `endTemporaryExpansion()`.
  ///
  /// Use a temporary expansion for a search: its results are expanded, and afterwards `expansion` is as before. Nodes
  /// can be expanded and collapsed as usual in between, but these choices are forgotten at the end. A second call
  /// changes the policy.
  ///
  /// - Parameter policy: the rule until the temporary expansion ends.
  /// - Complexity: O(n) for the n children of all nodes that are expanded before or after.
  public func beginTemporaryExpansion(_ policy: ExpansionPolicy = .expanded) {
    show(ExpansionState(policy: policy), savedExpansion: state.value.savedExpansion ?? state.value.expansion)
  }

  /// Restores the expansion that was current when the temporary one began; does nothing if none has begun.
  ///
  /// - Complexity: O(n) for the n children of all nodes that are expanded before or after.
  public func endTemporaryExpansion() {
    if let saved = state.value.savedExpansion { show(saved, savedExpansion: nil) }
  }

  /// Whether a temporary expansion has begun and not ended.
  package var isTemporarilyExpanded: Bool { state.value.savedExpansion != nil }

  // MARK: Nodes that differ from a state

  /// Expands and collapses all nodes that differ from a state, from the root downwards.
  func show(_ expansion: ExpansionState<ID>, savedExpansion: ExpansionState<ID>?) {
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
    state.value.expansion = expansion
    state.value.savedExpansion = savedExpansion
    var rows = RowBlocks(count: count)
    var turned: [(position: Int, parent: Record)] = []
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    hub.refusingChanges {
      var steps = OutlineSteps()
      var open = [(record: TreeIndex.root, depth: 0)]
      var seen: [Record] = []
      while let (record, depth) = open.popLast() {
        let further: [Record]
        if expansion.isAll, state.value.translation.marks(of: record).contains(.full) {
          further = expandParked(in: record, &steps, &loading)
        } else {
          further = show(in: record, depth: depth, &steps, &loading)
          seen.append(record)
        }
        open += further.map { ($0, depth + 1) }
      }
      if !drawers.isEmpty { turned = steps.turned(in: state.value.translation) }
      perform(steps, &rows, &loading, &released)
      if expansion.isAll { state.value.translation.setFull(seen) }
    }
    publish(rows, turning: turned, inverseTo: former)
  }

  /// Finds the parked records, among the children of a full record, that are to be expanded.
  ///
  /// - Returns: the records of the children that may have parked records below them.
  private func expandParked(
    in record: Record, _ steps: inout OutlineSteps, _ loading: inout OutlineLoads
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
    steps.unparked.append(parked)
    return further
  }

  /// Finds the children of a record's node that are to be expanded or collapsed.
  ///
  /// - Returns: the records of the children whose own children are to be looked at next.
  private func show(
    in record: Record, depth: Int, _ steps: inout OutlineSteps, _ loading: inout OutlineLoads
  ) -> [Record] {
    let isAll = state.value.expansion.isAll
    if isAll { state.value.translation.clearParked(below: record) }
    let count = state.value.translation.shape.childCount(of: record)
    let wanted = expandedChildren(in: 0..<count, of: state.value.node(record), depth: depth)
    // A node that was collapsed is looked at again, because the state may say something else about the nodes below.
    var further: [Record] = []
    var kept: Set<Int> = []
    var next = 0
    for (position, child) in state.value.translation.children(of: record) {
      while next < wanted.count, wanted[next].position < position { next += 1 }
      let isWanted = next < wanted.count && wanted[next].position == position
      let marks = state.value.translation.marks(of: child)
      if loading.isWanted, isWanted != state.value.translation.isExpanded(child) {
        loading.note(loadingNode(state.value.node(child)), isShown: isWanted)
      }
      if !isWanted {
        if marks.contains(.full) { steps.parked.append(child) } else { steps.removed.append(child) }
      } else if marks.contains(.parked), isAll {
        kept.insert(position)
        steps.unparked.append([child])
        if marks.isDisjoint(with: .full) || marks.contains(.hasParked) { further.append(child) }
      } else if state.value.translation.isExpanded(child) {
        kept.insert(position)
        further.append(child)
      }
    }
    for child in wanted where !kept.contains(child.position) { steps.made.append((child, record)) }
    return further
  }

  private func perform(
    _ steps: OutlineSteps, _ rows: inout RowBlocks, _ loading: inout OutlineLoads, _ released: inout [any TreeNode]
  ) {
    for record in steps.parked + steps.removed { rows.hide(below: record, state.value.translation) }
    for record in steps.parked { state.value.translation.park(record) }
    for record in steps.removed { state.value.translation.cutOut(record) }
    state.value.discard(steps.removed, to: &released)
    for records in steps.unparked {
      state.value.translation.unpark(records)
      for record in records { rows.append(.below(record)) }
    }
    for (child, parent) in steps.made {
      let plan = plan(child)
      if loading.isWanted {
        for node in plan.nodes { loading.note(loadingNode(node), isShown: true) }
      }
      rows.append(.below(state.value.install(plan, at: child.position, of: parent)))
    }
    state.value.discard(state.value.translation.takeOrphans(), to: &released)
  }

  // MARK: Restoring

  /// The present setting, for a roll-back.
  var setting: OutlineSetting<ID> {
    OutlineSetting(expansion: state.value.expansion, savedExpansion: state.value.savedExpansion)
  }

  /// Reports a setting.
  func publish(
    _ rows: RowBlocks, turning turned: [(position: Int, parent: Record)], inverseTo former: OutlineSetting<ID>?
  ) {
    publish(
      rows.delta(state.value.translation), turning: turned,
      inverse: { [self] in if let former { show(former.expansion, savedExpansion: former.savedExpansion) } })
  }
}

/// The expansion of an outline, and the expansion that is restored when a temporary one ends.
struct OutlineSetting<ID: Hashable & Sendable> {
  let expansion: ExpansionState<ID>
  let savedExpansion: ExpansionState<ID>?
}

/// The steps that make the rows follow a state. They are found before anything is changed.
private struct OutlineSteps {
  typealias Record = OutlineTranslation.Record

  var parked: [Record] = []
  var removed: [Record] = []
  /// Lists of records; each list has children of one node in order.
  var unparked: [[Record]] = []
  var made: [(child: OutlinePlan.Child, parent: Record)] = []

  /// The children that are to be expanded or collapsed.
  func turned(in translation: OutlineTranslation) -> [(position: Int, parent: Record)] {
    // A record that is forgotten may be a collapsed one.
    let records = (parked + removed).filter { translation.isExpanded($0) } + unparked.joined()
    return made.map { ($0.child.position, $0.parent) }
      + records.map { (translation.position(of: $0), translation.shape.parent(of: $0)!) }
  }
}

// MARK: - Loading

/// The nodes that load their children, and whose children are shown or hidden from now on.
private struct OutlineLoads {
  /// Whether the tree has such nodes.
  var isWanted = false
  private(set) var shown: [any LoadingNode] = []
  private(set) var hidden: [any LoadingNode] = []

  mutating func note(_ node: (any LoadingNode)?, isShown: Bool) {
    guard let node else { return }
    if isShown { shown.append(node) } else { hidden.append(node) }
  }
}

extension OutlineNode {
  /// A node as a loading node, if it loads its children only while they are shown.
  func loadingNode(_ node: SourceBranch) -> (any LoadingNode)? {
    switch node {
    case .object(let object):
      guard let loading = object as? any LoadingNode, loading.loadsFromAfar else { return nil }
      return loading
    case .branch(let branch):
      guard state.value.sources.isHierarchy, let hierarchy = state.value.sources.hierarchy,
        hierarchy.supply.loader != nil
      else { return nil }
      return hierarchy.node(of: branch)
    }
  }
}
