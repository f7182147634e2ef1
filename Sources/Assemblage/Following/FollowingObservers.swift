/// The observers of something that follows a node.
final class FollowingObservers<Event> {
  private var observers: [(number: Int, handler: (Event) -> Void)] = []

  /// Whether there is no observer.
  var isEmpty: Bool { observers.isEmpty }

  /// Adds an observer.
  ///
  /// - Parameters:
  ///   - follower: what is observed; the token keeps it alive, and this list with it.
  ///   - handler: receives events.
  /// - Returns: the token.
  func add(keeping follower: AnyObject, _ handler: @escaping (Event) -> Void) -> NodeObservation {
    let number = SerialNumber.next()
    observers.append((number, handler))
    return NodeObservation { [self] in
      guard let index = observers.firstIndex(where: { $0.number == number }) else { return }
      // Released last: what the handler captured may use this very follower.
      let former = observers.remove(at: index)
      withExtendedLifetime((former, follower)) {}
    }
  }

  /// Calls the observers; those that are cancelled meanwhile are left out.
  func tell(_ event: Event) {
    for observer in observers where observers.contains(where: { $0.number == observer.number }) {
      observer.handler(event)
    }
  }
}

/// Tells the observers of an index once for each transaction in which its values changed, with the net change of its tree.
final class FollowingNews {
  private let observers = FollowingObservers<ChangeSet>()
  /// What happened since the observers were last told.
  private var pending = ChangeSetComposer()
  private var hasNews = false
  /// Whether the index is being asked before the transaction has ended.
  private var isEarly = false

  /// Adds an observer; see `FollowingObservers.add(keeping:_:)`.
  func add(keeping follower: AnyObject, _ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    observers.add(keeping: follower, handler)
  }

  /// Lets an index follow what its node has not told yet.
  func catchUp(_ observation: NodeObservation?) {
    let former = isEarly
    isEarly = true
    observation?.catchUp()
    isEarly = former
  }

  /// Takes in what the index has followed, and tells the observers where the transaction has ended.
  ///
  /// - Parameters:
  ///   - change: the change of the tree.
  ///   - changesValues: whether that changed what the index tells.
  func note(_ change: ChangeSet, changesValues: Bool) {
    if observers.isEmpty {
      hasNews = false
      pending = ChangeSetComposer()
      return
    }
    pending.append(change)
    if changesValues { hasNews = true }
    if isEarly { return }
    let net = pending.net()
    pending = ChangeSetComposer()
    guard hasNews else { return }
    hasNews = false
    observers.tell(net)
  }
}
