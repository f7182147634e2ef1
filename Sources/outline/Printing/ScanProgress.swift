/// Says on a terminal how far a scan has come, once it takes more than half a second.
final class ScanProgress {
  private let now: () -> ContinuousClock.Instant
  private let write: (String) -> Void
  private let start: ContinuousClock.Instant
  private var shownAt: ContinuousClock.Instant?

  /// Creates a progress that starts now.
  ///
  /// - Parameters:
  ///   - now: the clock; tests put their own here.
  ///   - write: where it is shown: a terminal.
  init(now: @escaping () -> ContinuousClock.Instant = { .now }, write: @escaping (String) -> Void) {
    self.now = now
    self.write = write
    start = now()
  }

  /// Tells the number of entries read so far; shown ten times a second at most.
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
