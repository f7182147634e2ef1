import TestSupport
import Testing

@testable import AssemblageTesting

@Suite struct SeededGeneratorTests {
  @Test func yieldsThePublishedNumbers() {
    var generator = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func rangesReachBothEndsAndEmptiness() {
    var generator = SeededGenerator(seed: 3)
    var seen: Set<Range<Int>> = []
    for _ in 0..<1_000 { seen.insert(generator.range(in: 4)) }
    #expect(seen == Set(Exhaustive.subranges(of: 4)))
    #expect((0..<100).allSatisfy { _ in generator.range(in: 10, longest: 2).count <= 2 })
    #expect(generator.range(in: 0) == 0..<0)
  }

  @Test func chanceIsAsOftenAsItSays() {
    var generator = SeededGenerator(seed: 4)
    let hits = (0..<3_000).count { _ in generator.chance(1, in: 3) }
    #expect((900...1_100).contains(hits))
  }

  @Test func scriptsDifferByTestIterationAndSeedOnly() {
    func first(_ test: String, _ iteration: Int, _ seed: UInt64) -> UInt64 {
      var generator = TestSeed.generator(test, iteration: iteration, seed: seed)
      return generator.next()
    }
    #expect(first("a", 0, 1) == first("a", 0, 1))
    #expect(Set([first("a", 0, 1), first("b", 0, 1), first("a", 1, 1), first("a", 0, 2)]).count == 4)
  }
}
