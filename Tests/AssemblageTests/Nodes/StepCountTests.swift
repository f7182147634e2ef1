#if InternalChecks
  import Assemblage
  import AssemblageTesting
  import Foundation
  import OffsetIndexing
  import TestSupport
  import Testing

  /// Section 8 of the design, by counting steps: nodes of index structures, calls of closures, elements read.
  @Suite struct StepCountTests {
    /// The sizes of a graph. They grow 256-fold, and their logarithms grow from 10 to 18.
    ///
    /// The number of steps stays below four times the first one if it grows with the logarithm. The same holds for the
    /// square of the logarithm, where the operation is a search in an index.
    private static let sizes = [10, 14, 18].map { 1 << $0 }

    private static let repetitions = 64

    @Test(arguments: CostCase.allCases)
    func stepsGrowWithTheLogarithm(of cost: CostCase) {
      var counts: [Int] = []
      for size in Self.sizes {
        var generator = TestSeed.generator("steps/\(cost)", iteration: size)
        var step: CostCase.Step = { _ in }
        // While steps are counted, no invariants are checked. With a check for each part, building would be quadratic.
        _ = StepCount {
          step = cost.prepare(size)
          // The first steps may copy storage that the test shares, and fill caches.
          step(&generator)
        }
        // The average, because sometimes a node is divided, which takes a step for each of its children.
        let count = StepCount { for _ in 0..<Self.repetitions { step(&generator) } }
        counts.append(count.total / Self.repetitions)
      }
      #expect(counts.last! > 0, "\(cost) took no step")
      let bound = 4 * counts[0] + 64
      #expect(counts.allSatisfy { $0 <= bound }, "\(cost): \(counts) steps at \(Self.sizes)")
    }

    @Test func oneEditAsksAPredicateOnceAndAComparatorLogarithmically() {
      let size = 1 << 16
      let source = ArrayNode(0..<size)
      let filtered = FilterNode(source) { $0 % 3 != 0 }
      let sorted = SortNode(filtered) { $0 % 1_000 < $1 % 1_000 }
      let count = StepCount { source.insert(size + 3, at: size / 2) }
      // One call for the filter. For the sort, twice the logarithm of the rows is enough.
      #expect(count.calls > 8 && count.calls <= 1 + 2 * 17, "\(count)")
      let update = StepCount { source[5] = 7 }
      #expect(update.calls >= 2 && update.calls <= 1 + 4 * 17, "\(update)")
      let removal = StepCount { source.remove(at: size / 3) }
      #expect(removal.calls == 0, "\(removal)")
      withExtendedLifetime((filtered, sorted)) {}
    }

    /// With a hint, a predicate is called only for the elements that may change sides.
    @Test func hintsSpareCalls() {
      let size = 1 << 12
      let filtered = FilterNode(ArrayNode(0..<size)) { $0 % 4 == 0 }
      #expect(StepCount { filtered.setPredicate(hint: .looser) { $0 % 2 == 0 } }.calls == size - size / 4)
      #expect(StepCount { filtered.setPredicate(hint: .stricter) { $0 % 8 == 0 } }.calls == size / 2)
      #expect(StepCount { filtered.setPredicate { $0 % 3 == 0 } }.calls == size)
    }

    /// k edits in one transaction: their net change takes k log k.
    @Test func netChangesGrowWithTheirEdits() {
      var counts: [Int] = []
      for edits in [1 << 8, 1 << 12] {
        let source = ArrayNode(0..<1 << 14)
        let filtered = FilterNode(source) { $0 % 2 == 0 }
        var generator = TestSeed.generator("steps/batch", iteration: edits)
        let token = filtered.observe { _ in }
        let count = StepCount {
          source.performUpdates {
            for _ in 0..<edits {
              source.insert(0, at: Int.random(in: 0...source.count, using: &generator))
              source.remove(at: Int.random(in: 0..<source.count, using: &generator))
            }
          }
        }
        counts.append(count.total / edits)
        token.cancel()
      }
      #expect(counts[1] <= 3 * counts[0] + 16, "\(counts) steps an edit")
    }

    /// Checks the counting itself: a pass over all elements is counted.
    @Test func aPassOverEverythingCounts() {
      let node = FilterNode(ArrayNode(0..<5_000)) { $0 % 2 == 0 }
      let count = StepCount { node.refresh() }
      #expect(count.calls == 5_000 && count.elements >= 5_000)
      var index = OffsetIndex((0..<100_000).map { $0 % 100 })
      let shared = index
      #expect(StepCount { index[5] = 4 }.nodes > 100, "the copy of a shared index is not counted")
      #expect(shared[5] == 5)
    }
  }
#endif
