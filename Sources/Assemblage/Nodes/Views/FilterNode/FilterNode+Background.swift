import OffsetIndexing

// A predicate whose verdicts are computed in the background.
extension FilterNode: BackgroundNode {
  /// Filters by another predicate in the background, on other threads: see `ConcurrentWork`.
  ///
  /// The hint relates the new predicate to the predicate of the last call, even if the verdicts of that predicate are
  /// not known yet. If that call failed and was not superseded, the hint relates to the predicate that the filter
  /// shows.
  ///
  /// - Parameters:
  ///   - hint: the relation of the new predicate to the former one.
  ///   - execution: `.concurrently`.
  ///   - progress: receives the progress of the work.
  ///   - predicate: returns whether a value is visible from now on.
  /// - Throws: the error of the predicate, or a `CancellationError`.
  /// - Complexity: O(n) for n children of the source. The domain copies elements that the source cannot share.
  @inlinable
  public func setPredicate(
    hint: FilterHint = .different, inBackground execution: ConcurrentWork, progress: BackgroundProgress? = nil,
    where predicate: @escaping @Sendable (Element) throws -> Bool
  ) async throws where Element: Sendable {
    try await findVerdicts(begin(hint, progress), execution, predicate)
  }

  /// Filters by another predicate in the background, in slices on the node's domain: see `ConcurrentWork`.
  ///
  /// - Parameters:
  ///   - hint: the relation of the new predicate to the former one.
  ///   - slices: `.inSlices(of:)`.
  ///   - progress: receives the progress of the work.
  ///   - predicate: returns whether a value is visible from now on.
  /// - Throws: the error of the predicate, or a `CancellationError`.
  /// - Complexity: O(n) for n children of the source.
  @inlinable
  public func setPredicate(
    hint: FilterHint = .different, inBackground slices: SlicedWork, progress: BackgroundProgress? = nil,
    where predicate: @escaping (Element) throws -> Bool
  ) async throws {
    try await findVerdicts(begin(hint, progress), slices, predicate)
  }

  var work: BackgroundWork? {
    get { state.value.work }
    set { state.value.work = newValue }
  }

  /// Begins to evaluate a predicate.
  @usableFromInline
  func begin(_ hint: FilterHint, _ progress: BackgroundProgress?) -> BackgroundWork { begin(progress, hint: hint) }

  /// Evaluates a predicate on other threads.
  @inlinable
  func findVerdicts(
    _ work: BackgroundWork, _ execution: ConcurrentWork, _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) async throws where Element: Sendable {
    try await findConcurrently(
      work, predicate, copying: { elementRows($0, $1, among: $2) },
      asking: { piece, valueless in
        var verdicts = BitRun(repeating: false, count: piece.range.count)
        for part in piece.parts {
          try Task.checkCancellation()
          try piece.ask(part, &verdicts, valueless: valueless, predicate)
        }
        return verdicts
      })
  }

  /// Evaluates a predicate in slices.
  @inlinable
  func findVerdicts(
    _ work: BackgroundWork, _ slices: SlicedWork, _ predicate: @escaping (Element) throws -> Bool
  ) async throws {
    try await findInSlices(
      work, slices, predicate, copying: { elementRows($0, $1, among: $2) },
      asking: { $0.ask($1, &$2, valueless: $3, $4) })
  }

  /// Does the work of `findVerdicts(_:_:_:)`, with closures that are specialized for its predicate.
  @usableFromInline
  func findConcurrently(
    _ work: BackgroundWork, _ predicate: @escaping @Sendable (Element) throws -> Bool,
    copying: CopyingElements<Element>,
    asking: @escaping @Sendable (SourcePiece<Element>, _ valueless: Bool) throws -> BitRun
  ) async throws where Element: Sendable {
    let valueless = state.value.valueless
    try await findVerdicts(work, predicate, BackgroundWork.largePiece, copying) { pieces, _ in
      try await work.elsewhere(&pieces) { try asking($0, valueless) }
    }
  }

  /// Does the work of `findVerdicts(_:_:_:)`, with closures that are specialized for its element.
  @usableFromInline
  func findInSlices(
    _ work: BackgroundWork, _ slices: SlicedWork, _ predicate: @escaping (Element) throws -> Bool,
    copying: CopyingElements<Element>,
    asking: (SourcePiece<Element>, Range<Int>, inout BitRun, _ valueless: Bool, (Element) -> Bool) -> Void
  ) async throws {
    let valueless = state.value.valueless
    try await findVerdicts(work, predicate, BackgroundWork.smallPiece, copying) { pieces, predicate in
      var verdicts: [BitRun] = []
      try await work.inSlices(&pieces, slices, in: hub) { piece, part in
        if part.lowerBound == 0 { verdicts.append(BitRun(repeating: false, count: piece.range.count)) }
        asking(piece, part, &verdicts[verdicts.count - 1], valueless, predicate)
      }
      return verdicts
    }
  }

