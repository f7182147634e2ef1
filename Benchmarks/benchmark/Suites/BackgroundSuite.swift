import Assemblage
import Dispatch
import Foundation
import Synchronization

extension Suite {
  /// A filter over n lines of text gets another predicate, a substring search. Or a sort of the lines gets another
  /// comparator.
  ///
  /// Meanwhile the main actor has other work to do.
  static var background: Suite {
    Suite("background") {
      Operation(name: "set-predicate", subjects: subjects(.total, perElement: true) { $0.total })
      Operation(name: "occupation", subjects: subjects(.occupation) { $0.longestOccupation })
      Operation(name: "set-comparator", subjects: sortSubjects(.total, perElement: true) { $0.total })
      Operation(name: "sort-occupation", subjects: sortSubjects(.occupation) { $0.longestOccupation })
    }
  }

  /// The way in which a predicate is set.
  fileprivate enum Form: String, CaseIterable {
    case concurrently = "inBackground: .concurrently"
    case inSlices = "inBackground: .inSlices(of: 1 ms)"
    case atOnce = "FilterNode.setPredicate"
  }

  /// The way in which a comparator is set.
  fileprivate enum SortForm: String, CaseIterable {
    case concurrently = "SortNode .concurrently"
    case inSlices = "SortNode .inSlices(of: 1 ms)"
    case atOnce = "SortNode.setComparator"
  }

  /// The measurements of one call, in nanoseconds.
  fileprivate struct Times: Sendable {
    let start: ContinuousClock.Instant
    let total: Double
    /// The longest time in which no other task could run on the main actor.
    let longestOccupation: Double
  }

  /// The purpose of a measurement. The measurement of the occupation costs time.
  fileprivate enum Purpose { case total, occupation }

  private static func sortSubjects(
    _ purpose: Purpose, perElement: Bool = false, _ time: @escaping @Sendable (Times) -> Double
  ) -> [Subject] {
    SortForm.allCases.map { form in
      .onMainActor(form.rawValue, perElement: perElement, { SortDesk(count: $0.n, $0.generator) }) {
        await time($0.setComparator(form, purpose))
      }
    }
  }

  private static func subjects(
    _ purpose: Purpose, perElement: Bool = false, _ time: @escaping @Sendable (Times) -> Double
  ) -> [Subject] {
    Form.allCases.map { form in
      .onMainActor(form.rawValue, perElement: perElement, { Desk(count: $0.n, $0.generator) }) {
        await time($0.setPredicate(form, purpose))
      }
    }
  }
}

extension Subject {
  /// A subject of the library that belongs to the main actor, and measures the nanoseconds itself.
  static func onMainActor<Model: Sendable>(
    _ name: String, perElement: Bool, _ makeModel: @escaping @MainActor @Sendable (Context) async -> Model,
    _ time: @escaping @MainActor @Sendable (Model) async -> Double
  ) -> Subject {
    Subject(name, .library) { context in
      Trial(
        (waiting { [context] in await makeModel(context) }, 0.0), elementsPerOperation: perElement ? context.n : 1,
        mostOperations: 1, ownTime: { $0.1 },
        run: { state, _ in
          let model = state.0
          state.1 = waiting { await time(model) }
          return Int(state.1)
        })
    }
  }

  /// Runs a task of the main actor to its end. If this is the main thread, the thread runs the main actor's work
  /// meanwhile.
  private static func waiting<Value: Sendable>(_ body: @escaping @MainActor () async -> Value) -> Value {
    let value = Mutex<Value?>(nil)
    Task { @MainActor in
      let result = await body()
      value.withLock { $0 = result }
    }
    while true {
      if let value = value.withLock({ $0 }) { return value }
      if Thread.isMainThread {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      } else {
        Thread.sleep(forTimeInterval: 0.001)
      }
    }
  }
}

/// A filter over lines, which belongs to the main actor.
@MainActor private final class Desk {
  private let filter: FilterNode<String>
  private var isSecond = false

  init(count: Int, _ generator: SplitMix) {
    var generator = generator
    filter = FilterNode(
      ArrayNode((0..<count).map { "line \($0): \(Int.random(in: 0..<1_000_000_000, using: &generator))" })
    ) { Self.contains("1", $0) }
  }

