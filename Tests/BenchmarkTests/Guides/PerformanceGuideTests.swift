import Testing

@testable import benchmark

/// The code of Docs/Performance.md: a user's own structure in ten lines.
@Suite struct PerformanceGuideTests {
  private static var elementOfLazyMap: Subject {
    Subject("LazyMap", .competitor) { context in
      let mapped = context.integers(below: 1_000_000).lazy.map { transform($0) }
      return Trial((mapped, context.places())) { state, operations in
        (0..<operations).reduce(0) { sum, _ in sum &+ state.0[state.1.next()] }
      }
    }
  }

  /// The transformation that the competitor shares with its suite.
  private static func transform(_ element: Int) -> Int { element &* 7 &+ 1 }

  @Test func aCompetitorOfOnesOwnDoesTheSameJob() throws {
    let operation = try #require(Suite.map.operations.first { $0.name == "element" })
    let results = (operation.subjects + [Self.elementOfLazyMap]).map { subject in
      subject.prepare(Context(n: 200, generator: SplitMix(seed: 1, name: "element", n: 200))).run(50)
    }
    #expect(Set(results).count == 1, "\(results)")
  }
}
