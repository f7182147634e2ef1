@testable import Assemblage
import TestSupport
import Testing

/// A sort that moves elements, at once and in steps, compared with the standard library's sort.
@Suite struct MovingSortTests {
  private struct Refusal: Error {}

  /// Returns numbers in random order or with sorted runs. Many of them are equal, or few.
  private func numbers(_ generator: inout SeededGenerator) -> [Int] {
    let count = Int.random(in: 0...300, using: &generator)
    let limit = [2, 10, 1_000].randomElement(using: &generator)!
    var numbers = (0..<count).map { _ in Int.random(in: 0..<limit, using: &generator) }
    var start = 0
    while Bool.random(using: &generator), start < count {
      let end = Int.random(in: start...count, using: &generator)
      let isAscending = Bool.random(using: &generator)
      numbers[start..<end].sort { isAscending ? $0 < $1 : $0 > $1 }
      start = end
    }
    return numbers
  }

  @Test func randomListsAreSortedStably() {
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("moving-sort", iteration: iteration)
      let rows = numbers(&generator).enumerated().map { (element: $0.element, position: $0.offset) }
      let expected = rows.sorted { $0.element < $1.element }.map(\.position)
      var moved = rows
      moved.sortByMoving { $0.element < $1.element }
      #expect(moved.map(\.position) == expected)
      var steps = StepwiseSort([SourcePiece(0..<rows.count, .copied(rows))])
      while steps.step(atMost: Int.random(in: 1...100, using: &generator), by: <) {
        #expect(steps.stepCount <= steps.totalStepCount)
      }
      #expect(steps.positions == expected && steps.stepCount == steps.totalStepCount)
      let middle = Int.random(in: 0...rows.count, using: &generator)
      let halves = [rows[..<middle], rows[middle...]].map { half in
        var half = Array(half)
        half.sortRows(by: <)
        return half
      }
      #expect(merged(halves[0], halves[1], <).map(\.position) == expected)
    }
  }

  /// A comparator may throw, keep its arguments, or be no order at all. No element is lost, and none is kept too long.
  @Test func noElementIsLost() {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("moving-sort-lives", iteration: iteration)
      let tracker = LifetimeTracker()
      let count = Int.random(in: 2...200, using: &generator)
      do {
        let elements = (0..<count).map { tracker.track($0) }
        var kept: [AnyObject] = []
        var rows = elements.enumerated().map { (element: $0.element, position: $0.offset) }
        rows.shuffle(using: &generator)
        let limit = Int.random(in: 0...2_000, using: &generator)
        var calls = 0
        do {
          try rows.sortRows { left, right in
            calls += 1
            if calls > limit { throw Refusal() }
            if calls % 7 == 0 { kept.append(left as AnyObject) }
            return Bool.random(using: &generator)
          }
        } catch {
          #expect(calls == limit + 1)
        }
        #expect(rows.map(\.position).sorted() == Array(0..<count))
        #expect(rows.allSatisfy { $0.element === elements[$0.position] })
        #expect(tracker.liveCount == count)
      }
      #expect(tracker.liveCount == 0)
    }
  }
}
