extension NodeHub {
  /// Begins a transaction that may be rolled back.
  ///
  /// - Returns: the number of the transaction.
  func beginReversibleTransaction() -> Int {
    let graph = graph
    let number = SerialNumber.next()
    graph.journal.transactions.append(ReversibleTransaction(number: number, start: graph.pendingState))
    graph.beginTransaction(of: self)
    return number
  }

  /// Ends a transaction and keeps its changes; an outer transaction may still revert them.
  func commit(_ transaction: Int) {
    // The graph may have been merged into another since the transaction began.
    let graph = graph
    let ended = graph.endInnermost(transaction)
    if let outer = graph.journal.transactions.indices.last {
      graph.journal.transactions[outer].take(ended)
    } else {
      for inverse in ended.inverses {
        for recorder in inverse.recorders { recorder.append(inverse) }
      }
    }
    graph.endTransaction()
    // Removed elements are released after the delivery, as in a transaction that cannot be rolled back.
    withExtendedLifetime(ended) {}
  }

  /// Reverts the changes of a transaction, the last one first, and ends it.
  ///
  /// If no derived node has been brought up to date since the transaction began, the rollback brings none up to date
  /// either. The rollback then restores the former pending changes, and observers receive nothing. Otherwise, and if a
  /// change stays, the inverse changes are carried like any others.
  func rollBack(_ transaction: Int) {
    // Restored elements must not be compared with rows that have changed and have not been reported.
    if graph.hasAnnouncers { graph.callAnnouncers() }
    let index = graph.journal.transactions.count - 1
    var inverses: [Inverse] = []
    swap(&inverses, &graph.journal.transactions[index].inverses)
    graph.journal.transactions[index].phase = .rollingBack
    let start = graph.journal.transactions[index].start
    let isUntouched = graph.isUntouched(since: start) && !graph.journal.hasLastingChange
    let settlementCount = graph.settlementCount
    func revert() {
      inverses.perform()
      for entry in self.graph.announcers { entry.announcer.noteRestoredElements() }
    }
    if isUntouched { self.graph.freezing(revert) } else { revert() }
    let graph = graph
    let ended = graph.endInnermost(transaction)
    if ended.reversibility == .lasting {
      graph.journal.noteLastingChange()
    } else if isUntouched, graph.settlementCount == settlementCount {
      graph.restore(start)
      // No settlement follows in which views would ask for other handles of branches.
      if !graph.isUnsettled, !graph.isSettling { graph.cleanUp() }
    }
    graph.endTransaction()
    withExtendedLifetime(inverses) {}
  }
}

extension [Inverse] {
  /// Makes the inverse changes, the last one first. A child that moves back gets a new move number.
  func perform() {
    var names: [Int: Int] = [:]
    for inverse in reversed() { inverse.perform(mark: inverse.mark.map { names.renewed($0) }) }
  }
}

extension [Int: Int] {
  /// Returns the new number for that of a former move, the same for both of its ends.
  fileprivate mutating func renewed(_ name: Int) -> Int {
    if let known = self[name] { return known }
    let name = (former: name, new: SerialNumber.next())
    self[name.former] = name.new
    return name.new
  }
}

extension ReversibleTransaction {
  /// Adds the changes of an inner transaction.
  fileprivate mutating func take(_ inner: ReversibleTransaction) {
    if inner.reversibility == .lasting { reversibility = .lasting }
    if isRollingBack { return }
    if inverses.isEmpty { inverses = inner.inverses } else { inverses += inner.inverses }
  }
}

extension Graph {
  /// Removes the innermost transaction.
  ///
  /// - Parameter number: the transaction that should be the innermost one.
  /// - Returns: the transaction.
  fileprivate func endInnermost(_ number: Int) -> ReversibleTransaction {
    let ended = journal.transactions.removeLast()
    require(ended.number == number, "A transaction ended before another one that had begun inside it.")
    return ended
  }
}
