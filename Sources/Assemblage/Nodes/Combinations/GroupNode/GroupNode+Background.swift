// A key whose values are computed in the background.
extension GroupNode: BackgroundNode {
  /// Groups by another key in the background, on other threads; see `ConcurrentWork`.
  ///
  /// - Parameters:
  ///   - execution: `.concurrently`.
  ///   - progress: receives the progress of the work.
  ///   - key: returns the key of a value; nil for rows without a key.
  /// - Throws: the error of the closure, or a `CancellationError`.
  /// - Complexity: as for `setKey(_:)`. Other threads call the closure and hash the keys. In the node's domain, the
  ///   rows are put into their sections in expected O(n) for n rows.
  @inlinable
  public func setKey(
    inBackground execution: ConcurrentWork, progress: BackgroundProgress? = nil,
    by key: @escaping @Sendable (Element) throws -> Key?
  ) async throws where Element: Sendable, Key: Sendable {
    try await groupConcurrently(
      key, progress, copying: { elementRows($0, $1, among: $2) },
      asking: { piece in
        var keys = PieceKeys<Key>(count: piece.range.count)
        for part in piece.parts {
          try Task.checkCancellation()
          try piece.forEach(in: part) { place, element in keys.note(try key(element), at: place) }
        }
        return keys
      })
  }

  /// Groups by another key in the background, in slices on the node's domain; see `ConcurrentWork`.
  ///
  /// - Parameters:
  ///   - slices: `.inSlices(of:)`.
  ///   - progress: receives the progress of the work.
  ///   - key: returns the key of a value; nil for rows without a key.
  /// - Throws: the error of the closure, or a `CancellationError`.
  /// - Complexity: as for `setKey(_:)`.
  public func setKey(
    inBackground slices: SlicedWork, progress: BackgroundProgress? = nil,
    by key: @escaping (Element) throws -> Key?
  ) async throws {
    try await inBackground(begin(progress)) { work in
      let key = work.keepingErrors(nil, key)
      var pieces = try await work.snapshot(
        of: source, state.value.reader, inPiecesOf: BackgroundWork.smallPiece,
        copying: { elementRows($0, $1, among: $2) })
      var keys = PieceKeys<Key>(count: pieces.last?.range.upperBound ?? 0)
      try await work.inSlices(&pieces, slices, in: hub) { piece, part in
        piece.forEach(in: part) { keys.note(key($1), at: piece.range.lowerBound + $0) }
      }
      try await end(work, key, keys)
    }
  }

  var work: BackgroundWork? {
    get { state.value.work }
    set { state.value.work = newValue }
  }

  /// `setKey(inBackground:progress:by:)`, with closures that are specialized for its key.
  @usableFromInline
  func groupConcurrently(
    _ key: @escaping @Sendable (Element) throws -> Key?, _ progress: BackgroundProgress?,
    copying: CopyingElements<Element>,
    asking: @escaping @Sendable (SourcePiece<Element>) throws -> PieceKeys<Key>
  ) async throws where Element: Sendable, Key: Sendable {
    try await inBackground(begin(progress)) { work in
      var pieces = try await work.snapshot(
        of: source, state.value.reader, inPiecesOf: BackgroundWork.largePiece, copying: copying)
      let keys = await PieceKeys(joining: try await work.elsewhere(&pieces, asking))
      try await end(work, work.keepingErrors(nil, key), keys)
    }
  }

  /// Groups by the keys of the snapshot, and calls the key closure now for rows that have arrived or changed since.
  ///
  /// - Throws: as `BackgroundWork.check(_:of:)` does, also the error that the closure threw for one of these rows.
  private func end(
    _ work: BackgroundWork, _ key: @escaping (Element) -> Key?, _ keys: PieceKeys<Key>
  ) async throws {
    var keys = keys
    try await work.end(
      in: hub,
      catchingUp: { delta in
        keys.follow(delta)
        for range in Array(delta.insertions) + Array(delta.updates) {
          state.value.reader.forEachSpan(in: range) { start, span in
            for index in span.indices { keys.note(key(span[index]), at: start + index) }
          }
        }
      },
      difference: nil,
      show: { _ in regroup(by: key) { self.slots(keys) } })
  }

  /// The slots of all rows.
  private func slots(_ keys: PieceKeys<Key>) -> [Int] {
    let table = state.value.table
    var known = [0] + [Int](repeating: -1, count: keys.keys.count)
    return keys.indices.map { number in
      let index = Int(number)
      if known[index] < 0 { known[index] = table.slot(for: keys.keys[index - 1]) }
      return known[index]
    }
  }
}

/// The keys of some rows, each key once.
@usableFromInline
struct PieceKeys<Key: Hashable> {
  /// The keys, in the order in which they were noted.
  private(set) var keys: [Key] = []
  /// For each row, one more than the index of its key; 0 for a row without a key.
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

  /// Follows a change of the rows. Rows that arrived or were updated have no key then.
  mutating func follow(_ delta: Delta) { indices = delta.applying(to: indices) { _ in 0 } }

  private mutating func place(of key: Key) -> Int32 {
    if let place = places[key] { return place }
    keys.append(key)
    places[key] = Int32(keys.count)
    return Int32(keys.count)
  }
}

extension PieceKeys: Sendable where Key: Sendable {
  /// Joins the keys of pieces that follow one another, on another core.
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
