#if DEBUG
  import Foundation
#endif

/// A connected graph of nodes: what is under way in it.
///
/// The graph is found through its nodes' hubs. Linking two nodes, or naming both in one transaction, merges their
/// graphs (a union-find forest whose roots carry the state, Tarjan 1975); unlinking does not part them, which costs
/// nothing but that a transaction on the one still covers the other.
final class Graph {
  /// Everything that changes, in a cell for the reason that `NodeHub.state` gives.
  private let state = Cell(State())

  private struct State {
    /// The graph that this one was merged into.
    var successor: Graph?
    var rank = 0

    /// How many transactions are open.
    var transactionDepth = 0

    /// Tells the outermost transactions apart, those of graphs that this one is going to be merged with included.
    var transactionNumber = 0

    /// Whether derived nodes are translating a change.
    var isSettling = false

    /// What the next change of a source is one end of: see `NodeHub.marking(_:_:)`.
    var mark: Crossing.Token?

    /// A branch of a forest that is leaving with that mark, until all others have heard of it.
    var leaving: (any TreeNode)?

    /// A node that has arrived with that mark, until all others have heard of it.
    var arrived: (node: any TreeNode, token: Crossing.Token)?

    /// The nodes to which children were moved in the open transaction, ...
    var waypoints = Waypoints()
    /// ... and what they heard of those that moved on, for the observers that wait to be told of it.
    var links: [Crossing] = []

    /// How many calls to `deliver` are on the stack: more than one only where graphs merged meanwhile.
    var deliveries = 0

    /// The hubs that have to translate what their sources reported, sources first.
    var queue = LevelHeap(order: .lowestFirst)

    /// What hubs in the queue have to tell of themselves, besides what they make of what their sources reported.
    var ownChanges: [ObjectIdentifier: ChangeSet] = [:]

    /// The observers that have something to hear.
    var waiting: [Observer] = []

    /// The hubs of the nodes that wait for the end of the transaction.
    var followers: [NodeHub] = []

    /// What knows of elements that have changed without an edit.
    var announcers: [Announcer] = []

    /// How many transactions have been rolled back.
    var rollbackCount = 0

    /// Whether a transaction or an undo log wants to know how changes can be taken back.
    var isRecording = false

    /// The transactions and logs that want it.
    var journal = Journal()

    #if DEBUG
      /// How many transactions and settlings are under way, and the thread that they run on.
      var entries = 0
      var thread: ObjectIdentifier?
    #endif
  }

  deinit { state.destroy() }

  /// How often one observer may be told because observers keep changing the graph, before that counts as a
  /// loop that never ends.
  static let deliveryLimit = 1_000

  var isMerged: Bool { state.value.successor != nil }

  /// Whether derived nodes are translating a change.
  var isSettling: Bool { state.value.isSettling }

  /// Whether inverses of changes are wanted.
  var isRecording: Bool { state.value.isRecording }

  /// What knows of elements that have changed without an edit.
  var announcers: [Announcer] {
    _read { yield state.value.announcers }
    _modify { yield &state.value.announcers }
  }

  /// How many transactions have been rolled back; it grows where graphs become one, too.
  var rollbackCount: Int {
    get { state.value.rollbackCount }
    set { state.value.rollbackCount = newValue }
  }

  /// How many transactions are open.
  var transactionDepth: Int { state.value.transactionDepth }

  /// The open transactions that may be rolled back, and the logs; every change to them goes through this.
  var journal: Journal {
    _read { yield state.value.journal }
    _modify {
      yield &state.value.journal
      state.value.isRecording = state.value.journal.isRecording
    }
  }

  /// The graph that this one has become part of.
  // Inlined: most have become part of none, and to return that costs nothing then.
  @inline(__always)
  var root: Graph { isMerged ? findRoot() : self }

  /// `root`, with the path to it shortened.
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
    if root.state.value.transactionDepth == 0 {
      // The nodes that follow an open transaction go on, whichever graph it began in.
      root.state.value.transactionNumber = other.state.value.transactionNumber
    }
    root.state.value.transactionDepth += other.state.value.transactionDepth
    root.takeEntries(of: other)
    root.state.value.deliveries += other.state.value.deliveries
    root.state.value.waiting += other.state.value.waiting
    other.state.value.waiting = []
    root.state.value.followers += other.state.value.followers
    other.state.value.followers = []
    root.state.value.announcers += other.state.value.announcers
    root.state.value.rollbackCount += other.state.value.rollbackCount
    other.state.value.announcers = []
    root.state.value.waypoints.merge(&other.state.value.waypoints)
    root.state.value.links += other.state.value.links
    other.state.value.links = []
    if other.isRecording { root.journal.merge(&other.journal) }
    other.state.value.successor = root
  }
}

