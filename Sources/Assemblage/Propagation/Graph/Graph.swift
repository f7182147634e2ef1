#if DEBUG
  import Foundation
#endif

/// A connected graph of nodes, with the state of its transactions and of its settlement.
///
/// The graph is found through its nodes' hubs. Linking two nodes, or naming both in one transaction, merges their
/// graphs (a union-find forest whose roots carry the state, Tarjan 1975). Unlinking does not split a graph. The only
/// cost is that a transaction on one part still covers the other part.
final class Graph {
  /// The mutable state, in a cell for the reason that `NodeHub.state` gives.
  let state = Cell(State())

  struct State {
    /// The graph that this one was merged into.
    var successor: Graph?
    var rank = 0

    /// How many transactions are open.
    var transactionDepth = 0

    /// Whether derived nodes are translating a change.
    var isTranslating = false

    /// Whether closures run that must not change a node.
    var isRefusing = false

    /// The sources and views with changes that other nodes have not translated yet.
    var unsettled: [NodeHub] = []

    /// How often the graph has been settled inside transactions.
    var settlementCount = 0

    /// How often branches of forests have got other handles.
    var handleCount = 0

    /// Whether derived nodes stay as they are, because a rollback reverts changes that they have not translated.
    var isFrozen = false

    /// The moves between parents since the graph was last settled.
    var moves = MoveLog()

    /// Actions that wait for the end of the settlement, because nodes may still refer to the objects in them.
    var cleanups: [() -> Void] = []

    /// How many calls to `deliver` are on the stack: more than one only where graphs were merged meanwhile.
    var deliveries = 0

    /// The hubs that have to translate their sources' changes, sources first.
    var queue = LevelHeap(order: .lowestFirst)

    /// The own changes of hubs in the queue, besides the translations of their sources' changes.
    var ownChanges: [ObjectIdentifier: ChangeSet] = [:]

    /// The observers that have a change to receive.
    var waiting: [Observer] = []

    /// The objects that report elements which have changed without an edit.
    var announcers: [Announcer] = []

    /// Whether a transaction or an undo log keeps inverses of changes.
    var isRecording = false

    /// The transactions and logs that keep the inverses.
    var journal = Journal()

    #if DEBUG
      /// How many transactions and settlements are under way, and the thread that they run on.
      var entries = 0
      var thread: ObjectIdentifier?
    #endif
  }

  deinit { state.destroy() }

  /// How often one observer may be notified in one delivery.
  ///
  /// A higher number counts as an endless loop: observers keep changing the graph.
  static let deliveryLimit = 1_000

  var isMerged: Bool { state.value.successor != nil }

  /// Whether no node may be changed: derived nodes are translating a change, or closures run that must not change a
  /// node.
  var isSettling: Bool { state.value.isTranslating || state.value.isRefusing }

  /// Whether a transaction or an undo log keeps inverses of changes.
  var isRecording: Bool { state.value.isRecording }

  /// The objects that report elements which have changed without an edit.
  var announcers: [Announcer] {
    _read { yield state.value.announcers }
    _modify { yield &state.value.announcers }
  }

  /// How many transactions are open.
  var transactionDepth: Int { state.value.transactionDepth }

  /// The open transactions that may be rolled back, and the logs.
  ///
  /// Every change to them must use this property, which also updates `isRecording`.
  var journal: Journal {
    _read { yield state.value.journal }
    _modify {
      yield &state.value.journal
      state.value.isRecording = state.value.journal.isRecording
    }
  }

  /// The graph that this one was merged into, directly or through others; otherwise this graph.
  // Inlined: most graphs have not been merged into another one, and then the property costs nothing.
  @inline(__always)
  var root: Graph { isMerged ? findRoot() : self }

  /// Finds `root`, and shortens the path to it.
  private func findRoot() -> Graph {
    guard var root = state.value.successor else { return self }
    while let next = root.state.value.successor { root = next }
    state.value.successor = root
    return root
  }

  static func merge(_ first: Graph, _ second: Graph) {
    guard first !== second else { return }
    let (root, other) = first.state.value.rank < second.state.value.rank ? (second, first) : (first, second)
    if root.state.value.rank == other.state.value.rank { root.state.value.rank += 1 }
    if root.transactionDepth == 0 {
      root.state.value.settlementCount = other.settlementCount
      root.state.value.handleCount = other.state.value.handleCount
    } else if other.transactionDepth > 0 {
      // The open transactions of `root` did not record the pending changes of `other` when they began.
      root.state.value.settlementCount += other.settlementCount + 1
    }
    root.state.value.transactionDepth += other.state.value.transactionDepth
    root.takeEntries(of: other)
    root.state.value.deliveries += other.state.value.deliveries
    root.state.value.waiting += other.state.value.waiting
    other.state.value.waiting = []
    root.state.value.announcers += other.state.value.announcers
    other.state.value.announcers = []
    if root.isUnsettled, other.isUnsettled { countUnsettledGraphs(-1) }
    root.state.value.unsettled += other.state.value.unsettled
    other.state.value.unsettled = []
    root.state.value.isFrozen = root.state.value.isFrozen || other.state.value.isFrozen
    root.state.value.moves.merge(&other.state.value.moves)
    root.state.value.cleanups += other.state.value.cleanups
    other.state.value.cleanups = []
    if other.isRecording { root.journal.merge(&other.journal) }
    other.state.value.successor = root
  }
}

// MARK: - Threads

// A debug build detects two threads that are inside one graph at the same time. A graph may be handed from one thread
// to another between transactions; that is not checked.
extension Graph {
  /// Checks that no other thread is inside a transaction or a settlement of this graph.
  func refuseOtherThreads(changing hub: NodeHub) {
    #if DEBUG
      require(
        state.value.entries == 0 || state.value.thread == ObjectIdentifier(Thread.current),
        """
        \(hub.description) was changed while another thread was inside a change or a transaction of its graph; \
        a graph belongs to one isolation domain at a time.
        """)
    #endif
  }

  func enter(_ hub: NodeHub) {
    #if DEBUG
      refuseOtherThreads(changing: hub)
      state.value.thread = ObjectIdentifier(Thread.current)
      state.value.entries += 1
    #endif
  }

  func leave() {
    #if DEBUG
      state.value.entries -= 1
    #endif
  }

  fileprivate func takeEntries(of other: Graph) {
    #if DEBUG
      if other.state.value.entries > 0 { state.value.thread = other.state.value.thread }
      state.value.entries += other.state.value.entries
    #endif
  }
}
