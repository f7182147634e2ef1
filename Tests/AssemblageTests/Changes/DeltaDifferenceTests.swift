import Assemblage
import TestSupport
import Testing

@Suite struct DeltaDifferenceTests {
  struct Item: Hashable {
    var id: Int
    var version: Int
  }

  /// Checks everything that a difference promises, on elements one by one.
  private func check(_ old: [Item], _ new: [Item]) {
    let delta = Delta(from: old, to: new, by: \.id)
    let model = DeltaModel(delta, oldCount: old.count)
    #expect(model.newCount == new.count)
    var lastOrigin: [Int: Int] = [:]
    var survivors: [Int: Int] = [:]
    for (position, origin) in model.origins.enumerated() {
      guard let origin else { continue }
      #expect(old[origin].id == new[position].id)
      #expect(model.isUpdated[position] == (old[origin] != new[position]))
      #expect(lastOrigin[old[origin].id, default: -1] < origin, "equal ids are not matched in order")
      lastOrigin[old[origin].id] = origin
      survivors[old[origin].id, default: 0] += 1
    }
    for id in Set((old + new).map(\.id)) {
      let common = min(old.count { $0.id == id }, new.count { $0.id == id })
      #expect(survivors[id, default: 0] == common, "a survivor is reported removed")
    }
    #expect(delta.moves.reduce(0) { $0 + $1.source.count } == model.fewestMoved)
    #expect(delta == model.delta)
    #expect(delta.applying(to: old) { new[$0] } == new)
  }

  @Test func allShortSequences() {
    // Every pair of sequences over two ids, up to length 4: mostly duplicates.
    var sequences: [[Item]] = [[]]
    var last = sequences
    for _ in 0..<4 {
      last = last.flatMap { prefix in [0, 1].map { prefix + [Item(id: $0, version: 0)] } }
      sequences += last
    }
    for old in sequences {
      for new in sequences { check(old, new) }
    }
  }

  @Test func allPermutationsOfFive() {
    let old = (0..<5).map { Item(id: $0, version: 0) }
    func visit(_ prefix: [Item], _ rest: [Item]) {
      if rest.isEmpty { check(old, prefix) }
      for item in rest { visit(prefix + [item], rest.filter { $0 != item }) }
    }
    visit([], old)
  }

  @Test func randomSequences() {
    for iteration in 0..<TestSeed.iterations(150) {
      var generator = TestSeed.generator("delta/difference", iteration: iteration)
      let ids = [3, 20, 1_000].randomElement(using: &generator)!
      func sequence() -> [Item] {
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in
          Item(id: Int.random(in: 0..<ids, using: &generator), version: 0)
        }
      }
      let old = sequence()
      var new = iteration % 3 == 0 ? sequence() : old
      for _ in 0..<Int.random(in: 0...6, using: &generator) where !new.isEmpty {
        let position = new.indices.randomElement(using: &generator)!
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: new.remove(at: position)
        case 1: new.insert(Item(id: Int.random(in: 0..<ids, using: &generator), version: 0), at: position)
        case 2: new[position].version += 1
        default: new.insert(new.remove(at: position), at: new.indices.randomElement(using: &generator) ?? 0)
        }
      }
      check(old, new)
    }
  }

  @Test func elementsMayBeTheirOwnIds() {
    #expect(
      Delta(from: "abc", to: "caX")
        == Delta(
          removals: [1..<2], insertions: [2..<3], moves: [Delta.Move(from: 2..<3, to: 0..<1)]))
    #expect(Delta(from: [1, 2, 3], to: [1, 2, 3]).isEmpty)
    #expect(Delta(from: [], to: [1, 2]) == .insertion(0..<2))
    #expect(Delta(from: [1, 2], to: EmptyCollection()) == .removal(0..<2))
  }

  @Test func whatEqualMeansCanBeSaid() {
    let delta = Delta(from: [("a", 1), ("b", 2)], to: [("b", 2), ("a", 3)], by: { $0.0 }) { $0.1 == $1.1 }
    #expect(delta.updates == [1..<2])
    #expect(delta.moves.count == 1)
  }

  @Test func idsAreAskedForAFewTimesEach() {
    var calls = 0
    let old = Array(0..<1_000)
    _ = Delta(
      from: old, to: old.reversed(),
      by: {
        calls += 1
        return $0
      })
    #expect(calls <= 4_004)
  }
}
