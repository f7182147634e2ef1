import OffsetIndexing
import TestSupport
import Testing

/// Cases that the scripts of `BitIndexTests` don't reach: conformances, sizes, traps.
@Suite struct BitIndexUnitTests: MisuseSuite {
  @Test func theExamplesOfTheDocumentationHold() {
    var visible = BitIndex([true, false, true, true])
    #expect(visible.rank(3) == 2)
    #expect(visible.select(2) == 3)
    visible.insert(true, at: 0)
    #expect(visible == BitIndex([true, true, false, true, true]))
    visible.toggle(1..<4)
    #expect(visible == BitIndex([true, false, true, false, true]))
    #expect(visible.select(1) == 2)
    #expect(BitIndex(repeating: true, count: 3).select(2) == 2)
    #expect(BitIndex(repeating: true, count: 0).isEmpty)
    #expect(BitIndex(words: [0b1011], count: 3) == BitIndex([true, true, false]))
    #expect(BitIndex([true, false, true]).rank(1..<3) == 1..<2)
    var three = BitIndex([true, true, true])
    three.updateEachWord(in: 1..<3) { _, _, _ in 0b10 }
    #expect(three == BitIndex([true, false, true]))
    var words: [[Int]] = []
    BitIndex([true, false, true]).forEachWord(in: 1..<3) { words.append([$0, Int($1), $2]) }
    #expect(words == [[1, 2, 2]])
    var runs: [Range<Int>] = []
    BitIndex([true, true, false, true]).forEachSetRange(in: 1..<4) { runs.append($0) }
    #expect(runs == [1..<2, 3..<4])
  }

  @Test func equalityIsThatOfTheBitsAndNotOfTheShape() {
    for iteration in 0..<TestSeed.iterations(20) {
      var random = TestSeed.generator("BitIndexUnitTests/equality", iteration: iteration)
      let bits = (0..<Int.random(in: 1...3000, using: &random)).map { _ in Bool.random(using: &random) }
      let built = BitIndex(bits)
      var grown = BitIndex(leafCapacity: .random(in: 2...200, using: &random), fanOut: 5)
      for bit in bits { grown.append(bit) }
      #expect(built == grown)
      // First another bit, then another order of the same number of set bits.
      let place = Int.random(in: 0..<bits.count, using: &random)
      grown.toggle(at: place)
      #expect(built != grown)
      if let other = bits.firstIndex(where: { $0 == grown[place] }) {
        grown.toggle(at: other)
        #expect(built.setCount == grown.setCount)
        #expect(built != grown)
      }
    }
    #expect(BitIndex() == BitIndex(repeating: true, count: 0))
  }

  @Test func theDescriptionIsShortAndTheShapeIsNot() {
    #expect("\(BitIndex([true, false]))" == "BitIndex(10)")
    #expect("\(BitIndex())" == "BitIndex()")
    #expect("\(BitIndex(repeating: true, count: 70))".hasSuffix("… 70 of 70 set)"))
    #expect(BitIndex(repeating: true, count: 2000).debugShape.contains("height 1, 3 leaves"))
  }

  @Test func aMillionBitsTakeAtMostOnePointThreeBitsEach() {
    for count in [1 << 20, 1_000_000, 1 << 21] {
      let index = BitIndex(repeating: true, count: count)
      #expect(index.byteCount * 80 <= count * 13, "\(index.byteCount) bytes for \(count) bits")
      #expect(index.setCount == count)
    }
  }

  @Test func sequencesAppendedBitByBitAreNearlyFull() {
    var index = BitIndex()
    for bit in 0..<12_000 { index.append(bit % 3 == 0) }
    // Each leaf is at least seven eighths full, and memory grows by thirds.
    #expect(index.byteCount * 8 < 12_000 * 25 / 10)
    #expect(index.setCount == 4000)
    index.checkInvariants()
  }

  @Test func bitsThatComeAndGoAtOnePlaceLeaveTheTreeBalanced() {
    var index = BitIndex(repeating: false, count: 2000)
    for _ in 0..<2000 { index.insert(true, at: 1000) }
    index.checkInvariants()
    #expect(index.setCount == 2000)
    for _ in 0..<3999 { index.remove(at: index.count / 3) }
    index.checkInvariants()
    #expect(index.count == 1)
    index.remove(at: 0)
    #expect(index.isEmpty)
    index.checkInvariants()
    index.append(true)
    #expect(index.select(0) == 0)
  }

  @Test func wordsAreInsertedAtAnyAlignment() {
    let words: [UInt64] = [0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, .max]
    for count in [1, 63, 64, 65, 127, 128, 129, 191, 192] {
      for place in [0, 1, 63, 64, 65, 500] {
        for size in [500, 5000] {
          var model = BitIndexModel((0..<size).map { $0 % 7 == 0 }, shape: nil)
          model.index.insert(words: words, count: count, at: place)
          let new = (0..<count).map { words[$0 / 64] >> UInt64($0 % 64) & 1 != 0 }
          model.bits.insert(contentsOf: new, at: place)
          #expect(Array(model.index) == model.bits, "\(count) bits at \(place) of \(size)")
          model.index.checkInvariants()
        }
      }
    }
  }

  @Test func editsWhileAScanRunsDontDisturbIt() {
    var index = BitIndex(repeating: true, count: 3000)
    var seen = 0
    index.forEachWord(in: 0..<3000) { _, word, _ in seen += word.nonzeroBitCount }
    let copy = index
    copy.forEachSetRange(in: 0..<3000) { index.removeSubrange(0..<$0.count) }
    #expect(seen == 3000)
    #expect(index.isEmpty)
    #expect(copy.setCount == 3000)
  }

  static let misuses = [
    Misuse("bit 3 is out of range 0..<3") { _ = BitIndex([true, true, true])[3] },
    Misuse("bit -1 is out of range 0..<1") {
      var index = BitIndex([true])
      index[-1] = false
    },
    Misuse("position 4 is out of range 0...3") { _ = BitIndex([true, true, true]).rank(4) },
    Misuse("position 4 is out of range 0...3") { _ = BitIndex([true, true, true]).rank(2..<4) },
    Misuse("set bit 2 is out of range 0..<2") { _ = BitIndex([true, false, true]).select(2) },
    Misuse("position 1 is out of range 0...0") {
      var index = BitIndex()
      index.insert(true, at: 1)
    },
    Misuse("bit 0 is out of range 0..<0") {
      var index = BitIndex()
      index.remove(at: 0)
    },
    Misuse("bit 0 is out of range 0..<0") {
      var index = BitIndex()
      index.toggle(at: 0)
    },
    Misuse("range 1..<3 is out of range 0..<2") {
      var index = BitIndex([true, true])
      index.removeSubrange(1..<3)
    },
    Misuse("range -1..<1 is out of range 0..<2") {
      var index = BitIndex([true, true])
      index.toggle(-1..<1)
    },
    Misuse("range 0..<1 is out of range 0..<0") { BitIndex().forEachWord(in: 0..<1) { _, _, _ in } },
    Misuse("cannot take 65 bits from 1 words of 64") { _ = BitIndex(words: [0], count: 65) },
    Misuse("cannot make or insert -1 bits") { _ = BitIndex(repeating: true, count: -1) },
    Misuse("0 and 2147483648 more are too many: at most 2147483647 bits fit in one index") {
      _ = BitIndex(repeating: true, count: 1 << 31)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
