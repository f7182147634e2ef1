// A predicate whose verdicts are found in the background.
extension FilterNode {
  /// Filters by another predicate, which is evaluated by other cores, while the filter and its source stay usable.
  ///
  /// ```swift
  /// let lines = ArrayNode((0..<100_000).map { "line \($0)" })
  /// let found = FilterNode(lines) { _ in true }
  /// try await found.setPredicate(concurrently: .whenDone) { $0.hasSuffix("99") }
  /// found.count                  // 1000
  /// ```
  ///
  /// The elements leave the node's isolation domain piece by piece, so that it is never occupied for long. The arrays of an
  /// `ArrayNode`, and of a `JoinNode` of such, are shared; from other sources the elements are copied out. Edits made
  /// meanwhile are taken in, before and behind the point reached. What observers hear are minimal changes, as of the other
  /// form.
  ///
  /// A further call to this or another form of `setPredicate` takes the place of this one, which ends with a `CancellationError`,
  /// also where the further call is rolled back. Then the filter is as if this call had been cancelled: answers that were shown
  /// so far are taken back.
  ///
  /// The hint is about the predicate that was given last, also where its verdicts are not all known yet; after a call that threw
  /// an error without being superseded, about the one before it.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - delivery: when the answers are shown; `.asItGoes(from:)` counts in this node's positions.
  ///   - progress: told how many elements of the source have their answer.
  ///   - predicate: says which values are visible from now on. Where it throws later, for a new or updated element, the element
  ///     is hidden.
  /// - Throws: what the predicate throws, or a `CancellationError` where the task or the progress is cancelled, or another call
  ///   took the place of this one. In the first two cases the filter is as it was before the call, with the edits made since.
  /// - Complexity: O(n) for n children of the source. Asking is done by as many cores as there are; copying, where it is needed, by
  ///   the node's isolation domain, which is left once every 8,192 elements at least.
  @inlinable
  public func setPredicate(
    hint: FilterHint = .different, concurrently delivery: ResultDelivery, progress: BackgroundProgress? = nil,
    where predicate: @escaping @Sendable (Element) throws -> Bool
  ) async throws where Element: Sendable {
    try await evaluateConcurrently(
      hint, delivery, progress, predicate, copying: { ElementPiece(copying: $0, $1, $2) },
      asking: { try $0.takeVerdicts(of: predicate, valueless: true) })
  }

  /// Filters by another predicate, which is evaluated in slices on the caller's actor, to which other work gets in between.
  ///
  /// It is for elements that cannot leave their isolation domain; else as the form that works concurrently.
  ///
  /// ```swift
  /// // on the main actor, with class objects
  /// try await found.setPredicate(inSlicesOf: .milliseconds(2)) { $0.title.contains("error") }
  /// ```
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - budget: how long a slice should take. Their sizes are adapted as they go; a single call of the predicate is not
  ///     interrupted.
  ///   - delivery: when the answers are shown; `.asItGoes(from:)` counts in this node's positions.
  ///   - progress: told how many elements of the source have their answer.
  ///   - predicate: says which values are visible from now on. Where it throws later, for a new or updated element, the element
  ///     is hidden.
  /// - Throws: as the form that works concurrently.
  /// - Complexity: O(n) for n children of the source.
  public func setPredicate(
    hint: FilterHint = .different, inSlicesOf budget: Duration, delivery: ResultDelivery = .whenDone,
    progress: BackgroundProgress? = nil, where predicate: @escaping (Element) throws -> Bool
  ) async throws {
    try await evaluateInSlices(hint, budget, delivery, progress, predicate)
  }

