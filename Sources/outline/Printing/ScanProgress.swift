/// Shows the progress of a scan on a terminal, after the scan has taken more than half a second.
final class ScanProgress {
  private let now: () -> ContinuousClock.Instant
  private let write: (String) -> Void
  private let start: ContinuousClock.Instant
  private var shownAt: ContinuousClock.Instant?

  /// Creates a progress that starts now.
  ///
  /// - Parameters:
  ///   - now: the clock; tests use a clock of their own.
  ///   - write: writes to a terminal.
  init(now: @escaping () -> ContinuousClock.Instant = { .now }, write: @escaping (String) -> Void) {
    self.now = now
    self.write = write
    start = now()
  }

  /// Reports the number of entries read so far; the number is shown at most ten times a second.
  func update(_ entries: Int) {
    let instant = now()
    guard instant - start >= .milliseconds(500) else { return }
    if let shownAt, instant - shownAt < .milliseconds(100) { return }
    shownAt = instant
    write("\r\(counted(entries, "entry", "entries")) …")
  }

  /// Clears the line, if there is one.
  func finish() {
    if shownAt != nil { write("\r\u{1B}[K") }
  }
}
