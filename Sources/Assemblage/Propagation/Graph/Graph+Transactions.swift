// MARK: - Transactions and deliveries

extension Graph {
  func beginTransaction(of hub: NodeHub) {
    enter(hub)
    state.value.transactionDepth += 1
  }

  func endTransaction() {
    // A derived node that translates may call a closure, and the closure may run a transaction without a change. The
    // graph is not completely settled then, and its own settlement delivers the changes.
    if state.value.transactionDepth == 1, !isSettling {
      // A `deinit`, and a reader of a log, may link the graph to another one.
      settle()
      root.cleanUp()
      root.settle()
    }
    root.leave()
    root.state.value.transactionDepth -= 1
    guard root.state.value.transactionDepth == 0 else { return }
    if root.isRecording {
      root.closeGroups()
      root.finishRecording()
    }
    if root.state.value.transactionDepth == 0, !root.isSettling { root.deliver() }
  }

  /// Whether observers wait although no transaction is open, because elements were reported before an edit.
  var holdsDelivery: Bool { !state.value.waiting.isEmpty && state.value.transactionDepth == 0 }

  /// Calls the waiting observers with their net changes, in rounds, each in the order of registration.
  ///
  /// A change that an observer makes is composed with the changes that other observers have not received yet. An
  /// observer that was called in this round receives the change in the next one.
  func deliver() {
    guard state.value.deliveries == 0 else { return }
    if state.value.waiting.isEmpty { return }
    state.value.deliveries = 1
    var reported: [Observer] = []
    if state.value.waiting.count == 1 {
      // Usually one observer waits, and no other afterwards. This case needs no arrays.
      let only = state.value.waiting.removeLast()
      _ = only.deliver(in: self)
      guard !root.state.value.waiting.isEmpty else {
        only.deliveryCount = 0
        root.state.value.deliveries -= 1
        return
      }
      reported.append(only)
    }
    while true {
      // An observer may have linked this graph to another one with an open transaction: the end of that transaction
      // delivers.
      let graph = root
      guard !graph.state.value.waiting.isEmpty, graph.state.value.transactionDepth == 0 else { break }
      var round: [Observer] = []
      swap(&round, &graph.state.value.waiting)
      if round.count > 1 { round.sort { $0.number < $1.number } }
      for observer in round where observer.deliver(in: graph) { reported.append(observer) }
    }
    root.state.value.deliveries -= 1
    for observer in reported { observer.deliveryCount = 0 }
  }
}
