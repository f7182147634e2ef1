import Synchronization

// The two executors: other threads, and slices on the domain of the node.
extension BackgroundWork {
  /// Runs a job for each input, on as many threads as there are cores.
  ///
  /// - Parameters:
  ///   - inputs: the inputs; becomes empty. Each job releases its input, because the release of a million elements
  ///     takes milliseconds.
  ///   - progress: the number of steps that were done before, and of all steps; nil to count one step for each input.
  ///   - job: runs outside of the caller's domain.
  ///   - isolation: the caller's domain.
  /// - Returns: the results, in the order of the inputs.
  /// - Throws: the error of a job, and as `check(_:of:)` does. The other jobs are cancelled then.
  func elsewhere<Input: Sendable, Result: Sendable>(
    _ inputs: inout [Input], progress: (done: Int, total: Int)? = nil,
    _ job: @escaping @Sendable (Input) throws -> Result, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [Result] {
    let handovers = inputs.map(Handover.init)
    inputs = []
    let results = try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      // A closure that captures the isolation stays in it. Otherwise the body of a task group would run anywhere.
      _ = isolation
      for (index, input) in handovers.enumerated() {
        group.addTask {
          try Task.checkCancellation()
          return (index, try job(input.take()))
        }
      }
      var results = [Result?](repeating: nil, count: handovers.count)
      var ended = 0
      while let (index, result) = try await group.next() {
        results[index] = result
        ended += 1
        try check((progress?.done ?? 0) + ended, of: progress?.total ?? handovers.count)
      }
      return results.map { $0! }
    }
    // The domain may have done other work while the group ended.
    try check()
    return results
  }

  /// Works in slices, between which the domain does other work.
  ///
  /// - Parameters:
  ///   - slices: the duration of a slice.
  ///   - progress: the number of steps that are done, and of all steps.
  ///   - slice: works on a slice of the given number of elements, and returns whether there is more to do.
  /// - Throws: as `check(_:of:)` does.
  func inSlices(
    _ slices: SlicedWork, progress: () -> (done: Int, total: Int), _ slice: (_ count: Int) -> Bool
  ) async throws {
    var size = BackgroundPacing.elements ?? 256
    while true {
      let start = ContinuousClock.now
      guard slice(size) else { return }
      if BackgroundPacing.elements == nil {
        // The next slice is at most twice as large, and at least half.
        let ratio = slices.budget / (ContinuousClock.now - start)
        size = min(Int((Double(size) * min(max(ratio, 0.5), 2)).rounded(.up)), 1 << 20)
      }
      let (done, total) = progress()
      try check(done, of: total)
      await Task.yield()
      try check()
    }
  }

  /// Works through pieces in slices. Each piece is released when it is done.
  ///
  /// - Parameters:
  ///   - pieces: the pieces; becomes empty.
  ///   - slices: the duration of a slice.
  ///   - hub: the hub of the node.
  ///   - body: works on a part of a piece, by places in it.
  /// - Throws: as `check(_:of:)` does.
  func inSlices<Element>(
    _ pieces: inout [SourcePiece<Element>], _ slices: SlicedWork, in hub: NodeHub,
    _ body: (SourcePiece<Element>, _ part: Range<Int>) -> Void
  ) async throws {
    let total = pieces.last?.range.upperBound ?? 0
    var rest = Array(pieces.reversed())
    pieces = []
    var place = 0
    try await inSlices(slices, progress: { ((rest.last?.range.lowerBound ?? total) + place, total) }) { count in
      var count = count
      hub.refusingChanges {
        while count > 0, let piece = rest.last {
          let start = place
          piece.advance(&place, asking: &count)
          body(piece, start..<place)
          if place == piece.range.count {
            rest.removeLast()
            place = 0
          }
        }
      }
      return !rest.isEmpty
    }
  }
}

/// Decides when work on a domain pauses: a pause costs some microseconds, so work does not pause after each step.
struct Turns {
  private var start = ContinuousClock.now
  private let isTimed = BackgroundPacing.elements == nil

  /// Whether the present turn has taken long enough.
  var isOver: Bool { isTimed && ContinuousClock.now - start > .microseconds(500) }

  /// Lets the domain do other work.
  mutating func pass() async {
    await Task.yield()
    start = .now
  }
}

/// Hands a value to a job, which releases the value.
///
/// A closure that captures the value is not enough: the maker of the closure may be the last to release it.
final class Handover<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value) { self.value = Mutex(value) }

  /// The value, once.
  func take() -> Value { value.withLock { $0.take()! } }
}

/// Releases a value on another thread: the release of millions of elements or ranges takes milliseconds.
///
/// No caller waits for the release, because the result is shown already.
func releaseElsewhere<Value: Sendable>(_ value: consuming Value) {
  Task.detached { [value = consume value] in withExtendedLifetime(value) {} }
}
