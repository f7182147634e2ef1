/// Follows places through a change set, from the tree before the change to the tree after it, and back.
///
/// A child that crosses from one parent to another has a change of its own. So there are several flat trees: number 0
/// is the change set itself, and number k + 1 is the change of crossing k. A walk begins in the tree of the crossing
/// whose place is the longest prefix of the path, and stays in that tree.
///
/// The map is a class only because of its caches; a caller makes one for a single operation.
final class ChangeSetMap {
  /// The place that a walk has found, and the change there.
  struct Finding {
    /// The path on the other side of the change.
    var path: [Int]
    /// The tree in which the walk ended, and the node there: nil if nothing changed below the place.
    var tree: Int
    var node: Int?
    /// Whether the value at the place changed.
    var updatesValue: Bool
  }

  private struct Key: Hashable {
    let parent: Int
    let position: Int
  }

  private final class Tree {
    let change: ChangeSet
    private var children: [Key: Int]?
    private var lookups: [Int: PositionLookup] = [:]

    init(_ change: ChangeSet) { self.change = change }

    var root: Int { change.nodes.count }

    func delta(_ node: Int) -> Delta { node == root ? change.level : change.nodes[node].delta }

    func child(of parent: Int, at position: Int) -> Int? {
      if change.nodes.isEmpty { return nil }
      if children == nil { children = makeChildren() }
      return children![Key(parent: parent, position: position)]
    }

    private func makeChildren() -> [Key: Int] {
      var children: [Key: Int] = [:]
      children.reserveCapacity(change.nodes.count)
      for parent in 0...root {
        ChangeSet.forEachChildBackward(of: parent, in: change.nodes) {
          children[Key(parent: parent, position: change.nodes[$0].position)] = $0
        }
      }
      return children
    }

    func lookup(_ node: Int) -> PositionLookup {
      if let known = lookups[node] { return known }
      let lookup = PositionLookup(delta(node))
      lookups[node] = lookup
      return lookup
    }
  }

  /// The crossings that begin, or end, at places, by place; and the lengths of the places, the longest first.
  private struct Ends {
    private(set) var numbers: [Crossing.Place: Int] = [:]
    private var lengths: [Int] = []

    init(_ crossings: [Crossing], _ end: (Crossing) -> Crossing.Place?) {
      for (number, crossing) in crossings.enumerated() {
        if let place = end(crossing) { numbers[place] = number }
      }
      lengths = Set(numbers.keys.lazy.map(\.depth)).sorted(by: >)
    }

    /// The crossing whose place is the longest prefix of a path.
    func longestPrefix(of path: [Int]) -> (number: Int, length: Int)? {
      for length in lengths where length <= path.count {
        if let number = numbers[Crossing.Place(path[..<length])] { return (number, length) }
      }
      return nil
    }
  }

  private let crossings: [Crossing]
  private let trees: [Tree]
  private let departed: Ends
  private let arrived: Ends

  init(_ change: ChangeSet) {
    crossings = change.crossings
    trees = [Tree(change)] + crossings.map { Tree($0.change) }
    departed = Ends(crossings) { $0.from }
    arrived = Ends(crossings) { $0.to }
  }

  /// The number of the crossing of the child at a place.
  func crossing(from place: Crossing.Place) -> Int? { departed.numbers[place] }

  /// The place after the change of the child that was at a path before the change; nil for a removed child.
  ///
  /// - Complexity: O(d · log n) for a path of length d, after O(s) for s nodes once.
  func find(after old: [Int]) -> Finding? {
    find(old, departed.longestPrefix(of: old), { $0.to }, Self.stepAfter)
  }

  /// The place before the change of the child that is at a path after the change; nil for an inserted child.
  ///
  /// - Complexity: that of `find(after:)`.
  func find(before new: [Int]) -> Finding? {
    find(new, arrived.longestPrefix(of: new), { $0.from }, Self.stepBefore)
  }

  /// Whether a child arrives at a place after the change: its parent's delta inserts a child there, or the parent is
  /// new.
  func isArrival(_ place: Crossing.Place) -> Bool {
    guard let parent = find(before: place.parent) else { return true }
    return parent.node.map { trees[parent.tree].delta($0).insertions.contains(position: place.position) } ?? false
  }

  /// Whether a child leaves a place before the change: its parent's delta removes the child, or the parent is removed.
  func isDeparture(_ place: Crossing.Place) -> Bool {
    guard let parent = find(after: place.parent) else { return true }
    return parent.node.map { trees[parent.tree].delta($0).removals.contains(position: place.position) } ?? false
  }

  private typealias Step = (PositionLookup, Int) -> (result: Int, after: Int)?

  private static func stepAfter(_ lookup: PositionLookup, _ position: Int) -> (result: Int, after: Int)? {
    lookup.position(after: position).map { ($0, after: $0) }
  }

  private static func stepBefore(_ lookup: PositionLookup, _ position: Int) -> (result: Int, after: Int)? {
    lookup.position(before: position).map { ($0, after: position) }
  }

  /// Walks down a path, from the crossing whose place is the longest prefix of the path, or else from the root.
  private func find(
    _ path: [Int], _ crossing: (number: Int, length: Int)?, _ other: (Crossing) -> Crossing.Place?, _ step: Step
  ) -> Finding? {
    var finding = Finding(path: [], tree: 0, updatesValue: trees[0].change.updatesValue)
    if let (number, _) = crossing {
      finding.tree = number + 1
      finding.updatesValue = crossings[number].change.updatesValue
      guard let place = other(crossings[number]) else { return nil }
      finding.path = place.components
    }
    finding.node = trees[finding.tree].root
    for position in path.dropFirst(crossing?.length ?? 0) {
      guard advance(&finding, position, step) else { return nil }
    }
    return finding
  }

  /// Walks on to a child; false if the child does not exist on the other side.
  private func advance(_ finding: inout Finding, _ position: Int, _ step: Step) -> Bool {
    guard let node = finding.node else {
      finding.path.append(position)
      finding.updatesValue = false
      return true
    }
    let tree = trees[finding.tree]
    guard let (result, after) = step(tree.lookup(node), position) else { return false }
    finding.path.append(result)
    finding.updatesValue = tree.delta(node).updates.contains(position: after)
    finding.node = tree.child(of: node, at: after)
    return true
  }

  /// The change of the child that was found and inside it, without crossings.
  ///
  /// - Complexity: O(s) for s nodes below the child.
  func change(of finding: Finding) -> ChangeSet {
    guard let node = finding.node else { return ChangeSet(updatesValue: finding.updatesValue) }
    let change = trees[finding.tree].change
    if node == change.nodes.count {
      return ChangeSet(delta: change.level, updatesValue: change.updatesValue, nodes: change.nodes)
    }
    let size = change.nodes[node].size
    return ChangeSet(
      delta: change.nodes[node].delta, updatesValue: finding.updatesValue,
      nodes: size == 1 ? [] : Array(change.nodes[(node - size + 1)..<node]))
  }
}
