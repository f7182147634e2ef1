import Assemblage

/// A snapshot that a run keeps, and what the node showed when it was taken.
struct KeptSnapshot {
  let number: NodeNumber
  let snapshot: FlatSnapshot<PipelineRow>
  let rows: [PipelineRow?]
  /// The same of a whole forest.
  let forest: (snapshot: ForestSnapshot<PipelineRow>, contents: TreeSnapshot<PipelineRow>)?
}

extension PipelineRun {
  /// Takes a snapshot of one of the nodes, in turn.
  func keepSnapshot() {
    guard fault == nil, !held.isEmpty else { return }
    let number = held[kept.count % held.count]
    guard let node = specimens[number]?.node else { return }
    let forest = (node as? ForestNode<PipelineRow>).map { (ForestSnapshot(of: $0), TreeSnapshot(of: $0)) }
    kept.append(
      KeptSnapshot(
        number: number, snapshot: FlatSnapshot(of: node), rows: (0..<node.count).map { node.element(at: $0) },
        forest: forest))
  }

  /// Checks that all snapshots are as the nodes were, and that the differences of neighbours lead from one to the other.
  func checkSnapshots() {
    var last: [NodeNumber: KeptSnapshot] = [:]
    var lastForests: [NodeNumber: ForestState] = [:]
    for state in kept {
      guard fault == nil else { return }
      let name = name(of: state.number)
      let present = (0..<state.snapshot.count).map { state.snapshot.element(at: $0) }
      if present != state.rows || state.snapshot.elements != state.rows.compactMap({ $0 }) {
        return fail(
          .contents, "\(name): a snapshot of \(state.rows) has become \(state.snapshot)",
          code: "let snapshot = FlatSnapshot(of: \(name))")
      }
      if let forest = state.forest {
        checkForest(forest, after: lastForests.updateValue(forest, forKey: state.number), name: name)
        guard fault == nil else { return }
      }
      let rows = state.rows.compactMap { $0 }
      guard rows.count == state.rows.count else { continue }
      if let former = last.updateValue(state, forKey: state.number) {
        let delta = former.snapshot.difference(to: state.snapshot, by: \.id)
        if delta.applying(to: former.rows.compactMap { $0 }, new: { rows[$0] }) != rows {
          return fail(
            .contents, "\(name): the difference of \(former.snapshot) and \(state.snapshot) is not \(delta)",
            code: "let snapshot = FlatSnapshot(of: \(name))")
        }
      }
    }
  }

  private typealias ForestState = (snapshot: ForestSnapshot<PipelineRow>, contents: TreeSnapshot<PipelineRow>)

  /// Checks that a snapshot of a forest is as the forest was, and that the difference from the one before leads to it.
  private func checkForest(_ state: ForestState, after former: ForestState?, name: String) {
    let code = "let snapshot = ForestSnapshot(of: \(name))"
    let present = TreeSnapshot(state.snapshot)
    if present != state.contents {
      return fail(.contents, "\(name): a snapshot of \(state.contents) has become \(present)", code: code)
    }
    for number in state.snapshot.indices {
      let path = state.snapshot.path(to: number)
      if state.snapshot.number(at: path) != number || state.snapshot[path] != state.snapshot[number] {
        return fail(.contents, "\(name): \(path) is not the path of number \(number) in \(present)", code: code)
      }
    }
    guard let former else { return }
    let change = former.snapshot.difference(to: state.snapshot, by: \.id)
    if (try? former.contents.applying(change, new: state.contents)) != state.contents {
      fail(
        .contents, "\(name): the difference of \(former.contents) and \(state.contents) is not \(change)", code: code)
    }
  }
}
