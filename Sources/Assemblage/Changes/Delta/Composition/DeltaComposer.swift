/// Accumulates deltas that follow each other into the net one.
///
/// ```swift
/// var composer = DeltaComposer()
/// composer.append(.insertion(0..<1))
/// composer.append(.removal(3..<4))
/// composer.net()   // [-2, +0]
/// ```
///
/// Single edits are applied to a small table of survivors; full tables are composed like the digits of a binary counter,
/// so that each edit takes part in O(log k) compositions (Bentley & Saxe, "Decomposable searching problems", 1980).
///
/// - Complexity: O(k · log k) altogether for k deltas of one range, moves included.
@_spi(NodeAuthors)
public struct DeltaComposer: Sendable {
  /// The only delta so far.
  private var first = Delta()
  /// All deltas, if they are more than that.
  private var rest: Rest?

  fileprivate struct Rest {
    /// The last changes, of `weight` ranges.
    var recent = PieceTable()
    var weight = 0
    /// What was before them: weights fall by half at least, from one to the next.
    var earlier: [(table: PieceTable, weight: Int)] = []
  }

  /// The ranges that a table takes in one by one.
  ///
  /// Of 2^14 random insertions, removals and updates, each took 364 ns with 32, 320 with 48 and 337 with 96 (release, best
  /// of fifteen; `swift run -c release benchmark --suite changes --sizes 16384` shows it).
  fileprivate static var fullWeight: Int { 48 }

  /// Creates a composer of nothing.
  public init() {}

  /// Whether nothing was appended since the net change was last taken, or only empty deltas.
  ///
  /// What was appended may cancel out all the same: then `net()` is empty.
  public var isEmpty: Bool { first.isEmpty && rest == nil }

  /// Appends the delta that comes next.
  ///
  /// - Parameter delta: its positions before the change are those after the deltas so far.
  /// - Complexity: amortised O(log k) for a delta of one range; the first one is only stored.
  public mutating func append(_ delta: Delta) {
    if delta.isEmpty { return }
    if rest == nil {
      if first.isEmpty {
        first = delta
        return
      }
      rest = Rest()
      rest?.append(first)
      first = Delta()
    }
    rest?.append(delta)
  }

  /// The position that a child had before the deltas; nil: they inserted it.
  ///
  /// - Parameter position: the child's position after the deltas.
  /// - Returns: its position before them, or nil.
  /// - Complexity: O(log² k) for k deltas of one range.
  func position(before position: Int) -> Int? {
    guard let rest else { return first.position(before: position) }
    var result = rest.recent.position(before: position)
    for (table, _) in rest.earlier.reversed() { result = result.flatMap(table.position(before:)) }
    return result
  }

  /// Takes the net change out: the composer is empty afterwards.
  ///
  /// - Returns: the composition of all deltas appended since the last time.
  public mutating func net() -> Delta {
    guard let rest else {
      let delta = first
      first = Delta()
      return delta
    }
    self.rest = nil
    let delta = rest.table.delta
    delta.checkInvariants()
    return delta
  }
}

extension DeltaComposer.Rest {
  mutating func append(_ delta: Delta) {
    let ranges = delta.rangeCount
    if ranges > 4 {
      flush()
      push(PieceTable(delta), weight: ranges)
      return
    }
    recent.apply(delta)
    weight += ranges
    if weight >= DeltaComposer.fullWeight { flush() }
  }

  private mutating func flush() {
    if weight == 0 { return }
    push(recent, weight: weight)
    recent = PieceTable()
    weight = 0
  }

  private mutating func push(_ table: PieceTable, weight: Int) {
    var table = table
    var weight = weight
    while let last = earlier.last, last.weight < 2 * weight {
      table = last.table.composed(with: table)
      weight += last.weight
      earlier.removeLast()
    }
    earlier.append((table, weight))
  }

  var table: PieceTable {
    var result = recent
    for (table, _) in earlier.reversed() { result = table.composed(with: result) }
    return result
  }
}

extension Delta {
  /// The number of ranges in all lists.
  var rangeCount: Int {
    switch storage {
    case .identity: 0
    case .insertion, .removal, .update: 1
    case .several(let several):
      several.removals.count + several.insertions.count + several.updates.count + several.moves.count
    }
  }
}
