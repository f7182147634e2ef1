/// A short-lived sequence of bits, for example the verdicts of a predicate on a range of elements.
///
/// Up to 64 bits need no allocation, because most edits touch one element.
@usableFromInline
package struct BitRun: Sendable {
  /// The number of bits, at least 0.
  @usableFromInline package let count: Int

  /// All bits where there are up to 64, and zeros above them; not used where there are more.
  @usableFromInline var first: UInt64

  /// All words where there are more than 64 bits, bit i in word i / 64; empty otherwise.
  @usableFromInline var words: [UInt64]

  /// Creates a run of up to 64 bits.
  @inlinable
  init(word: UInt64, count: Int) {
    self.count = count
    first = word
    words = []
  }

  /// Creates a run from words; bits beyond `count` are zero.
  @inlinable
  package init(words: [UInt64], count: Int) {
    self.count = count
    first = words.first ?? 0
    self.words = count > 64 ? words : []
  }

  @inlinable
  package subscript(index: Int) -> Bool {
    let word = count <= 64 ? first : words[index &>> 6]
    return (word &>> UInt64(truncatingIfNeeded: index & 63)) & 1 == 1
  }

  /// All words.
  @inlinable
  package var allWords: [UInt64] { count > 64 ? words : [first] }

  /// The word with the bits from 64 · `index` on.
  @inlinable
  func word(_ index: Int) -> UInt64 { count <= 64 ? first : words[index] }

  /// Sets bits in the word with the bits from 64 · `index` on: the bits that are set in another word.
  @inlinable
  mutating func add(_ word: UInt64, at index: Int) {
    if count <= 64 { first |= word } else { words[index] |= word }
  }

  /// A run of equal bits.
  @inlinable
  package init(repeating bit: Bool, count: Int) {
    if count <= 64 {
      self.init(word: bit ? lowBits(count) : 0, count: count)
      return
    }
    var words = [UInt64](repeating: bit ? ~0 : 0, count: (count + 63) / 64)
    if count & 63 != 0 { words[words.count - 1] &= lowBits(count & 63) }
    self.init(words: words, count: count)
  }
}

/// A word whose lowest `count` bits are set, 0...64 of them.
@inlinable
func lowBits(_ count: Int) -> UInt64 {
  count >= 64 ? ~0 : (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
}

extension BitRun {
  /// The run with every bit flipped.
  func inverted() -> BitRun {
    var words = allWords.map { ~$0 }
    if count & 63 != 0 || count == 0 { words[words.count - 1] &= lowBits(count & 63) }
    return BitRun(words: words, count: count)
  }

  /// Sets the bits that are set in a run of the same length.
  package mutating func formUnion(_ other: BitRun) {
    self = BitRun(words: zip(allWords, other.allWords).map { $0 | $1 }, count: count)
  }

  /// Clears the bits that are clear in a run of the same length.
  package mutating func formIntersection(_ other: BitRun) {
    self = BitRun(words: zip(allWords, other.allWords).map { $0 & $1 }, count: count)
  }

  /// The bits of a range.
  subscript(range: Range<Int>) -> BitRun {
    var part = BitRun(repeating: false, count: range.count)
    part.set(0..<range.count, from: self, at: range.lowerBound)
    return part
  }

  /// Copies the bits of a run of the same length where a mask is set.
  mutating func take(_ other: BitRun, where mask: BitRun) {
    if count <= 64 {
      first = first & ~mask.first | other.first & mask.first
    } else {
      for index in words.indices {
        words[index] = words[index] & ~mask.words[index] | other.words[index] & mask.words[index]
      }
    }
  }

  /// Copies bits of another run, from a place on, to a range whose bits are clear.
  mutating func set(_ range: Range<Int>, from source: BitRun, at start: Int) {
    var position = range.lowerBound
    while position < range.upperBound {
      let place = start + position - range.lowerBound
      // As many bits as lie in one word on both sides.
      let length = min(range.upperBound - position, 64 - (place & 63), 64 - (position & 63))
      let bits = (source.word(place >> 6) >> UInt64(place & 63)) & lowBits(length)
      add(bits << UInt64(position & 63), at: position >> 6)
      position += length
    }
  }

  /// Sets one bit.
  @inlinable
  mutating func set(_ index: Int, to bit: Bool) {
    let mask: UInt64 = 1 << UInt64(index & 63)
    if count <= 64 {
      first = bit ? first | mask : first & ~mask
    } else {
      words[index >> 6] = bit ? words[index >> 6] | mask : words[index >> 6] & ~mask
    }
  }

  /// The number of bits that are set.
  package var setCount: Int {
    count <= 64 ? first.nonzeroBitCount : words.reduce(0) { $0 + $1.nonzeroBitCount }
  }
}

/// Collects the ranks of chosen bits among all set bits, word by word, as maximal ranges.
struct RankedRuns {
  private(set) var runs: [Range<Int>] = []
  private var rank: Int

  init(start: Int) { rank = start }

  /// Adds the bits of `chosen`, a subset of `all`, by their rank among the bits of `all`.
  mutating func append(_ chosen: UInt64, among all: UInt64) {
    defer { rank += all.nonzeroBitCount }
    guard chosen != 0 else { return }
    if chosen == all { return add(rank..<rank + all.nonzeroBitCount) }
    var rest = chosen
    while rest != 0 {
      let bit = rest & (0 &- rest)
      let position = rank + (all & (bit - 1)).nonzeroBitCount
      add(position..<position + 1)
      rest ^= bit
    }
  }

  private mutating func add(_ range: Range<Int>) {
    RangeLists.append(range, to: &runs)
  }
}
