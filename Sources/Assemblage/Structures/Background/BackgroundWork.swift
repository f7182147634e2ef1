/// Something that is worked out in the background from what a source showed at one time, and what the source has changed
/// since.
///
/// The node that it is for holds it, and tells it of each change, until the work is taken in or given up. Another call takes
/// its place, also where that call is rolled back: then it throws a `CancellationError` at its next step.
@usableFromInline
class BackgroundWork {
  private var changes = DeltaComposer()
  /// What has been taken out of `changes` in order to see what it holds.
  private var seen = Delta()
  /// How often the source has changed.
  private(set) var version = 0
  /// Whether its node does not hold it any more.
  var isSuperseded = false
  private let firstError = FirstError()

  /// The source is looked at now.
  func begin() {
    changes = DeltaComposer()
    seen = Delta()
  }

  /// Takes in a change of the source.
  func follow(_ delta: Delta) {
    if delta.isEmpty { return }
    changes.append(delta)
    version += 1
  }

  /// What has changed since the source was looked at, or since this was asked last.
  func takeChanges() -> Delta {
    defer { seen = Delta() }
    return allChanges()
  }

  private func allChanges() -> Delta {
    if !changes.isEmpty { seen = seen.isEmpty ? changes.net() : seen.composed(with: changes.net()) }
    return seen
  }

  /// The elements that have been removed or updated since the source was looked at, or since `takeChanges()`: by their
  /// positions then.
  func staleElements() -> RangeSet<Int> {
    let delta = allChanges()
    if delta.isEmpty { return RangeSet() }
    var stale = RangeSet(delta.removals)
    let inverse = delta.inverse()
    for range in inverse.updates { stale.insert(contentsOf: range) }
    return stale
  }

  /// A closure that never throws.
  ///
  /// - Parameters:
  ///   - instead: what it returns where the other one throws. The first error is thrown at the next `check(_:)`.
  ///   - body: the closure that may throw.
  /// - Returns: the closure.
  func keepingErrors<Argument, Result>(
    _ instead: Result, _ body: @escaping (Argument) throws -> Result
  ) -> (Argument) -> Result {
    firstError.keeping(instead, body)
  }

  /// A comparator that never throws; false takes the place of an error.
  func keepingErrors<Element>(
    _ comparator: @escaping (Element, Element) throws -> Bool
  ) -> (Element, Element) -> Bool {
    firstError.keeping(comparator)
  }

  /// Throws where the work must not go on, and tells its progress.
  ///
  /// - Parameters:
  ///   - progress: whom to tell.
  ///   - done: how many steps are done.
  ///   - total: of how many; 0 for nothing to tell.
  /// - Throws: a `CancellationError` where the task or the progress is cancelled or another call has come, and the first error
  ///   of a closure of `keepingErrors(_:)`.
  func check(_ progress: BackgroundProgress?, _ done: Int = 0, of total: Int = 0) throws {
    try Task.checkCancellation()
    if isSuperseded || progress?.isCancelled == true { throw CancellationError() }
    try firstError.check()
    if total > 0 { progress?.tell(done, of: total) }
  }
}

/// What a closure threw first. The closure may live longer than what it was made for.
final class FirstError {
  private var error: (any Error)?

  func keeping<Argument, Result>(
    _ instead: Result, _ body: @escaping (Argument) throws -> Result
  ) -> (Argument) -> Result {
    { [self] argument in
      do {
        return try body(argument)
      } catch {
        if self.error == nil { self.error = error }
        return instead
      }
    }
  }

  func keeping<Element>(
    _ comparator: @escaping (Element, Element) throws -> Bool
  ) -> (Element, Element) -> Bool {
    { [self] first, second in
      do {
        return try comparator(first, second)
      } catch {
        if self.error == nil { self.error = error }
        return false
      }
    }
  }

  func check() throws { if let error { throw error } }
}

/// When work on an actor lets others have their turns: that costs some microseconds, so not after each step.
///
/// Counted is the time that the work took itself. While it waits for other cores, others have their turns anyway.
struct Turns {
  /// Since when it works without having waited.
  private var start = ContinuousClock.now
  /// How long it has worked since others had their turns, and before `start`.
  private var worked = Duration.zero
  private let isTimed = BackgroundPacing.elements == nil

  /// Whether the present turn has taken long enough.
  var isOver: Bool { isTimed && worked + (ContinuousClock.now - start) > .microseconds(500) }

  /// Lets others have theirs.
  mutating func pass() async {
    await Task.yield()
    worked = .zero
    start = .now
  }

  /// Waits for something, which may be there already.
  mutating func wait<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    worked += ContinuousClock.now - start
    let result = try await body()
    start = .now
    return result
  }
}

/// Runs jobs on as many cores as there are.
///
/// - Parameters:
///   - jobs: each runs outside of the caller's domain.
///   - check: is called in the caller's domain when one has ended, with the number of those that have; where it throws, the
///     others are cancelled.
///   - isolation: the caller's domain.
/// - Returns: what the jobs return, in their order.
/// - Throws: what a job throws, or `check`.
func runElsewhere<Result: Sendable>(
  _ jobs: [@Sendable () throws -> Result], _ check: (Int) throws -> Void,
  isolation: isolated (any Actor)? = #isolation
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    // A closure that captures the isolation stays in it: else the body of a task group would run anywhere.
    _ = isolation
    for (index, job) in jobs.enumerated() {
      group.addTask {
        try Task.checkCancellation()
        return (index, try job())
      }
    }
    var results = [Result?](repeating: nil, count: jobs.count)
    var ended = 0
    while let (index, result) = try await group.next() {
      results[index] = result
      ended += 1
      try check(ended)
    }
    return results.map { $0! }
  }
}
