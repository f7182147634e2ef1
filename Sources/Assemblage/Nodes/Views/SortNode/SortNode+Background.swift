// A comparator whose order is found in the background.
extension SortNode {
  /// Sorts by another comparator, which other cores ask, while the sort and its source stay usable.
  ///
  /// ```swift
  /// let names = ArrayNode((0..<100_000).map { "name \($0 * 7919 % 100_000)" })
  /// let sorted = SortNode(names, by: nil)
  /// try await sorted.setComparator(concurrently: <)
  /// sorted[0]                    // "name 0"
  /// ```
  ///
  /// Until everything is known the former order is shown, and then the new one, as one change of the fewest moves; edits
  /// made meanwhile are taken in. The arrays of an `ArrayNode`, and of a `JoinNode` of such, are shared; from other sources
  /// the elements are copied out, in several turns of the node's isolation domain. What the new order changes is found out
  /// elsewhere too; the domain is entered to take it in.
  ///
  /// A further call to this or another form of `setComparator` takes the place of this one, which ends with a
  /// `CancellationError`.
  ///
  /// - Parameters:
  ///   - areInIncreasingOrder: says whether its first argument comes before its second. Where it throws later, for a new or
  ///     updated element, that counts as false.
  ///   - progress: told how far it has come; the units are steps of the work.
  /// - Throws: what the comparator throws, or a `CancellationError` where the task or the progress is cancelled, or another
  ///   call took the place of this one. The order is as it was then, with the edits made since.
  /// - Complexity: O(n · log n) for n children, by as many cores as there are; in the node's domain O(c) for c chunks that
  ///   are shared, or O(n) where elements are copied, and O(k · log n) for k edits made meanwhile. Where edits come all the
  ///   time, so that what changes can't be found out between two of them, that takes O(n) there after the third attempt.
  @inlinable
  public func setComparator(
    concurrently areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool,
    progress: BackgroundProgress? = nil
  ) async throws where Element: Sendable {
    try await sortConcurrently(
      areInIncreasingOrder, progress, copying: { elementRows($0, $1) },
      sorting: { piece in
        var rows = piece.rows
        var calls: UInt16 = 0
        try rows.sortRows {
          calls &+= 1
          if calls == 0 { try Task.checkCancellation() }
          return try areInIncreasingOrder($0, $1)
        }
        return rows
      },
      merging: { try merged($0, $1, areInIncreasingOrder) })
  }

  /// Sorts by another comparator in slices on the caller's actor, to which other work gets in between.
  ///
  /// It is for elements that cannot leave their isolation domain; else as the form that works concurrently.
  ///
  /// ```swift
  /// // on the main actor, with class objects
  /// try await sorted.setComparator(inSlicesOf: .milliseconds(2)) { $0.title < $1.title }
  /// ```
  ///
  /// - Parameters:
  ///   - budget: how long a slice should take. Their sizes are adapted as they go; a single call of the comparator is not
  ///     interrupted.
  ///   - progress: as of the form that works concurrently.
  ///   - areInIncreasingOrder: says whether its first argument comes before its second. Where it throws later, for a new or
  ///     updated element, that counts as false.
  /// - Throws: as the form that works concurrently.
  /// - Complexity: O(n · log n) for n children.
  public func setComparator(
    inSlicesOf budget: Duration, progress: BackgroundProgress? = nil,
    by areInIncreasingOrder: @escaping (Element, Element) throws -> Bool
  ) async throws {
    let work = begin()
    let comparator = work.keepingErrors(areInIncreasingOrder)
    do {
      let pieces = try await work.pieces(of: source, state.value.reader, progress) { elementRows($0, $1) }
      var sort = StepwiseSort(pieces.flatMap(\.rows))
      var slices = SliceSizes(budget: budget)
      // What has changed by itself is told before it is compared: the rows were sorted by what it was.
      var (version, stale) = (work.version, work.staleElements())
      while slices.measure({ count in
        hub.prepareForChange()
        if version != work.version { (version, stale) = (work.version, work.staleElements()) }
        return hub.refusingChanges { sort.step(atMost: count, passing: stale, by: comparator) }
      }) {
        try work.check(progress, sort.stepCount, of: sort.totalStepCount)
        await Task.yield()
        try work.check(progress)
      }
      let count = pieces.last?.range.upperBound ?? 0
      try await finish(
        work, comparator, await SortTranslation(count: count, sortedPositions: sort.sorted.map(\.position)))
      progress?.tellEnd()
    } catch {
      giveUp(work)
      throw error
    }
  }

