import Observation

/// The observers of an object that follows a node.
final class FollowingObservers<Event> {
  private var observers: [(number: Int, handler: (Event) -> Void)] = []

  /// Whether there is no observer.
  var isEmpty: Bool { observers.isEmpty }

  /// Adds an observer.
  ///
  /// - Parameters:
  ///   - follower: the observed object; the token keeps the object and this list alive.
  ///   - handler: receives events.
  /// - Returns: the token.
  func add(keeping follower: AnyObject, _ handler: @escaping (Event) -> Void) -> NodeObservation {
    let number = SerialNumber.next()
    observers.append((number, handler))
    return NodeObservation { [self] in
      guard let index = observers.firstIndex(where: { $0.number == number }) else { return }
      // Released last: objects that the handler captured may use this very follower.
      let former = observers.remove(at: index)
      withExtendedLifetime((former, follower)) {}
    }
  }

  /// Calls the observers; observers that are cancelled meanwhile are skipped.
  func notify(_ event: Event) {
    for observer in observers where observers.contains(where: { $0.number == observer.number }) {
      observer.handler(event)
    }
  }
}

/// Notifies the observers of an index, once for each transaction in which the index's values changed.
///
/// The observers receive the net change of the index's tree. Reads of the index are tracked.
final class FollowingNews: Observable {
  private let observers = FollowingObservers<ChangeSet>()
  /// The changes since the observers were last notified.
  private var pending = ChangeSetComposer()
  private var hasNews = false
  /// Whether the index is being read before the transaction has ended.
  private var isEarly = false
  /// Whether tracked readers have to be notified.
  private var hasNewsForReaders = false
  private var isNotifying = false
  private let registrar = ObservationRegistrar()

  /// Adds an observer; see `FollowingObservers.add(keeping:_:)`.
  func add(keeping follower: AnyObject, _ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    observers.add(keeping: follower, handler)
  }

  /// Notes that the index is read, and lets it follow the changes that its node has not delivered yet.
  func catchUp(_ observation: NodeObservation?) {
    registrar.access(self, keyPath: \.hasNews)
    let former = isEarly
    isEarly = true
    observation?.catchUp()
    isEarly = former
  }

  /// Notifies tracked readers. A reader that changes nodes adds its change to the pending ones.
  private func notifyReaders() {
    // A reader is tracked until its call returns: a second notification inside the call would reach it again.
    if isNotifying { return }
    isNotifying = true
    while hasNewsForReaders {
      hasNewsForReaders = false
      registrar.withMutation(of: self, keyPath: \.hasNews) {}
    }
    isNotifying = false
  }

  /// Adds a change that the index has followed, and notifies the observers if the transaction has ended.
  ///
  /// - Parameters:
  ///   - change: the change of the tree.
  ///   - changesValues: whether the change also changed the values of the index.
  ///   - node: the root of the tree.
  func note(_ change: ChangeSet, changesValues: Bool, of node: any TreeNode) {
    // Paths change with any change of positions, also below the root.
    if changesValues || change.delta.movesPositions || !change.crossings.isEmpty
      || change.nodes.contains(where: { $0.delta.movesPositions })
    {
      hasNewsForReaders = true
    }
    if observers.isEmpty {
      hasNews = false
      pending = ChangeSetComposer()
    } else {
      pending.append(change)
      if changesValues { hasNews = true }
    }
    // A sort may read the index while it translates a change. A reader could not change nodes then; the observation
    // calls again in its turn.
    if !node.hub.graph.isSettling { notifyReaders() }
    if observers.isEmpty || isEarly { return }
    let net = pending.net()
    pending = ChangeSetComposer()
    guard hasNews else { return }
    hasNews = false
    observers.notify(net)
  }
}