  /// Searches for a text in the UTF-8 of a line.
  private nonisolated static func contains(_ text: StaticString, _ line: String) -> Bool {
    var line = line
    return line.withUTF8 { bytes in
      let length = text.utf8CodeUnitCount
      guard bytes.count >= length else { return false }
      return (0...bytes.count - length).contains { start in
        (0..<length).allSatisfy { unsafe bytes[start + $0] == text.utf8Start[$0] }
      }
    }
  }

  /// Sets another predicate. If the purpose is the occupation, another thread measures its waiting times for the main
  /// actor.
  func setPredicate(_ form: Suite.Form, _ purpose: Suite.Purpose) async -> Suite.Times {
    isSecond.toggle()
    let text: StaticString = isSecond ? "77" : "1"
    let predicate: @Sendable (String) -> Bool = { Self.contains(text, $0) }
    let observation = filter.observe { _ in }
    let times = await Heart.measure(purpose) {
      switch form {
      case .concurrently: try? await filter.setPredicate(inBackground: .concurrently, where: predicate)
      case .inSlices: try? await filter.setPredicate(inBackground: .inSlices(of: .milliseconds(1)), where: predicate)
      case .atOnce: filter.setPredicate(where: predicate)
      }
    }
    observation.cancel()
    return times
  }
}

/// A sort of lines, which belongs to the main actor and is observed.
@MainActor private final class SortDesk {
  private let sort: SortNode<String>
  private let observation: NodeObservation
  private var isSecond = false

  init(count: Int, _ generator: SplitMix) {
    var generator = generator
    sort = SortNode(
      ArrayNode((0..<count).map { "line \(Int.random(in: 0..<1_000_000_000, using: &generator)): \($0)" }), by: <)
    observation = sort.observe { _ in }
  }

  /// Sorts by the last character first, or by the whole lines.
  func setComparator(_ form: Suite.SortForm, _ purpose: Suite.Purpose) async -> Suite.Times {
    isSecond.toggle()
    let isByEnd = isSecond
    let comparator: @Sendable (String, String) -> Bool = { left, right in
      isByEnd ? (left.utf8.last!, left) < (right.utf8.last!, right) : left < right
    }
    return await Heart.measure(purpose) {
      switch form {
      case .concurrently: try? await sort.setComparator(inBackground: .concurrently, by: comparator)
      case .inSlices: try? await sort.setComparator(inBackground: .inSlices(of: .milliseconds(1)), by: comparator)
      case .atOnce: sort.setComparator(comparator)
      }
    }
  }
}

/// Waits for its turns on the main actor while a call is measured.
private final class Heart: Sendable {
  private struct Beats {
    var count = 0
    var longest = Duration.zero
    var isStopped = false
    var hasEnded = false
  }

  private let beats = Mutex(Beats())

  /// The time of a call, and the longest time for which another thread had to wait for its turn.
  @MainActor static func measure(_ purpose: Suite.Purpose, _ call: () async -> Void) async -> Suite.Times {
    let heart = Heart()
    if purpose == .occupation {
      Thread.detachNewThread { heart.beat() }
      while heart.beats.withLock({ $0.count < 3 }) { await Task.yield() }
      heart.beats.withLock { $0.longest = .zero }
    }
    let start = ContinuousClock.now
    await call()
    let total = (ContinuousClock.now - start) / .nanoseconds(1)
    heart.beats.withLock { $0.isStopped = true }
    while purpose == .occupation, heart.beats.withLock({ !$0.hasEnded }) { await Task.yield() }
    let longest = heart.beats.withLock { $0.longest } / .nanoseconds(1)
    return Suite.Times(start: start, total: total, longestOccupation: longest)
  }

  /// Measures how long it has to wait for each turn on the main actor, until it is stopped.
  ///
  /// It runs on a thread of its own. A sleeping task is woken by a thread of the pool, and these threads are busy with
  /// the predicate.
  private func beat() {
    while beats.withLock({ !$0.isStopped }) {
      let turn = DispatchSemaphore(value: 0)
      let wish = ContinuousClock.now
      DispatchQueue.main.async { [self] in
        beats.withLock {
          $0.longest = max($0.longest, ContinuousClock.now - wish)
          $0.count += 1
        }
        turn.signal()
      }
      turn.wait()
      Thread.sleep(forTimeInterval: 0.000_1)
    }
    beats.withLock { $0.hasEnded = true }
  }
}
