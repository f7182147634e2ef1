import Testing

@testable import benchmark

@Suite struct RunnerTests {
  /// A clock that shows the time that the subjects claim to have needed.
  final class Clock {
    var now = 0.0
  }

  /// A subject whose operation needs `nanoseconds(n)`, and that reports the operations undone.
  private func subject(
    _ name: String, _ clock: Clock, perOperation elements: Int = 1, most: Int = .max,
    undone: @escaping (Int) -> Void = { _ in }, _ nanoseconds: @escaping (Int) -> Double
  ) -> Subject {
    Subject(name, .library) { context in
      let n = context.n
      return Trial(
        0, elementsPerOperation: elements, mostOperations: most,
        reset: { _, operations in undone(operations) },
        run: { _, operations in
          clock.now += Double(operations) * nanoseconds(n)
          return operations
        })
    }
  }

  /// A subject whose operations need `cold` nanoseconds where another subject ran between them, and `warm` ones else.
  private func cachedSubject(
    _ name: String, _ clock: Clock, _ last: Last, cold: Double, warm: Double
  ) -> Subject {
    Subject(name, .library) { _ in
      Trial(
        0, mostOperations: 1,
        run: { _, operations in
          clock.now += last.name == name ? warm : cold
          last.name = name
          return operations
        })
    }
  }

  /// The subject that ran last.
  final class Last {
    var name = ""
  }

  @Test func theProgressRisesWithinAnOperation() {
    let clock = Clock()
    let operation = Operation(name: "work", subjects: [subject("a", clock) { Double($0) }])
    var runner = Runner(samples: 3, seed: 1)
    runner.time = { body in
      let start = clock.now
      body()
      return clock.now - start
    }
    var steps: [(n: Int, fraction: Double)] = []
    _ = runner.measure(operation, of: Suite(name: "s", operations: [operation]), sizes: [16, 32]) {
      steps.append(($0, $1))
    }
    #expect(steps.map { $0.n } == [16, 16, 16, 16, 32, 32, 32, 32])
    #expect(steps.map { $0.fraction } == [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875])
  }

  @Test func theProgressSaysHowLongTheRestTakes() {
    var (instant, shown) = (ContinuousClock.now, [String]())
    let progress = RunProgress(of: 4, now: { instant }, write: { shown.append($0) })
    progress.update("sort/insert", n: 65_536, fraction: 0)
    #expect(shown == ["\r\u{1B}[K1 of 4 operations · sort/insert, n = 65,536"])
    // The line is drawn at most ten times a second.
    progress.update("sort/insert", n: 65_536, fraction: 0.1)
    #expect(shown.count == 1)
    instant += .seconds(10)
    progress.update("sort/insert", n: 65_536, fraction: 0.5)
    #expect(shown.last?.hasSuffix(" · about 70 s left") == true)
    progress.finishOperation()
    #expect(shown.last == "\r\u{1B}[K")
    instant += .seconds(590)
    progress.update("sort/remove", n: 7, fraction: 0)
    #expect(shown.last == "\r\u{1B}[K2 of 4 operations · sort/remove, n = 7 · about 30 min left")
  }

  private func measure(_ subjects: [Subject], _ clock: Clock, sizes: [Int]) -> OperationResult {
    let operation = Operation(name: "work", subjects: subjects)
    var runner = Runner(samples: 5, seed: 1)
    runner.time = { body in
      let start = clock.now
      body()
      return clock.now - start
    }
    return runner.measure(operation, of: Suite(name: "suite", operations: [operation]), sizes: sizes)
  }

  @Test func timesAreForOneOperationAndElement() {
    let clock = Clock()
    let result = measure(
      [subject("A", clock) { Double($0) }, subject("B", clock, perOperation: 4) { 2 * Double($0) }], clock,
      sizes: [16, 8])
    #expect(result.sizes == [8, 16])
    #expect(result.measurement("A", 8)?.time.median == 8)
    #expect(result.measurement("B", 16)?.time.median == 8)
    #expect(result.ratio("B", 16) == 0.5 && result.ratio("A", 16) == 1)
    #expect(result.measurement("A", 8)?.time.count == 5)
    #expect(result.notes.isEmpty)
  }

  @Test func whatFollowsItselfIsMeasuredWarm() {
    let (clock, last) = (Clock(), Last())
    let result = measure(
      [
        cachedSubject("A", clock, last, cold: 5e6, warm: 2e6), cachedSubject("B", clock, last, cold: 9e6, warm: 1e6),
      ], clock, sizes: [8])
    #expect(result.measurement("A", 8)?.time.median == 5e6 && result.measurement("A", 8)?.warm == 2e6)
    #expect(result.measurement("B", 8)?.time.median == 9e6 && result.measurement("B", 8)?.warm == 1e6)
  }

