public import Synchronization

/// How many graphs, of all isolation domains, have changes that their derived nodes have not translated yet.
///
/// Every read of a derived node checks this number first. So a read costs only one load more where no transaction is
/// under way.
@usableFromInline
let unsettledGraphs = Atomic<Int>(0)

/// Adds a number of graphs that have become unsettled; a negative number counts graphs that have been settled.
func countUnsettledGraphs(_ number: Int) { unsettledGraphs.add(number, ordering: .relaxed) }

extension NodeHub {
  /// Brings the nodes of the graph up to date, if a transaction has changed sources since they were read last.
  ///
  /// Every read of a derived node begins with this call.
  ///
  /// - Complexity: O(1) where nothing has changed; otherwise that of one translation of each derived node.
  @inlinable @inline(__always)
  func settle() {
    if unsettledGraphs.load(ordering: .relaxed) != 0 { settleGraph() }
  }

  @usableFromInline @inline(never)
  func settleGraph() { state.value.graph?.root.settle() }
}

// Inside a transaction, a change waits in its node. The graph carries the change to the other nodes when one of them is
// read, or when the outermost transaction ends. All waiting changes are then carried together.
extension Graph {
  /// Whether a change of a source waits for the end of the transaction, or for a read of a derived node.
  var defers: Bool { state.value.transactionDepth > 0 }

  /// Whether nodes have changes that others have not translated yet.
  var isUnsettled: Bool { !state.value.unsettled.isEmpty }

  /// How often the graph has been settled inside transactions; the number also grows where graphs are merged.
  var settlementCount: Int { state.value.settlementCount }

  /// Whether a change of a source is kept until the graph is settled.
  var keepsChanges: Bool { defers && !state.value.isTranslating }

  /// Removes and returns the number of the move that the change under way is one end of.
  func takeMark() -> Int? { state.value.moves.mark.take() }

  /// Whether a child has moved between parents since the graph was last settled.
  var hasMoves: Bool { state.value.moves.hasMoves }

  /// Carries a change of one node through every node that derives from it, or keeps it until the graph is settled.
  func carry(_ change: consuming ChangeSet, of hub: NodeHub) {
    // A change of a setting is carried at once: the pending changes were settled before the setting was changed.
    if keepsChanges, !hub.isView {
      if let name = takeMark() { change.mark(name) }
      note(hub).composer.append(change)
    } else {
      settle(from: hub, change)
    }
  }

  /// Whether the next change of a source is one end of a move.
  var isMoving: Bool { state.value.moves.mark != nil }

  /// The number of the move that the next change of a source is one end of.
  var mark: Int? {
    get { state.value.moves.mark }
    set { state.value.moves.mark = newValue }
  }

  /// Notes that the next change of a source is one end of a move.
  func beginMove(_ name: Int) { state.value.moves.begin(name) }

  /// Ends the move, even if the source has not reported a change.
  func endMove() { state.value.moves.mark = nil }

  /// Notes that a child with children of its own leaves a parent, and adds the departure to the change if necessary.
  func noteDeparture(of child: ParentKey, from parent: ParentKey, at position: Int, in change: inout ChangeSet) {
    let isMarked = isMoving
    guard let name = state.value.moves.noteDeparture(of: child, from: parent), !isMarked else { return }
    change.crossings.append(Crossing(name, from: Crossing.Place(position), to: nil))
  }

  /// Notes that a parent has another key from now on.
  func rename(_ former: ParentKey, to key: ParentKey) { state.value.moves.rename(former, to: key) }

  /// See `MoveLog.noteEnd(of:_:in:at:)`.
  func noteEnd(of branch: ParentKey, _ crossings: [Crossing], in parent: ParentKey, at position: () -> Int?) {
    state.value.moves.noteEnd(of: branch, crossings, in: parent, at: position)
  }

