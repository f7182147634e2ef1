// A key whose values are found in the background.
extension GroupNode {
  /// Groups by another key, which other cores ask for, while the group and its source stay usable.
  ///
  /// ```swift
  /// let lines = ArrayNode((0..<100_000).map { "line \($0)" })
  /// let group = GroupNode(lines) { $0.count }
  /// try await group.setKey(concurrently: { $0.last.map { Int(String($0))! } })
  /// group.count                  // 10
  /// ```
  ///
  /// Until all keys are known the former sections are shown, and then the new ones, as one change; edits made meanwhile are
  /// taken in. The arrays of an `ArrayNode`, and of a `JoinNode` of such, are shared; from other sources the elements are
  /// copied out, in several turns of the node's isolation domain. To put the rows into their sections takes the domain as long
  /// as that takes `setKey(_:)`, without the asking.
  ///
  /// A further call to this or another form of `setKey` takes the place of this one, which ends with a `CancellationError`,
  /// also where the further call is rolled back.
  ///
  /// - Parameters:
  ///   - key: the key of a value; nil for rows that have none. Where it throws later, for a new or updated element, that has
  ///     none.
  ///   - progress: told how far it has come; the units are steps of the work.
  /// - Throws: what the closure throws, or a `CancellationError` where the task or the progress is cancelled, or another call
  ///   took the place of this one. The sections are as they were then, with the edits made since.
  /// - Complexity: that of `setKey(_:)`; the calls of the closure, and expected O(n) for n rows, are made by as many cores as
  ///   there are.
  @inlinable
  public func setKey(
    concurrently key: @escaping @Sendable (Element) throws -> Key?, progress: BackgroundProgress? = nil
  ) async throws where Element: Sendable, Key: Sendable {
    try await groupConcurrently(
      key, progress, copying: { elementRows($0, $1) },
      asking: { piece in
        var keys = PieceKeys<Key>(count: piece.range.count)
        try piece.forEach { place, element in
          if place & 1_023 == 0 { try Task.checkCancellation() }
          keys.note(try key(element), at: place)
        }
        return keys
      })
  }

  /// Groups by another key, for which is asked in slices on the caller's actor, to which other work gets in between.
  ///
  /// It is for elements that cannot leave their isolation domain; else as the form that works concurrently.
  ///
  /// ```swift
  /// // on the main actor, with class objects
  /// try await group.setKey(inSlicesOf: .milliseconds(2)) { $0.kind }
  /// ```
  ///
  /// - Parameters:
  ///   - budget: how long a slice should take. Their sizes are adapted as they go; a single call of the closure is not
  ///     interrupted.
  ///   - progress: told how far it has come; the units are steps of the work.
  ///   - key: the key of a value; nil for rows that have none. Where it throws later, for a new or updated element, that has
  ///     none.
  /// - Throws: as the form that works concurrently.
  /// - Complexity: that of `setKey(_:)`.
  public func setKey(
    inSlicesOf budget: Duration, progress: BackgroundProgress? = nil, by key: @escaping (Element) throws -> Key?
  ) async throws {
    let work = begin()
    let asked = work.keepingErrors(nil, key)
    do {
      var pieces = try await work.pieces(
        of: source, state.value.reader, progress, pieceSize: BackgroundPacing.pieceSize
      ) { elementRows($0, $1) }[...]
      let total = pieces.reduce(0) { $0 + $1.rowCount }
      var keys = PieceKeys<Key>(count: pieces.last?.range.upperBound ?? 0)
      var slices = SliceSizes(budget: budget)
      var done = 0
      // Each piece is released when its rows have been asked for.
      while let rows = pieces.popFirst()?.rows {
        var rest = rows[...]
        while !rest.isEmpty {
          slices.measure { count in
            hub.refusingChanges {
              for row in rest.prefix(count) { keys.note(asked(row.element), at: row.position) }
            }
            rest = rest.dropFirst(count)
          }
          try work.check(progress, done + rows.count - rest.count, of: total)
          await Task.yield()
          try work.check(progress)
        }
        done += rows.count
      }
      try finish(work, asked, keys)
      progress?.tellEnd()
    } catch {
      giveUp(work)
      throw error
    }
  }

