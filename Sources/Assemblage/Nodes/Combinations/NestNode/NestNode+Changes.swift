import OffsetIndexing

// What the source and other ids change.
extension NestNode {
  /// What a change takes away that a rollback has to bring back: what rows said, whatever the closures say by now, and the nodes of
  /// those that left, by their positions before it.
  private struct Memory {
    var keys: [Int: NestFamily<Element, ID>.Keys]
    var parts: [Int: Int]
  }

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    let delta = change.level
    let former = hub.recall(Memory.self)
    // The closures are asked first: they must find the tree as it was, not half changed.
    let inserted = family.links(in: delta.insertions, known: former?.keys)
    let updated = family.links(in: delta.updates, known: former?.keys)
    if hub.isRecording { hub.remember(memory(of: delta)) }
    var plan = beginPlan()
    let translation = family.translation
    translation.value.disappearances.begin(in: hub, sourceCount: translation.value.count)
    let crossings = translation.value.follow(change, &plan)
    translation.value.disappearances.end(in: hub)
    translation.value.translate(
      delta, inserted: inserted, updated: updated, crossings: crossings,
      formerParts: former?.parts, &plan)
    var result = finish(&plan)
    if change.updatesValue { result.updatesValue = true }
    return result
  }

  private func memory(of delta: Delta) -> Memory {
    let inverse = delta.inverse()
    var memory = Memory(keys: [:], parts: [:])
    for position in (Array(inverse.insertions) + Array(inverse.updates)).joined() {
      memory.keys[position] = family.keys(at: position)
    }
    if family.translation.value.parts.isEmpty { return memory }
    for position in inverse.insertions.joined() {
      let translation = family.translation.value
      memory.parts[position] = translation.parts.part(of: translation.row(atSource: position))
    }
    return memory
  }

  private func beginPlan() -> NestPlan {
    family.translation.value.reserveSlots(family.table.keys.count)
    let transaction = hub.isListenedTo ? hub.graph.transaction : nil
    let known = family.translation.value.passage
    let passage = known?.transaction == transaction ? known : transaction.map { NestPassage(transaction: $0) }
    return NestPlan(isHeard: hub.isObserved, awake: awakeParts, passage: passage)
  }

  /// The nodes of rows that others derive from, or observers listen to.
  private var awakeParts: Set<Int> {
    var parts: Set<Int> = []
    for dependent in hub.state.value.dependents where dependent.slot == NodeHub.partSlot {
      if let node = unsafe dependent.hub.owner as? NestNode, let part = node.part { parts.insert(part) }
    }
    return parts
  }

  /// Hands each node of a row what is its own, and returns what the whole tells.
  private func finish(_ plan: inout NestPlan) -> ChangeSet {
    family.translation.value.passage = plan.passage
    for part in plan.changedParts { family.member(part)?.takePlace() }
    for (part, change) in plan.takeParts() where !change.isSilent {
      family.member(part)?.hub.receiveFromWhole(change)
    }
    family.forget(slots: plan.leftSlots)
    return plan.takeWhole()
  }

  // MARK: Asking again

  /// Asks for all ids and parents again, because what they come from has changed.
  ///
  /// Use it where elements are objects that changed without their node's knowledge, or where something else that the closures
  /// capture has changed. Observers hear which elements moved.
  ///
  /// - Complexity: O(n) for n children of the source, and that of an update for each whose id or parent is another one.
  public func refresh() { root.relink(nil) }

  /// Takes in what all rows say; on the root.
  ///
  /// - Parameter known: what they say, where a change is taken back; nil: they are asked.
  private func relink(_ known: [NestFamily<Element, ID>.Keys]?) {
    hub.prepareForChange()
    let translation = family.translation
    let all = 0..<translation.value.count
    // Written down only where it may be wanted back: that takes a pass over all rows.
    let former = hub.isRecording ? all.map { family.keys(at: $0) } : []
    let links = known?.map { family.link($0) } ?? hub.refusingChanges { family.links(in: all) }
    var plan = beginPlan()
    let others = zip(all, links).filter { position, link in
      translation.value.rows[translation.value.row(atSource: position)].link != link
    }
    translation.value.relink(others.map { (position: $0, link: $1) }, &plan)
    let change = finish(&plan)
    hub.publish(
      change, of: .view,
      inverse: { [self] in
        // Where something could not be taken back, the rows may be others by now.
        relink(hub.isRolledBackPartly ? nil : former)
      })
  }
}
