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

  /// Which elements the new predicate has to be asked about; nil for all.
  ///
  /// - Parameters:
  ///   - former: what the former predicate said.
  ///   - unanswered: which elements the former one has not been asked about; nil for none.
  /// - Returns: a bit for each of `former`.
  func mask(former: @autoclosure () -> BitRun, unanswered: BitRun? = nil) -> BitRun? {
    var mask: BitRun
    switch self {
    case .different: return nil
    case .stricter: mask = former()
    case .looser: mask = former().inverted()
    }
    if let unanswered { mask.formUnion(unanswered) }
    return mask
  }

  /// What the new predicate says, with what is known from the former one.
  ///
  /// - Parameters:
  ///   - former: what the former predicate said.
  ///   - unanswered: which elements the former one has not been asked about; nil for none.
  ///   - ask: asks the new one about what a mask names, or about everything; the answer on the rest is false.
  /// - Returns: a bit for each of `former`.
  func verdicts(
    former: @autoclosure () -> BitRun, unanswered: BitRun? = nil, asking ask: (_ mask: BitRun?) -> BitRun
  ) -> BitRun {
    if case .different = self { return ask(nil) }
    var verdicts = former()
    let mask = mask(former: verdicts, unanswered: unanswered)!
    if mask.setCount > 0 { verdicts.take(ask(mask), where: mask) }
    return verdicts
  }
}

