import OffsetIndexing

/// Children that moved below a collapsed node in the transaction under way, and may be shown again in it.
///
/// ```text
///     a          a              c
///     b          ▸ b            a         c has moved below b, which is collapsed, and then to the top
///     c                         ▸ b
/// ```
///
/// Such a child has survived. The outline tells of the first as of a departure and of the second as of an arrival with the
/// same token, so that composing makes one of both (see `Crossing`). In between, the child is followed by its path, and
/// what happens to it and inside it is told when it is shown again. What moves out of it is followed by itself.
struct OutlineHiding {
  /// A child that is hidden.
  struct Child {
    /// What it, and with a path below it, each row inside it was told with.
    let token: Crossing.Token
    /// Its path in the tree.
    var path: [Int]
    /// What has happened to it and has not been told.
    var change: ChangeSet
  }

  /// The transaction in which children are followed; nil: none are.
  private var transaction: Int?
  var children: [Child] = []
  /// What rows were told with that left for outside in the transaction, by the tokens that they left the tree with.
  private var names: [Crossing.Token: Crossing.Token] = [:]

  /// Whether children that move below a collapsed node are followed.
  var isFollowing: Bool { transaction != nil }

  /// Begins to follow children in a transaction, and forgets those of another one.
  mutating func begin(_ transaction: Int?) {
    if self.transaction == transaction { return }
    self.transaction = transaction
    children = []
    names = [:]
  }

  /// Remembers what a row was told with that left for outside.
  mutating func setName(_ name: Crossing.Token, of token: Crossing.Token) {
    if isFollowing { names[token] = name }
  }

  /// What a row was told with when it left; nil where it did not leave in the transaction. It comes back with the same token,
  /// whatever it has become: a leaf may have children by then.
  func name(of token: Crossing.Token) -> Crossing.Token? { names[token] }
}

extension OutlineNode {
  /// A row that may vanish with a child that moves, and the token that it is told with then.
  typealias VanishingRow = (row: Int, token: Crossing.Token)

  /// The rows that vanish if a child is not shown where it moves to; before anything has changed.
  ///
  /// - Parameters:
  ///   - crossing: takes the child along.
  ///   - map: follows places through the change.
  ///   - starts: the rows of children that move by themselves.
  /// - Returns: the child's row and those below it; empty where it was hidden, or is shown for certain.
  /// - Complexity: O(r · log n) for r rows; O(d · log n) for a place at depth d where the child is shown.
  func vanishingRows(of crossing: Crossing, _ map: ChangeSetMap, starts: Set<Int>) -> [VanishingRow] {
    let translation = state.value.translation
    guard let (source, destination) = crossing.places, let row = translation.shape.number(at: source.components),
      !isExpanded(destination.parent, map)
    else { return [] }
    let token = Crossing.Token()
    var result = [(row: row, token: token)]
    guard let record = translation.record(at: source.components) else { return result }
    var tokens = [record: token]
    for row in translation.shape.rows(in: translation.rows(below: record)) {
      guard let parent = tokens[row.place.parent], !starts.contains(row.number) else { continue }
      let token = parent.descendant(CollectionOfOne(row.place.position))
      if let record = translation.unlessParked(row.place.branch) { tokens[record] = token }
      result.append((row.number, token))
    }
    return result
  }

  /// Whether the children of the node at a path after a change are known to be shown, by what was shown before it.
  private func isExpanded(_ path: [Int], _ map: ChangeSetMap) -> Bool {
    if path.isEmpty { return true }
    guard let former = map.find(before: path)?.path, !former.isEmpty else { return false }
    return state.value.translation.shape.number(at: former + [0]) != nil
  }