  /// The length of a whole round, not of its measured part, decides the number of rounds. Otherwise a trial that
  /// measures only a small part of each round would be repeated very often.
  @Test func howLongARoundLastsDecidesHowManyThereAre() {
    let clock = Clock()
    var rounds = 0
    let subject = Subject("A", .library) { _ in
      Trial(
        0, mostOperations: 1, ownTime: { _ in 7 },
        run: { _, operations in
          rounds += 1
          clock.now += 2e6
          return operations
        })
    }
    let result = measure([subject], clock, sizes: [8])
    #expect(result.measurement("A", 8)?.time.median == 7)
    // Two rounds to calibrate, five samples, one round to warm up and five more samples.
    #expect(rounds == 13)
  }

  @Test func aWideSpreadIsSaid() {
    let clock = Clock()
    var samples = 0
    let result = measure(
      [
        subject("Steady", clock) { _ in 2e6 },
        subject("Busy", clock) { _ in
          samples += 1
          return samples % 2 == 0 ? 2e6 : 4e6
        },
      ], clock, sizes: [1024])
    #expect(
      result.notes == [
        "Wide spread, so measure again on a quieter machine before you use: Busy at n = 1,024 (±25%)"
      ])
  }

  @Test func everyRoundIsUndone() {
    let clock = Clock()
    var (most, rounds) = (0, 0)
    let result = measure(
      [
        subject(
          "A", clock, most: 10,
          undone: {
            most = max(most, $0)
            rounds += 1
          }, { _ in 1_000 })
      ], clock, sizes: [8])
    #expect(result.measurement("A", 8)?.time.median == 1_000)
    #expect(most == 10)
    // A sample lasts a millisecond, which is a hundred rounds of ten operations. There are five samples after the
    // calibration.
    #expect(rounds > 500)
  }

  @Test func aSlowSubjectIsLeftOutAndTheNotesSaySo() {
    let clock = Clock()
    let result = measure(
      [subject("Quick", clock) { _ in 10 }, subject("Slow", clock) { Double($0) * Double($0) * 1e6 }], clock,
      sizes: [8, 32, 64, 128])
    #expect(result.measurement("Slow", 32)?.time.count == 3, "over a second: three samples")
    #expect(result.measurement("Slow", 32)?.warm == nil)
    #expect(result.measurement("Slow", 64) == nil && result.measurement("Slow", 128) == nil)
    #expect(result.measurement("Quick", 128) != nil)
    #expect(
      result.notes == ["Slow is not measured from n = 64 on: one work would take about 4 s"])
  }

  @Test func aQuadraticSubjectIsMeasuredAtSmallSizesOnly() {
    let clock = Clock()
    let small = subject("Small", clock) { _ in 10 }
    let result = measure(
      [Subject("Small", .library, largest: 16, trial: { small.prepare($0) })], clock, sizes: [8, 16, 32, 64])
    #expect(result.sizes == [8, 16])
    #expect(result.notes == ["Small is not measured from n = 32 on: its time grows with the square of n"])
  }

  @Test func aHopelessSubjectIsNotEvenBegunAtALargeSize() {
    let clock = Clock()
    var largest = 0
    let result = measure(
      [
        subject("Cubic", clock) { n in
          largest = max(largest, n)
          return Double(n) * Double(n) * Double(n)
        }
      ], clock, sizes: [1 << 20])
    #expect(result.measurements.isEmpty && result.notes.count == 1)
    #expect(largest == 1 << 16)
  }

  @Test func inputsAreTheSameForEachSubjectAndDifferByNameAndSize() {
    var first = SplitMix(seed: 1, name: "a", n: 8)
    var second = SplitMix(seed: 1, name: "a", n: 8)
    var other = SplitMix(seed: 1, name: "a", n: 9)
    #expect(first.next() == second.next())
    #expect(first.next() != other.next())
  }

  @Test func placesCanBeTakenBackInReverse() {
    var generator = SplitMix(seed: 1)
    var places = Places(in: 1_000, using: &generator)
    let taken = (0..<100).map { _ in places.next() }
    #expect(taken.allSatisfy { (0..<1_000).contains($0) } && Set(taken).count > 80)
    #expect((0..<100).map { _ in places.takeBack() } == taken.reversed())
    #expect((0..<100).map { _ in places.next() } == taken)
  }

  @Test func memberPlacesAreInsideTheirMembers() {
    for n in [1, 10, 5_000] {
      var context = Context(n: n, generator: SplitMix(seed: 1))
      var places = MemberPlaces(&context, bound: 10)
      #expect(places.members.count == 1_000)
      #expect(places.members.reduce(0) { $0 + $1.count } == n)
      for _ in 0..<100 {
        let place = places.next()
        #expect(places.members[place.member].indices.contains(place.position))
        let back = places.takeBack()
        #expect(back == (place.member, place.position))
        _ = places.next()
      }
    }
  }
}
