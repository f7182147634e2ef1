import OffsetIndexing

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
  /// The tokens of children whose return the rollback under way takes back.
  private var renewed = RenewedTokens()
  /// The places, before the change, of the nodes in which something happens, by record; that of the root is none.
  private var formerPlaces: [Record: (parent: Record, position: Int)?] = [:]

  /// What a change of the source ends.
  struct Memory {
    /// The children that it removes or shows, by their paths before it.
    var children: [[Int]: (token: Crossing.Token, change: ChangeSet)] = [:]
    /// What had happened before to those in which it makes something happen.
    var changes: [Crossing.Token: ChangeSet] = [:]
    /// The nodes that it removes and that had been read, where not all are.
    var losses: [TreeLoss] = []

    var isEmpty: Bool { children.isEmpty && changes.isEmpty && losses.isEmpty }
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
    renewed.remove(token)
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
  /// - Returns: the token to tell of the child with; nil where it was not shown before, and nothing has moved into it.
  mutating func splitOff(_ path: [Int], from branch: Record) -> Crossing.Token? {
    guard let whole = nodes[branch] else { return nil }
    let end = Crossing.End.inside(Crossing.Place(path))
    let map = ChangeSetMap(changes[whole] ?? ChangeSet())
    let passage =
      map.trace(path).map { Crossing(from: $0.end, to: end, change: map.change(of: $0)) }
      ?? newPassage(to: end, of: whole)
    return passage.map { splitOff($0, of: whole) }
  }

  /// Takes what is told of a child that was hidden in a hidden branch out of what is told of that.
  ///
  /// - Parameters:
  ///   - token: what the child was told with there.
  ///   - branch: the branch.
  /// - Returns: the token to tell of the child with; nil where nothing is told with the branch, of it or of what moved into it.
  mutating func splitOff(_ token: Crossing.Token, from branch: Record) -> Crossing.Token? {
    guard let whole = nodes[branch] else { return nil }
    let end = Crossing.End.outside(token)
    let index = changes[whole]?.crossings.firstIndex { $0.to == end }
    let passage = index.map { changes[whole]!.crossings.remove(at: $0) } ?? newPassage(to: end, of: whole)
    guard let passage else { return nil }
    let own = splitOff(passage, of: whole)
    if let later = changes.removeValue(forKey: token) {
      let change = changes[own]?.composed(with: later) ?? later
      changes[own] = change.isSilent ? nil : change
    }
    return own
  }

  /// The passage of a child that is new in a hidden branch, and into which something has moved: nothing knows where it began.
  ///
  /// - Parameters:
  ///   - end: where the child is below the branch, or what it left with.
  ///   - whole: what the branch was told with.
  /// - Returns: the passage; nil where nothing has moved into the child, so that there is nothing to tell of it.
  private func newPassage(to end: Crossing.End, of whole: Crossing.Token) -> Crossing? {
    guard changes[whole]?.crossings.contains(where: { $0.to.relative(to: end) != nil }) == true else { return nil }
    return Crossing(from: .outside(Crossing.Token()), to: end, change: ChangeSet())
  }

  /// Takes what is told of a child out of what is told of a hidden branch, with what comes and goes below the child.
  ///
  /// - Parameters:
  ///   - passage: where the child was below the branch, or came from, and where it is, or what it left with.
  ///   - whole: what the branch was told with.
  /// - Returns: the token to tell of the child with.
  private mutating func splitOff(_ passage: Crossing, of whole: Crossing.Token) -> Crossing.Token {
    func outside(_ end: Crossing.End) -> Crossing.End {
      if case .inside(let place) = end { .outside(whole.descendant(place.components)) } else { end }
    }
    var change = passage.change
    changes[whole]?.crossings.removeAll { crossing in
      let (from, to) = (crossing.from.relative(to: passage.from), crossing.to.relative(to: passage.to))
      guard to != nil || from != nil && crossing.to.token != nil else { return false }
      change.crossings.append(
        Crossing(from: from ?? outside(crossing.from), to: to ?? crossing.to, change: crossing.change))
      return true
    }
    if changes[whole]?.isSilent == true { changes[whole] = nil }
    let own = outside(passage.from).token!
    changes[own] = change.isSilent ? nil : change
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
    renewed.begin(in: hub)
  }

  /// Ends it: what it ended is remembered.
  mutating func end(in hub: NodeHub) {
    guard let ended = lost else { return }
    renewed.end(in: hub)
    if !ended.isEmpty { hub.remember(ended) }
    (lost, recalled, formerPlaces) = (nil, nil, [:])
  }

  /// Notes which hidden children a change of the source takes away, and which that have been read; before anything is changed.
  ///
  /// - Complexity: O(r · log k) for r records in what is removed, and on the way to it, and k hidden children.
  mutating func remember(lostBy change: ChangeSet, in translation: TreeFilterTranslation) {
    guard lost != nil else { return }
    if !translation.isEager {
      lost!.losses = translation.losses(by: change) { translation.shape.branches(in: $0, of: $1) }
    }
    if isEmpty { return }
    translation.forEachLoss(by: change) { ranges, record, place in
      formerPlaces[record] = .some(place)
      for range in ranges { remember(range, of: record, in: translation) }
    }
  }

  /// The path before the change of a node in which something happens; nil where nothing does.
  private func formerPath(of record: Record) -> [Int]? {
    guard var place = formerPlaces[record] else { return nil }
    var positions: [Int] = []
    while let (parent, position) = place {
      positions.append(position)
      place = formerPlaces[parent]!
    }
    return positions.reversed()
  }

  private mutating func remember(_ range: Range<Int>, of parent: Record, in translation: TreeFilterTranslation) {
    // The nodes that have been met: where each is in the one above it, and the number of that.
    var met: [(position: Int, parent: Int)] = []
    func path(to position: Int, below number: Int) -> [Int] {
      var positions = [position]
      var number = number
      while number >= 0 {
        positions.append(met[number].position)
        number = met[number].parent
      }
      return formerPath(of: parent)! + positions.reversed()
    }
    var open = [(record: parent, range: range, number: -1)]
    while let (record, range, number) = open.popLast() {
      for row in leaves[record]?.rows(in: range) ?? [] {
        remember(row.token, at: path(to: row.position, below: number))
      }
      for (position, child) in translation.shape.branches(in: range, of: record) {
        if let token = nodes[child] { remember(token, at: path(to: position, below: number)) }
        met.append((position, number))
        open.append((child, 0..<translation.childCount(of: child), met.count - 1))
      }
    }
  }

  private mutating func remember(_ token: Crossing.Token, at path: [Int]) {
    let change = lost?.changes[token] ?? changes[token] ?? ChangeSet()
    lost?.children[path] = (token, change)
  }

  /// Notes that a child is going to be shown, by its position before the change; nil where it was not there.
  mutating func remember(_ token: Crossing.Token, shownAt position: Int?, of parent: Record) {
    if let position, let path = formerPath(of: parent) { remember(token, at: path + [position]) }
  }

  /// The token with which a child is followed that is hidden again because its return is taken back: see `RenewedTokens`.
  mutating func recalledToken(at path: @autoclosure () -> [Int]?) -> Crossing.Token? {
    guard let recalled, !recalled.children.isEmpty, let child = path().flatMap({ recalled.children[$0] }),
      child.change.crossings.isEmpty
    else { return nil }
    return renewed.token(child.token, after: child.change)
  }

  /// Notes what happened to a child as before the change that was taken back.
  ///
  /// What moved into a child, or out of it, has been told with other tokens since.
  mutating func restore(_ change: ChangeSet, of token: Crossing.Token) {
    guard change.crossings.isEmpty, changes[token]?.crossings.isEmpty != false else { return }
    changes[token] = change.isSilent ? nil : change
  }
}

extension Crossing.End {
  /// The end as the child sees it that has another end; nil where it is not below that.
  fileprivate func relative(to child: Self) -> Self? {
    switch (self, child) {
    case (.inside(let place), .inside(let parent)):
      guard place.depth > parent.depth, place.reversed.suffix(parent.depth) == parent.reversed[...] else { return nil }
      return .inside(Crossing.Place(place.components.dropFirst(parent.depth)))
    case (.outside(let token), .outside(let parent)):
      let depth = parent.path.count
      guard token.hasAncestors, token.path.count > depth, token.ancestor(ofLength: depth).token == parent else {
        return nil
      }
      return .inside(Crossing.Place(token.path.dropFirst(depth)))
    default: return nil
    }
  }
}