  /// `setKey(concurrently:progress:)`, with what is specialized for its key.
  @usableFromInline
  func groupConcurrently(
    _ key: @escaping @Sendable (Element) throws -> Key?, _ progress: BackgroundProgress?,
    copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>],
    asking: @escaping @Sendable (SourcePiece<Element>) throws -> PieceKeys<Key>
  ) async throws where Element: Sendable, Key: Sendable {
    let work = begin()
    do {
      let pieces = try await work.pieces(of: source, state.value.reader, progress, copying: copying)
      let keys = try await runElsewhere(pieces.map { piece in { try asking(piece) } }) {
        try work.check(progress, $0, of: pieces.count)
      }
      let all = await PieceKeys(joining: keys)
      try work.check(progress)
      try finish(work, work.keepingErrors(nil, key), all)
      progress?.tellEnd()
    } catch {
      giveUp(work)
      throw error
    }
  }

  private func begin() -> BackgroundWork {
    hub.prepareForChange()
    let work = BackgroundWork()
    state.value.work = work
    return work
  }

  private func giveUp(_ work: BackgroundWork) {
    if state.value.work === work { state.value.work = nil }
  }

  /// Groups by keys that have been found out, after what has changed since; what came or was updated is asked for now.
  private func finish(
    _ work: BackgroundWork, _ key: @escaping (Element) -> Key?, _ keys: PieceKeys<Key>
  ) throws {
    // One who hears of what has changed by itself may set another key.
    hub.prepareForChange()
    try work.check(nil)
    let delta = work.takeChanges()
    regroup(by: key) { [self] in
      let table = state.value.table
      let count = state.value.translation.rows.count
      var known = [Int](repeating: -1, count: keys.keys.count + 1)
      known[0] = 0
      func slot(ofRow row: Int) -> Int {
        let index = Int(keys.indices[row])
        if known[index] < 0 { known[index] = table.slot(for: keys.keys[index - 1]) }
        return known[index]
      }
      if delta.isEmpty { return (0..<count).map(slot) }
      var slots = [Int](repeating: -1, count: count)
      let updates = RangeSet(delta.updates)
      Delta.PositionMap(delta).forEachRun(inOld: 0..<keys.indices.count) { old, new in
        for position in new { slots[position] = slot(ofRow: old.lowerBound + position - new.lowerBound) }
      }
      for range in updates.ranges { for position in range { slots[position] = -1 } }
      var next = 0
      while let start = slots[next...].firstIndex(of: -1) {
        let end = slots[start...].firstIndex { $0 >= 0 } ?? count
        slots.replaceSubrange(start..<end, with: functions.slots(state.value.reader, start..<end, table, key))
        next = end
      }
      return slots
    }
  }
}

/// The keys of some rows, each key once.
@usableFromInline
struct PieceKeys<Key: Hashable> {
  /// The keys, in the order of their first rows.
  private(set) var keys: [Key] = []
  /// For each row one more than the index of its key; 0 for none.
  private(set) var indices: [Int32]
  private var places: [Key: Int32] = [:]

  @usableFromInline
  init(count: Int) { indices = Array(repeating: 0, count: count) }

  /// Notes the key of a row that has none yet.
  @usableFromInline
  mutating func note(_ key: Key?, at row: Int) {
    guard let key else { return }
    indices[row] = place(of: key)
  }

  private mutating func place(of key: Key) -> Int32 {
    if let place = places[key] { return place }
    keys.append(key)
    places[key] = Int32(keys.count)
    return Int32(keys.count)
  }
}

extension PieceKeys: Sendable where Key: Sendable {
  /// Joins the keys of rows that follow each other, by another core.
  @concurrent
  init(joining pieces: [PieceKeys]) async {
    self.init(count: 0)
    indices.reserveCapacity(pieces.reduce(0) { $0 + $1.indices.count })
    for piece in pieces {
      let joined = [0] + piece.keys.map { place(of: $0) }
      for index in piece.indices { indices.append(joined[Int(index)]) }
    }
  }
}