  /// `setComparator(concurrently:progress:)`, with what is specialized for its comparator.
  @usableFromInline
  func sortConcurrently(
    _ comparator: @escaping @Sendable (Element, Element) throws -> Bool, _ progress: BackgroundProgress?,
    copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>],
    sorting: @escaping @Sendable (SourcePiece<Element>) throws -> [ElementRow<Element>],
    merging: @escaping @Sendable ([ElementRow<Element>], [ElementRow<Element>]) throws -> [ElementRow<Element>]
  ) async throws where Element: Sendable {
    let work = begin()
    do {
      let pieces = try await work.pieces(of: source, state.value.reader, progress, copying: copying)
      let count = pieces.last?.range.upperBound ?? 0
      let total = pieces.count + Swift.max(0, pieces.count - 1)
      var done = 0
      var runs = try await runElsewhere(pieces.map { piece in { try sorting(piece) } }) {
        try work.check(progress, $0, of: total)
      }
      done = pieces.count
      while runs.count > 1 {
        let pairs = stride(from: 0, to: runs.count - 1, by: 2).map { (runs[$0], runs[$0 + 1]) }
        let single = runs.count % 2 == 1 ? [runs[runs.count - 1]] : []
        runs = []
        runs = try await runElsewhere(pairs.map { pair in { try merging(pair.0, pair.1) } }) {
          try work.check(progress, done + $0, of: total)
        }
        done += runs.count
        runs += single
      }
      let translation = await SortTranslation(count: count, sorted: runs.first ?? [])
      try await finish(work, work.keepingErrors(comparator), translation)
      progress?.tellEnd()
    } catch {
      giveUp(work)
      throw error
    }
  }

  /// Begins to find another order out.
  private func begin() -> BackgroundWork {
    hub.prepareForChange()
    let work = BackgroundWork()
    _ = exchange(work)
    return work
  }

  private func giveUp(_ work: BackgroundWork) {
    if state.value.work === work { state.value.work = nil }
  }

  /// Shows an order that has been found out, after what has changed since.
  ///
  /// - Parameters:
  ///   - work: what has changed.
  ///   - comparator: the new comparator.
  ///   - order: the order of what the source showed.
  /// - Throws: as `BackgroundWork.check(_:_:of:)` does.
  private func finish(_ work: BackgroundWork, _ comparator: @escaping Comparator, _ order: SortTranslation) async throws
  {
    var order = order
    // Edits that are made meanwhile are a reason to try again, but not for ever.
    for _ in 0..<3 {
      try work.check(nil)
      hub.prepareForChange()
      catchUp(&order, work, comparator)
      let version = work.version
      let delta = await state.value.translation.differenceElsewhere(to: order)
      hub.prepareForChange()
      try work.check(nil)
      guard version == work.version else { continue }
      return show(comparator) { translation in
        translation = order
        return delta
      }
    }
    hub.prepareForChange()
    catchUp(&order, work, comparator)
    try work.check(nil)
    show(comparator) { $0.reorder(to: order) }
  }

  /// Brings an order that is not shown yet up to date with the source.
  private func catchUp(_ order: inout SortTranslation, _ work: BackgroundWork, _ comparator: @escaping Comparator) {
    let delta = work.takeChanges()
    if delta.isEmpty { return }
    let reader = state.value.reader
    let plan = hub.refusingChanges {
      order.plan(delta) { first, second in
        guard let left = reader.element(at: first) else { return false }
        guard let right = reader.element(at: second) else { return true }
        return comparator(left, right)
      }
    }
    _ = order.translate(ChangeSet(delta), plan)
  }
}

extension SortTranslation {
  /// Creates a translation by another core.
  ///
  /// - Parameters:
  ///   - count: the number of children.
  ///   - rows: the children that have values, sorted.
  @concurrent
  init<Element: Sendable>(count: Int, sorted rows: [ElementRow<Element>]) async {
    self.init(count: count, sources: rows.positions(of: count))
  }

  /// Creates a translation by another core.
  ///
  /// - Parameters:
  ///   - count: the number of children.
  ///   - positions: the positions of those that have values, sorted.
  @concurrent
  init(count: Int, sortedPositions positions: [Int]) async {
    self.init(count: count, sources: positions.completed(to: count))
  }

  /// `difference(to:)` by another core.
  @concurrent
  func differenceElsewhere(to other: SortTranslation) async -> Delta { difference(to: other) }
}
