@testable import Assemblage
import AssemblageTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Predicates that real tasks evaluate in the background.
@MainActor @Suite struct FilterBackgroundTests {
  private struct Refusal: Error {}

  private func isSmooth(_ number: Int) -> Bool { number % 7 < 3 }

  @Test func otherThreadsAnswer() async throws {
    let source = ArrayNode(Array(0..<30_000))
    let filter = FilterNode(source) { $0 % 2 == 0 }
    let shadow = ShadowTree(of: filter, id: \.self)
    let progress = BackgroundProgress()
    try await filter.setPredicate(inBackground: .concurrently, progress: progress) { $0 % 7 < 3 }
    #expect(filter.elements == source.elements.filter(isSmooth))
    #expect(progress.fraction == 1 && progress.progress.fractionCompleted == 1)
    #expect(shadow.deliveryCount == 1)
    try shadow.check()
    source.append(7)
    source.append(12)
    #expect(filter.elements.last == 7)
  }

  private final class Editing {
    var isDone = false
    var edits = 0
  }

  /// Another task of the same actor makes edits all the time.
  @Test(arguments: [false, true]) func editsAreTakenIn(_ isConcurrent: Bool) async throws {
    for iteration in 0..<TestSeed.iterations(2) {
      var generator = TestSeed.generator("filter-background", iteration: iteration)
      let source = ArrayNode((0..<(isConcurrent ? 9_000 : 500)).map { Row(id: $0) })
      let filter = FilterNode(source) { $0.id % 3 > 0 }
      let shadow = ShadowTree(of: filter, id: \.id)
      let editing = Editing()
      let editor = Task { @MainActor in
        while !editing.isDone {
          editing.edits += 1
          switch editing.edits % 4 {
          case 0:
            source.insert(
              Row(id: 100_000 + editing.edits), at: Int.random(in: 0...source.count, using: &generator))
          case 1: source.remove(at: Int.random(in: 0..<source.count, using: &generator))
          case 2: source[Int.random(in: 0..<source.count, using: &generator)].version += 1
          default:
            source.move(
              from: Int.random(in: 0..<source.count, using: &generator),
              to: Int.random(in: 0..<source.count, using: &generator))
          }
          await Task.yield()
        }
      }
      #expect(await eventually { editing.edits > 0 })
      if isConcurrent {
        try await filter.setPredicate(inBackground: .concurrently) { ($0.id + $0.version) % 7 < 3 }
      } else {
        try await filter.setPredicate(inBackground: .inSlices(of: .microseconds(500))) {
          ($0.id + $0.version) % 7 < 3
        }
      }
      editing.isDone = true
      await editor.value
      #expect(filter.elements == source.elements.filter { ($0.id + $0.version) % 7 < 3 } && editing.edits > 0)
      try shadow.check()
    }
  }

  /// Waits inside the predicate until the test opens the gate.
  private final class Gate: Sendable {
    private let count = Mutex(0)
    private let gate = DispatchSemaphore(value: 0)

    func pass() {
      count.withLock { $0 += 1 }
      gate.wait()
      gate.signal()
    }

    func open() { gate.signal() }
    var calls: Int { count.withLock { $0 } }
  }

  @Test func cancellingLeavesWhatWas() async throws {
    let source = ArrayNode(Array(0..<50_000))
    let filter = FilterNode(source) { $0 % 2 == 0 }
    let gate = Gate()
    let task = Task(priority: .high) { @MainActor in
      try await filter.setPredicate(inBackground: .concurrently) { number in
        if number == 30_000 { gate.pass() }
        return number % 7 < 3
      }
    }
    #expect(await eventually { gate.calls > 0 })
    source.remove(at: 0)
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(filter.elements == source.elements.filter { $0 % 2 == 0 })
  }

