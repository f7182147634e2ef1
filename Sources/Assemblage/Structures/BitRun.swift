/// A short-lived sequence of bits: what a predicate says of a range of elements.
///
/// Up to 64 bits need no allocation, because most edits touch one element.
@usableFromInline
struct BitRun {
  /// The number of bits, at least 0.
  @usableFromInline let count: Int

  /// The bits 0..<64, the rest of the word zero; not used where there are more.
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
  init(words: [UInt64], count: Int) {
    self.count = count
    first = words.first ?? 0
    self.words = count > 64 ? words : []
  }

  @inlinable
  subscript(index: Int) -> Bool {
    let word = count <= 64 ? first : words[index &>> 6]
    return (word &>> UInt64(truncatingIfNeeded: index & 63)) & 1 == 1
  }

  /// All words.
  @inlinable
  var allWords: [UInt64] { count > 64 ? words : [first] }
}

/// A word whose lowest `count` bits are set, 0...64 of them.
@inlinable
func lowBits(_ count: Int) -> UInt64 {
  count >= 64 ? ~0 : (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
}
