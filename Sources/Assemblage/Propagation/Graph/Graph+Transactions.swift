// MARK: - Transactions and deliveries

extension Graph {
  func beginTransaction(of hub: NodeHub) {
    enter(hub)
    state.value.transactionDepth += 1
  }

  func endTransaction() {
    // A closure that a derived node calls while it translates may run a transaction without a change; the graph is
    // only half settled then, and its settling delivers.
    if state.value.transactionDepth == 1, !isSettling {
      settle()
      cleanUp()
    }
    leave()
    state.value.transactionDepth -= 1
    guard state.value.transactionDepth == 0 else { return }
    if isRecording { closeGroups() }
    if !isSettling { deliver() }
  }

  /// Calls the waiting observers with their net changes, in rounds, each in the order of registration.
  ///
  /// A change that an observer makes is composed with the changes that others have not received yet; an observer that has
  /// been called in this round receives it in the next.
  func deliver() {
    guard state.value.deliveries == 0 else { return }
    if state.value.waiting.isEmpty { return }
    state.value.deliveries = 1
    var told: [Observer] = []
    if state.value.waiting.count == 1 {
      // Mostly one observer waits, and afterwards none: that takes no lists.
      let only = state.value.waiting.removeLast()
      _ = only.deliver(in: self)
      guard !root.state.value.waiting.isEmpty else {
        only.timesTold = 0
        root.state.value.deliveries -= 1
        return
      }
      told.append(only)
    }
    while true {
      // An observer may have linked this graph to another, in which a transaction may be open: its end delivers.
      let graph = root
      guard !graph.state.value.waiting.isEmpty, graph.state.value.transactionDepth == 0 else { break }
      var round: [Observer] = []
      swap(&round, &graph.state.value.waiting)
      if round.count > 1 { round.sort { $0.number < $1.number } }
      for observer in round where observer.deliver(in: graph) { told.append(observer) }
    }
    root.state.value.deliveries -= 1
    for observer in told { observer.timesTold = 0 }
  }
}
