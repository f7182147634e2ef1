import Observation
import Synchronization

/// Reads once, and counts how often it is notified: never more than once.
final class Reader: Sendable {
  private let state = Mutex(0)

  @MainActor
  init(_ read: () -> Void) {
    withObservationTracking(read) { [self] in state.withLock { $0 += 1 } }
  }

  var notificationCount: Int { state.withLock { $0 } }
  var isNotified: Bool { notificationCount > 0 }
}
