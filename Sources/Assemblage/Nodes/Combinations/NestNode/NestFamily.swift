import OffsetIndexing

/// The state that the nodes of one nest share: the rows and their tree, the closures, and the living nodes of rows.
@usableFromInline
final class NestFamily<Element, ID: Hashable> {
  let functions: KeyFunctions<Element, ID>
  let translation: Cell<NestTranslation>
  let reader: NodeReader<Element>
  let table: KeyTable<ID>
  private let id: (Element) -> ID?
  private let parent: (Element) -> ID?

  /// The nodes of rows; in a cell for the reason that `NodeHub.state` gives.
  private let parts = Cell(Parts())

  private struct Parts {
    /// The nodes of rows, by the numbers of the rows.
    var members = LivingNodes<Int>()
    /// The nodes whose row has left, by the slots of their ids; each waits for the next row with its id.
    var lost = LostParts<Int, LivingNode>()
  }

  init(
    _ source: any TreeNode<Element>, id: @escaping (Element) -> ID?, parent: @escaping (Element) -> ID?,
    _ functions: KeyFunctions<Element, ID>
  ) {
    self.functions = functions
    self.id = id
    self.parent = parent
    reader = source.reader
    table = KeyTable<ID>()
    translation = Cell(NestTranslation([], slotCount: 0))
    let rows = source.hub.refusingChanges { links(in: 0..<source.count) }
    translation.value = NestTranslation(rows, slotCount: table.keys.count)
  }

  deinit {
    translation.destroy()
    parts.destroy()
  }

  // MARK: Asking

  /// The ids and parents of the rows in a range of the source.
  func links(in range: Range<Int>) -> [NestLink] {
    zip(functions.slots(reader, range, table, id), functions.slots(reader, range, table, parent)).map {
      NestLink(id: $0, parent: $1)
    }
  }

  /// Forgets the ids that neither a row nor a lost node has any more.
  private func forget(slots: [Int]) {
    for slot in slots where translation.value.isUnused(slot) && !parts.value.lost.contains(slot) {
      table.remove(slot: slot)
    }
  }

  // MARK: Nodes

  /// Whether there is a node of a row, or a node whose row has left.
  var hasParts: Bool { !parts.value.members.isEmpty || !parts.value.lost.isEmpty }

  private func member(_ row: Int) -> NestNode<Element, ID>? { parts.value.members[row].map(typed) }

  private func typed(_ node: AnyObject) -> NestNode<Element, ID> {
    // `node(of:root:)` adds no other class.
    unsafe unsafeDowncast(node, to: NestNode<Element, ID>.self)
  }

  /// The node of a row, which is made when a caller first asks for it.
  func node(of row: Int, root: NestNode<Element, ID>) -> NestNode<Element, ID> {
    if let node = member(row) { return node }
    let node = NestNode(self, row: row, root: root)
    parts.value.members[row] = node
    return node
  }

  /// Forgets the node of a row, which is being released; the row is nil where the node has lost its row.
  func forget(_ node: NestNode<Element, ID>, row: Int?) {
    if let row { return parts.value.members.forget(node, for: row) }
    if let slot = parts.value.lost.remove(LivingNode(node)) { forget(slots: [slot]) }
  }

  // MARK: Changes

  /// Begins a change of the rows.
  func beginPlan(_ hub: NodeHub) -> NestPlan {
    translation.value.reserveSlots(table.keys.count)
    return NestPlan(
      hasListeners: hub.isObserved,
      isAwake: hub.hasAwakeParts ? { [self] in member($0)?.hub.isObserved ?? false } : nil)
  }

  /// Ends a change of the rows, and gives each node of a row its own change.
  ///
  /// - Returns: the change of the root.
  /// - Complexity: O(p · s) for p nodes of rows with a change, and s nodes, ranges and transfers of the change.
  func finish(_ plan: inout NestPlan) -> ChangeSet {
    let change = plan.takeChange()
    for row in plan.touched.sorted() where plan.formerPlaces[row] == nil {
      guard let node = member(row) else { continue }
      var own = change.projected(to: translation.value.path(of: row))!
      own.updatesValue = plan.updated.contains(row)
      if !own.isSilent { node.hub.receiveFromWhole(own) }
    }
    for (node, former) in turnOver(plan) where node.hub.isObserved {
      let place = node.row.map { translation.value.nodePlace(of: $0) }
      node.hub.receiveFromWhole(change.turnover(from: former, to: place))
    }
    forget(slots: plan.leftSlots)
    return change
  }

  /// Takes the rows that have left from their nodes, and gives new rows to the nodes that wait for them.
  ///
  /// - Returns: the nodes, with the former places of their rows.
  private func turnOver(_ plan: NestPlan) -> [(node: NestNode<Element, ID>, former: NestPlan.Place?)] {
    guard hasParts else { return [] }
    var turned: [(node: NestNode<Element, ID>, former: NestPlan.Place?)] = []
    var left: Set<LivingNode> = []
    for (row, slot) in plan.leftRows {
      guard let node = member(row) else { continue }
      parts.value.members[row] = nil
      node.show(nil)
      if slot > 0 { parts.value.lost.insert(LivingNode(node), for: slot) }
      left.insert(LivingNode(node))
      turned.append((node, plan.formerPlaces[row]))
    }
    for (row, slot) in plan.newRows {
      guard let found = parts.value.lost.takeLast(for: slot) else { continue }
      parts.value.members[row] = found.node
      typed(found.node).show(row)
      if !left.contains(found) { turned.append((typed(found.node), nil)) }
    }
    return turned
  }
}

// Changes of the source, and other ids.
extension NestNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    // The closures are called first: they must find the tree as it was, not half changed.
    let inserted = change.level.insertions.flatMap { family.links(in: $0) }
    let updated = change.level.updates.flatMap { family.links(in: $0) }
    var plan = family.beginPlan(hub)
    family.translation.value.translate(change.level, inserted: inserted, updated: updated, &plan)
    var result = family.finish(&plan)
    if change.updatesValue { result.updatesValue = true }
    return result
  }

  /// Reads all ids and parents again, because they depend on something that has changed.
  ///
  /// Use it where elements are objects that changed without a report to their node, or where other state that the
  /// closures capture has changed. Observers receive the moves of the elements.
  ///
  /// - Complexity: O(n · log n) for n children of the source, and the cost of an update for each child with a new id
  ///   or parent.
  public func refresh() { root.relink() }

  /// Links all rows again; only called on the root.
  private func relink() {
    hub.prepareForChange()
    let family = family
    let links = hub.refusingChanges { family.links(in: 0..<family.translation.value.count) }
    var plan = family.beginPlan(hub)
    family.translation.value.relink(links, &plan)
    hub.publish(family.finish(&plan), of: .view, inverse: { [self] in relink() })
  }
}
