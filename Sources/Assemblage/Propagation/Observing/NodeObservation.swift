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
public final class NodeObservation {
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

  /// Delivers now what waits to be delivered; see `Observer.catchUp()`.
  package func catchUp() { observer.catchUp() }

  deinit { cancel() }
}

@available(*, unavailable)
extension NodeObservation: Sendable {}
