/// What would take changes back, in the order in which they were made.
struct Inverse {
  /// The node that was changed.
  let hub: NodeHub

  /// Makes the inverse change; it may be called while the node is as it was directly after the change.
  let change: () -> Void

  /// The number of the move that the change was one end of: a move between two parents goes back as a move.
  let mark: Int?

  /// The undo logs that are going to have it.
  let recorders: [UndoRecorder]

  /// Makes the inverse change.
  ///
  /// - Parameter mark: the number of the move that it is one end of.
  func perform(mark: Int?) {
    if let mark { hub.marking(mark, change) } else { change() }
  }
}

/// Whether a rollback takes a change back.
enum Reversibility { case reversible, lasting }

/// A transaction that may still be rolled back.
struct ReversibleTransaction {
  /// Its place in the order of all transactions.
  let number: Int

  /// What takes its changes back, in the order of the changes.
  var inverses: [Inverse] = []

  /// What was pending when it began, and how often the graph had been settled.
  let start: PendingState

  /// What is being done.
  enum Phase {
    /// The body runs, and the inverses of its changes are kept.
    case recording

    /// The changes are being taken back; what happens then need not be taken back.
    case rollingBack
  }

  var phase = Phase.recording

  /// Lasting, where there was a change in it that a rollback does not take back.
  var reversibility = Reversibility.reversible

  var isRollingBack: Bool {
    if case .rollingBack = phase { true } else { false }
  }
}

/// The transactions and logs that want to know how the changes of a graph can be taken back.
struct Journal {
  /// The open transactions that may be rolled back, outer ones first.
  ///
  /// Each has the inverses of the changes that were made while it was its graph's innermost one.
  var transactions: [ReversibleTransaction] = []

  /// The undo logs of nodes in this graph.
  var recorders: [UndoRecorder] = []

  /// What the change is that is being carried through the graph.
  var carried = Reversibility.reversible

  /// Whether inverses of changes are wanted.
  var isRecording: Bool { !transactions.isEmpty || !recorders.isEmpty }

  /// Whether an undo log takes a step back, or makes it again.
  var isReverting: Bool { recorders.contains { $0.isReverting } }

  /// Whether the innermost transaction is being rolled back.
  var isRollingBack: Bool { transactions.last?.isRollingBack ?? false }

  /// Notes that a change of the innermost transaction is not going to be taken back.
  mutating func noteLastingChange() {
    guard let last = transactions.indices.last else { return }
    transactions[last].reversibility = .lasting
  }

  /// Takes over the journal of a graph that becomes one with this.
  mutating func merge(_ other: inout Journal) {
    // Bodies of transactions nest on the call stack, over all graphs; the numbers tell how.
    if !other.transactions.isEmpty {
      transactions += other.transactions
      transactions.sort { $0.number < $1.number }
    }
    recorders += other.recorders
    other = Journal()
  }
}
