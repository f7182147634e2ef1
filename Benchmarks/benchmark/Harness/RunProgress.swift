/// Shows on a terminal the finished part of a run, and the time of the rest.
///
///     12 of 120 operations · sort/insert, n = 65,536 · about 24 min left
final class RunProgress {
  private let operationCount: Int
  private let now: () -> ContinuousClock.Instant
  private let write: (String) -> Void
  private let start: ContinuousClock.Instant
  private var doneCount = 0
  private var shownAt: ContinuousClock.Instant?

  /// Creates the progress of a run that begins now.
  ///
  /// - Parameters:
  ///   - operationCount: the number of operations to measure.
  ///   - now: the clock. Tests use their own clock.
  ///   - write: shows the progress on a terminal.
  init(
    of operationCount: Int, now: @escaping () -> ContinuousClock.Instant = { .now }, write: @escaping (String) -> Void
  ) {
    (self.operationCount, self.now, self.write, start) = (operationCount, now, write, now())
  }

  /// Records the finished part of the operation that is being measured. The terminal shows it at most ten times a
  /// second.
  ///
  /// - Parameters:
  ///   - operation: the name of the operation.
  ///   - n: the size that is being measured.
  ///   - fraction: the finished part of the operation, `0...1`.
  func update(_ operation: String, n: Int, fraction: Double) {
    let instant = now()
    if let shownAt, instant - shownAt < .milliseconds(100) { return }
    shownAt = instant
    let parts = [
      "\(doneCount + 1) of \(operationCount) operations", "\(operation), n = \(Decimal.grouped(n))",
      rest(after: instant - start, fraction),
    ]
    write("\r\u{1B}[K" + parts.compactMap { $0 }.joined(separator: " · "))
  }

  /// Records that the operation is finished, and clears the line.
  func finishOperation() {
    doneCount += 1
    if shownAt != nil { write("\r\u{1B}[K") }
    shownAt = nil
  }

  /// The remaining time, if each operation takes as long as the finished ones; nil where none is finished.
  private func rest(after elapsed: Duration, _ fraction: Double) -> String? {
    let done = Double(doneCount) + fraction
    guard done > 0 else { return nil }
    let seconds = elapsed / .seconds(1) * (Double(operationCount) - done) / done
    return seconds < 90 ? "about \(Int(seconds.rounded())) s left" : "about \(Int((seconds / 60).rounded())) min left"
  }
}
