extension StagePlan {
  /// The net change from one tree to a later one.
  ///
  /// - Complexity: O(s) for all slots, and O(d) for each transfer at depth d.
  func change(from old: Int, to new: Int) -> ChangeSet {
    var change = change(of: 0, from: old, to: new)
    for transfer in transfers where transfer.stage > old && transfer.stage <= new {
      var inside = transfer.node.map { self.change(of: $0, from: old, to: new) } ?? ChangeSet()
      if transfer.updatesValue {
        let updateStage = slot(at: transfer.destination).updateStage
        inside.updatesValue = updateStage > old && updateStage <= new
      }
      change.crossings.append(
        Crossing(
          from: Crossing.Place(path(of: transfer.source, in: old)),
          to: Crossing.Place(path(of: transfer.destination, in: new)), change: inside))
    }
    change.checkInvariants()
    return change
  }

  /// What happens to the children of a node, and inside those that stay its children.
  private func change(of root: Int, from old: Int, to new: Int) -> ChangeSet {
    struct Frame {
      var node: Int
      var position: Int
      var children: [(position: Int, node: Int)]
      var next = 0
      /// The number of entries before those of this subtree.
      var start: Int
    }
    var entries: [ChangeSet.Node] = []
    func frame(_ node: Int, at position: Int) -> Frame {
      var children: [(position: Int, node: Int)] = []
      for child in nodes[node].children {
        guard let before = place(of: child, in: old), let after = place(of: child, in: new),
          before.node == node, after.node == node
        else { continue }
        children.append((self.position(of: after, in: new), child))
      }
      children.sort(byNumber: \.position)
      return Frame(node: node, position: position, children: children, start: entries.count)
    }
    var frames = [frame(root, at: 0)]
    while true {
      let top = frames.count - 1
      if frames[top].next < frames[top].children.count {
        let child = frames[top].children[frames[top].next]
        frames[top].next += 1
        frames.append(frame(child.node, at: child.position))
        continue
      }
      let finished = frames.removeLast()
      let delta = delta(of: finished.node, from: old, to: new)
      if frames.isEmpty { return ChangeSet(delta: delta, updatesValue: false, nodes: entries) }
      if !delta.isEmpty || entries.count > finished.start {
        entries.append(
          ChangeSet.Node(position: finished.position, size: entries.count - finished.start + 1, delta: delta))
      }
    }
  }

  /// What happens to the children of a node, transfers being removals and insertions.
  func delta(of index: Int, from old: Int, to new: Int) -> Delta {
    let node = nodes[index]
    var builder = Delta.Builder()
    for (number, slot) in node.slots.enumerated() where slot.isPresent(in: new) {
      var source: Int?
      if slot.isPresent(in: old) {
        source = number
      } else if case .destination(let other) = slot.kind {
        source = other
      }
      guard let source else {
        builder.insert(slot.count)
        continue
      }
      let start = node.starts[old][source]
      var updates = slot.updates
      var updateStage = slot.updateStage
      if case .source(let destination) = slot.kind {
        updates = node.slots[destination].updates
        updateStage = node.slots[destination].updateStage
      } else if case .leaves(let number) = slot.kind {
        updates = self.slot(at: transfers[number].destination).updates
        updateStage = self.slot(at: transfers[number].destination).updateStage
      }
      var kept = 0
      if updateStage > old && updateStage <= new {
        for range in updates {
          builder.keep((start + kept)..<(start + range.lowerBound))
          builder.update(range.shifted(by: start))
          kept = range.upperBound
        }
      }
      builder.keep((start + kept)..<(start + slot.count))
    }
    return builder.finish(preCount: node.starts[old][node.slots.count])
  }
}
