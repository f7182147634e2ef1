/// Lets other tasks run until a condition is true, and gives up after ten minutes.
///
/// The limit makes a test fail instead of hang. It is long, because the awaited task may have to wait until all other
/// tests have had their turns.
///
/// - Parameters:
///   - actor: the isolation in which the condition is checked.
///   - isTrue: the condition.
/// - Returns: whether the condition has become true.
public func eventually(
  isolation actor: isolated (any Actor)? = #isolation, _ isTrue: () throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(600)
  while try !isTrue() {
    if ContinuousClock.now > deadline { return false }
    // A pause rather than a yield: the awaited task may have to get to a core first.
    try? await Task.sleep(for: .microseconds(100))
  }
  return true
}
