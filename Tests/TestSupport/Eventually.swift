/// Lets other tasks run until something has become true; gives up after a minute, so that a test fails and does not hang.
///
/// - Parameters:
///   - actor: the isolation in which it asks.
///   - isTrue: what is waited for.
/// - Returns: whether it has become true.
public func eventually(
  isolation actor: isolated (any Actor)? = #isolation, _ isTrue: () throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while try !isTrue() {
    if ContinuousClock.now > deadline { return false }
    // A pause rather than a yield: what is waited for may have to get to a core first.
    try? await Task.sleep(for: .microseconds(100))
  }
  return true
}
