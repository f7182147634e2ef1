import Foundation

// Most changes are of one parent's children, of which none moves: they need no plan.
extension ChangeSet {
  /// The only batch of a change to the children of one parent, of which none moves; nil where more than that happens.
  ///
  /// - Complexity: O(d + e) for a parent at depth d and e children that come, leave or change.
  func onlyBatch(for view: ViewKind) -> Batch? {
    guard let (path, delta) = onlyParent, delta.moves.isEmpty else { return nil }
    let (removals, insertions, updates) = (delta.removals, delta.insertions, delta.updates)
    // Sections are reloaded only where they stand still.
    if view == .list, path.isEmpty, !updates.isEmpty, delta.movesPositions { return nil }
    if view.endsWithRows, path.count > 1 {
      return Batch(
        change: ChangeSet(), remaining: ChangeSet(), deletions: [], insertions: [], moves: [], reloads: [], calls: [])
    }
    let parent = IndexPath(indexes: path)
    var calls: [OutlineCall] = []
    if view.isSequential {
      if !removals.isEmpty { calls.append(.remove(at: IndexSet(ranges: removals), inParent: parent)) }
      if !insertions.isEmpty { calls.append(.insert(at: IndexSet(ranges: insertions), inParent: parent)) }
      for position in updates.joined() { calls.append(.reload(parent.appending(position))) }
    }
    return Batch(
      change: ChangeSet(delta: level, updatesValue: false, nodes: nodes), remaining: ChangeSet(),
      deletions: parent.appending(removals), insertions: parent.appending(insertions), moves: [],
      reloads: updates.joined().map { position in
        Paths.Move(
          from: parent.appending(delta.position(before: position)!), to: parent.appending(position))
      }, calls: calls)
  }

  /// The path of the only parent whose children change, and what happens to them.
  private var onlyParent: (path: [Int], delta: Delta)? {
    guard crossings.isEmpty else { return nil }
    guard let innermost = nodes.first else { return ([], level) }
    guard level.isEmpty else { return nil }
    for (index, node) in nodes.enumerated() {
      guard node.size == index + 1, index == 0 || node.delta.isEmpty else { return nil }
    }
    return (nodes.reversed().map(\.position), innermost.delta)
  }
}

extension IndexPath {
  /// The paths of all positions in some ranges, below this one.
  fileprivate func appending(_ ranges: Delta.Ranges) -> [IndexPath] { ranges.joined().map { appending($0) } }
}
