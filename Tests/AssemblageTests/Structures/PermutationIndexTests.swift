@testable import Assemblage
import AssemblageTesting
import OffsetIndexing
import TestSupport
import Testing

/// Two orders of the same elements, compared with an array.
@Suite struct PermutationIndexTests {
  @Test func permutationsLeadBothWays() {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("permutation-index", iteration: iteration)
      // The elements as their source positions, in sorted order.
      var sources = Array(0..<Int.random(in: 0...8, using: &generator)).shuffled(using: &generator)
      var index = PermutationIndex(sources)
      for _ in 0..<20 {
        switch Int.random(in: 0...2, using: &generator) {
        case 0:
          let position = Int.random(in: 0...sources.count, using: &generator)
          let place = Int.random(in: 0...sources.count, using: &generator)
          index.insert(at: position, sorted: place)
          sources = sources.map { $0 < position ? $0 : $0 + 1 }
          sources.insert(position, at: place)
        case 1 where !sources.isEmpty:
          let from = sources.indices.randomElement(using: &generator)!
          let to = sources.indices.randomElement(using: &generator)!
          index.moveSorted(from: from, to: to)
          sources.insert(sources.remove(at: from), at: to)
        case 2 where sources.count > 1:
          // One element leaves the source. Another one moves in the sorted order, and keeps its place in the source.
          let removed = sources.indices.randomElement(using: &generator)!
          let position = sources.remove(at: removed)
          let moved = sources.indices.randomElement(using: &generator)!
          let former = sources.remove(at: moved)
          let place = Int.random(in: 0...sources.count, using: &generator)
          let present = former < position ? former : former - 1
          sources = sources.map { $0 < position ? $0 : $0 - 1 }
          sources.insert(present, at: place)
          var arrival = PermutationIndex.Arrival(
            position: present, former: former, keepsSource: true, isUpdated: true)
          arrival.sorted = place
          index.move(removing: [position], inserting: [arrival])
        default: continue
        }
        index.checkInvariants()
        #expect(index.count == sources.count && index.sources == sources)
        for (place, position) in sources.enumerated() {
          #expect(index.sourcePosition(of: place) == position && index.sortedPosition(of: position) == place)
        }
      }
    }
  }
}
