import OffsetIndexing
import TestSupport
import Testing

@Suite struct FenwickTreeTests: MisuseSuite {
  @Test func matchesItsDocumentation() {
    var weights = FenwickTree([3, 0, 4])
    #expect(weights.prefixSum(upTo: 2) == 3)
    #expect(weights.index(containing: 3) == (2, 0))
    weights.add(2, at: 1)
    #expect(weights.index(containing: 3) == (1, 0))
    #expect("\(weights)" == "FenwickTree(count: 3, total: 9)")
  }

  @Test func answersForEveryShortVectorOfWeights() {
    for weights in Exhaustive.vectors(over: [0, 1, 2], upTo: 6) {
      let tree = FenwickTree(weights)
      #expect(agrees(tree, weights), "\(weights)")
      for index in weights.indices {
        for delta in -weights[index]...2 {
          var changed = tree
          changed.add(delta, at: index)
          var expected = weights
          expected[index] += delta
          #expect(agrees(changed, expected), "\(weights), \(delta) at \(index)")
          #expect(changed == FenwickTree(expected))
          #expect((changed == tree) == (delta == 0))
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 100, 127, 128, 129, 1000, 1024])
  func answersForRandomWeights(count: Int) {
    var generator = TestSeed.generator("FenwickTree/random", iteration: count)
    var weights = (0..<count).map { _ in Int.random(in: 0..<4, using: &generator) }
    var tree = FenwickTree(weights)
    for _ in 0..<10 {
      let index = Int.random(in: 0..<count, using: &generator)
      let delta = Int.random(in: -weights[index]...5, using: &generator)
      weights[index] += delta
      tree.add(delta, at: index)
    }
    #expect(agrees(tree, weights))
    #expect(agrees(FenwickTree(repeating: 3, count: count), Array(repeating: 3, count: count)))
  }

  /// Whether the tree answers every question like a plain array.
  private func agrees(_ tree: FenwickTree, _ weights: [Int]) -> Bool {
    var offset = 0
    guard tree.count == weights.count, tree.prefixSum(upTo: 0) == 0 else { return false }
    for (index, weight) in weights.enumerated() {
      guard tree[index] == weight else { return false }
      for local in 0..<weight {
        guard tree.index(containing: offset + local) == (index, local) else { return false }
      }
      offset += weight
      guard tree.prefixSum(upTo: index + 1) == offset else { return false }
    }
    return tree.total == offset
  }

  @Test func holdsSumsUpToTheLargestInteger() {
    var tree = FenwickTree([.max - 1, 0, 1])
    #expect(tree.index(containing: .max - 1) == (2, 0))
    tree.add(-5, at: 0)
    tree.add(5, at: 1)
    #expect(tree.total == .max)
    #expect(tree.index(containing: .max - 2) == (1, 4))
  }

  static let misuses = [
    Misuse("index 3 is out of range: there are 3 sizes, 0..<3") { _ = FenwickTree([1, 2, 3])[3] },
    Misuse("index -1 is out of range") {
      var tree = FenwickTree([1])
      tree.add(1, at: -1)
    },
    Misuse("boundary 2 is out of range: there are 1 sizes, 0...1") { _ = FenwickTree([1]).prefixSum(upTo: 2) },
    Misuse("offset 0 is out of range: the sizes add up to 0, 0..<0") { _ = FenwickTree([0]).index(containing: 0) },
    Misuse("weight -1 is negative") { _ = FenwickTree([1, -1]) },
    Misuse("weight -2 is negative") {
      var tree = FenwickTree([1])
      tree.add(-3, at: 0)
    },
    Misuse("count -1 is negative") { _ = FenwickTree(repeating: 1, count: -1) },
    Misuse("sum of weights does not fit in an Int") { _ = FenwickTree([.max, 1]) },
    Misuse("sum of weights does not fit in an Int") { _ = FenwickTree(repeating: .max, count: 2) },
    Misuse("sum of weights does not fit in an Int") {
      var tree = FenwickTree([.max, 0])
      tree.add(1, at: 1)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
