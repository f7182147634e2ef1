import Foundation
import OffsetIndexing

extension StagePlan {
  /// The calls of one stage, for a view that makes one call after the other.
  ///
  /// The calls have this order:
  /// 1. Removals of children from which nothing moves out in this stage.
  /// 2. Moves, in the order of the new tree: parents before their children, so that no child is moved below itself.
  /// 3. Removals of the children from which something has moved out.
  /// 4. Insertions, from left to right.
  /// 5. Reloads.
  func calls(of stage: Int) -> [ChangeSet.OutlineCall] {
    var run = Run(self, stage)
    run.remove(.untouched)
    run.move()
    run.remove(.emptied)
    run.insert()
    run.reload()
    return run.calls
  }

  /// The tree after the calls so far.
  private struct Run {
    let plan: StagePlan
    let stage: Int
    /// For each parent, the number of children that are in each slot now.
    var counts: [FenwickTree]
    /// The present place of each node.
    var places: [Place?]
    /// All nodes of the tree after the stage, parents first and children by position.
    var order: [Int] = []
    /// For each node, whether it is removed, and something inside it moves out in this stage.
    var isEmptied: [Bool]
    var calls: [ChangeSet.OutlineCall] = []

    init(_ plan: StagePlan, _ stage: Int) {
      self.plan = plan
      self.stage = stage
      counts = plan.nodes.map { node in
        FenwickTree(node.slots.map { $0.isPresent(in: stage - 1) ? $0.count : 0 })
      }
      places = plan.nodes.indices.map { plan.place(of: $0, in: stage - 1) }
      isEmptied = Array(repeating: false, count: plan.nodes.count)
      for transfer in plan.transfers where transfer.stage == stage {
        var node: Int? = transfer.source.node
        while let parent = node, plan.nodes[parent].after == nil, !isEmptied[parent] {
          isEmptied[parent] = true
          node = places[parent]?.node
        }
      }
      var tasks = [0]
      while let node = tasks.popLast() {
        order.append(node)
        var children: [(position: Int, node: Int)] = []
        for child in plan.nodes[node].children {
          guard let place = plan.place(of: child, in: stage), place.node == node else { continue }
          children.append((plan.position(of: place, in: stage), child))
        }
        children.sort(byNumber: { -$0.position })
        tasks.append(contentsOf: children.map(\.node))
      }
    }

    enum Removal { case untouched, emptied }

    private func removal(of slot: Slot) -> Removal {
      slot.node.map { isEmptied[$0] } == true ? .emptied : .untouched
    }

    /// The present path of a node.
    func path(of node: Int) -> IndexPath {
      IndexPath(climbingFrom: node) { node in
        places[node].map { (counts[$0.node].prefixSum(upTo: $0.slot) + $0.offset, $0.node) }
      }
    }

    mutating func remove(_ which: Removal) {
      for node in plan.nodes.indices {
        var positions: [Range<Int>] = []
        var emptied: [Int] = []
        for (index, slot) in plan.nodes[node].slots.enumerated()
        where slot.kind == .removed && slot.stage == stage && removal(of: slot) == which {
          let start = counts[node].prefixSum(upTo: index)
          positions.append(start..<(start + slot.count))
          emptied.append(index)
        }
        if positions.isEmpty { continue }
        calls.append(.remove(at: IndexSet(ranges: positions), inParent: path(of: node)))
        for index in emptied { counts[node].add(-plan.nodes[node].slots[index].count, at: index) }
      }
    }

    mutating func move() {
      for node in order {
        for (index, slot) in plan.nodes[node].slots.enumerated() where slot.stage == stage {
          switch slot.kind {
          case .destination(let source):
            for offset in 0..<slot.count {
              move(
                from: Place(node: node, slot: source, offset: 0),
                to: Place(node: node, slot: index, offset: offset))
            }
            if let child = slot.node { places[child] = Place(node: node, slot: index, offset: 0) }
          case .arrives(let number):
            let place = Place(node: node, slot: index, offset: 0)
            move(from: plan.transfers[number].source, to: place)
            if let child = slot.node { places[child] = place }
          case .stays, .removed, .inserted, .source, .leaves: break
          }
        }
      }
    }

    private mutating func move(from source: Place, to destination: Place) {
      let parent = path(of: source.node)
      let newParent = source.node == destination.node ? parent : path(of: destination.node)
      let position = counts[source.node].prefixSum(upTo: source.slot)
      counts[source.node].add(-1, at: source.slot)
      let newPosition = counts[destination.node].prefixSum(upTo: destination.slot) + destination.offset
      counts[destination.node].add(1, at: destination.slot)
      calls.append(.move(at: position, inParent: parent, to: newPosition, inNewParent: newParent))
    }

    mutating func insert() {
      for node in order {
        let slots = plan.nodes[node].slots
        let coming = slots.indices.filter { slots[$0].kind == .inserted && slots[$0].stage == stage }
        if coming.isEmpty { continue }
        let path = path(of: node)
        for index in coming { counts[node].add(slots[index].count, at: index) }
        let positions = coming.map { index in
          let start = counts[node].prefixSum(upTo: index)
          return start..<(start + slots[index].count)
        }
        calls.append(.insert(at: IndexSet(ranges: positions), inParent: path))
      }
    }

    mutating func reload() {
      for node in order {
        for (index, slot) in plan.nodes[node].slots.enumerated() where slot.updateStage == stage {
          for offset in slot.updates.joined() {
            let place = plan.place(of: Place(node: node, slot: index, offset: offset), in: stage)
            calls.append(.reload(plan.path(of: place, in: stage)))
          }
        }
      }
    }
  }
}
