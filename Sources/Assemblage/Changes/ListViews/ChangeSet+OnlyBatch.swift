import Foundation

// Most changes only insert, remove or update children of one parent, and move none: they need no plan.
extension ChangeSet {
  /// The only batch of a change that inserts, removes or updates children of one parent; nil for any other change.
  ///
  /// - Complexity: O(d + e) for a parent at depth d and e inserted, removed or updated children.
  func onlyBatch(for view: ViewKind) -> Batch? {
    guard let (path, delta) = onlyParent, delta.moves.isEmpty else { return nil }
    let (removals, insertions, updates) = (delta.removals, delta.insertions, delta.updates)
    // A section is reloaded only if it keeps its position.
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

  /// The path of the parent, and the change of its children, if the children of only one parent change.
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
  /// The paths of all positions in `ranges`, below this path.
  fileprivate func appending(_ ranges: Delta.Ranges) -> [IndexPath] { ranges.joined().map { appending($0) } }
}
