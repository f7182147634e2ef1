// A comparator whose order is computed in the background.
extension SortNode: BackgroundNode {
  /// Sorts by another comparator in the background, on other threads: see `ConcurrentWork`.
  ///
  /// - Parameters:
  ///   - execution: `.concurrently`.
  ///   - progress: receives the progress of the work.
  ///   - areInIncreasingOrder: returns whether its first argument is before its second.
  /// - Throws: the error of the comparator, or a `CancellationError`.
  /// - Complexity: O(n · log n) for n children. In the node's domain: O(c) for c shared chunks, or O(n) if elements are
  ///   copied, and O(k · log n) for k edits made meanwhile. It is O(n) if edits are so frequent that the fewest moves
  ///   cannot be found between two of them.
  @inlinable
  public func setComparator(
    inBackground execution: ConcurrentWork, progress: BackgroundProgress? = nil,
    by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool
  ) async throws where Element: Sendable {
    try await sortConcurrently(
      areInIncreasingOrder, progress, copying: { elementRows($0, $1, among: $2) },
      sorting: {
        var rows = $0.rows
        try rows.sortRowsUnlessCancelled(by: areInIncreasingOrder)
        return rows
      },
      merging: { try merged($0, $1, areInIncreasingOrder) })
  }

  /// Sorts by another comparator in the background, in slices on the node's domain: see `ConcurrentWork`.
  ///
  /// - Parameters:
  ///   - slices: `.inSlices(of:)`.
  ///   - progress: receives the progress of the work.
  ///   - areInIncreasingOrder: returns whether its first argument is before its second.
  /// - Throws: the error of the comparator, or a `CancellationError`.
  /// - Complexity: O(n · log n) for n children.
  @inlinable
  public func setComparator(
    inBackground slices: SlicedWork, progress: BackgroundProgress? = nil,
    by areInIncreasingOrder: @escaping (Element, Element) throws -> Bool
  ) async throws {
    try await sortInSlices(
      slices, areInIncreasingOrder, progress, copying: { elementRows($0, $1, among: $2) },
      stepping: { $0.step(atMost: $1, passing: $2, by: $3) })
  }

  var work: BackgroundWork? {
    get { state.value.work }
    set { state.value.work = newValue }
  }

  /// Sorts for `setComparator(inBackground:progress:by:)`, with closures that are specialized for its element.
  @usableFromInline
  func sortInSlices(
    _ slices: SlicedWork, _ areInIncreasingOrder: @escaping (Element, Element) throws -> Bool,
    _ progress: BackgroundProgress?, copying: CopyingElements<Element>,
    stepping: (inout StepwiseSort<Element>, Int, RangeSet<Int>, Comparator) -> Bool
  ) async throws {
    try await inBackground(begin(progress)) { work in
      let comparator = work.keepingErrors(areInIncreasingOrder)
      var sort = StepwiseSort(
        try await work.snapshot(
          of: source, state.value.reader, inPiecesOf: BackgroundWork.smallPiece, copying: copying))
      do {
        // An element that has changed by itself is announced before it is compared, because the rows were sorted by its
        // former value.
        var (version, stale) = (work.version, work.staleElements())
        try await work.inSlices(slices, progress: { (sort.stepCount, sort.totalStepCount) }) { count in
          hub.prepareForChange(.deliver)
          if version != work.version { (version, stale) = (work.version, work.staleElements()) }
          return hub.refusingChanges { stepping(&sort, count, stale, comparator) }
        }
      } catch {
        await release(&sort)
        throw error
      }
      let (count, positions) = (sort.count, sort.positions)
      await release(&sort)
      try await end(work, comparator, await SortTranslation(count: count, sortedPositions: positions))
    }
  }

  /// Releases the elements that were sorted, in several turns.
  private func release(_ sort: inout StepwiseSort<Element>) async {
    var turns = Turns()
    while sort.releaseSome() {
      if turns.isOver { await turns.pass() }
    }
  }

  /// Sorts for `setComparator(inBackground:progress:by:)`, with closures that are specialized for its comparator.
  @usableFromInline
  func sortConcurrently(
    _ comparator: @escaping @Sendable (Element, Element) throws -> Bool, _ progress: BackgroundProgress?,
    copying: CopyingElements<Element>,
    sorting: @escaping @Sendable (SourcePiece<Element>) throws -> [ElementRow<Element>],
    merging: @escaping @Sendable ([ElementRow<Element>], [ElementRow<Element>]) throws -> [ElementRow<Element>]
  ) async throws where Element: Sendable {
    try await inBackground(begin(progress)) { work in
      var pieces = try await work.snapshot(of: source, state.value.reader, copying: copying)
      let count = pieces.last?.range.upperBound ?? 0
      let total = Swift.max(1, 2 * pieces.count - 1)
      var done = pieces.count
      var runs = try await work.elsewhere(&pieces, progress: (0, total)) { Handover(try sorting($0)) }
      while runs.count > 1 {
        let single = runs.count % 2 == 1 ? runs.popLast() : nil
        var pairs = stride(from: 0, to: runs.count, by: 2).map { (runs[$0], runs[$0 + 1]) }
        runs = try await work.elsewhere(&pairs, progress: (done, total)) {
          Handover(try merging($0.0.take(), $0.1.take()))
        }
        done += runs.count
        if let single { runs.append(single) }
      }
      let order = await SortTranslation(count: count, sorted: runs.first ?? Handover([]))
      try await end(work, work.keepingErrors(comparator), order)
    }
  }

  /// Shows an order of the snapshot, brought up to date with the changes since then.
  private func end(_ work: BackgroundWork, _ comparator: @escaping Comparator, _ order: SortTranslation) async throws {
    var order = order
    try await work.end(
      in: hub,
      catchingUp: { delta in
        let reader = state.value.reader
        let plan = order.plan(
          delta, sort: { functions.sort(reader, $0, comparator) },
          place: { functions.place(reader, $0, comparator, $1) })
        _ = order.translate(ChangeSet(delta), plan)
      },
      difference: { await self.state.value.translation.differenceElsewhere(to: order) },
      show: { delta in
        let former = state.value.translation
        show(comparator) { translation in
          guard let delta else { return translation.reorder(to: order) }
          translation = order
          return delta
        }
        releaseElsewhere(former)
      })
  }
}

extension SortTranslation {
  /// Creates a translation on another core.
  ///
  /// - Parameters:
  ///   - count: the number of children.
  ///   - rows: the sorted children that have values; they are released on that core.
  @concurrent
  init<Element: Sendable>(count: Int, sorted rows: Handover<[ElementRow<Element>]>) async {
    self.init(count: count, sources: rows.take().positions(of: count))
  }

  /// Creates a translation on another core.
  ///
  /// - Parameters:
  ///   - count: the number of children.
  ///   - positions: the positions of the children that have values, sorted.
  @concurrent
  init(count: Int, sortedPositions positions: [Int]) async {
    self.init(count: count, sources: positions.completed(to: count))
  }

  /// Returns the result of `difference(to:)`, computed on another core.
  @concurrent
  func differenceElsewhere(to other: SortTranslation) async -> Delta { difference(to: other) }
}
