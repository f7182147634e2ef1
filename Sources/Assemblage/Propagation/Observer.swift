/// One registered handler, with what it has not heard yet.
final class Observer {
  /// The place in the order of registration, over all graphs.
  let number = SerialNumber.next()

  /// What changes, in a cell for the reason that `NodeHub.state` gives.
  private let state: Cell<State>

  private struct State {
    /// What changed since the handler was last called, or since the last transaction of `held` began.
    var pending = ChangeSetComposer()
    /// What was pending before transactions that may be rolled back; outer ones first.
    var held: [Held] = []
    /// The number of the registration, or of a later delivery that told about a part of a transaction.
    var following: Int
    var isWaiting = false
    /// Whether the handler was called before its turn, and waits for that all the same.
    var isAhead = false
    var timesTold = 0
    var handler: ((ChangeSet) -> Void)?
  }

  /// What was pending before the first change that a transaction brought.
  private struct Held {
    /// The transaction's number.
    var transaction: Int
    var pending: ChangeSetComposer
  }

  private unowned let hub: NodeHub

  /// For what there is no handler, but the net change is kept for the sake of its crossings.
  private(set) var interest: Interest?

  /// Which crossings are kept.
  enum Interest {
    /// Those to the node's own children and from them: of what happens inside these, it may not hear.
    case ownLevel
    case everything
  }

  init(of hub: NodeHub, _ handler: @escaping (ChangeSet) -> Void) {
    self.hub = hub
    state = Cell(State(following: number, handler: handler))
  }

  /// Creates an observer that keeps what crosses.
  init(followingMovesOf hub: NodeHub) {
    self.hub = hub
    interest = .ownLevel
    state = Cell(State(following: number))
  }

  deinit { state.destroy() }

  /// Whether this observer is in its graph's list of those that have something to hear.
  var isWaiting: Bool {
    get { state.value.isWaiting }
    set { state.value.isWaiting = newValue }
  }

  /// How often the handler was called in the delivery that is under way.
  var timesTold: Int {
    get { state.value.timesTold }
    set { state.value.timesTold = newValue }
  }

  /// Keeps crossings at all depths from now on.
  func followEverything() { interest = .everything }

  /// Takes in a change that the handler will have to hear of.
  func note(_ change: consuming ChangeSet) {
    guard let interest else { return state.value.pending.append(change) }
    if interest == .ownLevel { change.dropNestedCrossings() }
    change.markLeaving()
    state.value.pending.append(change)
  }

  /// Drops the handler, and what it has not heard yet.
  func cancel() {
    let former = state.value.handler
    state.value.handler = nil
    state.value.pending = ChangeSetComposer()
    state.value.held = []
    // Released last: what the handler captured may be released with it, and use this very graph.
    withExtendedLifetime(former) {}
  }

  /// Calls the handler with the net change, if there is one.
  ///
  /// - Parameter graph: the graph in which this observer waits.
  /// - Returns: whether it did.
  func deliver(in graph: Graph) -> Bool {
    isWaiting = false
    guard let handler = state.value.handler else { return false }
    if !state.value.held.isEmpty { foldEverything() }
    let change = graph.hasLinks ? state.value.pending.net(linkedBy: graph.links) : state.value.pending.net()
    let isAhead = state.value.isAhead
    state.value.isAhead = false
    guard !change.isEmpty || isAhead else { return false }
    timesTold += 1
    require(
      timesTold <= Graph.deliveryLimit,
      """
      An observer of \(hub.description) was told \(Graph.deliveryLimit) times in one delivery, because an \
      observer changes the graph each time it hears of a change.
      """)
    handler(change)
    return true
  }
}

// MARK: - Following moves

extension Observer {
  /// The crossings of the net change so far. No departure is paired with an arrival: see `Crossing.Token.isLeaving`.
  ///
  /// - Complexity: that of composing what was noted since the last time.
  var crossings: [Crossing] {
    if !state.value.held.isEmpty { foldEverything() }
    let change = state.value.pending.composed()
    state.value.pending.append(change)
    return change.crossings
  }
}

// MARK: - Hearing early

extension Observer {
  /// Calls the handler at once with what it has not heard yet.
  ///
  /// It is called once more when its turn comes, even with an empty change. Where a transaction is then rolled back, it
  /// hears of the changes that take back what it has heard of.
  func catchUp() {
    guard state.value.isWaiting, let handler = state.value.handler else { return }
    if !state.value.held.isEmpty { foldEverything() }
    let change = state.value.pending.net()
    guard !change.isEmpty else { return }
    state.value.isAhead = true
    handler(change)
  }
}

// MARK: - Transactions that may be rolled back

// A rollback must leave what is pending as it was: composing a removal with the insertion that takes it back would
// leave two entries. So what is pending is set aside before a transaction's first change, and comes back with the
// rollback, or goes before the transaction's changes with the commit. Nothing is copied.
extension Observer {
  /// Sets aside what is pending, before the first change that a transaction brings.
  ///
  /// - Parameter transaction: the number of the innermost transaction that may be rolled back.
  /// - Returns: whether the transaction has to call `commit` or `rollBack` for this observer.
  func hold(for transaction: Int) -> Bool {
    // An observer that came within the transaction has to hear how it ends.
    guard state.value.following < transaction, state.value.held.last?.transaction != transaction else { return false }
    state.value.held.append(Held(transaction: transaction, pending: state.value.pending))
    state.value.pending = ChangeSetComposer()
    return true
  }

  /// Ends a transaction whose changes stay.
  ///
  /// - Parameters:
  ///   - transaction: its number.
  ///   - outer: the number of the next one that may still be rolled back.
  /// - Returns: whether the outer one has to call `commit` or `rollBack` for this observer now.
  func commit(_ transaction: Int, into outer: Int?) -> Bool {
    guard var ended = state.value.held.last, ended.transaction == transaction else { return false }
    state.value.held.removeLast()
    guard let outer, state.value.following < outer else {
      fold(ended.pending)
      return false
    }
    if state.value.held.last?.transaction == outer {
      fold(ended.pending)
      return false
    }
    ended.transaction = outer
    state.value.held.append(ended)
    return true
  }

  /// Ends a transaction whose changes were all taken back: nothing has happened.
  ///
  /// - Parameter transaction: its number.
  func rollBack(_ transaction: Int) {
    guard var ended = state.value.held.last, ended.transaction == transaction else { return }
    state.value.held.removeLast()
    if !ended.pending.isEmpty {
      // A child that left before the transaction, came back in it and left again may be told with another token from now on.
      var links = ChangeSet()
      for crossing in state.value.pending.composed().crossings {
        guard case (.outside(let former), .outside(let token)) = (crossing.from, crossing.to),
          !former.isNewer(than: transaction), token.isNewer(than: transaction)
        else { continue }
        links.crossings.append(Crossing(from: crossing.from, to: crossing.to, change: ChangeSet()))
      }
      ended.pending.append(links)
    }
    state.value.pending = ended.pending
  }

  /// Puts what was set aside before what is pending.
  private func fold(_ former: consuming ChangeSetComposer) {
    guard !former.isEmpty else { return }
    former.append(state.value.pending.composed())
    state.value.pending = former
  }

  /// Takes in what was set aside, because the handler is going to hear of it within a transaction.
  ///
  /// That happens where an observer links two graphs while others wait to be told in the same round, and one graph has
  /// a transaction open; and where the handler is called early, by `catchUp()`. What it saw is then no state that the
  /// rollback comes back to.
  private func foldEverything() {
    while let last = state.value.held.popLast() { fold(last.pending) }
    state.value.following = SerialNumber.next()
  }
}
