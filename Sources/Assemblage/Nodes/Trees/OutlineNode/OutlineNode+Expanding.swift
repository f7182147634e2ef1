import OffsetIndexing

// Expands or collapses one node, or the nodes above one. Each of these methods publishes one delta of rows.
extension OutlineNode {
  // MARK: One row

  /// Shows the children of the node in a row.
  ///
  /// Observers receive the insertion of the rows below. A leaf, or a node that is expanded already, stays as it is.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - origin: who makes the choice.
  /// - Complexity: O(log n), and the propagation. The first time, O(c) more for the c children of the node and of all
  ///   nodes below that are expanded as well.
  public func expand(row: Int, by origin: ExpansionOrigin = .user) { setExpanded(true, row: row, by: origin) }

  /// Hides the rows below a row; expanded nodes among these rows are still expanded when they are shown again.
  ///
  /// Observers receive the removal of the rows.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - origin: who makes the choice.
  /// - Complexity: O(log n), and the propagation.
  public func collapse(row: Int, by origin: ExpansionOrigin = .user) { setExpanded(false, row: row, by: origin) }

  /// Expands the node in a row if it is collapsed, and collapses it if it is expanded.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - origin: who makes the choice.
  /// - Complexity: that of `expand(row:by:)`.
  public func toggle(row: Int, by origin: ExpansionOrigin = .user) {
    checkPosition(row, in: count, of: "OutlineNode")
    setExpanded(nil, row: row, by: origin)
  }

  /// Expands or collapses the node in a row; nil toggles it.
  private func setExpanded(_ isExpanded: Bool?, row: Int, by origin: ExpansionOrigin) {
    checkPosition(row, in: count, of: "OutlineNode")
    let (parent, position, own) = state.value.translation.locate(row)
    let wasExpanded = own.map { state.value.translation.isExpanded($0) } ?? false
    setExpanded(isExpanded ?? !wasExpanded, at: position, of: state.value.node(parent), parent, by: origin)
  }

  // MARK: By path

  /// Expands or collapses the node at a path, visible or not.
  ///
  /// If an ancestor is collapsed, no row is shown or hidden. But the choice is made, and is applied when the ancestors
  /// are expanded.
  ///
  /// - Parameters:
  ///   - isExpanded: whether the node is to be expanded.
  ///   - path: a path in the tree; a leaf stays as it is.
  ///   - origin: who makes the choice.
  /// - Precondition: the path is not empty, and in range.
  /// - Complexity: that of `expand(row:by:)`.
  public func setExpanded(_ isExpanded: Bool, at path: IndexPath, by origin: ExpansionOrigin = .user) {
    guard let position = path.last else { trap("The path [] is the root of the outline, which has no row.") }
    let parent = root.requireNode(at: path.dropLast(), for: path)
    checkComponent(position, in: parent.count, at: path.dropLast(), of: path)
    let record = state.value.translation.record(at: path.dropLast())
    setExpanded(
      isExpanded, at: position, of: record.map { state.value.node($0) } ?? .object(parent), record, by: origin)
  }

  /// Whether the node at a path is expanded.
  ///
  /// Below a collapsed ancestor, the answer says whether the node was expanded, or will be according to the state.
  ///
  /// - Parameter path: a path in the tree.
  /// - Returns: whether the node is expanded; false for a leaf, and if there is no such child.
  /// - Complexity: O(d · log n) for a path of length d.
  public func isExpanded(at path: IndexPath) -> Bool {
    guard let position = path.last else { return true }
    if let record = state.value.translation.record(at: path) {
      return state.value.translation.isExpanded(record)
    }
    // If the parent has a record, a child without a record is collapsed.
    guard state.value.translation.record(at: path.dropLast()) == nil,
      let parent = root.child(at: path.dropLast()), parent.child(at: position) != nil
    else { return false }
    let id = hub.refusingChanges { parent.element(at: position).map(functions.id) }
    return state.value.expansion.isExpanded(id, depth: path.count - 1)
  }

  /// Makes a choice for a child of a node, and applies the choice if the node has a record.
  private func setExpanded(
    _ isExpanded: Bool, at position: Int, of parent: SourceBranch, _ record: Record?, by origin: ExpansionOrigin
  ) {
    hub.prepareForChange(.wait)
    guard let child = hub.refusingChanges({ state.value.sources.child(at: position, of: parent) }) else { return }
    // Only a change that may be rolled back needs the former choices.
    let former = hub.isRecording ? choices(at: position, of: parent) : nil
    state.value.sources.reading(parent) { reader in
      unsafe functions.choose(state.cell.pointer, reader, position, isExpanded, origin) { hub.refusingChanges($0) }
    }
    if let record { return turn(isExpanded, child, at: position, of: record, inverseTo: former) }
    // No row is shown or hidden: a roll-back restores only the choice.
    hub.publish(ChangeSet(), of: .view, inverse: { [self] in restore(former, nil) })
  }