  /// Filters by a predicate, with an executor that asks it about the pieces of a snapshot.
  private func findVerdicts(
    _ work: BackgroundWork, _ predicate: @escaping (Element) throws -> Bool, _ pieceSize: Int,
    _ copying: CopyingElements<Element>,
    asking: (inout [SourcePiece<Element>], _ predicate: @escaping (Element) -> Bool) async throws -> [BitRun]
  ) async throws {
    try await inBackground(work) { work in
      let predicate = work.keepingErrors(false, predicate)
      var known = BitIndex()
      var pieces = try await work.snapshot(
        of: source, state.value.reader, inPiecesOf: pieceSize,
        among: {
          known = state.value.translation.passes
          return work.hint.mask(former: known.bits(in: 0..<known.count))
        }, copying: copying)
      let asked = try await asking(&pieces, predicate)
      try await end(work, predicate, await FilterTranslation(asked, orIn: work.hint == .looser ? known : nil))
    }
  }

  /// Shows the verdicts on the snapshot, brought up to date with the changes since then.
  private func end(
    _ work: BackgroundWork, _ predicate: @escaping (Element) -> Bool, _ verdicts: FilterTranslation
  ) async throws {
    var result = verdicts
    var difference: (() async -> Delta)?
    if hub.hasListeners { difference = { await self.state.value.translation.differenceElsewhere(to: result) } }
    try await work.end(
      in: hub,
      catchingUp: { delta in
        let verdicts = ask(predicate, about: delta)
        result.passes.follow(delta, inserted: verdicts.inserted, updated: verdicts.updated)
      }, difference: difference,
      show: { delta in
        show(by: predicate) { translation in
          let former = translation
          translation = result
          return delta ?? (hub.hasListeners ? former.difference(to: result, on: 0..<result.passes.count) : Delta())
        }
      })
  }

  private func ask(_ predicate: (Element) -> Bool, about delta: Delta) -> FilterTranslation.Verdicts {
    FilterTranslation.Verdicts(
      inserted: delta.insertions.map { verdicts(of: predicate, on: $0, nil) },
      updated: delta.updates.map { verdicts(of: predicate, on: $0, nil) })
  }
}

extension FilterTranslation {
  /// Joins the verdicts of pieces, on another thread.
  ///
  /// - Parameters:
  ///   - pieces: the verdicts.
  ///   - known: children that pass in any case; nil for none.
  @concurrent
  init(_ pieces: [BitRun], orIn known: BitIndex?) async {
    var all = BitRun(repeating: false, count: pieces.reduce(0) { $0 + $1.count })
    var start = 0
    for piece in pieces {
      all.set(start..<start + piece.count, from: piece, at: 0)
      start += piece.count
    }
    if let known { all.formUnion(known.bits(in: 0..<known.count)) }
    self.init(all)
  }

  /// Returns the change from this translation to another one of the same source, computed on as many threads as cores.
  @concurrent
  func differenceElsewhere(to other: FilterTranslation) async -> Delta {
    let count = other.passes.count
    let size = Swift.max(1 << 18, count / (2 * BackgroundPacing.coreCount) + 1)
    if count <= size { return difference(to: other, on: 0..<count) }
    let parts = await withTaskGroup(of: (Int, Delta).self) { group in
      for start in stride(from: 0, to: count, by: size) {
        group.addTask { (start, difference(to: other, on: start..<Swift.min(start + size, count))) }
      }
      var parts: [(start: Int, delta: Delta)] = []
      for await part in group { parts.append(part) }
      return parts.sorted { $0.start < $1.start }.map(\.delta)
    }
    return Delta(
      removals: Self.joined(parts.map { Array($0.removals) }),
      insertions: Self.joined(parts.map { Array($0.insertions) }))
  }

  /// Returns the change from this translation to another one of the same source, in a range of the source.
  func difference(to other: FilterTranslation, on range: Range<Int>) -> Delta {
    Delta(
      replacing: passes.bits(in: range), by: other.passes.bits(in: range), start: passes.rank(range.lowerBound),
      startAfter: other.passes.rank(range.lowerBound))
  }

  /// Joins ascending lists of ranges into one list in which no two ranges touch.
  private static func joined(_ lists: [[Range<Int>]]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    result.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for range in lists.joined() { RangeLists.append(range, to: &result) }
    return result
  }
}
