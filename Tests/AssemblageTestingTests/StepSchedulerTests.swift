import Assemblage
import AssemblageTesting
import Testing

@Suite struct StepSchedulerTests {
  @Test func theExampleHolds() throws {
    let numbers = ArrayNode(Array(0..<10))
    let even = FilterNode(numbers) { $0 % 2 == 0 }
    let steps = StepScheduler()
    let task = steps.begin(even) { even in
      try await even.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0 % 3 == 0 }
    }
    #expect(steps.waitingCount == 1)
    for _ in 0..<3 { steps.step() }
    numbers.remove(at: 0)
    #expect(even.elements == [2, 4, 6, 8] && task.outcome == nil)
    while steps.step() {}
    #expect(even.elements == [3, 6, 9])
    #expect(throws: Never.self) { try task.outcome?.get() }
  }

  /// The work of other cores consists of steps, too.
  @Test func otherCoresWaitAsWell() throws {
    let numbers = ArrayNode(Array(0..<20))
    let sort = SortNode(numbers, by: <)
    let shadow = ShadowTree(of: sort, id: \.self)
    let steps = StepScheduler()
    let task = steps.begin(sort) { try await $0.setComparator(inBackground: .concurrently, by: >) }
    var count = 0
    // The last waiting step runs first.
    while steps.waitingCount > 0 {
      steps.step(steps.waitingCount - 1)
      count += 1
      if count == 10 { numbers.append(50) }
    }
    #expect(sort.elements == [50] + (0..<20).reversed() && count > 40)
    #expect(throws: Never.self) { try task.outcome?.get() }
    try shadow.check()
  }

  @Test func whatIsCancelledEnds() {
    let filter = FilterNode(ArrayNode(Array(0..<10))) { $0 % 2 == 0 }
    let steps = StepScheduler()
    let task = steps.begin(filter) { try await $0.setPredicate(inBackground: .concurrently) { $0 % 3 == 0 } }
    for _ in 0..<5 { steps.step() }
    task.cancel()
    while steps.step() {}
    #expect(throws: CancellationError.self) { try task.outcome?.get() }
    #expect(filter.count == 5)
  }

  @Test func theStreamIsFollowed() throws {
    var names: ArrayNode<String>? = ArrayNode(["Ada"])
    weak let watched = names
    let steps = StepScheduler()
    let stream = StreamShadow(of: names!, steppedBy: steps)
    while steps.step() {}
    names?.append("Grace")
    names?.append("Edsger")
    while steps.step() {}
    #expect(stream.changeCount == 1)
    try stream.check()
    names = nil
    #expect(watched == nil)
    while steps.step() {}
    try stream.check()
  }
}
