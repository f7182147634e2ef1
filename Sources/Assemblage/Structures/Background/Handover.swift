import Synchronization

/// A value that a job takes along, so that it is released where the job has ended.
///
/// A closure that captured the value would not do: who made the closure may be the last to give it up.
final class Handover<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: consuming Value) { self.value = Mutex(consume value) }

  /// The value, once.
  func take() -> Value { value.withLock { $0.take()! } }
}

/// Releases a value that is not needed any more by another core: to give millions of elements or ranges back takes milliseconds.
///
/// Nobody waits for that, because what is shown is shown.
func releaseElsewhere<Value: Sendable>(_ value: consuming Value) {
  Task.detached { [value = consume value] in withExtendedLifetime(value) {} }
}
