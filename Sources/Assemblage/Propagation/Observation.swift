import Synchronization

/// A token that keeps an observer registered, and the observed node alive.
///
/// Keep it for as long as you want to hear of changes. Releasing it, or calling `cancel()`, ends the
/// observation at once, also from inside an observer, and also where a change is waiting to be delivered.
///
/// ```swift
/// let names = ArrayNode(["Ada"])
/// var log: [String] = []
/// let token = names.observe { log.append("\($0.delta.insertions)") }
/// names.append("Grace")     // log is ["[1..<2]"]
/// token.cancel()
/// names.append("Edsger")    // log is still ["[1..<2]"]
/// ```
public final class Observation {
  private let observer: Observer
  private var node: (any TreeNode)?

  init(of node: any TreeNode, _ handler: @escaping (ChangeSet) -> Void) {
    self.node = node
    observer = Observer(of: node.hub, handler)
    node.hub.add(observer)
  }

  /// Ends the observation; what has not been delivered yet is dropped.
  ///
  /// Cancelling twice does nothing.
  ///
  /// - Complexity: O(k) for k observers of the node.
  public func cancel() {
    guard let node else { return }
    observer.cancel()
    node.hub.remove(observer)
    self.node = nil
  }

  deinit { cancel() }
}

@available(*, unavailable)
extension Observation: Sendable {}

/// One registered handler, with what it has not heard yet.
final class Observer {
  /// The place in the order of registration, over all graphs.
  let number: Int

  /// What changes, in a cell for the reason that `NodeHub.state` gives.
  private let state: Cell<State>

  private struct State {
    /// What changed since the handler was last called.
    var pending = ChangeSetComposer()
    var isWaiting = false
    var timesTold = 0
    var handler: ((ChangeSet) -> Void)?
  }

  private unowned let hub: NodeHub

  /// Numbers observers across graphs, which may belong to different isolation domains.
  private static let lastNumber = Atomic<Int>(0)

  init(of hub: NodeHub, _ handler: @escaping (ChangeSet) -> Void) {
    self.hub = hub
    state = Cell(State(handler: handler))
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
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

  /// Takes in a change that the handler will have to hear of.
  func note(_ change: ChangeSet) { state.value.pending.append(change) }

  /// Drops the handler, and what it has not heard yet.
  func cancel() {
    let former = state.value.handler
    state.value.handler = nil
    state.value.pending = ChangeSetComposer()
    // Released last: what the handler captured may be released with it, and use this very graph.
    withExtendedLifetime(former) {}
  }

  /// Calls the handler with the net change, if there is one; returns whether it did.
  func deliver() -> Bool {
    isWaiting = false
    guard let handler = state.value.handler else { return false }
    let change = state.value.pending.net()
    guard !change.isEmpty else { return false }
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
