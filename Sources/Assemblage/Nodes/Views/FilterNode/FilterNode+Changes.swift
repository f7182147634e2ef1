import OffsetIndexing

/// How a new predicate relates to the former one.
///
/// ```swift
/// let found = FilterNode(ArrayNode(["Ada", "Al", "Bo"])) { $0.hasPrefix("A") }
/// found.setPredicate(hint: .stricter) { $0.hasPrefix("Al") }    // a letter typed: "Ada" and "Al" are asked
/// found.elements                                                // ["Al"]
/// found.setPredicate(hint: .looser) { $0.hasPrefix("A") }       // and deleted: "Ada" and "Bo" are asked
/// found.elements                                                // ["Ada", "Al"]
/// ```
public enum FilterHint: Sendable {
  /// Nothing is known: every element is asked about.
  case different

  /// The new predicate passes nothing that the former did not: only the elements that passed are asked about.
  case stricter

  /// The new predicate passes everything that the former did: only the elements that did not pass are asked about.
  case looser

  /// What the new predicate says, with what is known from the former one.
  ///
  /// - Parameters:
  ///   - former: what the former predicate said.
  ///   - ask: asks the new one about what a mask names, or about everything; the answer on the rest is false.
  /// - Returns: a bit for each of `former`.
  func verdicts(former: @autoclosure () -> BitRun, asking ask: (_ mask: BitRun?) -> BitRun) -> BitRun {
    switch self {
    case .different: return ask(nil)
    case .stricter:
      let former = former()
      return former.setCount == 0 ? former : ask(former)
    case .looser:
      let former = former()
      var verdicts = ask(former.inverted())
      verdicts.formUnion(former)
      return verdicts
    }
  }
}

// What the source and the predicate change.
extension FilterNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    state.value.translation.disappearances.begin(in: hub, sourceCount: state.value.translation.passes.count)
    if hub.isRecording { return translateReversibly(change) }
    // The predicate is asked first: it must find the node as it was, not half changed.
    if let insertion = change.onlyInsertion, insertion.count == 1 {
      let passes = unsafe functions.asking.one(state.place, insertion.lowerBound)
      return ChangeSet(state.value.translation.insert(passes, at: insertion.lowerBound))
    }
    let verdicts = ask(about: change.delta)
    return translate(change, verdicts)
  }

  /// `translate(_:)` where the change may be taken back, or is the taking back.
  private func translateReversibly(_ change: consuming ChangeSet) -> ChangeSet {
    let delta = change.delta
    var verdicts: FilterTranslation.Verdicts
    if let former = hub.recall(FilterTranslation.Verdicts.self), former.fit(delta) {
      verdicts = former
    } else {
      verdicts = ask(about: delta)
    }
    if !delta.removals.isEmpty || !delta.updates.isEmpty {
      hub.remember(state.value.translation.verdicts(lostBy: delta))
    }
    return translate(change, verdicts)
  }

  private func translate(_ change: consuming ChangeSet, _ verdicts: FilterTranslation.Verdicts) -> ChangeSet {
    defer { state.value.translation.disappearances.end(in: hub) }
    return state.value.translation.translate(change, inserted: verdicts.inserted, updated: verdicts.updated)
  }

  private func ask(about delta: Delta) -> FilterTranslation.Verdicts {
    let place = unsafe state.place
    return FilterTranslation.Verdicts(
      inserted: delta.insertions.map { unsafe functions.asking.many(place, $0) },
      updated: delta.updates.map { unsafe functions.asking.many(place, $0) })
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
  public func setPredicate(hint: FilterHint = .different, where predicate: @escaping (Element) -> Bool) {
    hub.prepareForChange()
    let range = 0..<state.value.translation.passes.count
    let verdicts = hint.verdicts(former: state.value.translation.bits(in: range)) { ask(predicate, on: range, $0) }
    show(verdicts, on: range, by: predicate)
  }

  /// Asks the predicate again about some children of the source, because what it looks at has changed.
  ///
  /// Observers hear which rows came and went. Use it where elements are objects that changed without their node's
  /// knowledge, or where something else that the predicate captures has changed.
  ///
  /// - Parameter range: positions of the source, within 0..<the source's count; all by default.
  /// - Complexity: O(log n + r) for r elements in the range.
  public func refresh(_ range: Range<Int>? = nil) {
    let range = range ?? 0..<state.value.translation.passes.count
    checkRange(range, in: state.value.translation.passes.count, of: "FilterNode's source")
    hub.prepareForChange()
    show(ask(state.value.predicate, on: range, nil), on: range, by: state.value.predicate)
  }

  /// Takes in what a predicate says of a range of the source.
  ///
  /// - Parameters:
  ///   - verdicts: what it says.
  ///   - range: the range.
  ///   - predicate: the predicate.
  ///   - search: the search that it comes from, if it comes from one and the range is everything.
  func show(
    _ verdicts: BitRun, on range: Range<Int>, by predicate: @escaping (Element) -> Bool, search: AnyObject? = nil
  ) {
    let formerPredicate = state.value.predicate
    // Copied out only where they may be wanted back: that takes a pass over the range.
    let former = hub.isRecording ? state.value.translation.bits(in: range) : nil
    state.value.predicate = predicate
    state.value.search = search
    let delta = state.value.translation.reevaluate(range, verdicts)
    hub.publish(
      ChangeSet(delta), of: .view, inverse: { [self] in restore(former, on: range, by: formerPredicate) })
  }

  /// Takes a change of the predicate back.
  ///
  /// The same children are visible as before, also where a wrong hint, or a predicate that depends on something else
  /// than its element, had made them so. Only where the source has changed since in a way that could not be taken back,
  /// the predicate has to be asked.
  private func restore(_ former: BitRun?, on range: Range<Int>, by predicate: @escaping (Element) -> Bool) {
    guard let former, !hub.isRolledBackPartly else { return setPredicate(where: predicate) }
    hub.prepareForChange()
    show(former, on: range, by: predicate)
  }

  private func ask(_ predicate: (Element) -> Bool, on range: Range<Int>, _ mask: BitRun?) -> BitRun {
    hub.refusingChanges { functions.evaluate(state.value.reader, range, mask, predicate) }
  }
}