  /// Follows hidden children through a change, and tells of those that vanish and those that are shown again.
  ///
  /// - Parameters:
  ///   - map: follows places through the change.
  ///   - rows: what happened to the rows.
  ///   - crossings: those of the change.
  ///   - vanishing: for each of these the rows that vanish if the child is hidden now.
  /// - Returns: the crossings of the rows.
  /// - Complexity: O((k + r) · d · log n) for k hidden children and r rows that vanish or appear.
  func followHidden(
    _ map: ChangeSetMap, _ rows: Delta, _ crossings: [Crossing] = [], vanishing: [[VanishingRow]] = []
  ) -> [Crossing] {
    var result: [Crossing] = []
    var hidden: [OutlineHiding.Child] = []
    func settle(_ child: OutlineHiding.Child, at end: Crossing.End) {
      var child = child
      switch end {
      case .outside(let token):
        let name = token.rowUnlessLeaf
        state.value.hiding.setName(name, of: token)
        result.append(Crossing(from: .outside(child.token.rowUnlessLeaf), to: .outside(name), change: child.change))
      case .inside(let place):
        child.path = place.components
        if let row = state.value.translation.shape.number(at: child.path) {
          tell(child, at: row, rows, &result)
        } else {
          hidden.append(child)
        }
      }
    }
    for var child in state.value.hiding.children {
      guard let finding = map.follow(child.path) else { continue }
      child.change = child.change.composed(with: map.change(of: finding))
      settle(child, at: finding.end)
    }
    var maps: [[Int]: ChangeSetMap] = [:]
    for (number, crossing) in crossings.enumerated() {
      if let part = hiddenPart(of: crossing, &maps) {
        settle(part, at: crossing.to)
        continue
      }
      guard case .inside(let place) = crossing.to,
        state.value.translation.shape.number(at: place.components) == nil
      else { continue }
      if case .outside(let token) = crossing.from {
        hidden.append(OutlineHiding.Child(token: token, path: place.components, change: crossing.change))
      } else if let own = vanishing[number].first {
        hidden.append(OutlineHiding.Child(token: own.token, path: place.components, change: crossing.change))
        for (row, token) in vanishing[number] {
          result.append(
            Crossing(from: .inside(Crossing.Place([row])), to: .outside(token.rowUnlessLeaf), change: ChangeSet()))
        }
      }
    }
    state.value.hiding.children = hidden
    return result
  }

  /// What crosses by itself out of a hidden child, as one that is followed by itself from now on; nil where it was in none, or
  /// is new there. The maps are those of the children by their paths, made as they are asked for.
  private func hiddenPart(of crossing: Crossing, _ maps: inout [[Int]: ChangeSetMap]) -> OutlineHiding.Child? {
    let children = state.value.hiding.children
    guard !children.isEmpty, case .inside(let place) = crossing.from else { return nil }
    let path = place.components
    let around = children.filter { $0.path.count < path.count && path.starts(with: $0.path) }
    guard let whole = around.max(by: { $0.path.count < $1.path.count }) else { return nil }
    let map = maps[whole.path] ?? ChangeSetMap(whole.change)
    maps[whole.path] = map
    guard let finding = map.trace(Array(path[whole.path.count...])) else { return nil }
    return OutlineHiding.Child(
      token: whole.token.descendant(finding.path), path: path,
      change: map.change(of: finding).composed(with: crossing.change))
  }

  /// Tells of a child that is shown again, and of the rows inside it that were shown when it vanished.
  private func tell(_ child: OutlineHiding.Child, at row: Int, _ rows: Delta, _ crossings: inout [Crossing]) {
    let translation = state.value.translation
    let map = ChangeSetMap(child.change)
    func tell(_ row: Int, _ finding: ChangeSetMap.Finding) {
      // What the outline itself has shown since has been told.
      guard rows.insertions.contains(position: row) else { return }
      crossings.append(
        Crossing(
          from: .outside(finding.token!.rowUnlessLeaf), to: .inside(Crossing.Place([row])),
          change: ChangeSet(updatesValue: finding.updatesValue)))
    }
    let root = map.root(from: child.token)
    tell(row, root)
    guard let record = translation.record(at: child.path) else { return }
    var findings = [record: root]
    for row in translation.shape.rows(in: translation.rows(below: record)) {
      guard let parent = findings[row.place.parent],
        let finding = map.child(at: row.place.position, of: parent, isLeaving: false)
      else { continue }
      if let record = translation.unlessParked(row.place.branch) { findings[record] = finding }
      tell(row.number, finding)
    }
  }
}
