extension StagePlan {
  /// The batch of one stage.
  func batch(_ stage: Int, for view: ChangeSet.ViewKind) -> ChangeSet.Batch {
    var lists = Lists()
    for index in nodes.indices { report(index, stage, to: &lists) }
    for transfer in transfers where transfer.stage == stage {
      lists.moves.append(
        ChangeSet.Paths.Move(
          from: path(of: transfer.source, in: stage - 1), to: path(of: transfer.destination, in: stage)))
    }
    if view == .list { lists.dropRowsOfReloadedSections() }
    return ChangeSet.Batch(
      change: change(from: stage - 1, to: stage), remaining: change(from: stage, to: stageCount),
      deletions: lists.deletions.sorted(), insertions: lists.insertions.sorted(),
      moves: lists.moves.sorted { $0.destination < $1.destination },
      reloads: lists.reloads.sorted { $0.destination < $1.destination },
      calls: view.isSequential ? calls(of: stage) : [])
  }

  private struct Lists {
    var deletions: [IndexPath] = []
    var insertions: [IndexPath] = []
    var moves: [ChangeSet.Paths.Move] = []
    var reloads: [ChangeSet.Paths.Move] = []

    mutating func dropRowsOfReloadedSections() {
      let sections = Set(reloads.lazy.filter { $0.destination.count == 1 }.map(\.destination))
      if sections.isEmpty { return }
      reloads.removeAll { $0.destination.count == 2 && sections.contains($0.destination.dropLast()) }
    }
  }

  private func report(_ index: Int, _ stage: Int, to lists: inout Lists) {
    let node = nodes[index]
    guard
      node.slots.contains(where: { $0.stage == stage || ($0.updateStage == stage && !$0.updates.isEmpty) })
    else { return }
    let before = path(of: index, in: stage - 1)
    let after = path(of: index, in: stage)
    for (number, slot) in node.slots.enumerated() {
      if slot.stage == stage {
        let old = node.starts[stage - 1][number]
        let new = node.starts[stage][number]
        switch slot.kind {
        case .removed: for offset in 0..<slot.count { lists.deletions.append(before.appending(old + offset)) }
        case .inserted: for offset in 0..<slot.count { lists.insertions.append(after.appending(new + offset)) }
        case .destination(let source):
          let old = node.starts[stage - 1][source]
          for offset in 0..<slot.count {
            lists.moves.append(
              ChangeSet.Paths.Move(from: before.appending(old + offset), to: after.appending(new + offset)))
          }
        case .stays, .source, .leaves, .arrives: break
        }
      }
      if slot.updateStage == stage {
        for offset in slot.updates.joined() {
          let last = Place(node: index, slot: number, offset: offset)
          lists.reloads.append(
            ChangeSet.Paths.Move(
              from: path(of: place(of: last, in: stage - 1), in: stage - 1),
              to: path(of: place(of: last, in: stage), in: stage)))
        }
      }
    }
  }
}
