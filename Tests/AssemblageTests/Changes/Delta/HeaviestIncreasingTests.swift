@testable import Assemblage
import TestSupport
import Testing

/// Checks that the elements that do not move have the greatest weight of all ascending subsequences.
///
/// The canonical form of deltas depends on this.
@Suite struct HeaviestIncreasingTests {
  private func check(_ weights: [Int], _ ranks: [Int]) -> Bool {
    let stays = Delta.heaviestIncreasing(weights: weights, ranks: ranks)
    let staying = ranks.indices.filter { stays[$0] }
    return zip(staying, staying.dropFirst()).allSatisfy { ranks[$0] < ranks[$1] }
      && staying.reduce(0) { $0 + weights[$1] } == greatestSum(weights, ranks)
  }

  /// Returns the greatest sum of all ascending subsequences.
  private func greatestSum(_ weights: [Int], _ ranks: [Int]) -> Int {
    var sums: [Int] = []
    for index in ranks.indices {
      let before = (0..<index).filter { ranks[$0] < ranks[index] }.map { sums[$0] }.max() ?? 0
      sums.append(before + weights[index])
    }
    return sums.max() ?? 0
  }

  @Test func everyOrderOfFive() {
    for count in 0...5 {
      Exhaustive.forEachVector(over: Array(0..<count), count: count) { ranks in
        guard Set(ranks).count == count else { return }
        Exhaustive.forEachVector(over: [1, 2, 5], count: count) { weights in
          #expect(check(weights, ranks), "\(weights) \(ranks)")
        }
      }
    }
  }

  @Test func randomOrders() {
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("heaviest-increasing", iteration: iteration)
      let count = Int.random(in: 0...150, using: &generator)
      var ranks = Array(0..<count)
      if iteration % 3 == 0 {
        ranks.reverse()
      } else {
        ranks.shuffle(using: &generator)
      }
      // In some orders, only a few elements are out of place.
      if iteration % 3 == 1 {
        let kept = Set((0..<count).filter { _ in generator.chance(9, in: 10) })
        let rest = ranks.indices.filter { !kept.contains($0) }
        let others = Array(0..<count).filter { kept.contains($0) }
        ranks = others + rest
      }
      let most = [1, 2, 4, 30][iteration % 4]
      let weights = ranks.map { _ in Int.random(in: 1...most, using: &generator) }
      #expect(check(weights, ranks), "\(weights) \(ranks)")
    }
  }
}
