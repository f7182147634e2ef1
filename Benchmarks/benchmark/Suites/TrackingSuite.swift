import Assemblage
import Observation

extension Suite {
  /// Objects that change by themselves. They are followed by the properties that a filter reads of each.
  static var tracking: Suite {
    Suite("tracking") {
      Operation(
        "build",
        // The objects are new each time, because a tracking stays in its object until the object changes.
        Subject("ElementTracker", .library) { context in
          building(context) { people in ElementTracker.manual(of: ArrayNode(people)) { $0.score } }
        },
        Subject("withObservationTracking", .competitor) { context in
          building(context) { people in
            for person in people {
              withObservationTracking {
                _ = person.score
              } onChange: {
              }
            }
          }
        })
      Operation(
        "change",
        Subject("ElementTracker", .library) { context in
          let people = (0..<context.n).map { TrackedPerson($0) }
          let node = ArrayNode(people)
          let filter = FilterNode(node) { $0.score % 2 == 0 }
          let tracker = ElementTracker.manual(of: node) { $0.score }
          return Trial((people, filter, tracker, context.generator)) { state, operations in
            for _ in 0..<operations {
              state.0[Int.random(in: 0..<state.0.count, using: &state.3)].score += 1
              state.2.refresh()
            }
            return state.1.count
          }
        },
        Subject("ArrayNode.update(at:)", .library) { context in
          let people = (0..<context.n).map { TrackedPerson($0) }
          let node = ArrayNode(people)
          let filter = FilterNode(node) { $0.score % 2 == 0 }
          return Trial((node, filter, context.generator)) { state, operations in
            for _ in 0..<operations {
              let position = Int.random(in: 0..<state.0.count, using: &state.2)
              state.0[position].score += 1
              state.0.update(at: position)
            }
            return state.1.count
          }
        })
    }
  }

  private static func building<Result>(_ context: Context, _ build: @escaping ([TrackedPerson]) -> Result) -> Trial {
    Trial(
      (context.n, 0.0), elementsPerOperation: context.n, mostOperations: 1, ownTime: { $0.1 },
      run: { state, _ in
        let people = (0..<state.0).map { TrackedPerson($0) }
        let start = ContinuousClock.now
        let result = build(people)
        state.1 = (ContinuousClock.now - start) / .nanoseconds(1)
        return withExtendedLifetime(result) { people.count }
      })
  }
}

/// An object that reports its changes.
@Observable private final class TrackedPerson {
  var score: Int
  init(_ score: Int) { self.score = score }
}
