import AssemblageTesting
import TestSupport
import Testing

@testable import Assemblage

/// A predicate in the background that another one takes the place of, at whatever step, while elements come and go.
@Suite struct SupersededSweepTests {
  /// Its verdicts follow no edits any more, so they must not be compared with what is shown.
  @Test(arguments: [ResultDelivery.whenDone, .asItGoes()])
  func whatIsSupersededIsNotFinished(_ delivery: ResultDelivery) async {
    let source = ArrayNode(0..<10)
    let filter = FilterNode(source) { $0 < 8 }
    let token = filter.observe { _ in }
    let first = filter.begin({ $0 % 3 == 0 }, .different, delivery)
    for _ in 0..<10 where filter.evaluateSlice(of: first, atMost: 4) {}
    let second = filter.begin({ $0 % 5 == 0 }, .different, .whenDone)
    source.removeSubrange(0..<3)
    await #expect(throws: CancellationError.self) { try await filter.finish(first) }
    #expect(filter.elements == [3, 4, 5, 6, 7])
    for _ in 0..<10 where filter.evaluateSlice(of: second, atMost: 4) {}
    await #expect(throws: Never.self) { try await filter.finish(second) }
    #expect(filter.elements == [5])
    token.cancel()
  }

  /// How a predicate is set.
  private enum Form: CaseIterable {
    case whenDone, asItGoes, inSlices

    func begin(_ filter: FilterNode<Int>, _ divisor: Int, _ steps: StepScheduler) -> StepTask {
      steps.begin(filter) { filter in
        switch self {
        case .whenDone: try await filter.setPredicate(concurrently: .whenDone) { $0 % divisor == 0 }
        case .asItGoes: try await filter.setPredicate(concurrently: .asItGoes()) { $0 % divisor == 0 }
        case .inSlices: try await filter.setPredicate(inSlicesOf: .milliseconds(1)) { $0 % divisor == 0 }
        }
      }
    }
  }

  @Test func everyStepMayBeTheLastOne() throws {
    var outcomes = (done: 0, superseded: 0)
    for form in Form.allCases {
      for next in Form.allCases {
        for count in 0..<60 {
          let source = ArrayNode(0..<6)
          let filter = FilterNode(source) { $0 < 4 }
          let shadow = ShadowTree(of: filter, id: \.self)
          let steps = StepScheduler()
          let first = form.begin(filter, 3, steps)
          for _ in 0..<count where first.outcome == nil { steps.step() }
          let second = next.begin(filter, 2, steps)
          // The second one has begun before the edits, and after others.
          for step in 0..<100_000 {
            if step == 1 { source.append(6) }
            if step == 3 { source.removeSubrange(0..<3) }
            // The last that waits: what the first one left to others is late.
            if !steps.step(step % 2 == 0 ? 0 : max(0, steps.waitingCount - 1)) { break }
          }
          switch try #require(first.outcome) {
          case .success: outcomes.done += 1
          case .failure(let error):
            #expect(error is CancellationError)
            outcomes.superseded += 1
          }
          try #require(second.outcome).get()
          #expect(filter.elements == source.elements.filter { $0 % 2 == 0 }, "\(form), \(next), \(count)")
          try shadow.check()
        }
      }
    }
    #expect(outcomes.done > 0 && outcomes.superseded > 0)
  }
}
