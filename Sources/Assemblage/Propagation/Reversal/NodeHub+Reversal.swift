extension NodeHub {
  /// The subject of a change: see `NodeAuthor.Concern`, which is for authors only.
  @usableFromInline
  enum Concern {
    case contents, view
  }

  /// Reports a change to every dependent and observer, and keeps its inverse: see `NodeAuthor.publish(_:of:inverse:)`.
  ///
  /// Parts that have received a change from this node translate that change even if this one is empty.
  @usableFromInline
  func publish(
    _ change: consuming ChangeSet, of concern: Concern = .contents, inverse: @autoclosure () -> (() -> Void)
  ) {
    guard isRecording else { return carry(consume change) }
    // First, because the change may be delivered before this returns, and observers may change the node again.
    record(inverse(), of: concern)
    carry(consume change)
    finishRecording()
  }

  /// Completes what was recorded, after a change has been carried: see `Graph.finishRecording()`.
  @usableFromInline
  func finishRecording() { graph.finishRecording() }

  /// Whether a change of this node has to be published: the node is observed or followed, or inverses are kept.
  @usableFromInline
  var hasListeners: Bool { isObserved || isFollowed || isRecording }

  /// Whether a transaction or an undo log may revert a change of this node.
  ///
  /// This is true inside a transaction whose body can throw, and where an `UndoLog` watches a node of the same graph.
  /// If an inverse needs values from before the change, the node reads this property before it changes.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  var isRecording: Bool {
    guard let graph = state.value.graph else { return false }
    return graph.root.isRecording
  }

  /// Keeps the inverse of the change that was made.
  @usableFromInline
  func record(_ inverse: @escaping () -> Void, of concern: Concern = .contents) {
    let graph = graph
    guard !graph.journal.isRollingBack, graph.journal.carried == .reversible else { return }
    let recorders = concern == .contents ? graph.recorders(watching: self) : []
    graph.record(Inverse(hub: self, change: inverse, mark: graph.mark, recorders: recorders))
  }
}

extension NodeHub {
  /// Reports that the rollback under way does not fully restore this node.
  ///
  /// Observers then receive the composition of the changes and the inverse changes.
  func rollsBackPartly() {
    if isRecording, graph.journal.isRollingBack { graph.journal.noteLastingChange() }
  }
}

extension Graph {
  /// Begins a change of a node that cannot be reverted.
  ///
  /// - Returns: the argument of `endLasting(_:)`, which the caller calls after the change has been carried.
  func beginLasting(_ hub: NodeHub) -> Reversibility {
    let former = journal.carried
    // A change during a rollback reverts another one, so it needs no inverse of its own.
    if journal.isRollingBack { return former }
    for recorder in hub.state.value.recorders { recorder.spoil(after: hub) }
    if journal.transactions.isEmpty {
      if transactionDepth == 0 { closeGroups() }
    } else {
      journal.noteLastingChange()
      journal.carried = .lasting
    }
    return former
  }

  func endLasting(_ former: Reversibility) { journal.carried = former }

  func record(_ inverse: Inverse) {
    for recorder in inverse.recorders { recorder.watch(inverse.hub, owns: true) }
    if let last = journal.transactions.indices.last {
      journal.transactions[last].inverses.append(inverse)
      return
    }
    for recorder in inverse.recorders { recorder.append(inverse) }
    if transactionDepth == 0 { closeGroups() }
  }

  /// The undo logs that a change of a node concerns.
  func recorders(watching hub: NodeHub) -> [UndoRecorder] {
    let count = journal.recorders.count
    guard count > 0 else { return [] }
    var found = hub.state.value.recorders
    guard found.count < count else { return found }
    // Search the dependents of the node, until each log has been found.
    var visited: Set<ObjectIdentifier> = [ObjectIdentifier(hub)]
    var open = [hub]
    while let hub = open.popLast() {
      hub.state.value.dependents.forEach { edge in
        let dependent = unsafe edge.hub
        guard visited.insert(ObjectIdentifier(dependent)).inserted else { return }
        for recorder in dependent.state.value.recorders where !found.contains(where: { $0 === recorder }) {
          found.append(recorder)
        }
        open.append(dependent)
      }
      if found.count == count { break }
    }
    return found
  }

  /// Ends the step that each undo log is recording.
  func closeGroups() {
    for recorder in journal.recorders {
      let dropped = recorder.close()
      journal.dropped += dropped
    }
  }

  /// Completes what was recorded, unless a transaction is open: its end does this. Tracked readers of the undo logs are
  /// notified, and steps that logs have dropped are released. All views must show the present state.
  func finishRecording() {
    if transactionDepth > 0 || isSettling { return }
    let dropped = journal.dropped
    if !dropped.isEmpty { journal.dropped = [] }
    for recorder in journal.recorders { recorder.notifyReaders() }
    withExtendedLifetime(dropped) {}
  }
}
