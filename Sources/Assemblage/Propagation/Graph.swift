/// A connected graph of nodes: what is under way in it.
///
/// The graph is found through its nodes' hubs. Linking two nodes merges their graphs (a union-find forest
/// whose roots carry the state, Tarjan 1975); unlinking does not part them, which costs nothing but that a
/// transaction on the one still covers the other.
final class Graph {
  /// The graph that this one was merged into.
  private var successor: Graph?
  private var rank = 0

  /// How many transactions are open.
  private var transactionDepth = 0

  /// Whether derived nodes are translating a change.
  private(set) var isSettling = false

  /// How many calls to `deliver` are on the stack: more than one only where graphs merged meanwhile.
  private var deliveries = 0

  /// The hubs that have to translate what their sources reported, sources first.
  private var queue = LevelHeap(order: .lowestFirst)

  /// The observers that have something to hear.
  private var waiting: [Observer] = []

  /// How often one observer may be told because observers keep changing the graph, before that counts as a
  /// loop that never ends.
  static let deliveryLimit = 1_000

  var isMerged: Bool { successor != nil }

  /// The graph that this one has become part of, with the path to it shortened.
  var root: Graph {
    guard var root = successor else { return self }
    while let next = root.successor { root = next }
    successor = root
    return root
  }

  static func merge(_ first: Graph, _ second: Graph) {
    guard first !== second else { return }
    let (root, other) = first.rank < second.rank ? (second, first) : (first, second)
    if root.rank == other.rank { root.rank += 1 }
    root.transactionDepth += other.transactionDepth
    root.deliveries += other.deliveries
    root.waiting += other.waiting
    other.waiting = []
    other.successor = root
  }
}

// MARK: - Settling

extension Graph {
  /// Carries a source's change through every node that derives from it, each node once, sources first.
  func settle(from hub: NodeHub, _ change: consuming ChangeSet) {
    isSettling = true
    hub.broadcast(consume change, in: self)
    while let next = queue.pop() { next.translate(in: self) }
    isSettling = false
    if transactionDepth == 0 { deliver() }
  }

  /// Refuses changes of the graph while `body` calls closures that must not make any.
  func refusingChanges<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let former = isSettling
    isSettling = true
    defer { isSettling = former }
    return try body()
  }

  func schedule(_ hub: NodeHub) { queue.push(hub) }

  func noteDelivery(to observer: Observer) {
    guard !observer.isWaiting else { return }
    observer.isWaiting = true
    waiting.append(observer)
  }
}

// MARK: - Transactions and deliveries

extension Graph {
  func beginTransaction() { transactionDepth += 1 }

  func endTransaction() {
    transactionDepth -= 1
    // A closure that a derived node calls while it translates may run a transaction without a change; the graph is
    // only half settled then, and its settling delivers.
    if transactionDepth == 0, !isSettling { deliver() }
  }

  /// Tells the waiting observers their net changes, in rounds, each in the order of registration.
  ///
  /// A change that an observer makes is composed with what others have not heard yet; whoever has been told
  /// in this round hears it in the next.
  private func deliver() {
    guard deliveries == 0, !waiting.isEmpty else { return }
    deliveries = 1
    var told: [Observer] = []
    while true {
      // An observer may have linked this graph to another, in which a transaction may be open: its end delivers.
      let graph = root
      guard !graph.waiting.isEmpty, graph.transactionDepth == 0 else { break }
      var round: [Observer] = []
      swap(&round, &graph.waiting)
      if round.count > 1 { round.sort { $0.number < $1.number } }
      for observer in round where observer.deliver() { told.append(observer) }
    }
    root.deliveries -= 1
    for observer in told { observer.timesTold = 0 }
  }
}