  /// The pending change of a node, which counts as unsettled from now on.
  func note(_ hub: NodeHub) -> PendingChange {
    if let known = hub.state.value.pending { return known }
    let pending = PendingChange()
    hub.state.value.pending = pending
    if state.value.unsettled.isEmpty { countUnsettledGraphs(1) }
    state.value.unsettled.append(hub)
    return pending
  }

  /// Carries a source's change through every node that derives from it, each node once, sources first.
  private func settle(from hub: NodeHub, _ change: consuming ChangeSet) {
    if defers { state.value.settlementCount += 1 }
    enter(hub)
    state.value.isTranslating = true
    broadcast(change, of: hub)
    finishSettling()
    // The `deinit` of a released element may have linked the graph to another one.
    root.leave()
    if root.state.value.transactionDepth == 0 { root.deliver() }
  }

  private func broadcast(_ change: consuming ChangeSet, of hub: NodeHub) {
    if change.isSilent { return }
    if hub.mayClimb, state.value.queue.isEmpty {
      hub.climb(&change).broadcast(consume change, in: self)
    } else {
      hub.broadcast(consume change, in: self)
    }
  }

  private func finishSettling() {
    while let next = state.value.queue.pop() { next.translate(in: self) }
    state.value.isTranslating = false
    cleanUp()
  }

  /// Runs the actions that have waited for a settlement.
  func cleanUp() {
    if state.value.cleanups.isEmpty { return }
    let cleanups = state.value.cleanups
    state.value.cleanups = []
    for cleanup in cleanups { cleanup() }
  }

  /// Carries all pending changes together through the nodes that derive from the changed ones.
  func settle() {
    guard isUnsettled, !state.value.isTranslating, !state.value.isFrozen else { return }
    // Elements that have changed by themselves are settled too: a sort compares new rows with them.
    if hasAnnouncers { callAnnouncers() }
    guard isUnsettled else { return }
    let hubs = state.value.unsettled
    state.value.unsettled = []
    countUnsettledGraphs(-1)
    state.value.settlementCount += 1
    enter(hubs[0])
    state.value.isTranslating = true
    var moves = MoveLog()
    swap(&moves, &state.value.moves)
    // A read of a view in the middle of a move may have led here: the second end of the move still needs its mark.
    if let mark = moves.mark { state.value.moves.begin(mark) }
    let settlement = Settlement(hubs, moves)
    let changes = settlement.changes()
    if changes.count == 1, state.value.queue.isEmpty {
      if changes[0].hub.isObserved { broadcast(changes[0].change, of: changes[0].hub) }
    } else {
      for (hub, change) in changes where hub.isObserved && !change.isSilent {
        state.value.ownChanges[ObjectIdentifier(hub)] = change
        schedule(hub)
      }
    }
    finishSettling()
    // An element that was released may have edited a node in its `deinit`, and linked the graph to another one.
    root.leave()
    if root.isUnsettled { root.settle() }
  }

  /// Removes and returns the own change of a node, when the node translates; usually nil.
  func takeOwnChange(of hub: NodeHub) -> ChangeSet? {
    state.value.ownChanges.isEmpty ? nil : state.value.ownChanges.removeValue(forKey: ObjectIdentifier(hub))
  }

  /// Refuses changes of the graph while `body` calls closures that must not change a node.
  func refusingChanges<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let former = state.value.isRefusing
    state.value.isRefusing = true
    defer { state.value.isRefusing = former }
    return try body()
  }

  /// Whether a hub has received a change that it has not translated yet, or the end of an edit calls observers even if
  /// the edit changes nothing.
  var hasWaiting: Bool { !state.value.queue.isEmpty || holdsDelivery }

  func schedule(_ hub: NodeHub) { state.value.queue.push(hub) }

  /// Runs an action when no node refers any more to an object that a source has released: at once outside a
  /// transaction.
  func whenSettled(_ action: @escaping () -> Void) {
    if defers || state.value.isTranslating { state.value.cleanups.append(action) } else { action() }
  }

  func noteDelivery(to observer: Observer) {
    guard !observer.isWaiting else { return }
    observer.isWaiting = true
    state.value.waiting.append(observer)
  }
}
