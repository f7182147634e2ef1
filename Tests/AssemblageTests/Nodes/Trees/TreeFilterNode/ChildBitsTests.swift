@testable import Assemblage
import TestSupport
import AssemblageTesting
import Testing

/// The bits of a node's children compared with an array of Booleans, around the length at which they no longer fit in a
/// word.
@Suite struct ChildBitsTests {
  enum Operation: CaseIterable { case insert, remove, set, change }

  @Test func bitsAreThoseOfAnArray() throws {
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("child bits", iteration: iteration)
      var model = (0..<Int.random(in: 0...70, using: &generator)).map { _ in generator.chance(1, in: 2) }
      var bits = ChildBits(run(model))
      for _ in 0..<TestSeed.length(40) {
        let operation = tally.random(using: &generator)
        switch operation {
        case .insert:
          let new = (0..<Int.random(in: 0...66, using: &generator)).map { _ in generator.chance(1, in: 2) }
          let position = Int.random(in: 0...model.count, using: &generator)
          guard !new.isEmpty, model.count + new.count < 200 else { continue }
          model.insert(contentsOf: new, at: position)
          bits.insert(run(new), at: position)
        case .remove:
          let range = generator.range(in: model.count)
          guard !range.isEmpty else { continue }
          model.removeSubrange(range)
          bits.remove(range)
        case .set:
          guard !model.isEmpty else { continue }
          let position = Int.random(in: 0..<model.count, using: &generator)
          model[position].toggle()
          bits[position] = model[position]
        case .change:
          guard model.count > 2 else { continue }
          let delta = Delta(removals: [0..<1], insertions: [1..<2], moves: [Delta.Move(from: 1..<2, to: 0..<1)])
          bits.follow(delta, inserted: [BitRun(word: 1, count: 1)])
          model = [model[1], true] + model.dropFirst(2)
        }
        tally.count(operation)
        try check(bits, model)
      }
    }
    try tally.check()
  }

  private func run(_ bits: [Bool]) -> BitRun {
    var run = BitRun(repeating: false, count: bits.count)
    for (index, bit) in bits.enumerated() where bit { run.set(index, to: true) }
    return run
  }

  private func check(_ bits: ChildBits, _ model: [Bool]) throws {
    try #require(bits.count == model.count)
    let set = model.indices.filter { model[$0] }
    #expect(bits.setCount == set.count)
    #expect(model.indices.allSatisfy { bits[$0] == model[$0] })
    #expect(set.indices.allSatisfy { bits.select($0) == set[$0] && bits.rank(set[$0]) == $0 })
    #expect(bits.rank(model.count) == set.count)
    let all = bits.bits(in: 0..<model.count)
    #expect(model.indices.allSatisfy { all[$0] == model[$0] } && all.setCount == set.count)
  }
}
