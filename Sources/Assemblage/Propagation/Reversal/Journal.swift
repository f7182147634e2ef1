/// The inverse of one change.
struct Inverse {
  /// The node that was changed.
  let hub: NodeHub

  /// Makes the inverse change; the node must then be as it was directly after the change.
  let change: () -> Void

  /// The number of the move that the change was one end of: a move between two parents is reverted as a move.
  let mark: Int?

  /// The undo logs that are to receive the inverse.
  let recorders: [UndoRecorder]

  /// Makes the inverse change.
  ///
  /// - Parameter mark: the number of the move that the inverse change is one end of.
  func perform(mark: Int?) {
    if let mark { hub.marking(mark, change) } else { change() }
  }
}

/// Whether a rollback reverts a change.
enum Reversibility { case reversible, lasting }

/// A transaction that may still be rolled back.
struct ReversibleTransaction {
  /// The place of the transaction in the order of all transactions.
  let number: Int

  /// The inverses of the transaction's changes, in the order of the changes.
  var inverses: [Inverse] = []

  /// The pending changes when the transaction began, and how often the graph had been settled.
  let start: PendingState

  /// The present phase of a transaction.
  enum Phase {
    /// The body runs, and the inverses of its changes are kept.
    case recording

    /// The changes are being reverted; the inverse changes need no inverses.
    case rollingBack
  }

  var phase = Phase.recording

  /// Lasting, if a rollback does not revert one of the transaction's changes.
  var reversibility = Reversibility.reversible

  var isRollingBack: Bool {
    if case .rollingBack = phase { true } else { false }
  }
}

/// The transactions and undo logs that keep the inverses of a graph's changes.
struct Journal {
  /// The open transactions that may be rolled back, outer ones first.
  ///
  /// Each has the inverses of the changes that were made while it was its graph's innermost one.
  var transactions: [ReversibleTransaction] = []

  /// The undo logs of nodes in this graph.
  var recorders: [UndoRecorder] = []

  /// The steps that undo logs have dropped during the change that is under way.
  var dropped: [UndoRecorder.Group] = []

  /// Whether the change that the graph carries at present can be reverted.
  var carried = Reversibility.reversible

  /// Whether a transaction or an undo log keeps inverses of changes.
  var isRecording: Bool { !transactions.isEmpty || !recorders.isEmpty }

  /// Whether an undo log is undoing or redoing a step.
  var isReverting: Bool { recorders.contains { $0.isReverting } }

  /// Whether the innermost transaction is being rolled back.
  var isRollingBack: Bool { transactions.last?.isRollingBack ?? false }

  /// Whether the innermost transaction has a change that a rollback does not revert. Then paths that the transaction
  /// has noted may lead to other elements.
  var hasLastingChange: Bool { transactions.last?.reversibility == .lasting }

  /// Notes that a rollback does not revert a change of the innermost transaction.
  mutating func noteLastingChange() {
    guard let last = transactions.indices.last else { return }
    transactions[last].reversibility = .lasting
  }

  /// Adds the journal of a graph that is merged into this one.
  mutating func merge(_ other: inout Journal) {
    // Bodies of transactions nest on the call stack, over all graphs; the numbers give their order.
    if !other.transactions.isEmpty {
      transactions += other.transactions
      transactions.sort { $0.number < $1.number }
    }
    recorders += other.recorders
    dropped += other.dropped
    other = Journal()
  }
}
