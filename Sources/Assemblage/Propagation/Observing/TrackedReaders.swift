package import Observation

/// The tracked readers of an object: bodies of views, and calls of `withObservationTracking`.
///
/// A reader may change nodes, and the object then has news again. The reader is tracked until its call returns, so that
/// a second notification inside the call would reach it again. Such news waits for the end of the call.
package final class TrackedReaders {
  private let registrar = ObservationRegistrar()
  private var isNotifying = false

  package init() {}

  /// Whether readers have to be notified.
  package var haveNews = false

  /// Tracks a read of an object, where reads are tracked.
  package func noteRead(of object: some Observable) { registrar.access(object, keyPath: \.self) }

  /// Notifies the readers of an object, if there is news. All nodes must show their present state.
  package func notify(of object: some Observable) {
    if isNotifying { return }
    isNotifying = true
    while haveNews {
      haveNews = false
      registrar.withMutation(of: object, keyPath: \.self) {}
    }
    isNotifying = false
  }
}
