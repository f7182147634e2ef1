/// A token that keeps an observer registered, and keeps the observed node, selection or index alive.
///
/// Keep the token for as long as the observer is to be notified. Releasing the token, or calling `cancel()`, ends the
/// observation at once. This also holds inside an observer, and where a change is waiting to be delivered.
///
/// ```swift
/// let names = ArrayNode(["Ada"])
/// var log: [String] = []
/// let token = names.observe { log.append("\($0.delta.insertions)") }
/// names.append("Grace")     // log is ["[1..<2]"]
/// token.cancel()
/// names.append("Edsger")    // log is still ["[1..<2]"]
/// ```
///
/// Selections, indices and trackers return the same kind of token:
///
/// ```swift
/// let selection = SelectionModel(of: names)
/// var count = 0
/// let other = selection.observe { count += 1 }
/// selection.select(1)       // count is 1
/// ```
public final class NodeObservation {
  /// The observer of a node's changes; nil where the observed object is one that follows a node.
  private let observer: Observer?
  private var end: (() -> Void)?

  init(of node: any TreeNode, _ handler: @escaping (ChangeSet) -> Void) {
    let observer = node.addObserver(handler)
    self.observer = observer
    // Keeps the node alive.
    end = {
      observer.cancel()
      node.hub.remove(observer)
    }
  }

  /// Creates the token of an observer that is registered already.
  ///
  /// - Parameters:
  ///   - observer: the observer, if it observes a node's changes.
  ///   - end: ends the observation; called at most once. The closure keeps the observed object alive.
  init(of observer: Observer? = nil, _ end: @escaping () -> Void) {
    self.observer = observer
    self.end = end
  }

  /// Ends the observation; changes that have not been delivered yet are dropped.
  ///
  /// Cancelling twice does nothing.
  ///
  /// - Complexity: O(k) for k observers of the same object.
  public func cancel() {
    let end = end
    self.end = nil
    end?()
  }

  /// Delivers the waiting changes now; see `Observer.catchUp()`.
  package func catchUp() { observer?.catchUp() }

  /// Whether the handler was called before its turn, and will still be called in its turn.
  package var isEarly: Bool { observer?.isAhead ?? false }

  deinit { cancel() }
}

extension TreeNode {
  /// Calls a closure with the node's changes; the node's hub keeps the observer.
  func addObserver(_ handler: @escaping (ChangeSet) -> Void) -> Observer {
    let observer = Observer(of: hub, handler)
    hub.add(observer)
    return observer
  }
}

@available(*, unavailable)
extension NodeObservation: Sendable {}
