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
    let change = changes.takeOnlyChange(of: self)
    if let sweep = state.value.sweep { return translate(change, during: sweep) }
    // The predicate is asked first: it must find the node as it was, not half changed.
    if let insertion = change.onlyInsertion, insertion.count == 1 {
      let passes = ask(about: insertion.lowerBound)
      return ChangeSet(state.value.translation.insert(passes, at: insertion.lowerBound))
    }
    let verdicts = ask(about: change.delta)
    return state.value.translation.translate(change, inserted: verdicts.inserted, updated: verdicts.updated)
  }

  /// `translate(_:)` while another predicate is evaluated.
  private func translate(_ change: consuming ChangeSet, during sweep: FilterSweep<Element>) -> ChangeSet {
    let delta = change.delta
    let verdicts = askEach(about: delta)
    sweep.follow(delta, behind: ask(sweep.predicateBehind, about: delta))
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
  /// A call in the background that is under way is superseded. That stays so where the transaction is rolled back: then the
  /// filter shows by the predicate before that call, as if the call had been cancelled.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - predicate: says which values are visible from now on.
  /// - Complexity: O(n) for n children of the source; the predicate is called for each, for each visible one
  ///   (`.stricter`), or for each hidden one (`.looser`).
  public func setPredicate(hint: FilterHint = .different, where predicate: @escaping (Element) -> Bool) {
    hub.prepareForChange()
    let range = 0..<state.value.translation.passes.count
    let (latest, unanswered) = latestVerdicts
    show(
      hint.verdicts(former: latest, unanswered: unanswered) { ask(predicate, on: range, $0) }, on: range, by: predicate)
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
    if let sweep = state.value.sweep, !range.isEmpty {
      sweep.renew(range, behind: ask(sweep.predicateBehind, on: range, nil))
    }
    show(verdicts, on: range, by: state.value.predicate, during: state.value.sweep)
  }

  /// Applies the verdicts of a predicate on a range of the source.
  ///
  /// - Parameters:
  ///   - verdicts: the verdicts.
  ///   - range: the range.
  ///   - predicate: the predicate.
  ///   - search: the search that it comes from, if it comes from one and the range is everything.
  ///   - sweep: the sweep that goes on; another one is superseded, also where the change is taken back.
  func show(
    _ verdicts: BitRun, on range: Range<Int>, by predicate: @escaping (Element) -> Bool, search: AnyObject? = nil,
    during sweep: FilterSweep<Element>? = nil
  ) {
    let formerPredicate = formerVerdicts.predicate
    state.value.sweep = sweep
    state.value.predicate = predicate
    state.value.search = search
    hub.publish(
      ChangeSet(state.value.translation.reevaluate(range, verdicts)), of: .view,
      inverse: { [self] in restore(formerPredicate) })
  }

  /// Takes a change of the predicate back: the former one is asked again.
  func restore(_ predicate: @escaping (Element) -> Bool) {
    if state.value.sweep == nil { setPredicate(where: predicate) } else { refresh() }
  }

  /// What a predicate says of a range of the source, as far as it is in a mask.
  func verdicts(of predicate: (Element) -> Bool, on range: Range<Int>, _ mask: BitRun?) -> BitRun {
    functions.evaluate(state.value.reader, range, mask, state.value.valueless, predicate)
  }

  private func ask(_ predicate: (Element) -> Bool, on range: Range<Int>, _ mask: BitRun?) -> BitRun {
    hub.refusingChanges { verdicts(of: predicate, on: range, mask) }
  }
}
