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
  /// `CancellationError`, also where the further call is rolled back.
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
  @inlinable
  public func setComparator(
    inSlicesOf budget: Duration, progress: BackgroundProgress? = nil,
    by areInIncreasingOrder: @escaping (Element, Element) throws -> Bool
  ) async throws {
    try await sortInSlices(
      budget, areInIncreasingOrder, progress, copying: { elementRows($0, $1) },
      stepping: { $0.step(atMost: $1, passing: $2, by: $3) })
  }

  /// `setComparator(inSlicesOf:progress:by:)`, with what is specialized for its element.
  @usableFromInline
  func sortInSlices(
    _ budget: Duration, _ areInIncreasingOrder: @escaping (Element, Element) throws -> Bool,
    _ progress: BackgroundProgress?, copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>],
    stepping: (inout StepwiseSort<Element>, Int, RangeSet<Int>, Comparator) -> Bool
  ) async throws {
    let work = begin()
    let comparator = work.keepingErrors(areInIncreasingOrder)
    do {
      var sort = StepwiseSort(
        try await work.pieces(
          of: source, state.value.reader, progress, pieceSize: BackgroundPacing.pieceSize, copying: copying))
      let count = sort.count
      let positions: [Int]
      do {
        try await run(&sort, in: SliceSizes(budget: budget), work, progress) { stepping(&$0, $1, $2, comparator) }
        positions = sort.positions
      } catch {
        await release(&sort)
        throw error
      }
      await release(&sort)
      try await finish(work, comparator, await SortTranslation(count: count, sortedPositions: positions))
      progress?.tellEnd()
    } catch {
      giveUp(work)
      throw error
    }
  }

  /// Sorts in slices.
  private func run(
    _ sort: inout StepwiseSort<Element>, in slices: SliceSizes, _ work: BackgroundWork, _ progress: BackgroundProgress?,
    _ step: (inout StepwiseSort<Element>, Int, RangeSet<Int>) -> Bool
  ) async throws {
    var slices = slices
    // What has changed by itself is told before it is compared: the rows were sorted by what it was.
    var (version, stale) = (work.version, work.staleElements())
    while slices.measure({ count in
      hub.prepareForChange()
      if version != work.version { (version, stale) = (work.version, work.staleElements()) }
      return hub.refusingChanges { step(&sort, count, stale) }
    }) {
      try work.check(progress, sort.stepCount, of: sort.totalStepCount)
      await Task.yield()
      try work.check(progress)
    }
  }

  /// Gives the elements up that were sorted, in as many turns as that takes.
  private func release(_ sort: inout StepwiseSort<Element>) async {
    var turns = Turns()
    while sort.releaseSome() {
      if turns.isOver { await turns.pass() }
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
      var sources = try await work.pieces(of: source, state.value.reader, progress, copying: copying)
      let count = sources.last?.range.upperBound ?? 0
      // Each list of a million elements is released by the job that is the last to need it.
      let pieces = sources.map(Handover.init)
      sources = []
      let total = pieces.count + Swift.max(0, pieces.count - 1)
      var done = pieces.count
      var runs = try await runElsewhere(pieces.map { piece in { Handover(try sorting(piece.take())) } }) {
        try work.check(progress, $0, of: total)
      }
      while runs.count > 1 {
        let single = runs.count % 2 == 1 ? runs.popLast() : nil
        let pairs = stride(from: 0, to: runs.count, by: 2).map { (runs[$0], runs[$0 + 1]) }
        runs = try await runElsewhere(
          pairs.map { pair in { Handover(try merging(pair.0.take(), pair.1.take())) } }
        ) { try work.check(progress, done + $0, of: total) }
        done += runs.count
        if let single { runs.append(single) }
      }
      let translation = await SortTranslation(count: count, sorted: runs.first ?? Handover([]))
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
    state.value.work = work
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
      let former = state.value.translation
      let delta = await former.differenceElsewhere(to: order)
      hub.prepareForChange()
      try work.check(nil)
      guard version == work.version else { continue }
      show(comparator) { translation in
        translation = order
        return delta
      }
      return releaseElsewhere((former, delta))
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
      order.plan(
        delta, sort: { functions.sort(reader, $0, comparator) },
        place: { functions.place(reader, $0, comparator, $1) })
    }
    _ = order.translate(ChangeSet(delta), plan)
  }
}

extension SortTranslation {
  /// Creates a translation by another core.
  ///
  /// - Parameters:
  ///   - count: the number of children.
  ///   - rows: the children that have values, sorted; they are released there.
  @concurrent
  init<Element: Sendable>(count: Int, sorted rows: Handover<[ElementRow<Element>]>) async {
    self.init(count: count, sources: rows.take().positions(of: count))
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
