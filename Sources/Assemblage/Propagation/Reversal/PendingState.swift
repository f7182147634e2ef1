import OffsetIndexing

/// The pending changes of a graph at the beginning of a transaction that may be rolled back.
struct PendingState {
  /// How often the graph had been settled, and how often branches had got other handles.
  fileprivate let counts: (settlements: Int, handles: Int)
  fileprivate let composers: [(hub: NodeHub, pending: PendingChange, composer: ChangeSetComposer)]
  fileprivate let branches:
    [(store: PendingBranches, composers: [TreeIndex.Branch: ChangeSetComposer], only: ShapeEdit?)]
  fileprivate let moves: MoveLog
}

extension Graph {
  /// The present pending changes.
  ///
  /// - Complexity: O(u) for u nodes that have changed since the graph was last settled.
  var pendingState: PendingState {
    let hubs = state.value.unsettled
    let stores = hubs.compactMap { $0.state.value.pending?.tree?.pendingBranches }
    return PendingState(
      counts: (state.value.settlementCount, state.value.handleCount),
      composers: hubs.map { ($0, $0.state.value.pending!, $0.state.value.pending!.composer) },
      branches: stores.map { ($0, $0.composers, $0.onlyEdit) }, moves: state.value.moves)
  }

  /// Whether `restore(_:)` can restore the former pending changes: no node has been settled since.
  ///
  /// If there were pending changes then, their branches must also have the same handles as before.
  func isUntouched(since former: PendingState) -> Bool {
    state.value.settlementCount == former.counts.settlements
      && (former.composers.isEmpty || state.value.handleCount == former.counts.handles)
  }

  /// Notes that branches of forests get other handles.
  func noteHandles() { state.value.handleCount += 1 }

  /// Restores the former pending changes, after a rollback has reverted all later changes.
  func restore(_ former: PendingState) {
    if isUnsettled { countUnsettledGraphs(-1) }
    for hub in state.value.unsettled {
      hub.state.value.pending?.tree?.pendingBranches.removeAll()
      hub.state.value.pending = nil
    }
    for (hub, pending, composer) in former.composers {
      pending.composer = composer
      hub.state.value.pending = pending
    }
    for (store, composers, only) in former.branches { (store.composers, store.onlyEdit) = (composers, only) }
    state.value.unsettled = former.composers.map(\.hub)
    state.value.moves = former.moves
    if isUnsettled { countUnsettledGraphs(1) }
  }

  /// Whether derived nodes stay as they are, also when they are read: a rollback reverts changes that they have not
  /// translated, or sources are read that are ahead of them.
  var isFrozen: Bool { state.value.isFrozen }

  /// Keeps derived nodes as they are while a closure runs.
  func freezing<Result>(_ body: () -> Result) -> Result {
    let wasFrozen = isFrozen
    state.value.isFrozen = true
    // The graph may be merged into another one.
    defer { root.state.value.isFrozen = wasFrozen }
    return body()
  }

  /// Notes that a view or an observer now knows the present state, so that inverse changes have to be carried to it.
  func noteReading() { if !isFrozen { state.value.settlementCount += 1 } }
}
