import OffsetIndexing

// The steps of a sweep. None of them waits, so that tests can try every order.
extension FilterNode {
  /// Begins to evaluate a predicate; what is still being evaluated of another one is superseded.
  func begin(
    _ predicate: @escaping (Element) throws -> Bool, _ hint: FilterHint, _ delivery: ResultDelivery,
    for owner: (any SweepOwner)? = nil
  ) -> FilterSweep<Element> {
    hub.prepareForChange()
    let superseded = state.value.sweep
    let (former, formerPredicate) = formerVerdicts
    let count = former.count
    // Nothing here goes through all bits unless a hint or another sweep wants it: of ten million elements that takes the domain
    // a millisecond each time.
    let latest = superseded == nil ? nil : latestVerdicts
    let mask = hint.mask(
      former: latest?.bits ?? state.value.translation.passes.bits(in: 0..<count), unanswered: latest?.unanswered)
    let waiting = mask.map { BitIndex(words: $0.allWords, count: count) } ?? BitIndex(repeating: true, count: count)
    let start = firstPosition(of: delivery)
    let isShownAsItGoes = if case .asItGoes = delivery { true } else { false }
    let known = isShownAsItGoes ? nil : latest.map { BitIndex(words: $0.bits.allWords, count: count) }
    let sweep = FilterSweep(
      predicate, former: formerPredicate, isShownAsItGoes: isShownAsItGoes, sweep: Sweep(waiting, from: start),
      behind: known ?? former)
    sweep.owner = owner
    state.value.sweep = sweep
    // What is shown from now on without being asked about: nothing else, unless another sweep has just been superseded.
    if let latest {
      var shown = (isShownAsItGoes ? state.value.translation.passes : former).bits(in: 0..<count)
      if isShownAsItGoes, let mask { shown.take(latest.bits, where: mask.inverted()) }
      show(shown, on: 0..<count, by: isShownAsItGoes ? sweep.predicate : formerPredicate, during: sweep)
    } else if isShownAsItGoes {
      state.value.predicate = sweep.predicate
      state.value.search = nil
    }
    return sweep
  }

  /// Where in the source to begin.
  private func firstPosition(of delivery: ResultDelivery) -> Int {
    let passes = state.value.translation.passes
    guard case .asItGoes(let range) = delivery, range.lowerBound > 0 else { return 0 }
    return range.lowerBound < passes.setCount ? passes.select(range.lowerBound) : passes.count
  }

  /// What the filter goes back to where a sweep is given up.
  var formerVerdicts: (bits: BitIndex, predicate: (Element) -> Bool) {
    if let sweep = state.value.sweep, sweep.isShownAsItGoes { return (sweep.behind, sweep.formerPredicate) }
    return (state.value.translation.passes, state.value.predicate)
  }

  /// What is known of the predicate that was given last, and which elements it has not been asked about; nil where it has
  /// been asked about all.
  var latestVerdicts: (bits: BitRun, unanswered: BitRun?) {
    let passes = state.value.translation.passes
    let range = 0..<passes.count
    guard let sweep = state.value.sweep else { return (passes.bits(in: range), nil) }
    let bits = sweep.isShownAsItGoes ? passes : sweep.behind
    return (bits.bits(in: range), sweep.sweep.unanswered.bits(in: range))
  }

  /// Asks about the elements that are next, here and now.
  ///
  /// - Returns: whether there were any.
  func evaluateSlice(of sweep: FilterSweep<Element>, atMost count: Int) -> Bool {
    guard let piece = sweep.sweep.take(atMost: count) else { return false }
    let verdicts = hub.refusingChanges { self.verdicts(of: sweep.predicate, on: piece.range, piece.mask) }
    take(verdicts, on: piece, of: sweep)
    return true
  }

  /// Takes in the answers to a piece, and shows them if they are shown as it goes.
  func take(_ verdicts: BitRun, on piece: Sweep.Piece, of sweep: FilterSweep<Element>) {
    let places = sweep.sweep.end(piece)
    func merged(_ place: (piece: Range<Int>, source: Range<Int>), into bits: BitIndex) -> BitRun {
      var run = bits.bits(in: place.source)
      run.take(verdicts[place.piece], where: piece.mask[place.piece])
      return run
    }
    if !sweep.isShownAsItGoes {
      for place in places { sweep.take(merged(place, into: sweep.behind), on: place.source) }
    } else if places.count == 1 {
      show(
        merged(places[0], into: state.value.translation.passes), on: places[0].source, by: sweep.predicate,
        during: sweep)
    } else {
      // As one change.
      performUpdates {
        for place in places {
          show(
            merged(place, into: state.value.translation.passes), on: place.source, by: sweep.predicate, during: sweep)
        }
      }
    }
  }

