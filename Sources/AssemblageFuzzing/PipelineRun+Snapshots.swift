import Assemblage

/// A snapshot that a run keeps, and what the node showed when it was taken.
struct KeptSnapshot {
  let number: NodeNumber
  let snapshot: FlatSnapshot<PipelineRow>
  let rows: [PipelineRow?]
}

extension PipelineRun {
  /// Takes a snapshot of one of the nodes, in turn.
  func keepSnapshot() {
    guard fault == nil, !held.isEmpty else { return }
    let number = held[kept.count % held.count]
    guard let node = specimens[number]?.node else { return }
    kept.append(
      KeptSnapshot(
        number: number, snapshot: FlatSnapshot(of: node), rows: (0..<node.count).map { node.element(at: $0) }))
  }

  /// Checks that all snapshots are as the nodes were, and that the differences of neighbours lead from one to the other.
  func checkSnapshots() {
    var last: [NodeNumber: KeptSnapshot] = [:]
    for state in kept {
      guard fault == nil else { return }
      let name = name(of: state.number)
      let present = (0..<state.snapshot.count).map { state.snapshot.element(at: $0) }
      if present != state.rows || state.snapshot.elements != state.rows.compactMap({ $0 }) {
        return fail(
          .contents, "\(name): a snapshot of \(state.rows) has become \(state.snapshot)",
          code: "let snapshot = FlatSnapshot(of: \(name))")
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
}
