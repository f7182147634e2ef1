extension NodeHub {
  /// Begins a transaction that may be rolled back.
  ///
  /// - Returns: its number.
  func beginReversibleTransaction() -> Int {
    let graph = graph
    let number = SerialNumber.next()
    graph.journal.transactions.append(ReversibleTransaction(number: number))
    graph.beginTransaction(of: self)
    return number
  }

  /// Ends a transaction whose changes stay, as far as it goes: an outer one may still take them back.
  func commit(_ transaction: Int) {
    // The graph may have been merged into another since the transaction began.
    let graph = graph
    let ended = graph.endInnermost(transaction) { $0.commit($1, into: $2) }
    if let outer = graph.journal.transactions.indices.last {
      graph.journal.transactions[outer].take(ended)
    } else {
      for inverse in ended.inverses {
        for recorder in inverse.recorders { recorder.append(inverse) }
      }
    }
    graph.endTransaction()
    // Removed elements are released after the delivery, as they are without a rollback in view.
    withExtendedLifetime(ended) {}
  }

  /// Takes back the changes of a transaction, the last one first, and ends it.
  func rollBack(_ transaction: Int) {
    // What is put back must not be compared with rows that have changed and not been told.
    if graph.hasAnnouncers { graph.callAnnouncers() }
    graph.rollbackCount += 1
    let index = graph.journal.transactions.count - 1
    var inverses: [Inverse] = []
    swap(&inverses, &graph.journal.transactions[index].inverses)
    graph.journal.transactions[index].phase = .rollingBack(nil)
    for inverse in inverses.reversed() {
      graph.journal.transactions[graph.journal.transactions.count - 1].phase = .rollingBack(inverse)
      inverse.perform(mark: inverse.mark)
      if let count = inverse.formerCount, let node = inverse.hub.state.value.owner, node.count != count {
        inverse.hub.rollsBackPartly()
      }
    }
    let graph = graph
    graph.rollBackMoves(transaction)
    if graph.journal.transactions.last!.doubts.values.contains(where: { $0() }) { graph.journal.noteLastingChange() }
    // What stays may show in unforeseen ways, as where a member comes back that has changed while it was away. Then
    // every observer hears what was done and what was taken back, composed.
    let isPartly = graph.journal.transactions.last!.reversibility == .lasting
    let ended = graph.endInnermost(transaction) { observer, number, outer in
      if isPartly { return observer.commit(number, into: outer) }
      observer.rollBack(number)
      return false
    }
    if ended.reversibility == .lasting { graph.journal.noteLastingChange() }
    graph.endTransaction()
    withExtendedLifetime(inverses) {}
  }
}

extension ReversibleTransaction {
  /// Takes over the changes of an inner transaction.
  fileprivate mutating func take(_ inner: ReversibleTransaction) {
    if inner.reversibility == .lasting { reversibility = .lasting }
    if isRollingBack { return }
    if inverses.isEmpty { inverses = inner.inverses } else { inverses += inner.inverses }
  }
}

extension Graph {
  /// Takes the innermost transaction out, and lets its observers end it.
  ///
  /// - Parameters:
  ///   - number: the transaction that should be the innermost one.
  ///   - end: ends it for an observer, given the numbers of it and of the next outer one; returns whether the observer
  ///     now has something set aside for that.
  /// - Returns: the transaction.
  fileprivate func endInnermost(
    _ number: Int, _ end: (Observer, _ number: Int, _ outer: Int?) -> Bool
  ) -> ReversibleTransaction {
    let ended = journal.transactions.removeLast()
    require(ended.number == number, "A transaction ended before another one that had begun inside it.")
    let outer = journal.transactions.last?.number
    for observer in ended.observers where end(observer, number, outer) {
      journal.transactions[journal.transactions.count - 1].observers.append(observer)
    }
    return ended
  }
}
