/// Lets other tasks run until something has become true; gives up after ten minutes, so that a test fails and does
/// not hang: what it waits for may have to wait itself until all other tests have had their turns.
///
/// - Parameters:
///   - actor: the isolation in which it asks.
///   - isTrue: what is waited for.
/// - Returns: whether it has become true.
public func eventually(
  isolation actor: isolated (any Actor)? = #isolation, _ isTrue: () throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(600)
  while try !isTrue() {
    if ContinuousClock.now > deadline { return false }
    // A pause rather than a yield: what is waited for may have to get to a core first.
    try? await Task.sleep(for: .microseconds(100))
  }
  return true
}
