import OffsetIndexing

/// One change on its way through a tree filter: what happened in each node that it concerns.
///
/// First the source's change is gone through from the root downwards, and each record on the way gets a *touch*; then the
/// touches are settled from the last to the first, because what is shown in a node depends on what is below it.
struct TreeFilterEdit {
  /// What happened in one node.
  struct Touch {
    /// The node's record; nil where the node has gone, or has come, and `delta` is all there is to say.
    var record: TreeIndex.Branch?
    /// What happened to the children in the source.
    var source = Delta()
    /// Which of its insertions pass.
    var inserted: [BitRun] = []
    /// Children that stay, and may be shown or hidden; ascending by position.
    var decisions: [TreeFilterTranslation.Decision] = []
    /// Which children pass, where all were asked.
    var verdicts: BitRun?
    /// The matches below that have come, less those that have gone.
    var growth = 0
    /// The matches below before.
    var formerCount = 0
    /// Whether the node's own value changed.
    var updatesValue = false
    /// What happened to the children that are shown.
    var delta = Delta()
    /// What comes and goes inside, and may do so again in this transaction.
    var crossings: [Crossing] = []
  }

  /// Parents before their children.
  var touches: [Touch] = []

  /// What happened in a node and below it, of what is shown, without crossings.
  ///
  /// - Complexity: O(s) for the s touches below.
  func change(_ touch: Int) -> ChangeSet {
    let root = touches[touch]
    var nodes: [ChangeSet.Node] = []
    nodes.reserveCapacity(min(touches.count - touch, 16))
    // The decision to look at next of each node on the way down, and where its entries begin.
    var open: [(touch: Int, next: Int, rank: Int, start: Int)] = [(touch, 0, 0, 0)]
    while let top = open.last {
      let decisions = touches[top.touch].decisions
      var next = top.next
      while next < decisions.count, !decisions[next].staysWithTouch { next += 1 }
      if next < decisions.count {
        open[open.count - 1].next = next + 1
        open.append((decisions[next].touch, 0, decisions[next].rank, nodes.count))
        continue
      }
      open.removeLast()
      let delta = touches[top.touch].delta
      if !open.isEmpty, nodes.count > top.start || !delta.isEmpty {
        nodes.append(ChangeSet.Node(position: top.rank, size: nodes.count - top.start + 1, delta: delta))
      }
    }
    return ChangeSet(delta: root.delta, updatesValue: root.updatesValue, nodes: nodes)
  }
}

extension TreeFilterEdit {
  /// The same with crossings.
  func changeWithCrossings(_ touch: Int) -> ChangeSet {
    var result = change(touch)
    result.crossings = touches[touch].crossings
    return result
  }
}

extension TreeFilterTranslation.Decision {
  /// Whether it is shown before and after, and something happened inside.
  var staysWithTouch: Bool { touch >= 0 && formerRank >= 0 && rank >= 0 }
}

/// The children that were hidden in the transaction under way, and may be shown again in it.
///
/// A child that vanishes and appears again has survived. The first is told as a departure and the second as an arrival with
/// the same token, so that composing makes one of both (see `Crossing`). In between, leaves are followed by place and nodes
/// by record, and what happens to them is kept by token. What goes into a hidden branch is told with that, and what goes out of
/// one is followed by itself from then on.
///
/// Where the source's change may be taken back by a rollback, what it ends of this is remembered, as in `Disappearances`.
struct TreeFilterHiding {
  typealias Record = TreeIndex.Branch

  private var leaves: [Record: HiddenRows] = [:]
  private var nodes: [Record: Crossing.Token] = [:]
  /// What happened since, with what comes and goes inside; nothing, where there is no entry.
  private var changes: [Crossing.Token: ChangeSet] = [:]
  /// What the change that is being translated ends; nil where a rollback is not going to ask for it.
  private var lost: Memory?
  /// What the change ended that is being taken back.
  private(set) var recalled: Memory?
  /// The paths, before the change, of the nodes in which something happens, by record.
  private var formerPaths: [Record: [Int]] = [:]

  /// What a change of the source ends.
  struct Memory {
    /// The children that it removes or shows, by their paths before it.
    var children: [[Int]: (token: Crossing.Token, change: ChangeSet)] = [:]
    /// What had happened before to those in which it makes something happen.
    var changes: [Crossing.Token: ChangeSet] = [:]
    /// The paths before it of nodes that it removes and that had been read, where not all are; parents first.
    var loaded: [[Int]] = []

