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

  /// The change of a node's children, and the changes inside the children that stay with the node.
  private func change(of root: Int, from old: Int, to new: Int) -> ChangeSet {
    ChangeSet(gathering: root, updatesValue: false, delta: { delta(of: $0, from: old, to: new) }) { node in
      nodes[node].children.compactMap { child in
        guard let before = place(of: child, in: old), let after = place(of: child, in: new),
          before.node == node, after.node == node
        else { return nil }
        return (position: position(of: after, in: new), key: child)
      }.sorted(byNumber: \.position)
    }
  }

  /// The change of a node's children; transfers count as removals and insertions.
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
