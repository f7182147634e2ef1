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
/// - Complexity: O(k log k) altogether for k deltas of one range, moves included.
public struct DeltaComposer: Sendable {
  /// The only delta so far.
  private var first = Delta()
  /// Everything from the second delta on, and the first.
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
  /// 2^16 random insertions, removals and updates, release, nanoseconds each: see Docs/ChangeAlgebra.md.
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

/// Accumulates change sets that follow each other into the net one.
///
/// Those of one level are composed as by a `DeltaComposer`, the others like the digits of a binary counter.
///
/// - Complexity: O(k log k) altogether for k change sets of one range, O(s log k) for change sets of s ranges and nodes in
///   all; where elements move, inside change sets of several levels, with one more factor log.
public struct ChangeSetComposer: Sendable {
  /// The last changes: those since one that has several levels.
  private var recent = DeltaComposer()
  private var updatesValue = false
  /// What was before them: weights fall by half at least, from one to the next.
  private var earlier: [(change: ChangeSet, weight: Int)] = []

  /// Creates a composer of nothing.
  public init() {}

  /// Whether nothing was appended since the net change was last taken, or only empty change sets.
  ///
  /// What was appended may cancel out all the same: then `net()` is empty.
  public var isEmpty: Bool { recent.isEmpty && !updatesValue && earlier.isEmpty }

  /// Appends the change set that comes next.
  ///
  /// - Parameter change: its tree before is the one after the change sets so far.
  /// - Complexity: amortised O(s log k) for a change set of s ranges and nodes; the first one is only stored.
  public mutating func append(_ change: ChangeSet) {
    if change.nodes.isEmpty {
      recent.append(change.delta)
      if change.updatesValue { updatesValue = true }
      return
    }
    flush()
    push(change, weight: change.nodes.count)
  }

  private mutating func flush() {
    if recent.isEmpty { return }
    let delta = recent.net()
    if !delta.isEmpty { push(ChangeSet(delta), weight: delta.rangeCount) }
  }

  private mutating func push(_ change: ChangeSet, weight: Int) {
    var change = change
    var weight = weight
    while let last = earlier.last, last.weight < 2 * weight {
      change = last.change.composed(with: change)
      weight += last.weight
      earlier.removeLast()
    }
    earlier.append((change, weight))
  }

  /// Takes the net change out: the composer is empty afterwards.
  ///
  /// - Returns: the composition of all change sets appended since the last time.
  public mutating func net() -> ChangeSet {
    var result = ChangeSet(recent.net(), updatesValue: updatesValue)
    updatesValue = false
    if !earlier.isEmpty {
      for (change, _) in earlier.reversed() { result = change.composed(with: result) }
      earlier = []
    }
    return result
  }
}
