// Merging the change of a parent with the changes of its children. All of them begin and end at the same states.
extension ChangeSet {
  /// Adds the changes of children that are nodes to the change of their parent.
  ///
  /// - Parameter members: the changes, by the children's positions after the change, at most one for each position.
  /// - Complexity: O(s · log n) for s nodes, ranges and crossings in all.
  mutating func merge(_ members: [(position: Int, change: ChangeSet)]) {
    let lookup = PositionLookup(level)
    var arrivals: [Int: Int] = [:]
    for (number, crossing) in crossings.enumerated() {
      if let to = crossing.to, to.depth == 1 { arrivals[to.first] = number }
    }
    var updates: [Range<Int>] = []
    for (position, var change) in members.sorted(byNumber: \.position) {
      let former = lookup.position(before: position)
      for var crossing in change.crossings {
        crossing.wrap(before: former, after: position)
        if crossing.from != nil || crossing.to != nil { crossings.append(crossing) }
      }
      change.crossings = []
      if let arrival = arrivals[position] {
        crossings[arrival].change = crossings[arrival].change.composed(with: change)
      } else if former != nil {
        if change.updatesValue { RangeLists.append(position..<position + 1, to: &updates) }
        if change.level.isEmpty && change.nodes.isEmpty { continue }
        nodes.append(contentsOf: change.nodes)
        nodes.append(Node(position: position, size: change.nodes.count + 1, delta: change.level))
      }
    }
    if !updates.isEmpty { level = level.updating(updates) }
    pairCompleteCrossings()
    checkInvariants()
  }

  /// The change of one node of the tree and of everything below it, as the node itself reports it.
  ///
  /// - Parameter path: the node's path after the change.
  /// - Returns: the change; nil if this change inserted the node, or a node above it.
  /// - Complexity: O(s + c) for s nodes and c crossings.
  func projected(to path: [Int]) -> ChangeSet? {
    let map = ChangeSetMap(self)
    guard let finding = map.find(before: path) else { return nil }
    var result = map.change(of: finding)
    for var crossing in crossings {
      crossing.from = crossing.from?.below(finding.path)
      if let to = crossing.to {
        crossing.to = to.below(path)
        if crossing.to == nil { crossing.change = ChangeSet() }
      }
      if crossing.from != nil || crossing.to != nil { result.crossings.append(crossing) }
    }
    return result
  }
}