// MARK: - Settling

extension Graph {
  /// Carries a source's change through every node that derives from it, each node once, sources first.
  func settle(from hub: NodeHub, _ change: consuming ChangeSet) {
    enter(hub)
    state.value.isSettling = true
    if state.value.mark != nil {
      mark(&change, of: hub) { position in hub.hasOnlyLeaves ? nil : hub.owner.flatMap { Self.child(of: $0, position) }
      }
    }
    if !change.isSilent {
      if hub.mayClimb, state.value.queue.isEmpty {
        hub.climb(&change).broadcast(consume change, in: self)
      } else {
        hub.broadcast(consume change, in: self)
      }
    }
    while let next = state.value.queue.pop() { next.translate(in: self) }
    state.value.isSettling = false
    leave()
    if state.value.transactionDepth == 0 { deliver() }
  }

  /// Carries changes of several nodes at once: a sort must not compare a row that has been told with one that has not.
  ///
  /// - Parameter changes: at most one of each node. One of them may stand above another: it tells its own change together with
  ///   what it makes of the other's.
  func settle(_ changes: [(hub: NodeHub, change: ChangeSet)]) {
    guard let first = changes.first else { return }
    enter(first.hub)
    state.value.isSettling = true
    for (hub, change) in changes where hub.isObserved {
      state.value.ownChanges[ObjectIdentifier(hub)] = change
      schedule(hub)
    }
    while let next = state.value.queue.pop() { next.translate(in: self) }
    state.value.isSettling = false
    leave()
  }

  /// Takes what a node has to tell of itself when it is its turn; nil mostly.
  func takeOwnChange(of hub: NodeHub) -> ChangeSet? {
    state.value.ownChanges.isEmpty ? nil : state.value.ownChanges.removeValue(forKey: ObjectIdentifier(hub))
  }

  /// Refuses changes of the graph while `body` calls closures that must not make any.
  func refusingChanges<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let former = state.value.isSettling
    state.value.isSettling = true
    defer { state.value.isSettling = former }
    return try body()
  }

  /// Whether a hub has received something that it has not translated yet.
  var hasWaiting: Bool { !state.value.queue.isEmpty }

  /// What the next change of a source is one end of.
  var mark: Crossing.Token? { state.value.mark }

  /// Sets what the next change of a source is one end of; nil: of nothing.
  func mark(_ token: Crossing.Token?) { state.value.mark = token }

  /// Tells the change of a source as the end of a move, where it is one, and follows the node where a child arrives.
  ///
  /// - Parameters:
  ///   - change: the change of a node's own level.
  ///   - hub: the hub of that node.
  ///   - isWhole: whether the node tells of everything below it, where the change may have been made.
  ///   - child: yields the node at a position.
  func mark(
    _ change: inout ChangeSet, of hub: NodeHub, isWhole: Bool = false, child: (_ position: Int) -> (any TreeNode)?
  ) {
    guard let mark = state.value.mark else { return }
    state.value.mark = nil
    change.mark(mark)
    guard isFollowingMoves, case .insertion(let range) = change.level.storage else { return }
    let node = child(range.lowerBound)
    state.value.arrived = node.map { ($0, mark) }
    state.value.waypoints.follow(hub, listens: node != nil || isWhole)
  }

  /// A branch of a forest that is leaving while others hear of it: it goes on as a tree of its own.
  var leaving: (any TreeNode)? { state.value.leaving }

  /// Says which branch of a forest is leaving, where it leaves as one end of a move.
  func noteLeaving(_ node: any TreeNode) { if state.value.mark != nil { state.value.leaving = node } }

  /// Ends one end of a move, when all nodes have heard of it: from then on derived nodes may be asked for places.
  func endMark() {
    state.value.mark = nil
    state.value.leaving = nil
    guard let (node, token) = state.value.arrived else { return }
    state.value.arrived = nil
    state.value.waypoints.move(node, with: token)
  }

  private static func child(of node: some TreeNode, _ position: Int) -> (any TreeNode)? { node.child(at: position) }

  /// Whether a child that moves now may move again before observers hear of it.
  var isFollowingMoves: Bool { state.value.transactionDepth > 1 || journal.isReverting }

  /// Makes sure that a node tells of its changes, though nothing may derive from it or observe it, if a child that comes to it
  /// or leaves it may move again.
  func followMoves(of hub: NodeHub) {
    if isFollowingMoves { state.value.waypoints.follow(hub, listens: false) }
  }

  /// Forgets moves that have been taken back.
  func rollBackMoves(_ transaction: Int) {
    state.value.waypoints.rollBack(transaction)
    state.value.links.removeAll { $0.to.stem?.isNewer(than: transaction) == true }
  }

  /// What the nodes in between heard of children that moved on.
  var links: [Crossing] { root.state.value.links }

  var hasLinks: Bool { isMerged ? !links.isEmpty : !state.value.links.isEmpty }

  /// Notes what a node in between knows of children on their way, for the observers that wait to be told.
  func add(_ links: [Crossing]) { state.value.links += links }

  func schedule(_ hub: NodeHub) { state.value.queue.push(hub) }

  func noteDelivery(to observer: Observer) {
    if isRecording { journal.hold(observer) }
    guard !observer.isWaiting else { return }
    observer.isWaiting = true
    state.value.waiting.append(observer)
  }
}