  /// `setPredicate(hint:inSlicesOf:delivery:progress:where:)`.
  func evaluateInSlices(
    _ hint: FilterHint, _ budget: Duration, _ delivery: ResultDelivery, _ progress: BackgroundProgress?,
    _ predicate: @escaping (Element) throws -> Bool, for owner: (any SweepOwner)? = nil
  ) async throws {
    // Another call may have come first: to get here may take a turn of the domain.
    if owner?.isSuperseded == true { throw CancellationError() }
    let sweep = begin(predicate, hint, delivery, for: owner)
    do {
      try check(sweep, progress)
      var slices = SliceSizes(budget: budget)
      while slices.measure({ evaluateSlice(of: sweep, atMost: $0) }) {
        try check(sweep, progress)
        await Task.yield()
        try check(sweep, progress)
      }
      try await finish(sweep)
      try owner?.end()
      progress?.tellEnd()
    } catch {
      giveUp(sweep)
      owner?.giveUp()
      throw error
    }
  }

  /// `setPredicate(hint:concurrently:progress:where:)`, with what is specialized for its predicate.
  ///
  /// The isolation is a parameter, because only a closure that captures one stays in it: the body of a task group would run
  /// anywhere else.
  @usableFromInline
  func evaluateConcurrently(
    _ hint: FilterHint, _ delivery: ResultDelivery, _ progress: BackgroundProgress?,
    _ predicate: @escaping @Sendable (Element) throws -> Bool,
    copying: (NodeReader<Element>, Range<Int>, BitRun) -> ElementPiece<Element>,
    asking: @escaping @Sendable (ElementPiece<Element>) throws -> BitRun, for owner: (any SweepOwner)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws where Element: Sendable {
    // Another call may have come first: to get here may take a turn of the domain.
    if owner?.isSuperseded == true { throw CancellationError() }
    let sweep = begin(predicate, hint, delivery, for: owner)
    let sharing = source as? any SharingNode<Element>
    do {
      try check(sweep, progress)
      try await withThrowingTaskGroup(of: (Sweep.Piece, BitRun).self) { group in
        _ = isolation
        var underWay = 0
        let limit = 2 * BackgroundPacing.coreCount + 2
        var turns = Turns()
        // What is on the screen first, and soon. Each piece costs some 0.15 ms each time that one thread wakes another, so later
        // ones are large where that costs the domain nothing: as copied elements do, some 50 nanoseconds each, and changes that
        // are shown piece by piece (1,000,000 strings; `benchmark --suite background`).
        var size = BackgroundPacing.elements ?? 4_096
        let largest = BackgroundPacing.elements ?? (sharing == nil ? 8_192 : sweep.isShownAsItGoes ? 16_384 : 131_072)
        while true {
          if underWay < limit, let piece = sweep.sweep.take(atMost: size) {
            size = Swift.min(2 * size, largest)
            let elements =
              sharing?.sharedSlices(of: piece.range).map { ElementPiece(.shared($0), piece.mask) }
              ?? copying(state.value.reader, piece.range, piece.mask)
            group.addTask { (piece, try asking(elements)) }
            underWay += 1
          } else if let (piece, verdicts) = try await turns.wait({ try await group.next() }) {
            underWay -= 1
            try check(sweep, progress)
            take(verdicts, on: piece, of: sweep)
          } else {
            return
          }
          // Others get their turns; but a turn may take as long as a piece, so not after each.
          guard turns.isOver else { continue }
          await turns.pass()
          try check(sweep, progress)
        }
      }
      try await finish(sweep)
      try owner?.end()
      progress?.tellEnd()
    } catch {
      giveUp(sweep)
      owner?.giveUp()
      throw error
    }
  }

  /// Throws where a sweep must not go on, and tells its progress.
  func check(_ sweep: FilterSweep<Element>, _ progress: BackgroundProgress? = nil) throws {
    try Task.checkCancellation()
    guard state.value.sweep === sweep, progress?.isCancelled != true else { throw CancellationError() }
    try sweep.checkFailure()
    let count = state.value.translation.passes.count
    let answered = count - sweep.sweep.unansweredCount
    progress?.tell(answered, of: count)
    try sweep.owner?.check(answered: answered)
  }
}
