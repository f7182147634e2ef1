/// Keeps the hubs' levels topological: every source lower than its dependents.
///
/// A level is a label, not a height. When a link violates the order, there are two repairs: to lower the source and its
/// own sources, or to raise the dependent and its own dependents. Both searches advance in turn, and the one that
/// finishes first is applied (after Bender, Fineman, Gilbert & Tarjan, "A new approach to incremental cycle detection
/// and related problems"). So a chain costs O(1) per link, whether its construction begins at the leaf or at the root.
enum Levels {
  /// Relabels so that `source` is lower than `dependent`.
  ///
  /// - Precondition: `source` does not depend on `dependent`.
  static func order(_ source: NodeHub, before dependent: NodeHub) {
    guard source.level >= dependent.level else { return }
    var raising = Search(from: dependent, to: source.level + 1, direction: .towardsDependents)
    var lowering = Search(from: source, to: dependent.level - 1, direction: .towardsSources)
    while true {
      guard raising.step(avoiding: source) else { refuseCycle(source, dependent) }
      if raising.isFinished { return raising.commit() }
      guard lowering.step(avoiding: dependent) else { refuseCycle(source, dependent) }
      if lowering.isFinished { return lowering.commit() }
    }
  }

  private static func refuseCycle(_ source: NodeHub, _ dependent: NodeHub) -> Never {
    require(source !== dependent, "A cycle: \(sentence(source)) cannot become its own source.")
    trap(
      """
      A cycle: \(sentence(source)) cannot become a source of \(sentence(dependent)), because it derives from it.
      """)
  }

  /// Describes a node so that the message distinguishes it from others of its type.
  private static func sentence(_ hub: NodeHub) -> String {
    guard let node = hub.state.value.owner else { return hub.description }
    func value(of node: some TreeNode) -> String { node.value.map { "the value \($0)" } ?? "no value" }
    return "\(hub.description) (\(countedChildren(node.count)), \(value(of: node)))"
  }

  private enum Direction { case towardsDependents, towardsSources }

  /// One of the two searches: the hubs that need another level, nearest level first, so that each is relabelled once.
  private struct Search {
    let direction: Direction
    /// The levels that hubs need, by identity.
    var needed: [ObjectIdentifier: Int] = [:]
    var open: LevelHeap
    var settled: [NodeHub] = []

    init(from hub: NodeHub, to level: Int, direction: Direction) {
      self.direction = direction
      open = LevelHeap(order: direction == .towardsDependents ? .lowestFirst : .highestFirst)
      needed[ObjectIdentifier(hub)] = level
      open.push(hub)
    }

    var isFinished: Bool { open.isEmpty }

    /// Settles one hub; false if the hub is `end`, which closes a cycle.
    mutating func step(avoiding end: NodeHub) -> Bool {
      guard let hub = open.pop() else { return true }
      if hub === end { return false }
      settled.append(hub)
      let level = needed[ObjectIdentifier(hub)]!
      switch direction {
      case .towardsDependents:
        hub.state.value.dependents.forEach { dependent in
          let hub = unsafe dependent.hub
          if hub.level <= level { demand(level + 1, of: hub) }
        }
      case .towardsSources:
        for case .some(let source) in hub.state.value.sources where source.hub.level >= level {
          demand(level - 1, of: source.hub)
        }
      }
      return true
    }

    private mutating func demand(_ level: Int, of hub: NodeHub) {
      let id = ObjectIdentifier(hub)
      guard let former = needed[id] else {
        needed[id] = level
        return open.push(hub)
      }
      needed[id] = direction == .towardsDependents ? max(former, level) : min(former, level)
    }

    func commit() {
      for hub in settled { hub.level = needed[ObjectIdentifier(hub)]! }
    }
  }
}

/// A binary heap of hubs by level.
struct LevelHeap {
  enum Order { case lowestFirst, highestFirst }

  private var hubs: [NodeHub] = []
  private let order: Order

  init(order: Order) { self.order = order }

  var isEmpty: Bool { hubs.isEmpty }

  mutating func push(_ hub: NodeHub) {
    var child = hubs.count
    hubs.append(hub)
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(hubs[child], hubs[parent]) else { return }
      hubs.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> NodeHub? {
    // Usually the heap holds one hub only.
    guard var first = hubs.popLast() else { return nil }
    guard !hubs.isEmpty else { return first }
    swap(&first, &hubs[0])
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < hubs.count else { return first }
      if child + 1 < hubs.count, precedes(hubs[child + 1], hubs[child]) { child += 1 }
      guard precedes(hubs[child], hubs[parent]) else { return first }
      hubs.swapAt(child, parent)
      parent = child
    }
  }

  private func precedes(_ first: NodeHub, _ second: NodeHub) -> Bool {
    order == .lowestFirst ? first.level < second.level : first.level > second.level
  }
}