  @Test func theProgressCanCancel() async throws {
    let filter = FilterNode(ArrayNode(Array(0..<50_000))) { $0 % 2 == 0 }
    let progress = BackgroundProgress()
    await #expect(throws: CancellationError.self) {
      try await filter.setPredicate(inBackground: .inSlices(of: .microseconds(10)), progress: progress) {
        if $0 == 40_000 { progress.progress.cancel() }
        return $0 % 7 < 3
      }
    }
    #expect(filter.count == 25_000 && progress.fraction > 0 && progress.fraction < 1)
  }

  @Test(arguments: [false, true]) func anErrorChangesNothing(_ isConcurrent: Bool) async throws {
    let source = ArrayNode(Array(0..<50_000))
    let filter = FilterNode(source) { $0 % 2 == 0 }
    let shadow = ShadowTree(of: filter, id: \.self)
    await #expect(throws: Refusal.self) {
      if isConcurrent {
        try await filter.setPredicate(inBackground: .concurrently) {
          if $0 == 40_000 { throw Refusal() }
          return $0 % 7 < 3
        }
      } else {
        try await filter.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) {
          if $0 == 40_000 { throw Refusal() }
          return $0 % 7 < 3
        }
      }
    }
    #expect(filter.elements == source.elements.filter { $0 % 2 == 0 })
    try shadow.check()
    source.append(50_002)
    #expect(filter.elements.last == 50_002)
  }

  /// A predicate that throws after it was set hides the element.
  @Test func laterErrorsHide() async throws {
    let source = ArrayNode([1, 2])
    let filter = FilterNode(source) { _ in true }
    try await filter.setPredicate(inBackground: .concurrently) {
      if $0 > 10 { throw Refusal() }
      return true
    }
    source.append(11)
    source.append(3)
    #expect(filter.elements == [1, 2, 3])
  }

  @Test func theNextCallSupersedes() async throws {
    let source = ArrayNode(Array(0..<50_000))
    let filter = FilterNode(source) { $0 % 2 == 0 }
    let gate = Gate()
    let first = Task(priority: .high) { @MainActor in
      try await filter.setPredicate(inBackground: .concurrently) { number in
        if number == 30_000 { gate.pass() }
        return number % 7 < 3
      }
    }
    #expect(await eventually { gate.calls > 0 })
    let second = Task(priority: .high) { @MainActor in
      try await filter.setPredicate(hint: .stricter, inBackground: .concurrently) { $0 % 7 < 2 }
    }
    // The second call has begun, and waits for a core that the first call uses.
    let work = filter.work
    #expect(await eventually { filter.work !== work })
    gate.open()
    await #expect(throws: CancellationError.self) { try await first.value }
    try await second.value
    #expect(filter.elements == source.elements.filter { $0 % 7 < 2 })
  }

  /// Arrays are shared, also through joins of joins. Elements of other sources are copied.
  @Test func sourcesOfAllKinds() async throws {
    let (first, second) = (ArrayNode(Array(0..<5_000)), ArrayNode(Array(5_000..<9_000)))
    let joins = JoinNode([JoinNode([first, ArrayNode([])]), second])
    let mixed = JoinNode<Int>([first, MapNode(second) { $0 + 1 }])
    #expect(joins.sharedSlices(of: 4_000..<6_000)?.flatMap { $0 } == Array(4_000..<6_000))
    #expect(mixed.sharedSlices(of: 4_000..<6_000) == nil)
    for source in [joins, mixed] {
      let filter = FilterNode(source) { $0 % 2 == 0 }
      try await filter.setPredicate(inBackground: .concurrently) { $0 % 7 < 3 }
      #expect(filter.elements == source.elements.filter(isSmooth))
      try await filter.setPredicate(hint: .stricter, inBackground: .concurrently) { $0 % 7 < 2 }
      #expect(filter.elements == source.elements.filter { $0 % 7 < 2 })
    }
  }

  @Test func childrenWithoutAValuePass() async throws {
    let children: [TreeChild<Int>] = (0..<200).map { $0 % 3 == 0 ? .node(ArrayNode([$0])) : .leaf($0) }
    let branch = BranchNode<Int>(children)
    let filter = FilterNode(branch) { _ in false }
    #expect(filter.count == 67)
    try await filter.setPredicate(inBackground: .concurrently) { $0 > 150 }
    let count = filter.count
    filter.setPredicate { $0 > 150 }
    #expect(filter.count == count && count == 67 + (151..<200).count { $0 % 3 > 0 })
    try await filter.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { _ in false }
    #expect(filter.count == 67)
  }

  @Test func elementsAreReleased() async throws {
    let tracker = LifetimeTracker()
    do {
      let source = ArrayNode((0..<20_000).map { tracker.track($0) })
      let filter = FilterNode(source) { _ in true }
      try await filter.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { _ in false }
      #expect(filter.count == 0)
    }
    #expect(tracker.liveCount == 0)
  }
}
