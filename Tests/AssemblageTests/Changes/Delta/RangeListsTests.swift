@testable import Assemblage
import TestSupport
import Testing

/// Lists of ranges, compared with sets of positions.
@Suite struct RangeListsTests {
  private func list(_ bits: [Bool]) -> [Range<Int>] {
    RangeLists.normalized(bits.indices.filter { bits[$0] }.map { $0..<$0 + 1 })
  }

  private func set(_ list: [Range<Int>]) -> Set<Int> { Set(list.joined()) }

  @Test func everyPairOfListsOverSixPositions() {
    Exhaustive.forEachVector(over: [false, true], count: 6) { left in
      Exhaustive.forEachVector(over: [false, true], count: 6) { right in
        let (first, second) = (list(left), list(right))
        let results = [
          (RangeLists.union(first, second), set(first).union(set(second))),
          (RangeLists.intersection(first, second), set(first).intersection(set(second))),
          (RangeLists.subtracting(second, from: first), set(first).subtracting(set(second))),
        ]
        let areRight = results.allSatisfy { set($0.0) == $0.1 && RangeLists.isNormalized($0.0) }
        #expect(areRight, "\(first) and \(second): \(results)")
      }
    }
  }

  @Test func rangesInAnyOrderAreNormalized() {
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("range-lists", iteration: iteration)
      let ranges = (0..<Int.random(in: 0...8, using: &generator)).map { _ in generator.range(in: 30, longest: 6) }
      let normal = RangeLists.normalized(ranges)
      #expect(set(normal) == Set(ranges.joined()) && RangeLists.isNormalized(normal), "\(ranges): \(normal)")
    }
    #expect(!RangeLists.isNormalized([0..<1, 1..<2]) && !RangeLists.isNormalized([3..<3]))
    #expect(RangeLists.isNormalized([]) && (2..<5).shifted(by: -2) == 0..<3)
  }
}
