/// What would take changes back, in the order in which they were made.
struct Inverse {
  /// The node that was changed.
  let hub: NodeHub

  /// Makes the inverse change; it may be called while the node is as it was directly after the change.
  let change: () -> Void

  /// What the change was one end of: a move between two parents goes back as a move.
  let mark: Crossing.Token?

  /// How many children the node had before the change, where it is known.
  let formerCount: Int?

  /// The undo logs that are going to have it.
  let recorders: [UndoRecorder]

  /// What derived nodes kept for the time when it is called in a rollback.
  var memories: [MemoryKey: Any] = [:]

  /// The hub of a derived node, and the type of what it kept.
  struct MemoryKey: Hashable {
    let hub: ObjectIdentifier
    let type: ObjectIdentifier
  }

  /// How many children derived nodes had before they translated the change, by their hubs.
  var formerCounts: [ObjectIdentifier: Int] = [:]

  /// Makes the inverse change.
  ///
  /// - Parameter mark: what it is one end of.
  func perform(mark: Crossing.Token?) {
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

  /// The observers that have set something aside for it.
  var observers: [Observer] = []

  /// What is being done.
  enum Phase {
    /// The body runs, and the inverses of its changes are kept.
    case recording

    /// The changes are being taken back, at present by this inverse; what happens then need not be taken back.
    case rollingBack(Inverse?)
  }

  var phase = Phase.recording

  /// Lasting, where there was a change in it that a rollback does not take back.
  var reversibility = Reversibility.reversible

  /// What is asked when the rollback is through, by hub: whether it has not brought dependents back to what they were.
  var doubts: [ObjectIdentifier: () -> Bool] = [:]

  var isRollingBack: Bool {
    if case .rollingBack = phase { true } else { false }
  }

  /// The inverse that is being performed, for derived nodes that kept something for it.
  var performed: Inverse? {
    if case .rollingBack(let inverse) = phase { inverse } else { nil }
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

  /// Whether the change that is being carried may be taken back by a rollback: the latest inverse is its own.
  var isRemembering: Bool {
    carried == .reversible && !isRollingBack && transactions.last?.inverses.isEmpty == false
  }

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

  /// Lets an observer set aside what is pending, where a change is coming that may be taken back.
  mutating func hold(_ observer: Observer) {
    guard let last = transactions.indices.last else { return }
    if observer.hold(for: transactions[last].number) { transactions[last].observers.append(observer) }
  }
}
