extension NodeHub {
  @usableFromInline
  typealias Concern = NodeAuthor.Concern

  /// Tells every dependent and observer what changed, and how to take it back: see `NodeAuthor.publish(_:of:inverse:)`.
  ///
  /// Parts that have received something from this node translate it, whatever the change says.
  @usableFromInline
  func publish(
    _ change: consuming ChangeSet, of concern: Concern = .contents, inverse: @autoclosure () -> (() -> Void)
  ) {
    // First, because the change may be delivered before this returns, and observers may change the node again.
    if isRecording {
      let countChange = change.delta.countChange
      let count = state.value.owner.map { $0.count - countChange }
      record(inverse(), of: concern, formerCount: count)
    }
    carry(consume change)
  }

  /// Whether anybody wants to know of a change of this node: where nobody does, it need not be published.
  @inlinable
  var isHeard: Bool { isObserved || isRecording }

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
  func record(_ inverse: @escaping () -> Void, of concern: Concern = .contents, formerCount: Int? = nil) {
    let graph = graph
    guard !graph.journal.isRollingBack, graph.journal.carried == .reversible else { return }
    let recorders = concern == .contents ? graph.recorders(watching: self) : []
    graph.record(
      Inverse(hub: self, change: inverse, mark: graph.mark, formerCount: formerCount, recorders: recorders))
  }

  /// Keeps something for the case that the change which this derived node is translating is taken back by a rollback.
  ///
  /// What a derived node shows must be the same after a rollback as before. Where that follows from what its sources
  /// hold, there is nothing to do. A filter's visible children do not: a predicate may answer otherwise the second time.
  /// Such a node calls this in `translate(_:)`, and `recall(_:)` when it translates the inverse.
  ///
  /// - Parameter value: what to keep, one value of a type; it is asked for only inside a transaction whose body can throw.
  /// - Complexity: O(1).
  func remember<Value>(_ value: @autoclosure () -> Value) {
    guard isRemembering else { return }
    // Before the journal is modified: it may read nodes.
    let value = value()
    keep { $0.memories[Inverse.MemoryKey(hub: ObjectIdentifier(self), type: ObjectIdentifier(Value.self))] = value }
  }

  /// Keeps how many children this derived node had, as `remember(_:)` does.
  func rememberCount(_ count: Int) { keep { $0.formerCounts[ObjectIdentifier(self)] = count } }

  /// Whether the change that is being carried may be taken back by a rollback.
  private var isRemembering: Bool {
    isRecording && graph.journal.isRemembering
  }

  private func keep(_ body: (inout Inverse) -> Void) {
    guard isRemembering else { return }
    let graph = graph
    // The change that is being carried is the latest.
    let last = graph.journal.transactions.count - 1
    let change = graph.journal.transactions[last].inverses.count - 1
    body(&graph.journal.transactions[last].inverses[change])
  }

  /// What this derived node kept when it translated the change that is being taken back.
  ///
  /// - Parameter type: the type of the value.
  /// - Returns: the value given to `remember(_:)`; nil outside a rollback, and where nothing was kept.
  /// - Complexity: O(1).
  func recall<Value>(_ type: Value.Type) -> Value? {
    guard isRecording, let inverse = graph.journal.transactions.last?.performed else { return nil }
    let key = Inverse.MemoryKey(hub: ObjectIdentifier(self), type: ObjectIdentifier(type))
    return inverse.memories[key].map { $0 as! Value }
  }

  /// Whether this derived node has as many children as before the change that is being taken back, if one is.
  func checkCount(_ count: Int) -> Bool {
    let former = graph.journal.transactions.last?.performed?.formerCounts[ObjectIdentifier(self)]
    return former == nil || former == count
  }

  /// Says that the rollback under way does not bring this node back to what it showed before.
  ///
  /// Then every observer hears what was done and what was taken back, composed, and can follow. A derived node whose
  /// contents are no function of what its sources hold, and which finds that it shows something else when it has
  /// translated an inverse, calls this; that the counts differ is found without it.
  ///
  /// - Complexity: O(1).
  func rollsBackPartly() {
    if isRecording, graph.journal.isRollingBack { graph.journal.noteLastingChange() }
  }

  /// Says that the rollback under way may not bring this node's dependents back to what they showed before.
  ///
  /// - Parameter isSo: asked when the rollback is through.
  func rollsBackPartly(if isSo: @escaping () -> Bool) {
    guard graph.journal.isRollingBack else { return }
    graph.journal.transactions[graph.journal.transactions.count - 1].doubts[ObjectIdentifier(self)] = isSo
  }

  /// Whether a change that cannot be taken back was made in the transaction that is being rolled back.
  var isRolledBackPartly: Bool {
    guard let transaction = graph.journal.transactions.last else { return false }
    return transaction.isRollingBack && transaction.reversibility == .lasting
  }
}

extension Graph {
  /// Carries a change that cannot be taken back.
  func settleForGood(from hub: NodeHub, _ change: consuming ChangeSet) {
    // What an inverse does is taking back, even where it does not say how it could be done again.
    let isTakingBack = journal.isRollingBack
    if !isTakingBack {
      for recorder in hub.state.value.recorders { recorder.spoil(after: hub) }
    }
    guard !isTakingBack, !journal.transactions.isEmpty else {
      if transactionDepth == 0 { closeGroups() }
      return hub.carry(consume change)
    }
    journal.noteLastingChange()
    journal.carried = .lasting
    hub.carry(consume change)
    journal.carried = .reversible
  }

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
      for index in hub.state.value.dependents.indices {
        let dependent = unsafe hub.state.value.dependents[index].hub
        guard visited.insert(ObjectIdentifier(dependent)).inserted else { continue }
        for recorder in dependent.state.value.recorders where !found.contains(where: { $0 === recorder }) {
          found.append(recorder)
        }
        if found.count == count { return found }
        open.append(dependent)
      }
    }
    return found
  }

  /// Ends what the undo logs take for one step.
  func closeGroups() {
    for recorder in journal.recorders { recorder.close() }
  }
}
