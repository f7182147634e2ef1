import TestSupport
import Testing

@Suite struct ExhaustiveTests {
  @Test func vectors() {
    #expect(Exhaustive.vectors(over: [0, 1], upTo: 2) == [[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]])
    #expect(Exhaustive.vectors(over: [0, 1, 2], upTo: 6).count == 1_093)
    #expect(Set(Exhaustive.vectors(over: [0, 1, 2], upTo: 6)).count == 1_093)
    #expect(Exhaustive.vectors(over: [Int](), upTo: 3) == [[]])
  }

  @Test func subrangesSubsetsPermutations() {
    #expect(Exhaustive.subranges(of: 2) == [0..<0, 0..<1, 0..<2, 1..<1, 1..<2, 2..<2])
    #expect(Exhaustive.subsets(of: 2) == [[], [0], [1], [0, 1]])
    #expect(Exhaustive.permutations(of: 3).count == 6)
    #expect(Exhaustive.permutations(of: 3).last == [2, 1, 0])
    #expect(Exhaustive.permutations(of: 0) == [[]])
  }

  @Test(arguments: 0...5) func editsAreAllDifferentAndLegal(count: Int) {
    let edits = Exhaustive.edits(count: count, longestInsertion: 2)
    #expect(Set(edits).count == edits.count)
    #expect(edits.count == 2 * (count + 1) + count * (count + 1) / 2 + count + count * max(0, count - 1))
    for edit in edits {
      var elements = Array(0..<count)
      edit.apply(to: &elements) { -1 }
      #expect(elements.count == count + edit.countChange, "\(edit)")
    }
  }

  @Test func pairsOfEditsAreLegal() {
    var pairs = 0
    Exhaustive.forEachPairOfEdits(count: 3) { first, second in
      var elements = Array(0..<3)
      first.apply(to: &elements) { -1 }
      second.apply(to: &elements) { -2 }
      pairs += 1
    }
    #expect(pairs > 300)
  }

  @Test func forestsAreCatalan() {
    #expect((0...6).map { Exhaustive.forests(count: $0).count } == [1, 1, 2, 5, 14, 42, 132])
    let forests = Exhaustive.forests(upTo: 5)
    #expect(Set(forests).count == forests.count)
    #expect(
      Exhaustive.forests(count: 3).map(\.description)
        == ["·(0 1 2)", "·(0 1(2))", "·(0(1) 2)", "·(0(1 2))", "·(0(1(2)))"])
  }

  @Test func randomEditsMakeEachKind() throws {
    var tally = OperationTally(kinds: ["insert", "remove", "update", "move"])
    var generator = SeededGenerator(seed: 9)
    var elements: [Int] = []
    for step in 0..<500 {
      let edit = SequenceEdit.random(count: elements.count, using: &generator)
      edit.apply(to: &elements) { step }
      tally.count(String(edit.description.prefix { $0 != " " }))
    }
    try tally.check(atLeast: 50)
  }
}
