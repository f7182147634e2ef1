import OffsetIndexing

// Changes of the source, and other ids.
extension NestNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    // The closures are asked first: they must find the tree as it was, not half changed.
    let inserted = change.level.insertions.flatMap { family.links(in: $0) }
    let updated = change.level.updates.flatMap { family.links(in: $0) }
    var plan = beginPlan()
    family.translation.value.translate(change, inserted: inserted, updated: updated, &plan)
    var result = finish(&plan)
    if change.updatesValue { result.updatesValue = true }
    return result
  }

  private func beginPlan() -> NestPlan {
    family.translation.value.reserveSlots(family.table.keys.count)
    return NestPlan(isHeard: hub.isObserved, awake: awakeParts)
  }

  /// The nodes of rows from which others derive, or which have observers.
  private var awakeParts: Set<Int> {
    var parts: Set<Int> = []
    for dependent in hub.state.value.dependents.parts {
      if let node = unsafe dependent.hub.owner as? NestNode, let part = node.part { parts.insert(part) }
    }
    return parts
  }

  /// Hands each node of a row its own change.
  ///
  /// - Returns: the change of the whole.
  private func finish(_ plan: inout NestPlan) -> ChangeSet {
    for part in plan.changedParts { family.member(part)?.takePlace() }
    let (whole, parts) = plan.takeChanges(family.translation.value)
    for (part, change) in parts where !change.isSilent { family.member(part)?.hub.receiveFromWhole(change) }
    family.forget(slots: plan.leftSlots)
    return whole
  }

  // MARK: Asking again

  /// Asks for all ids and parents again, because they depend on something that has changed.
  ///
  /// Use it where elements are objects that changed without their node's knowledge, or where something else that the closures
  /// capture has changed. Observers receive the moves of the elements.
  ///
  /// - Complexity: O(n) for n children of the source, and that of an update for each whose id or parent is another one.
  public func refresh() { root.relink() }

  /// Links all rows anew; on the root.
  private func relink() {
    hub.prepareForChange()
    let translation = family.translation
    let all = 0..<translation.value.count
    let links = hub.refusingChanges { family.links(in: all) }
    var plan = beginPlan()
    let others = zip(all, links).filter { position, link in
      translation.value.rows[translation.value.row(atSource: position)].link != link
    }
    translation.value.relink(others.map { (position: $0, link: $1) }, &plan)
    hub.publish(finish(&plan), of: .view, inverse: { [self] in relink() })
  }
}
