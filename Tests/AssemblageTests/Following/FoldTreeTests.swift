@testable import Assemblage
import TestSupport
import Testing

@Suite struct FoldTreeTests {
  @Test func theRootCombinesAllValues() {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("fold tree", iteration: iteration)
      let maximum = Monoid(identity: Int.min, combine: max)
      var tree = FoldTree<Int>()
      var values: [Int: Int] = [:]
      for _ in 0..<TestSeed.length(60) {
        let value = Int.random(in: 0..<9, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          let slot = tree.insert(value, by: maximum)
          #expect(values.updateValue(value, forKey: slot) == nil)
        case 1:
          let new = Array(repeating: value, count: Int.random(in: 0..<9, using: &generator))
          for (slot, value) in zip(tree.insert(new[...], by: maximum), new) {
            #expect(values.updateValue(value, forKey: slot) == nil)
          }
        case 2:
          guard let slot = values.keys.sorted().randomElement(using: &generator) else { continue }
          tree.set(value, at: slot, by: maximum)
          values[slot] = value
        default:
          guard let slot = values.keys.sorted().randomElement(using: &generator) else { continue }
          tree.remove(at: slot, by: maximum)
          values[slot] = nil
        }
        tree.checkInvariants(by: maximum)
        #expect(tree.count == values.count && tree.root == values.values.max())
        for (slot, value) in values { #expect(tree[slot] == value) }
      }
    }
  }
}