    var isEmpty: Bool { children.isEmpty && changes.isEmpty && loaded.isEmpty }
  }

  var isEmpty: Bool { leaves.isEmpty && nodes.isEmpty }

  /// What a hidden child was told with; nil where it was hidden before the transaction.
  func token(at position: Int, in parent: Record, record: Record?) -> Crossing.Token? {
    // What was hidden as a leaf, or before it had been read, may have a record now.
    record.flatMap { nodes[$0] } ?? leaves[parent]?.token(at: position)
  }

  /// Whether what happens in the node with a record is noted.
  func notes(inside record: Record?) -> Bool { record.map { nodes[$0] != nil } ?? false }

  mutating func hide(_ token: Crossing.Token, at position: Int, in parent: Record, record: Record?) {
    if let record {
      nodes[record] = token
    } else {
      leaves[parent, default: HiddenRows()].insert(token, at: position)
    }
  }

  /// Follows a branch from now on, if it is not followed yet.
  mutating func hide(at position: Int, in parent: Record, record: Record) {
    nodes[record] = token(at: position, in: parent, record: record) ?? Crossing.Token()
  }

  /// Ends the following of a child that leaves its parent.
  mutating func release(_ record: Record, from token: Crossing.Token) {
    if nodes[record] == token { nodes[record] = nil }
  }

  /// Takes over the token of a child that has become a node, or is one no longer.
  mutating func follow(
    _ token: Crossing.Token, at position: Int, in parent: Record, record: Record?, formerRecord: Record?
  ) {
    // Forgotten later, with what is noted of the child, if it were still the record's.
    if let formerRecord { nodes[formerRecord] = nil }
    if let record, nodes[record] == nil { nodes[record] = token }
    if record == nil, leaves[parent]?.token(at: position) == nil {
      hide(token, at: position, in: parent, record: record)
    }
  }

  /// Follows a change of the children of a record's node in the source.
  mutating func translate(_ source: Delta, in record: Record) { leaves[record]?.translate(source) }

  /// Takes down what happened to a record's node, if it is hidden; with what comes and goes inside.
  mutating func note(_ change: @autoclosure () -> ChangeSet, inside record: Record) {
    if let token = nodes[record] { note(change(), of: token) }
  }

  /// Takes down what happened to a hidden child.
  mutating func note(_ change: ChangeSet, of token: Crossing.Token) {
    guard !change.isSilent else { return }
    if lost != nil, lost!.changes[token] == nil { lost!.changes[token] = changes[token] ?? ChangeSet() }
    changes[token] = changes[token]?.composed(with: change) ?? change
  }

  /// Ends the following of a child that is shown again.
  mutating func find(_ token: Crossing.Token, at position: Int, in parent: Record, record: Record?) {
    if let record { nodes[record] = nil }
    if leaves[parent]?.token(at: position) == token {
      leaves[parent]!.translate(.removal(position..<position + 1))
      leaves[parent]!.translate(.insertion(position..<position + 1))
    }
  }

  /// What has happened to a child since it was hidden, which is told now.
  ///
  /// - Parameters:
  ///   - token: what the child was told with.
  ///   - end: where it is now, among those that are shown, or outside.
  ///   - crossings: receives what was hidden or appeared below it while it was away. What is too far down is left out.
  /// - Returns: the change, without crossings.
  mutating func takeChange(
    of token: Crossing.Token, at end: Crossing.End, _ crossings: inout [Crossing]
  ) -> ChangeSet {
    guard var change = changes.removeValue(forKey: token) else { return ChangeSet() }
    for var crossing in change.crossings
    where crossing.places == nil && max(crossing.from.depth, crossing.to.depth) <= Crossing.deepestVanishing {
      if case .inside(let place) = crossing.from { crossing.from = .outside(token.descendant(place.components)) }
      if case .inside(let place) = crossing.to { crossing.to = end.descendant(place.components) }
      crossings.append(crossing)
    }
    change.crossings = []
    return change
  }

  /// Takes what is told of a child that is in a hidden branch now, and has come from elsewhere, into what is told of that.
  mutating func enter(_ token: Crossing.Token, at path: [Int], of branch: Record) {
    let end = Crossing.End.inside(Crossing.Place(path))
    var crossings: [Crossing] = []
    let change = takeChange(of: token, at: end, &crossings)
    changes[nodes[branch]!, default: ChangeSet()].crossings +=
      [Crossing(from: .outside(token), to: end, change: change)] + crossings
  }