  /// Shows what a sweep has found out, all of which is known.
  ///
  /// - Parameters:
  ///   - sweep: the sweep.
  ///   - delta: what comes and goes; nil where it is not known yet.
  func end(_ sweep: FilterSweep<Element>, _ delta: Delta? = nil) {
    guard !sweep.isShownAsItGoes else {
      state.value.sweep = nil
      return
    }
    hub.prepareForChange()
    let formerPredicate = state.value.predicate
    let change = delta ?? (hub.isHeard ? difference(to: sweep) : Delta())
    state.value.sweep = nil
    state.value.predicate = sweep.predicate
    state.value.search = nil
    state.value.translation.passes = sweep.behind
    hub.publish(ChangeSet(change), of: .view, inverse: { [self] in restore(formerPredicate) })
  }

  private func difference(to sweep: FilterSweep<Element>) -> Delta {
    let range = 0..<sweep.behind.count
    return Delta(
      replacing: state.value.translation.passes.bits(in: range), by: sweep.behind.bits(in: range))
  }

  /// Shows what a sweep has found out, and finds out elsewhere what that changes, as it may be much.
  func finish(_ sweep: FilterSweep<Element>) async throws {
    // To get here may have taken a turn of the domain: verdicts of a sweep that was superseded follow no edits any more.
    try check(sweep)
    // Edits that are made meanwhile are a reason to try again, but not for ever.
    for _ in 0..<3 where !sweep.isShownAsItGoes && hub.isHeard {
      let version = sweep.version
      let delta = await FilterTranslation.difference(from: state.value.translation.passes, to: sweep.behind)
      // What has changed by itself is an edit that was made meanwhile, and one who hears of it may set another predicate.
      hub.prepareForChange()
      try check(sweep)
      if version == sweep.version {
        end(sweep, delta)
        return releaseElsewhere(delta)
      }
    }
    end(sweep)
  }

  /// Leaves the filter as it was before a sweep, with the edits made since; does nothing where it has been superseded.
  func giveUp(_ sweep: FilterSweep<Element>) {
    guard state.value.sweep === sweep else { return }
    let (former, predicate) = formerVerdicts
    state.value.sweep = nil
    guard sweep.isShownAsItGoes else { return }
    let range = 0..<former.count
    show(former.bits(in: range), on: range, by: predicate)
  }
}

extension FilterTranslation {
  /// The change from the elements that pass by some bits to those that pass by others, found by as many cores as there are.
  @concurrent
  static func difference(from former: BitIndex, to present: BitIndex) async -> Delta {
    let size = Swift.max(1 << 18, present.count / (2 * BackgroundPacing.coreCount) + 1)
    if present.count <= size { return difference(from: former, to: present, on: 0..<present.count) }
    let parts = await withTaskGroup(of: (Int, Delta).self) { group in
      for start in stride(from: 0, to: present.count, by: size) {
        group.addTask {
          (start, difference(from: former, to: present, on: start..<Swift.min(start + size, present.count)))
        }
      }
      var parts: [(start: Int, delta: Delta)] = []
      for await part in group { parts.append(part) }
      return parts.sorted(byNumber: \.start).map(\.delta)
    }
    return Delta(
      removals: joined(parts.map { Array($0.removals) }), insertions: joined(parts.map { Array($0.insertions) }))
  }

  /// What comes and goes among the elements of a range.
  private static func difference(from former: BitIndex, to present: BitIndex, on range: Range<Int>) -> Delta {
    Delta(
      replacing: former.bits(in: range), by: present.bits(in: range), start: former.rank(range.lowerBound),
      startAfter: present.rank(range.lowerBound))
  }

  /// Ascending lists of ranges as one, in which no two touch.
  private static func joined(_ lists: [[Range<Int>]]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    result.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for list in lists where !list.isEmpty {
      guard let last = result.last, last.upperBound == list[0].lowerBound else {
        result += list
        continue
      }
      result[result.count - 1] = last.lowerBound..<list[0].upperBound
      result += list.dropFirst()
    }
    return result
  }
}
