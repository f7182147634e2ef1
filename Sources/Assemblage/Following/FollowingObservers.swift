/// The observers of an object that follows a node.
///
/// Each observer has news of its own: what has changed since the observer was last notified. So an observer may change
/// nodes, and the observers after it receive both changes as one.
final class FollowingObservers<News, Event> {
  private struct Observer {
    let number: Int
    var news: News
    let handler: (Event) -> Void
  }

  private var observers: [Observer] = []
  private var isNotifying = false
  /// Whether there is news since the notification under way began.
  private var isDue = false

  /// Adds an observer.
  ///
  /// - Parameters:
  ///   - follower: the observed object; the token keeps the object and this list alive.
  ///   - news: the news at the beginning.
  ///   - handler: receives events.
  /// - Returns: the token.
  func add(keeping follower: AnyObject, _ news: News, _ handler: @escaping (Event) -> Void) -> NodeObservation {
    let number = SerialNumber.next()
    observers.append(Observer(number: number, news: news, handler: handler))
    return NodeObservation { [self] in
      guard let index = index(of: number) else { return }
      // Released last: objects that the handler captured may use this very follower.
      let former = observers.remove(at: index)
      withExtendedLifetime((former, follower)) {}
    }
  }

  private func index(of number: Int) -> Int? { observers.firstIndex { $0.number == number } }

  /// Changes the news of all observers.
  func updateNews(_ body: (inout News) -> Void) {
    for index in observers.indices { body(&observers[index].news) }
  }

  /// Calls the observers that have news. Observers that are cancelled meanwhile are skipped.
  ///
  /// - Parameters:
  ///   - catchUp: follows changes that earlier observers have made.
  ///   - take: takes the news of an observer, and makes an event; nil where there is no news. It calls no code of the
  ///     user's.
  func notify(catchingUp catchUp: () -> Void, taking take: (inout News) -> Event?) {
    isDue = true
    if isNotifying { return }
    isNotifying = true
    var rounds = 0
    while isDue {
      isDue = false
      rounds += 1
      require(
        rounds <= Graph.deliveryLimit,
        "An observer was notified \(Graph.deliveryLimit) times, because it changes what it observes each time.")
      for number in observers.map(\.number) {
        catchUp()
        guard let index = index(of: number), let event = take(&observers[index].news) else { continue }
        observers[index].handler(event)
      }
    }
    isNotifying = false
  }
}

/// Notifies the observers of an index, once for each transaction in which the index's values changed.
///
/// The observers receive the net change of the index's tree. Reads of the index are tracked.
final class FollowingNews {
  private struct News {
    /// The changes since the observer was last notified.
    var changes = ChangeSetComposer()
    /// Whether the values have changed since.
    var hasOtherValues = false
  }

  private let observers = FollowingObservers<News, ChangeSet>()
  private let readers = TrackedReaders()
  private var observation: NodeObservation?

  /// Begins to follow a node. The index follows it by `note(_:changesValues:of:)`.
  func observe(_ node: some TreeNode, _ follow: @escaping (ChangeSet) -> Void) {
    observation = node.observe(follow)
  }

  /// Ends the following, when the index is released.
  func stop() { observation?.cancel() }

  /// Adds an observer, which receives only later changes; see `FollowingObservers.add(keeping:_:_:)`.
  func add(keeping follower: AnyObject, _ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    catchUp()
    return observers.add(keeping: follower, News(), handler)
  }

  /// Notes that the index is read, and lets it follow the changes that its node has not delivered yet.
  func noteRead() {
    readers.noteRead()
    catchUp()
  }

  private func catchUp() { observation?.catchUp() }

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
      readers.haveNews = true
    }
    observers.updateNews { news in
      news.changes.append(change)
      if changesValues { news.hasOtherValues = true }
    }
    // A sort may read the index while it translates a change. A reader could not change nodes then; the observation
    // calls again in its turn.
    if !node.hub.graph.isSettling { readers.notify() }
    // Where the index is read before the transaction has ended, the observation calls again in its turn.
    if observation?.isEarly == true { return }
    observers.notify(catchingUp: catchUp) { news in
      let change = news.changes.net()
      news.changes = ChangeSetComposer()
      defer { news.hasOtherValues = false }
      return news.hasOtherValues ? change : nil
    }
  }
}
