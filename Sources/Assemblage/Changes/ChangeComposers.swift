/// Accumulates changes that follow each other into the net one.
///
/// The changes held are a binary counter: two that stand for equally many appended ones are composed at once, so that each
/// appended change takes part in O(log k) compositions (Bentley & Saxe, "Decomposable searching problems", 1980).
struct LogarithmicFold<Change> {
  private var pending: [(change: Change, rank: Int)] = []

  var isEmpty: Bool { pending.isEmpty }

  @inline(__always)
  mutating func append(_ change: Change, compose: (Change, Change) -> Change) {
    var change = change
    var rank = 0
    while let last = pending.last, last.rank == rank {
      change = compose(last.change, change)
      pending.removeLast()
      rank += 1
    }
    pending.append((change, rank))
  }

  @inline(__always)
  func folded(compose: (Change, Change) -> Change) -> Change? {
    guard var result = pending.last?.change else { return nil }
    for (change, _) in pending.dropLast().reversed() { result = compose(change, result) }
    return result
  }

  mutating func removeAll() { pending.removeAll(keepingCapacity: true) }
}

/// Accumulates deltas that follow each other into the net one.
///
/// ```swift
/// var composer = DeltaComposer()
/// composer.append(.insertion(0..<1))
/// composer.append(.removal(3..<4))
/// composer.net()   // [-2, +0]
/// ```
///
/// - Complexity: O(k log k) altogether for k deltas of one range; with one more factor log where elements move.
public struct DeltaComposer: Sendable {
  private var first = Delta()
  private var rest: LogarithmicFold<Delta>?

  /// Creates a composer of nothing.
  public init() {}

  /// Whether nothing was appended since the net change was last taken, or only empty deltas.
  public var isEmpty: Bool { first.isEmpty && rest == nil }

  /// Appends the delta that comes next.
  ///
  /// - Complexity: amortised O(log k) for deltas of one range; the first is only stored.
  public mutating func append(_ delta: Delta) {
    if delta.isEmpty { return }
    if rest == nil {
      if first.isEmpty {
        first = delta
        return
      }
      rest = LogarithmicFold()
      rest?.append(first) { $0.composed(with: $1) }
      first = Delta()
    }
    rest?.append(delta) { $0.composed(with: $1) }
  }

  /// Takes the net change out: the composer is empty afterwards.
  public mutating func net() -> Delta {
    defer {
      first = Delta()
      rest = nil
    }
    return rest?.folded { $0.composed(with: $1) } ?? first
  }
}

/// Accumulates change sets that follow each other into the net one.
///
/// - Complexity: O(k log k) altogether for k change sets of one range; with one more factor log where elements move.
public struct ChangeSetComposer: Sendable {
  private var first = ChangeSet()
  private var rest: LogarithmicFold<ChangeSet>?

  /// Creates a composer of nothing.
  public init() {}

  /// Whether nothing was appended since the net change was last taken, or only empty change sets.
  ///
  /// What was appended may cancel out all the same: then `net()` is empty.
  public var isEmpty: Bool { first.isEmpty && rest == nil }

  /// Appends the change set that comes next.
  ///
  /// - Complexity: amortised O(log k) for change sets of one range; the first is only stored.
  public mutating func append(_ change: ChangeSet) {
    if change.isEmpty { return }
    if rest == nil {
      if first.isEmpty {
        first = change
        return
      }
      rest = LogarithmicFold()
      rest?.append(first) { $0.composed(with: $1) }
      first = ChangeSet()
    }
    rest?.append(change) { $0.composed(with: $1) }
  }

  /// Takes the net change out: the composer is empty afterwards.
  public mutating func net() -> ChangeSet {
    defer {
      first = ChangeSet()
      rest = nil
    }
    return rest?.folded { $0.composed(with: $1) } ?? first
  }
}

extension LogarithmicFold: Sendable where Change: Sendable {}
