import TestSupport
import Testing

@testable import Assemblage

/// Pieces of a snapshot: shared arrays and copied elements.
@Suite struct SourcePieceTests {
  /// Both kinds of pieces give the same answers as the elements one by one, part by part, with and without a mask.
  @Test func partsAnswerAsElementsDo() {
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("source-pieces", iteration: iteration)
      let count = Int.random(in: 0...200, using: &generator)
      let numbers = (0..<count).map { _ in Int.random(in: 0..<10, using: &generator) }
      var slices: [ArraySlice<Int>] = []
      var start = 0
      while start < count {
        let end = Int.random(in: start + 1...count, using: &generator)
        slices.append(numbers[start..<end])
        start = end
      }
      var mask: BitRun?
      if Bool.random(using: &generator) {
        var bits = BitRun(repeating: false, count: count)
        for place in 0..<count { bits.set(place, to: Bool.random(using: &generator)) }
        mask = bits
      }
      // A child without a value has no row.
      let isValueless = (0..<count).map { _ in generator.chance(1, in: 8) }
      let rows = (0..<count).filter { !isValueless[$0] && mask?[$0] ?? true }.map { (numbers[$0], 50 + $0) }
      let range = 50..<50 + count
      let shared = SourcePiece(range, .shared(slices), among: mask)
      let copied = SourcePiece<Int>(range, .copied(rows), among: mask)
      for valueless in [false, true] {
        var verdicts = (BitRun(repeating: false, count: count), BitRun(repeating: false, count: count))
        var place = 0
        while place < count {
          let start = place
          let limit = Int.random(in: 1...40, using: &generator)
          var rest = limit
          shared.advance(&place, asking: &rest)
          #expect((start..<place).count { mask?[$0] ?? true } == limit - rest && (rest == 0 || place == count))
          shared.ask(start..<place, &verdicts.0, valueless: valueless) { $0 < 5 }
          copied.ask(start..<place, &verdicts.1, valueless: valueless) { $0 < 5 }
          var seen: [Int] = []
          shared.forEach(in: start..<place) { place, number in
            #expect(number == numbers[place])
            seen.append(place)
          }
          #expect(seen == Array(start..<place))
          seen = []
          copied.forEach(in: start..<place) { place, _ in seen.append(place) }
          #expect(seen == rows.map { $0.1 - 50 }.filter { (start..<place).contains($0) })
        }
        for place in 0..<count {
          let isAsked = mask?[place] ?? true
          #expect(verdicts.0[place] == (isAsked && numbers[place] < 5))
          #expect(verdicts.1[place] == (isAsked && (isValueless[place] ? valueless : numbers[place] < 5)))
        }
      }
    }
  }
}
