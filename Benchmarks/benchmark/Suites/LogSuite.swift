import Assemblage
import Foundation
import Synchronization

extension Suite {
  /// A log viewer with n lines from five sources. Lines arrive through a stream and are filtered, and the last 50
  /// passing lines are on the screen.
  static var log: Suite {
    Suite("log") {
      Operation("load", subject(perElement: true) { await $0.load() })
      Operation("live-busy", subject { await $0.live().busy })
      Operation("live-occupation", subject { await $0.live().longest })
      Operation(
        "frame",
        subject { $0.frames() },
        // The work of a program that filters all lines for each frame.
        Subject("Array.filter", .competitor) { context in
          Trial((0..<context.n).map { LogDesk.line($0) }, elementsPerOperation: 1) { lines in
            lines.filter(LogDesk.isFound).suffix(LogDesk.rowCount).reduce(0) { $0 + $1.utf8.count }
          }
        })
    }
  }

  private static func subject(
    perElement: Bool = false, _ time: @escaping @MainActor @Sendable (LogDesk) async -> Double
  ) -> Subject {
    .onMainActor("FilterNode of JoinNode", perElement: perElement, { await LogDesk(count: $0.n) }, time)
  }
}

/// The model of a log viewer, which belongs to the main actor.
@MainActor private final class LogDesk {
  nonisolated static let rowCount = 50
  private nonisolated static let sourceCount = 5

  private let count: Int
  private var sources: [ArrayNode<String>] = []
  private var found: FilterNode<String>

  /// Lines of one source.
  private typealias Batch = (source: Int, lines: [String])

  nonisolated static func line(_ number: Int) -> String {
    number.isMultiple(of: 10) ? "\(number): error in request \(number / 7)" : "\(number): request \(number / 7) done"
  }

  /// Whether a line has the word "error".
  nonisolated static func isFound(_ line: String) -> Bool {
    var line = line
    return line.withUTF8 { bytes in
      let word: StaticString = "error"
      guard bytes.count >= 5 else { return false }
      return (0...bytes.count - 5).contains { start in
        (0..<5).allSatisfy { unsafe bytes[start + $0] == word.utf8Start[$0] }
      }
    }
  }

  init(count: Int) async {
    self.count = count
    found = FilterNode(ArrayNode([])) { _ in true }
    _ = await load()
  }

  /// Starts five tasks that send all lines, and appends the lines.
  ///
  /// - Returns: the time of that, in nanoseconds.
  func load() async -> Double {
    sources = (0..<Self.sourceCount).map { _ in ArrayNode([]) }
    found = FilterNode(JoinNode(sources), where: Self.isFound)
    let observation = found.observe { _ in }
    let start = ContinuousClock.now
    let share = count / Self.sourceCount
    let batches = Self.stream { source, feed in
      for first in stride(from: 0, to: share, by: 1_000) {
        let numbers = first..<min(first + 1_000, share)
        try await Self.send((source, numbers.map(LogDesk.line)), into: feed)
      }
    }
    for await batch in batches { take(batch) }
    observation.cancel()
    return (ContinuousClock.now - start) / .nanoseconds(1)
  }

  /// A stream of the batches that five tasks send. It ends after the last task.
  private static func stream(
    _ send: @escaping @Sendable (_ source: Int, _ feed: AsyncStream<Batch>.Continuation) async throws -> Void
  ) -> AsyncStream<Batch> {
    let (batches, feed) = AsyncStream<Batch>.makeStream(bufferingPolicy: .bufferingOldest(20))
    let senders = (0..<sourceCount).map { source in Task.detached { try await send(source, feed) } }
    Task.detached {
      for sender in senders { try await sender.value }
      feed.finish()
    }
    return batches
  }

  /// Sends a batch, and waits while the stream is full.
  private nonisolated static func send(_ batch: Batch, into feed: AsyncStream<Batch>.Continuation) async throws {
    while case .dropped = feed.yield(batch) { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Appends the lines of a batch to their source.
  private func take(_ batch: Batch) { sources[batch.source].append(contentsOf: batch.lines) }

  /// Reads the rows that are on the screen.
  private func frame() -> Int {
    found[max(0, found.count - Self.rowCount)...].reduce(0) { $0 + $1.utf8.count }
  }

  /// Reads the rows a hundred times, and returns the time of one read in nanoseconds.
  func frames() -> Double {
    let start = ContinuousClock.now
    var sum = 0
    for _ in 0..<100 { sum += frame() }
    precondition(sum >= 0)
    return (ContinuousClock.now - start) / .nanoseconds(100)
  }

  /// Runs for a second. In it, 100,000 lines arrive, and the rows are read 60 times.
  ///
  /// With fewer than 100 lines before, as in tests, the run is shorter.
  ///
  /// - Returns: the time for which the main actor was busy, and its longest busy time without a break, in nanoseconds.
  func live() async -> (busy: Double, longest: Double) {
    let turns = min(count, 100)
    let batches = Self.stream { source, feed in
      let clock = ContinuousClock()
      let start = clock.now
      // 200 lines every 10 milliseconds.
      for turn in 0..<turns {
        try await Self.send((source, (0..<200).map { LogDesk.line(turn * 200 + $0) }), into: feed)
        try await clock.sleep(until: start + .milliseconds(10 * (turn + 1)), tolerance: .zero)
      }
    }
    var (busy, longest) = (0.0, 0.0)
    func measure(_ body: () -> Void) {
      let start = ContinuousClock.now
      body()
      let time = (ContinuousClock.now - start) / .nanoseconds(1)
      busy += time
      longest = max(longest, time)
    }
    let screen = Screen()
    let reading = Task {
      let clock = ContinuousClock()
      let start = clock.now
      while !screen.isClosed {
        measure { screen.sum += frame() }
        screen.frameCount += 1
        try await clock.sleep(until: start + .microseconds(16_667 * screen.frameCount), tolerance: .zero)
      }
    }
    let observation = found.observe { _ in }
    for await batch in batches { measure { take(batch) } }
    screen.isClosed = true
    try? await reading.value
    observation.cancel()
    return (busy, longest)
  }

  @MainActor private final class Screen {
    var isClosed = false
    var frameCount = 0
    var sum = 0
  }
}