  /// Expands or collapses the child of a record's node, and reports the change.
  ///
  /// - Parameters:
  ///   - isExpanded: whether the child is to be expanded; nil if the child is to be collapsed, and the nodes below are
  ///     to be forgotten.
  ///   - child: the child's node.
  ///   - position: the child's position.
  ///   - parent: the record of the child's parent.
  ///   - former: the choices that a roll-back restores.
  private func turn(
    _ isExpanded: Bool?, _ child: SourceBranch, at position: Int, of parent: Record,
    inverseTo former: ExpansionState<ID>.Choices?
  ) {
    let own = state.value.translation.record(ofChild: position, of: parent)
    let wasExpanded = own.map { state.value.translation.isExpanded($0) }
    let turns = (wasExpanded ?? false) != (isExpanded ?? false)
    func change() {
      var released: [any TreeNode] = []
      defer { withExtendedLifetime(released) {} }
      let rows = show(isExpanded, child, own, at: position, of: parent, &released)
      publish(
        rows, turning: turns ? [(position, parent)] : [],
        inverse: { [self, path = state.value.translation.path(of: parent)!] in
          restore(former, (wasExpanded, path, position))
        })
    }
    guard turns, let node = loadingNode(child) else { return change() }
    performUpdates {
      change()
      if isExpanded == true { node.resumeLoads() } else { node.suspendLoads() }
    }
  }

  /// Expands or collapses a child as `turn` does, given the child's record.
  ///
  /// - Returns: the change of the rows.
  private func show(
    _ isExpanded: Bool?, _ child: SourceBranch, _ own: Record?, at position: Int, of parent: Record,
    _ released: inout [any TreeNode]
  ) -> Delta {
    var rows = RowBlocks(count: count)
    if let own {
      if state.value.translation.isExpanded(own) == isExpanded { return Delta() }
      if isExpanded == true { rows.append(.below(own)) } else { rows.hide(below: own, state.value.translation) }
      if let isExpanded {
        state.value.translation.setExpanded(isExpanded, own)
      } else {
        state.value.translation.noLongerFull(parent)
        state.value.translation.cutOut(own)
        state.value.discard([own], to: &released)
      }
    } else if isExpanded == true {
      let child = OutlinePlan.Child(position: position, node: child, depth: depth(ofChildrenOf: parent))
      let plan = hub.refusingChanges { self.plan(child) }
      if plan.nodes.count == 1, let parked = state.value.translation.shape.branch(at: position, of: parent) {
        state.value.translation.unparkAlone(parked)
        state.value.translation.setExpanded(true, parked)
        rows.append(.below(parked))
      } else {
        rows.append(.below(state.value.install(plan, at: position, of: parent)))
      }
      state.value.discard(state.value.translation.takeOrphans(), to: &released)
    }
    return rows.delta(state.value.translation)
  }

  /// Restores the choices for one node, and expands or collapses the node again.
  ///
  /// A node that the outline did not know is forgotten, because choices for nodes below may be restored as well.
  private func restore(
    _ former: ExpansionState<ID>.Choices?, _ formerly: (isExpanded: Bool?, parent: [Int], position: Int)?
  ) {
    hub.prepareForChange(.wait)
    let present = former.map { state.value.expansion.choices(for: $0.id) }
    if let former { state.value.expansion.restore(former) }
    if hub.graph.journal.hasLastingChange {
      return show(state.value.expansion, savedExpansion: state.value.savedExpansion)
    }
    guard let (isExpanded, path, position) = formerly, let parent = state.value.translation.record(at: path),
      position < state.value.translation.shape.childCount(of: parent),
      let child = state.value.sources.child(at: position, of: state.value.node(parent))
    else {
      return hub.publish(ChangeSet(), of: .view, inverse: { [self] in restore(present, formerly) })
    }
    turn(isExpanded, child, at: position, of: parent, inverseTo: present)
  }

  /// The choices for a child; nil if the child has no value.
  private func choices(at position: Int, of parent: SourceBranch) -> ExpansionState<ID>.Choices? {
    let id = hub.refusingChanges { state.value.sources.element(at: position, of: parent).map(functions.id) }
    return id.map { state.value.expansion.choices(for: $0) }
  }
}