// What the source and the predicate change.
extension FilterNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let carried = changes.onlyChild
    let change = changes.takeOnlyChange(of: self)
    state.value.translation.disappearances.begin(in: hub, sourceCount: state.value.translation.passes.count)
    if let sweep = state.value.sweep { return translate(change, during: sweep) }
    if hub.isRecording { return translateReversibly(change, carried) }
    // The predicate is asked first: it must find the node as it was, not half changed.
    if let insertion = change.onlyInsertion, insertion.count == 1 {
      let passes = ask(about: insertion.lowerBound, carried)
      return ChangeSet(state.value.translation.insert(passes, at: insertion.lowerBound))
    }
    let verdicts = ask(about: change.delta, carried)
    return translate(change, verdicts)
  }

  /// `translate(_:)` while another predicate is evaluated.
  private func translate(_ change: consuming ChangeSet, during sweep: FilterSweep<Element>) -> ChangeSet {
    let delta = change.delta
    let verdicts: FilterSweep<Element>.Verdicts
    if hub.isRecording, let memory = hub.recall(FilterSweep<Element>.Memory.self), memory.sweep === sweep,
      memory.verdicts.shown.fit(delta)
    {
      verdicts = memory.verdicts
    } else {
      verdicts = FilterSweep<Element>.Verdicts(
        shown: ask(about: delta, nil), behind: ask(sweep.predicateBehind, about: delta))
    }
    if hub.isRecording, !delta.removals.isEmpty || !delta.updates.isEmpty {
      hub.remember(
        FilterSweep<Element>.Memory(
          sweep: sweep,
          verdicts: FilterSweep<Element>.Verdicts(
            shown: state.value.translation.passes.verdicts(lostBy: delta), behind: sweep.behind.verdicts(lostBy: delta),
            unanswered: sweep.sweep.unanswered.verdicts(lostBy: delta))))
    }
    sweep.follow(delta, verdicts)
    return translate(change, verdicts.shown)
  }

  /// `translate(_:)` where the change may be taken back, or is the taking back.
  private func translateReversibly(_ change: consuming ChangeSet, _ carried: CarriedChild?) -> ChangeSet {
    let delta = change.delta
    var verdicts: FilterTranslation.Verdicts
    if let former = hub.recall(FilterTranslation.Verdicts.self), former.fit(delta) {
      verdicts = former
    } else {
      verdicts = ask(about: delta, carried)
    }
    if !delta.removals.isEmpty || !delta.updates.isEmpty {
      hub.remember(state.value.translation.passes.verdicts(lostBy: delta))
    }
    return translate(change, verdicts)
  }

  private func translate(_ change: consuming ChangeSet, _ verdicts: FilterTranslation.Verdicts) -> ChangeSet {
    defer { state.value.translation.disappearances.end(in: hub) }
    return state.value.translation.translate(change, inserted: verdicts.inserted, updated: verdicts.updated)
  }

  /// Asks the predicate about the only child that a change inserts or updates, and, where it passes, lets the filter's own
  /// change carry it.
  ///
  /// - Parameters:
  ///   - position: where the child stands in the source.
  ///   - carried: where it is read, if the source says it; otherwise it is read through the source.
  /// - Returns: whether it passes.
  private func ask(about position: Int, _ carried: CarriedChild?) -> Bool {
    let child = carried ?? sourceChild.at(position)
    let passes = unsafe functions.asking.one(state.place, child)
    if passes { hub.state.value.child = child }
    return passes
  }

  /// Asks the predicate about all children that a change inserts or updates.
  ///
  /// - Parameters:
  ///   - delta: the source's change.
  ///   - carried: where the only one of them is read, if the source says it.
  /// - Returns: what the predicate says.
  private func ask(about delta: Delta, _ carried: CarriedChild?) -> FilterTranslation.Verdicts {
    switch delta.storage {
    case .insertion(let range) where range.count == 1:
      let run = BitRun(repeating: ask(about: range.lowerBound, carried), count: 1)
      return FilterTranslation.Verdicts(inserted: [run], updated: [])
    case .update(let range) where range.count == 1:
      let run = BitRun(repeating: ask(about: range.lowerBound, carried), count: 1)
      return FilterTranslation.Verdicts(inserted: [], updated: [run])
    default: return askEach(about: delta)
    }
  }

  private func askEach(about delta: Delta) -> FilterTranslation.Verdicts {
    let place = unsafe state.place
    return FilterTranslation.Verdicts(
      inserted: delta.insertions.map { unsafe functions.asking.many(place, $0) },
      updated: delta.updates.map { unsafe functions.asking.many(place, $0) })
  }

  private func ask(_ predicate: (Element) -> Bool, about delta: Delta) -> FilterTranslation.Verdicts {
    FilterTranslation.Verdicts(
      inserted: delta.insertions.map { verdicts(of: predicate, on: $0, nil) },
      updated: delta.updates.map { verdicts(of: predicate, on: $0, nil) })
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
    guard state.value.sweep != nil else {
      let verdicts = hint.verdicts(former: state.value.translation.passes.bits(in: range)) {
        ask(predicate, on: range, $0)
      }
      return show(verdicts, on: range, by: predicate)
    }
    let (latest, unanswered) = latestVerdicts
    let verdicts = hint.verdicts(former: latest, unanswered: unanswered) { ask(predicate, on: range, $0) }
    let superseded = state.value.sweep
    state.value.sweep = nil
    show(verdicts, on: range, by: predicate, Former(superseded: superseded))
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
    let verdicts = ask(state.value.predicate, on: range, nil)
    guard let sweep = state.value.sweep, !range.isEmpty else {
      return show(verdicts, on: range, by: state.value.predicate)
    }
    let former = Former(saved: hub.isRecording ? sweep.saved(range) : nil)
    sweep.renew(range, behind: ask(sweep.predicateBehind, on: range, nil))
    show(verdicts, on: range, by: state.value.predicate, former)
  }

  /// Takes in what a predicate says of a range of the source.
  ///
  /// - Parameters:
  ///   - verdicts: what it says.
  ///   - range: the range.
  ///   - predicate: the predicate.
  ///   - search: the search that it comes from, if it comes from one and the range is everything.
  ///   - former: what is gone back to in a rollback besides the visible children.
  func show(
    _ verdicts: BitRun, on range: Range<Int>, by predicate: @escaping (Element) -> Bool, search: AnyObject? = nil,
    _ former: Former = Former()
  ) {
    // Copied out only where they may be wanted back: that takes a pass over the range.
    let formerVerdicts = hub.isRecording ? state.value.translation.passes.bits(in: range) : nil
    let formerPredicate = state.value.predicate
    state.value.predicate = predicate
    state.value.search = search
    state.value.translation.disappearances.begin(in: hub, sourceCount: state.value.translation.passes.count)
    hub.publish(
      state.value.translation.reevaluate(range, verdicts), of: .view,
      inverse: { [self] in restore(formerVerdicts, on: range, by: formerPredicate, former) })
    state.value.translation.disappearances.end(in: hub)
  }

  /// What was under way in the background before a change.
  struct Former {
    /// What is behind the verdicts of the range that changes.
    var saved: FilterSweep<Element>.Saved?
    /// What the change puts an end to.
    var superseded: FilterSweep<Element>?
  }

  /// Takes a change of the predicate back.
  ///
  /// The same children are visible as before, also where a wrong hint, or a predicate that depends on something else
  /// than its element, had made them so, and what was under way in the background goes on. Only where the source has changed
  /// since in a way that could not be taken back, the predicate has to be asked.
  func restore(
    _ verdicts: BitRun?, on range: Range<Int>, by predicate: @escaping (Element) -> Bool, _ former: Former = Former()
  ) {
    guard let verdicts, !hub.isRolledBackPartly else {
      return setPredicate(where: former.superseded?.formerPredicate ?? state.value.sweep?.formerPredicate ?? predicate)
    }
    hub.prepareForChange()
    if let saved = former.saved, saved.sweep === state.value.sweep {
      saved.sweep.renew(range, behind: saved.behind, unanswered: saved.unanswered)
    }
    state.value.sweep = former.superseded ?? state.value.sweep
    show(verdicts, on: range, by: predicate)
  }

  /// What a predicate says of a range of the source, as far as it is in a mask.
  func verdicts(of predicate: (Element) -> Bool, on range: Range<Int>, _ mask: BitRun?) -> BitRun {
    functions.evaluate(state.value.reader, range, mask, state.value.valueless, predicate)
  }

  private func ask(_ predicate: (Element) -> Bool, on range: Range<Int>, _ mask: BitRun?) -> BitRun {
    hub.refusingChanges { verdicts(of: predicate, on: range, mask) }
  }
}
