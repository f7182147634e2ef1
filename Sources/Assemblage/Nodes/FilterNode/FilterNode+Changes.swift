import OffsetIndexing

// What the source and the predicate change.
extension FilterNode {
  public func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    // There is one source, linked once.
    guard let (_, change) = changes.takeOnly() else { trap("A filter has one source.") }
    followHiddenRows()
    // The predicate is asked first: it must find the node as it was, not half changed.
    let place = unsafe state.place
    if let insertion = change.onlyInsertion, insertion.count == 1 {
      let passes = unsafe functions.asking.one(place, insertion.lowerBound)
      return ChangeSet(state.value.translation.insert(passes, at: insertion.lowerBound))
    }
    let inserted = change.delta.insertions.map { unsafe functions.asking.many(place, $0) }
    let updated = change.delta.updates.map { unsafe functions.asking.many(place, $0) }
    return state.value.translation.translate(change, inserted: inserted, updated: updated) { [source] in
      source.child(at: $0) == nil
    }
  }

  /// Follows rows that updates hide, while a transaction is open that may show them again.
  private func followHiddenRows() {
    let transaction = hub.isListenedTo ? hub.graph.transaction : nil
    if state.value.transaction == transaction { return }
    state.value.transaction = transaction
    state.value.translation.hidden = transaction == nil ? nil : HiddenRows()
  }

  /// What a change of the predicate does to the children's visibility.
  public enum Hint: Sendable {
    /// Nothing is known: every child is asked.
    case different

    /// The new predicate passes nothing that the former did not: only visible children are asked.
    case stricter

    /// The new predicate passes everything that the former did: only hidden children are asked.
    case looser
  }

  /// Filters by another predicate.
  ///
  /// Observers hear exactly which rows came and went. Where a hint is wrong, the children that were not asked stay as
  /// they were, visible or hidden.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - predicate: says which values are visible from now on.
  /// - Complexity: O(n) for n children of the source; the predicate is called for each, for each visible one
  ///   (`.stricter`), or for each hidden one (`.looser`).
  public func setPredicate(hint: Hint = .different, where predicate: @escaping (Element) -> Bool) {
    hub.prepareForChange()
    let range = 0..<state.value.translation.passes.count
    let former = hint == .different ? nil : state.value.translation.bits(in: range)
    let mask = hint == .looser ? former?.inverted() : former
    var verdicts = ask(predicate, on: range, mask)
    if hint == .looser, let former { verdicts.formUnion(former) }
    state.value.predicate = predicate
    hub.publish(ChangeSet(state.value.translation.reevaluate(range, verdicts, reportsUpdates: false)))
  }

  /// Filters by another predicate, as `setPredicate(hint:where:)` does.
  ///
  /// - Parameters:
  ///   - predicate: says which values are visible from now on.
  ///   - hint: how it relates to the former predicate.
  /// - Complexity: O(n) for n children of the source.
  public func setPredicate(_ predicate: @escaping (Element) -> Bool, hint: Hint) {
    setPredicate(hint: hint, where: predicate)
  }

  /// Asks the predicate again about some children of the source, because what it looks at has changed.
  ///
  /// Observers hear which rows came and went. Use it where elements are objects that changed without their node's
  /// knowledge, or where something else that the predicate captures has changed.
  ///
  /// - Parameter range: positions of the source, within 0 ..< the source's count; all by default.
  /// - Complexity: O(log n + r) for r elements in the range.
  public func reevaluate(_ range: Range<Int>? = nil) {
    let range = range ?? 0..<state.value.translation.passes.count
    checkRange(range, in: state.value.translation.passes.count, of: "FilterNode's source")
    hub.prepareForChange()
    let verdicts = ask(state.value.predicate, on: range, nil)
    hub.publish(ChangeSet(state.value.translation.reevaluate(range, verdicts, reportsUpdates: false)))
  }

  private func ask(_ predicate: (Element) -> Bool, on range: Range<Int>, _ mask: BitRun?) -> BitRun {
    hub.refusingChanges { functions.evaluate(state.value.reader, range, mask, predicate) }
  }
}
