/// Accumulates change sets that follow each other into the net one.
///
/// ```swift
/// var composer = ChangeSetComposer()
/// composer.append(ChangeSet(.insertion(0..<1)).wrapped(at: 1))   // a row in section 1
/// composer.append(ChangeSet(.insertion(0..<1)))                  // a section before it
/// composer.net()                                                 // [+0; 2: [+0]]
/// ```
///
/// As long as the node's children keep their positions, changes of one level inside them go to a `DeltaComposer` for each
/// child; others are composed like the digits of a binary counter.
///
/// - Complexity: O(s · log s) altogether for change sets of s ranges and nodes in all; where elements move inside change sets
///   of more than two levels, with one more factor log.
@_spi(NodeAuthors)
public struct ChangeSetComposer: Sendable {
  /// The only change so far.
  private var first = ChangeSet()
  /// The last changes of the node's own level, ...
  private var recent = DeltaComposer()
  /// ... and those inside its children that came since the children got their positions, by these.
  private var inside: [Int: DeltaComposer] = [:]
  private var updatesValue = false
  /// What was before them: weights fall by half at least, from one to the next.
  private var earlier: [(change: ChangeSet, weight: Int)] = []

  /// Creates a composer of nothing.
  public init() {}

  /// Whether nothing was appended since the net change was last taken, or only empty change sets.
  ///
  /// What was appended may cancel out all the same: then `net()` is empty.
  public var isEmpty: Bool { first.isSilent && hasOnlyFirst }

  private var hasOnlyFirst: Bool { recent.isEmpty && inside.isEmpty && earlier.isEmpty && !updatesValue }

  /// Appends the change set that comes next.
  ///
  /// - Parameter change: its tree before is the one after the change sets so far.
  /// - Complexity: amortised O(s · log k) for a change set of s ranges and nodes; the first one is only stored.
  public mutating func append(_ change: ChangeSet) {
    if change.isSilent { return }
    if hasOnlyFirst {
      if first.isSilent {
        first = change
        return
      }
      let before = first
      first = ChangeSet()
      add(before)
    }
    add(change)
  }

  private mutating func add(_ change: ChangeSet) {
    if !change.crossings.isEmpty {
      flush()
      push(change)
    } else if change.nodes.isEmpty {
      // Updates leave the children where they are; with everything else, their positions mean something else.
      if !inside.isEmpty && change.delta.movesPositions { flush() }
      recent.append(change.delta)
      if change.updatesValue { updatesValue = true }
    } else if !change.delta.movesPositions && change.nodes.allSatisfy({ $0.size == 1 }) {
      for node in change.nodes { inside[node.position, default: DeltaComposer()].append(node.delta) }
      recent.append(change.delta)
      if change.updatesValue { updatesValue = true }
    } else {
      flush()
      push(change)
    }
  }

  /// Takes the net change of `recent` and `inside` out.
  private mutating func takeRecent() -> ChangeSet {
    let change = ChangeSet(recent.net(), updatesValue: updatesValue)
    updatesValue = false
    if inside.isEmpty { return change }
    var nodes: [ChangeSet.Node] = []
    nodes.reserveCapacity(inside.count)
    for (position, var composer) in inside {
      let delta = composer.net()
      if !delta.isEmpty { nodes.append(ChangeSet.Node(position: position, size: 1, delta: delta)) }
    }
    nodes.sort(byNumber: \.position)
    inside = [:]
    return change.composed(with: ChangeSet(delta: Delta(), updatesValue: false, nodes: nodes))
  }

  private mutating func flush() {
    let change = takeRecent()
    if !change.isSilent { push(change) }
  }

  private mutating func push(_ change: ChangeSet) {
    var change = change
    var weight = change.nodes.count + change.delta.rangeCount + change.crossings.count
    while let last = earlier.last, last.weight < 2 * weight {
      change = last.change.composed(with: change)
      weight += last.weight
      earlier.removeLast()
    }
    earlier.append((change, weight))
  }

  /// The position that a child of the root had before the change sets; nil: they inserted it.
  ///
  /// - Parameter position: the child's position after them.
  /// - Returns: its position before them, or nil.
  func position(before position: Int) -> Int? {
    if hasOnlyFirst { return first.level.position(before: position) }
    var result = recent.position(before: position)
    for (change, _) in earlier.reversed() { result = result.flatMap(change.level.position(before:)) }
    return result
  }

  /// Takes the net change out: the composer is empty afterwards.
  ///
  /// - Returns: the composition of all change sets appended since the last time. Moves that begin or end outside of the
  ///   tree have become removals and insertions.
  public mutating func net() -> ChangeSet {
    var change = composed()
    change.dropOpenCrossings()
    return change
  }

  /// Takes the net change out with the moves that begin or end outside of the tree, which other changes may go on.
  mutating func composed() -> ChangeSet {
    if hasOnlyFirst {
      let change = first
      first = ChangeSet()
      return change
    }
    var result = takeRecent()
    for (change, _) in earlier.reversed() { result = change.composed(with: result) }
    earlier = []
    return result
  }
}
