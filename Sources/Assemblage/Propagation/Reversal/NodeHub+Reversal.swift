extension NodeHub {
  /// The subject of a change: see `NodeAuthor.Concern`, which is for authors only.
  @usableFromInline
  enum Concern {
    case contents, view
  }

  /// Tells every dependent and observer what changed, and how to take it back: see `NodeAuthor.publish(_:of:inverse:)`.
  ///
  /// Parts that have received something from this node translate it, whatever the change says.
  @usableFromInline
  func publish(
    _ change: consuming ChangeSet, of concern: Concern = .contents, inverse: @autoclosure () -> (() -> Void)
  ) {
    // First, because the change may be delivered before this returns, and observers may change the node again.
    if isRecording { record(inverse(), of: concern) }
    carry(consume change)
  }

  /// Whether anybody wants to know of a change of this node: where nobody does, it need not be published.
  @usableFromInline
  var isHeard: Bool { isObserved || isFollowed || isRecording }

  /// Whether a transaction or an undo log may take a change of this node back.
  ///
  /// It is true inside a transaction whose body can throw, and where an `UndoLog` watches a node of the same graph. A
  /// node whose inverse needs something that has to be kept before the change asks this first.
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
  /// Says that the rollback under way does not bring this node back to what it was: observers receive what was done and
  /// what was taken back, composed.
  func rollsBackPartly() {
    if isRecording, graph.journal.isRollingBack { graph.journal.noteLastingChange() }
  }
}

extension Graph {
  /// Begins a change of a node that cannot be taken back.
  ///
  /// - Returns: what `endLasting(_:)` needs, after the change has been carried.
  func beginLasting(_ hub: NodeHub) -> Reversibility {
    let former = journal.carried
    // An inverse takes a change back, even where it does not say how it could be made again.
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
    // Up from the node, until each log has been met.
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

  /// Ends what the undo logs take for one step.
  func closeGroups() {
    for recorder in journal.recorders { recorder.close() }
  }
}
