import Observation

/// The tracked readers of an object: bodies of views, and calls of `withObservationTracking`.
///
/// A reader may change nodes, and the object then has news again. The reader is tracked until its call returns, so that
/// a second notification inside the call would reach it again. Such news waits for the end of the call.
///
/// The registrar tracks this object, and not its owner. The owner may be a generic class, and each use of such a class's
/// key path makes the key path again, which takes 600 ns.
package final class TrackedReaders: Observable {
  private let registrar = ObservationRegistrar()
  private var isNotifying = false

  package init() {}

  /// Whether readers have to be notified.
  package var haveNews = false

  /// Tracks a read of the object, where reads are tracked.
  package func noteRead() { registrar.access(self, keyPath: \.self) }

  /// Notifies the readers of the object, if there is news. All nodes must show their present state.
  package func notify() {
    if isNotifying { return }
    isNotifying = true
    while haveNews {
      haveNews = false
      registrar.withMutation(of: self, keyPath: \.self) {}
    }
    isNotifying = false
  }
}
