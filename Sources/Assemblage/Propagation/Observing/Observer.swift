/// One registered handler, with the changes that it has not received yet.
final class Observer {
  /// The place in the order of registration, over all graphs.
  let number = SerialNumber.next()

  /// The mutable state, in a cell for the reason that `NodeHub.state` gives.
  private let state: Cell<State>

  private struct State {
    /// The changes since the handler was last called.
    var pending = ChangeSetComposer()
    var isWaiting = false
    var isAhead = false
    var deliveryCount = 0
    var place: Int?
    var handler: ((ChangeSet) -> Void)?
  }

  private unowned let hub: NodeHub

  init(of hub: NodeHub, _ handler: @escaping (ChangeSet) -> Void) {
    self.hub = hub
    state = Cell(State(handler: handler))
  }

  deinit { state.destroy() }

  /// Whether this observer is in its graph's list of observers that have a change to receive.
  var isWaiting: Bool {
    get { state.value.isWaiting }
    set { state.value.isWaiting = newValue }
  }

  /// Whether the handler was called before its turn, and will still be called in its turn.
  var isAhead: Bool { state.value.isAhead }

  /// How often the handler was called in the delivery that is under way.
  var deliveryCount: Int {
    get { state.value.deliveryCount }
    set { state.value.deliveryCount = newValue }
  }

  /// The place among the observers of the node; nil where the observer is not registered.
  var place: Int? {
    get { state.value.place }
    set { state.value.place = newValue }
  }

  /// Adds a change to the changes that the handler has to receive.
  func note(_ change: consuming ChangeSet) {
    change.dropOpenCrossings()
    state.value.pending.append(change)
  }

  /// Drops the handler, and the changes that it has not received yet.
  func cancel() {
    let former = state.value.handler
    state.value.handler = nil
    state.value.pending = ChangeSetComposer()
    // Released last: objects that the handler captured may be released with it, and use this graph when they are.
    withExtendedLifetime(former) {}
  }

  /// Calls the handler with the net change, if there is one.
  ///
  /// - Parameter graph: the graph in which this observer waits.
  /// - Returns: whether the handler was called.
  func deliver(in graph: Graph) -> Bool {
    isWaiting = false
    guard let handler = state.value.handler else { return false }
    // An observer may have linked this graph to another one, in which a transaction is open.
    hub.settle()
    let change = state.value.pending.net()
    let isAhead = isAhead
    state.value.isAhead = false
    guard !change.isEmpty || isAhead else { return false }
    deliveryCount += 1
    require(
      deliveryCount <= Graph.deliveryLimit,
      """
      An observer of \(hub.description) was notified \(Graph.deliveryLimit) times in one delivery, because an \
      observer changes the graph each time that it is notified.
      """)
    handler(change)
    return true
  }
}

// MARK: - Early delivery

extension Observer {
  /// Calls the handler at once with the changes that it has not received yet.
  ///
  /// The handler is called once more in its turn, even with an empty change. If a transaction is then rolled back, the
  /// handler receives the inverses of the changes that it has received.
  func catchUp() {
    guard let handler = state.value.handler else { return }
    hub.settle()
    guard state.value.isWaiting else { return }
    let change = state.value.pending.net()
    guard !change.isEmpty else { return }
    state.value.isAhead = true
    handler(change)
  }
}
