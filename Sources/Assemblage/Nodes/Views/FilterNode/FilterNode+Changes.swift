import OffsetIndexing

// Changes of the source and of the predicate.
extension FilterNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    state.value.work?.follow(change.delta)
    // The predicate is asked first, so that it finds the node in its former state, and not half changed.
    if let insertion = change.onlyInsertion, insertion.count == 1 {
      let passes = ask(about: insertion.lowerBound)
      return ChangeSet(state.value.translation.insert(passes, at: insertion.lowerBound))
    }
    let verdicts = ask(about: change.delta)
    return state.value.translation.translate(change, inserted: verdicts.inserted, updated: verdicts.updated)
  }

  /// Asks the predicate about one child of the source.
  private func ask(about position: Int) -> Bool { unsafe functions.asking.one(state.place, position) }

  /// Asks the predicate about all children that a change inserts or updates.
  private func ask(about delta: Delta) -> FilterTranslation.Verdicts {
    switch delta.storage {
    case .insertion(let range) where range.count == 1:
      let run = BitRun(repeating: ask(about: range.lowerBound), count: 1)
      return FilterTranslation.Verdicts(inserted: [run], updated: [])
    case .update(let range) where range.count == 1:
      let run = BitRun(repeating: ask(about: range.lowerBound), count: 1)
      return FilterTranslation.Verdicts(inserted: [], updated: [run])
    default:
      let place = unsafe state.place
      return FilterTranslation.Verdicts(
        inserted: delta.insertions.map { unsafe functions.asking.many(place, $0) },
        updated: delta.updates.map { unsafe functions.asking.many(place, $0) })
    }
  }

  /// Filters by another predicate.
  ///
  /// Observers are notified of exactly the rows that arrive and leave. If a hint is wrong, children that were not
  /// tested remain visible or hidden as before.
  ///
  /// A running call in the background is superseded, even if the transaction is rolled back.
  ///
  /// - Parameters:
  ///   - hint: the relation of the new predicate to the former one.
  ///   - predicate: returns whether a value is visible from now on.
  /// - Complexity: O(n) for n children of the source; the predicate is called for each, for each visible one
  ///   (`.stricter`), or for each hidden one (`.looser`).
  public func setPredicate(hint: FilterHint = .different, where predicate: @escaping (Element) -> Bool) {
    hub.prepareForChange()
    let range = 0..<state.value.translation.passes.count
    let verdicts = hint.after(state.value.work?.hint).verdicts(
      former: state.value.translation.passes.bits(in: range)
    ) { ask(predicate, on: range, $0) }
    show(verdicts, by: predicate)
  }

  /// Asks the predicate again about some children of the source, because the data that it reads have changed.
  ///
  /// Observers are notified of the rows that arrive and leave. Call this if elements are objects that changed without
  /// their node's knowledge, or if anything else that the predicate captures has changed.
  ///
  /// - Parameter range: positions of the source, within 0..<the source's count; all by default.
  /// - Complexity: O(log n + r) for r elements in the range.
  public func refresh(_ range: Range<Int>? = nil) {
    hub.prepareForChange(range == nil ? .report : .wait)
    let range = range ?? 0..<state.value.translation.passes.count
    checkRange(range, in: state.value.translation.passes.count, of: "FilterNode's source")
    let verdicts = ask(state.value.predicate, on: range, nil)
    if !range.isEmpty { state.value.work?.follow(.update(range)) }
    state.value.search = nil
    hub.publish(
      ChangeSet(state.value.translation.reevaluate(range, verdicts)), of: .view, inverse: { [self] in refresh() })
  }

  /// Shows by another predicate; work in the background is superseded.
  ///
  /// - Parameters:
  ///   - verdicts: the verdicts of the predicate on all children of the source.
  ///   - predicate: the predicate.
  ///   - search: the search that made the predicate; nil if none did.
  func show(_ verdicts: BitRun, by predicate: @escaping (Element) -> Bool, search: AnyObject? = nil) {
    show(by: predicate, search: search) { $0.reevaluate(0..<verdicts.count, verdicts) }
  }

  /// Shows by another predicate; work in the background is superseded.
  func show(
    by predicate: @escaping (Element) -> Bool, search: AnyObject? = nil,
    _ change: (inout FilterTranslation) -> Delta
  ) {
    let former = state.value.predicate
    state.value.work = nil
    state.value.predicate = predicate
    state.value.search = search
    let delta = change(&state.value.translation)
    hub.publish(ChangeSet(delta), of: .view, inverse: { [self] in setPredicate(where: former) })
  }

  /// Returns the verdicts of a predicate on a range of the source, as far as the range is in a mask.
  func verdicts(of predicate: (Element) -> Bool, on range: Range<Int>, _ mask: BitRun?) -> BitRun {
    functions.evaluate(state.value.reader, range, mask, state.value.valueless, predicate)
  }

  private func ask(_ predicate: (Element) -> Bool, on range: Range<Int>, _ mask: BitRun?) -> BitRun {
    hub.refusingChanges { verdicts(of: predicate, on: range, mask) }
  }
}