extension OutlineNode {
  /// Expands all ancestors of a child, so that it has a row.
  ///
  /// - Parameters:
  ///   - path: a path in the tree.
  ///   - origin: who makes the choice; by default the program, whose choices can be forgotten together.
  /// - Returns: the child's row, before observers are notified.
  /// - Precondition: the path is not empty, and in range.
  /// - Complexity: that of `expand(row:by:)`, once for all ancestors; O(r + c) more for r records and c choices in a
  ///   transaction that may be rolled back.
  @discardableResult
  public func reveal(_ path: IndexPath, by origin: ExpansionOrigin = .program) -> Int {
    require(!path.isEmpty, "The path [] is the root of the outline, which has no row.")
    // Observers may edit the tree, so they are notified after the row has been found.
    return performUpdates {
      expandAncestors(of: Array(path), by: origin)
      guard let row = row(ofPath: path) else {
        trap("The path \(path.sentence) is out of range: there is no such child in the tree of the outline.")
      }
      return row
    }
  }

  /// Expands the collapsed nodes above a path, as one change; called in a transaction.
  private func expandAncestors(of path: [Int], by origin: ExpansionOrigin) {
    let known = knownAncestors(of: path)
    let unknown = path[known.count..<path.count - 1]
    let collapsed = known.filter { !state.value.translation.isExpanded($0) }
    if collapsed.isEmpty, unknown.isEmpty { return }
    hub.prepareForChange(.wait)
    let waiting = collapsed.compactMap { loadingNode(state.value.node($0)) }
    expand(collapsed, unknown, known, by: origin)
    for node in waiting { node.resumeLoads() }
  }

  private func expand(
    _ collapsed: [Record], _ unknown: ArraySlice<Int>, _ known: [Record], by origin: ExpansionOrigin
  ) {
    // A second reference to the choices would make each choice copy them all.
    let former = hub.isRecording ? setting : nil
    var rows = RowBlocks(count: count)
    var turned: [(position: Int, parent: Record)] = []
    hub.refusingChanges {
      for record in collapsed { chooseExpanded(record, by: origin) }
      let parent = known.last ?? TreeIndex.root
      let way = chooseExpanded(unknown, below: state.value.node(parent), by: origin)
      if let position = way.first,
        let child = state.value.sources.child(at: position, of: state.value.node(parent))
      {
        let plan = plan(
          OutlinePlan.Child(position: position, node: child, depth: known.count, way: way.dropFirst()))
        rows.append(.below(state.value.install(plan, at: position, of: parent)))
        turned.append((position, parent))
      }
    }
    for record in collapsed {
      turned.append((state.value.translation.position(of: record), state.value.translation.shape.parent(of: record)!))
      state.value.translation.setExpanded(true, record)
      rows.append(.below(record))
    }
    var released: [any TreeNode] = []
    state.value.discard(state.value.translation.takeOrphans(), to: &released)
    defer { withExtendedLifetime(released) {} }
    publish(rows, turning: turned, inverseTo: former)
  }

  /// The records of the nodes above a path, as far as these have records.
  private func knownAncestors(of path: [Int]) -> [Record] {
    var records: [Record] = []
    for position in path.dropLast() {
      let parent = records.last ?? TreeIndex.root
      guard position >= 0, position < state.value.translation.shape.childCount(of: parent),
        let record = state.value.translation.record(ofChild: position, of: parent)
      else { break }
      records.append(record)
    }
    return records
  }

  private func chooseExpanded(_ record: Record, by origin: ExpansionOrigin) {
    guard let parent = state.value.translation.shape.parent(of: record) else { return }
    let position = state.value.translation.shape.position(of: record)
    guard let value = state.value.sources.element(at: position, of: parent) else { return }
    state.value.expansion.choose(true, for: functions.id(value), by: origin)
  }

  /// Chooses that the nodes on a way down are expanded, if they would not be expanded otherwise.
  ///
  /// - Parameters:
  ///   - way: the position of a child in the first node, of a child in this child, and so on; the indices are the
  ///     depths.
  ///   - node: the node at which the way begins.
  ///   - origin: who makes the choice.
  /// - Returns: the way, as far as there are nodes.
  private func chooseExpanded(
    _ way: ArraySlice<Int>, below node: SourceBranch, by origin: ExpansionOrigin
  ) -> ArraySlice<Int> {
    var parent = node
    for depth in way.indices {
      guard let child = state.value.sources.child(at: way[depth], of: parent) else { return way[..<depth] }
      let id = state.value.sources.element(at: way[depth], of: parent).map(functions.id)
      if let id, !state.value.expansion.isExpanded(id, depth: depth) {
        state.value.expansion.choose(true, for: id, by: origin)
      }
      parent = child
    }
    return way
  }
}
