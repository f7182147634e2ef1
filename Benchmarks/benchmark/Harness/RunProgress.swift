/// Says on a terminal how far a run has come, and how long the rest of it will take.
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
  ///   - operationCount: how many operations are measured.
  ///   - now: the clock; tests put their own here.
  ///   - write: where it is shown: a terminal.
  init(
    of operationCount: Int, now: @escaping () -> ContinuousClock.Instant = { .now }, write: @escaping (String) -> Void
  ) {
    (self.operationCount, self.now, self.write, start) = (operationCount, now, write, now())
  }

  /// Takes in how far the operation at hand has come; it is shown ten times a second at most.
  ///
  /// - Parameters:
  ///   - operation: its name.
  ///   - n: the size that is measured.
  ///   - fraction: how much of the operation is done, `0...1`.
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

  /// Takes in that the operation is done, and clears the line.
  func finishOperation() {
    doneCount += 1
    if shownAt != nil { write("\r\u{1B}[K") }
    shownAt = nil
  }

  /// The time that is left, as if each operation took as long as those before it; nil where none is done.
  private func rest(after elapsed: Duration, _ fraction: Double) -> String? {
    let done = Double(doneCount) + fraction
    guard done > 0 else { return nil }
    let seconds = elapsed / .seconds(1) * (Double(operationCount) - done) / done
    return seconds < 90 ? "about \(Int(seconds.rounded())) s left" : "about \(Int((seconds / 60).rounded())) min left"
  }
}
