/// Composes a sequence of change sets into their net change set.
///
/// ```swift
/// var composer = ChangeSetComposer()
/// composer.append(ChangeSet(.insertion(0..<1)).wrapped(at: 1))   // a row in section 1
/// composer.append(ChangeSet(.insertion(0..<1)))                  // a section before it
/// composer.net()                                                 // [+0; 2: [+0]]
/// ```
///
/// As long as the node's children keep their positions, changes of one level inside them go to a `DeltaComposer` for
/// each child. Other changes are composed like the digits of a binary counter.
///
/// - Complexity: O(s · log s) in total for change sets of s ranges and nodes; with one more factor log if elements
///   move inside change sets of more than two levels.
@_spi(NodeAuthors)
public struct ChangeSetComposer: Sendable {
  /// The only change so far.
  private var first = ChangeSet()
  /// The last changes of the node's own level.
  private var recent = DeltaComposer()
  /// The last changes inside its children, by the children's positions, which have stayed the same since then.
  private var inside: [Int: DeltaComposer] = [:]
  private var updatesValue = false
  /// The changes before `recent` and `inside`: each weight is at most half the weight before it.
  private var earlier: [(change: ChangeSet, weight: Int)] = []

  /// Creates a composer without any change sets.
  public init() {}

  /// Whether no change set, or only empty change sets, were appended since the last `net()`.
  ///
  /// Changes that cancel each other count as well: then `isEmpty` is false, but `net()` returns an empty change set.
  public var isEmpty: Bool { first.isSilent && hasOnlyFirst }

  private var hasOnlyFirst: Bool { recent.isEmpty && inside.isEmpty && earlier.isEmpty && !updatesValue }

  /// Appends the next change set.
  ///
  /// - Parameter change: a change that begins with the tree after all change sets so far.
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
      // Updates keep the children's positions. After any other change, the positions in `inside` are no longer valid.
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

  /// Returns the net change of `recent` and `inside`, and empties both.
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
      change = last.change.continued(by: change)
      weight += last.weight
      earlier.removeLast()
    }
    earlier.append((change, weight))
  }

  /// The position of a child of the root before the change sets; nil if they inserted the child.
  ///
  /// - Parameter position: the child's position after the change sets.
  /// - Returns: the child's position before the change sets, or nil.
  func position(before position: Int) -> Int? {
    if hasOnlyFirst { return first.level.position(before: position) }
    var result = recent.position(before: position)
    for (change, _) in earlier.reversed() { result = result.flatMap(change.level.position(before:)) }
    return result
  }

  /// Returns the net change, and empties the composer.
  ///
  /// - Returns: the composition of all change sets that were appended since the last call. Moves that begin or end
  ///   outside of the tree have become removals and insertions.
  public mutating func net() -> ChangeSet {
    var change = composed()
    change.dropOpenCrossings()
    return change
  }

  /// Returns the net change, and empties the composer.
  ///
  /// Unlike `net()`, this method keeps the moves that begin or end outside of the tree, because later changes may
  /// continue them.
  mutating func composed() -> ChangeSet {
    if hasOnlyFirst {
      let change = first
      first = ChangeSet()
      return change
    }
    var result = takeRecent()
    for (change, _) in earlier.reversed() { result = change.continued(by: result) }
    earlier = []
    return result
  }
}