  /// Takes what is told of a child in a hidden branch out of what is told of that.
  ///
  /// - Parameters:
  ///   - path: the child's path below the branch, of those that are shown.
  ///   - branch: the branch.
  /// - Returns: the token to tell of the child with; nil where it was not shown before.
  mutating func splitOff(_ path: [Int], from branch: Record) -> Crossing.Token? {
    guard let token = nodes[branch] else { return nil }
    var change = changes[token] ?? ChangeSet()
    let map = ChangeSetMap(change)
    guard let finding = map.trace(path) else { return nil }
    let own = (finding.token ?? token).descendant(finding.path)
    var inner = map.change(of: finding)
    change.crossings.removeAll { crossing in
      guard var crossing = crossing.below(path) else { return false }
      if case .inside(let place) = crossing.from { crossing.from = .outside(token.descendant(place.components)) }
      inner.crossings.append(crossing)
      return true
    }
    changes[token] = change.isSilent ? nil : change
    changes[own] = inner.isSilent ? nil : inner
    return own
  }

  mutating func forget(record: Record) {
    leaves[record] = nil
    if let token = nodes.removeValue(forKey: record) { changes[token] = nil }
  }
}

// What a rollback brings back.
extension TreeFilterHiding {
  /// Begins the translation of a change of the source.
  mutating func begin(in hub: NodeHub) {
    guard hub.isRecording else { return }
    lost = Memory()
    recalled = hub.isRolledBackPartly ? nil : hub.recall(Memory.self)
  }

  /// Ends it: what it ended is remembered.
  mutating func end(in hub: NodeHub) {
    guard let ended = lost else { return }
    if !ended.isEmpty { hub.remember(ended) }
    (lost, recalled, formerPaths) = (nil, nil, [:])
  }

  /// Notes which hidden children a change of the source takes away, and which that have been read; before anything is changed.
  ///
  /// - Complexity: O(r · log k) for r records in what is removed, and on the way to it, and k hidden children.
  mutating func remember(lostBy change: ChangeSet, in translation: TreeFilterTranslation) {
    guard lost != nil, !isEmpty || !translation.isEager else { return }
    translation.forEachLoss(by: change) { ranges, record, path in
      formerPaths[record] = path
      for range in ranges { remember(range, of: record, at: path, in: translation) }
    }
  }

  private mutating func remember(
    _ range: Range<Int>, of parent: Record, at path: [Int], in translation: TreeFilterTranslation
  ) {
    var open = [(record: parent, range: range, path: path)]
    while let (record, range, path) = open.popLast() {
      for row in leaves[record]?.rows(in: range) ?? [] { remember(row.token, at: path + [row.position]) }
      for (position, child) in translation.shape.branches(in: range, of: record) {
        let path = path + [position]
        if let token = nodes[child] { remember(token, at: path) }
        if !translation.isEager, translation[child].isLoaded { lost!.loaded.append(path) }
        open.append((child, 0..<translation.childCount(of: child), path))
      }
    }
  }

  private mutating func remember(_ token: Crossing.Token, at path: [Int]) {
    let change = lost?.changes[token] ?? changes[token] ?? ChangeSet()
    lost?.children[path] = (token, change)
  }

  /// Notes that a child is going to be shown, by its position before the change; nil where it was not there.
  mutating func remember(_ token: Crossing.Token, shownAt position: Int?, of parent: Record) {
    if let position, let path = formerPaths[parent] { remember(token, at: path + [position]) }
  }

  /// The token with which a child was followed that is hidden again because its return is taken back.
  func recalledToken(at path: @autoclosure () -> [Int]?) -> Crossing.Token? {
    guard let recalled, !recalled.children.isEmpty, let child = path().flatMap({ recalled.children[$0] }),
      child.change.crossings.isEmpty
    else { return nil }
    return child.token
  }

  /// Notes what happened to a child as before the change that was taken back.
  ///
  /// What moved into a child, or out of it, has been told with other tokens since.
  mutating func restore(_ change: ChangeSet, of token: Crossing.Token) {
    guard change.crossings.isEmpty, changes[token]?.crossings.isEmpty != false else { return }
    changes[token] = change.isSilent ? nil : change
  }
}