// MARK: - Transactions and deliveries

extension Graph {
  /// The outermost transaction that is open; nil: none.
  var transaction: Int? { state.value.transactionDepth > 0 ? state.value.transactionNumber : nil }

  func beginTransaction(of hub: NodeHub) {
    enter(hub)
    if state.value.transactionDepth == 0 { state.value.transactionNumber = SerialNumber.next() }
    state.value.transactionDepth += 1
  }

  func endTransaction() {
    if state.value.transactionDepth == 1, !isSettling { callFollowers() }
    leave()
    state.value.transactionDepth -= 1
    if isRecording, state.value.transactionDepth == 0 { closeGroups() }
    // A closure that a derived node calls while it translates may run a transaction without a change; the graph is
    // only half settled then, and its settling delivers.
    if state.value.transactionDepth == 0 {
      if !state.value.waypoints.isEmpty { state.value.links += state.value.waypoints.finish() }
      if !isSettling { deliver() }
    }
  }

  /// Lets a node end something when the outermost transaction does, before observers hear of it.
  ///
  /// - Parameter hub: the hub of a `TransactionFollower`.
  func callAtEnd(_ hub: NodeHub) {
    if !state.value.followers.contains(where: { $0 === hub }) { state.value.followers.append(hub) }
  }

  /// What a child that comes from outside was told with before: see `TransactionFollower`.
  func formerToken(of token: Crossing.Token) -> (token: Crossing.Token, change: ChangeSet)? {
    for hub in state.value.followers {
      if let former = (hub.state.value.owner as? any TransactionFollower)?.formerToken(of: token) { return former }
    }
    return nil
  }

  private func callFollowers() {
    while let hub = state.value.followers.popLast() {
      (hub.state.value.owner as? any TransactionFollower)?.endTransaction()
    }
  }

  /// Tells the waiting observers their net changes, in rounds, each in the order of registration.
  ///
  /// A change that an observer makes is composed with what others have not heard yet; an observer that has been told
  /// in this round hears it in the next.
  private func deliver() {
    guard state.value.deliveries == 0 else { return }
    defer { if hasLinks { root.state.value.links = [] } }
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

// MARK: - Threads

// A debug build finds two threads inside one graph at once. A graph that is handed from one thread to another, between
// transactions, is none of its business.
extension Graph {
  /// Checks that no other thread is inside a transaction or a settling of this graph.
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

  private func enter(_ hub: NodeHub) {
    #if DEBUG
      refuseOtherThreads(changing: hub)
      state.value.thread = ObjectIdentifier(Thread.current)
      state.value.entries += 1
    #endif
  }

  private func leave() {
    #if DEBUG
      state.value.entries -= 1
    #endif
  }

  private func takeEntries(of other: Graph) {
    #if DEBUG
      if other.state.value.entries > 0 { state.value.thread = other.state.value.thread }
      state.value.entries += other.state.value.entries
    #endif
  }
}

/// A derived node that ends something of its own when a transaction does.
protocol TransactionFollower: AnyObject {
  /// Called once, after the last change of the transaction, where `Graph.callAtEnd(_:)` was called in it.
  func endTransaction()

  /// What a child on its way was told with by this node before it is told with a token, and what happened to it in between; nil,
  /// as by default, where the node has told of it with no other.
  func formerToken(of token: Crossing.Token) -> (token: Crossing.Token, change: ChangeSet)?
}

extension TransactionFollower {
  func formerToken(of token: Crossing.Token) -> (token: Crossing.Token, change: ChangeSet)? { nil }
}
