import OffsetIndexing

/// One bit for each child of a node: a word while there are up to 64, and a `BitIndex` beyond.
///
/// Most nodes of a tree have few children; these need no memory of their own.
@usableFromInline
struct ChildBits: ShownBits {
  private var word: UInt64 = 0
  private var wordCount = 0
  /// All bits, once there have been more than 64: one index, or none. An array, because most nodes have no index, and
  /// should not keep room for one.
  private var large: [BitIndex] = []

  init() {}

  /// Creates the bits of a run.
  init(_ run: BitRun) {
    if run.count <= 64 {
      word = run.first
      wordCount = run.count
    } else {
      large = [BitIndex(words: run.allWords, count: run.count)]
    }
  }

  /// The number of bits.
  var count: Int { isSmall ? wordCount : large[0].count }

  private var isSmall: Bool { large.isEmpty }

  /// The number of bits that are set.
  var setCount: Int { isSmall ? word.nonzeroBitCount : large[0].setCount }

  subscript(position: Int) -> Bool {
    get {
      if !isSmall { return large[0][position] }
      return (word >> UInt64(position)) & 1 == 1
    }
    set {
      if !isSmall { return large[0][position] = newValue }
      let bit: UInt64 = 1 << UInt64(position)
      if newValue { word |= bit } else { word &= ~bit }
    }
  }

  /// The number of set bits before a position, `0...count`.
  ///
  /// - Complexity: O(log n).
  func rank(_ position: Int) -> Int {
    if !isSmall { return large[0].rank(position) }
    return (word & lowBits(position)).nonzeroBitCount
  }

  func rank(_ range: Range<Int>) -> Range<Int> { rank(range.lowerBound)..<rank(range.upperBound) }

  /// The position of a set bit, by its number among the set bits, `0..<setCount`.
  ///
  /// - Complexity: O(log n).
  func select(_ rank: Int) -> Int {
    if !isSmall { return large[0].select(rank) }
    var rest = word
    for _ in 0..<rank { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }

  /// The bits of a range.
  func bits(in range: Range<Int>) -> BitRun {
    guard !isSmall else {
      return BitRun(word: (word >> UInt64(range.lowerBound)) & lowBits(range.count), count: range.count)
    }
    return large[0].bits(in: range)
  }

  /// Whether the bits equal the bits of a run of the same length.
  func isEqual(to run: BitRun) -> Bool { isSmall ? word == run.first : bits(in: 0..<count).allWords == run.allWords }

  mutating func insert(_ run: BitRun, at position: Int) {
    if isSmall, wordCount + run.count > 64 {
      large = [BitIndex(words: [word], count: wordCount)]
      (word, wordCount) = (0, 0)
    }
    if !isSmall { return large[0].insert(run, at: position) }
    let low = word & lowBits(position)
    let high = position == 64 ? 0 : word >> UInt64(position)
    let end = position + run.count
    word = low | (position == 64 ? 0 : run.first << UInt64(position)) | (end == 64 ? 0 : high << UInt64(end))
    wordCount += run.count
  }

  mutating func remove(_ range: Range<Int>) {
    if !isSmall { return large[0].remove(range) }
    let high = range.upperBound == 64 ? 0 : word >> UInt64(range.upperBound)
    word = (word & lowBits(range.lowerBound)) | (range.lowerBound == 64 ? 0 : high << UInt64(range.lowerBound))
    wordCount -= range.count
  }
}
