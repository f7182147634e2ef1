import OffsetIndexing

// Reads, inserts, removes and replaces short runs of bits.
extension BitIndex {
  /// The bits of a range.
  func bits(in range: Range<Int>) -> BitRun {
    if range.count == 1 { return BitRun(word: self[range.lowerBound] ? 1 : 0, count: 1) }
    var words = [UInt64](repeating: 0, count: (range.count + 63) / 64)
    forEachWord(in: range) { position, word, count in
      let offset = position - range.lowerBound
      let shift = offset & 63
      words[offset >> 6] |= word << shift
      if shift + count > 64 { words[offset >> 6 + 1] |= word >> (64 - shift) }
    }
    return BitRun(words: words, count: range.count)
  }

  mutating func insert(_ bits: BitRun, at position: Int) {
    if bits.count == 1 {
      insert(bits.first == 1, at: position)
    } else {
      insert(words: bits.allWords, count: bits.count, at: position)
    }
  }

  mutating func remove(_ range: Range<Int>) {
    if range.count == 1 { remove(at: range.lowerBound) } else { removeSubrange(range) }
  }

  /// Replaces the bits of a range.
  ///
  /// - Complexity: O(log n + r / 64) for r bits.
  mutating func replace(_ range: Range<Int>, with bits: BitRun) {
    if range.isEmpty { return }
    if range.count == count {
      self = BitIndex(words: bits.allWords, count: bits.count)
    } else {
      remove(range)
      insert(bits, at: range.lowerBound)
    }
  }

  /// Moves the bits with their elements, and gives updated elements other bits.
  ///
  /// - Parameters:
  ///   - delta: the change of the elements.
  ///   - inserted: the bits of each range of `delta.insertions`.
  ///   - updated: the bits of each range of `delta.updates`.
  /// - Complexity: O(c · log n + k / 64) for c ranges of k elements.
  mutating func follow(_ delta: Delta, inserted: [BitRun], updated: [BitRun]) {
    follow(delta, inserted: inserted)
    for (range, bits) in zip(delta.updates, updated) { replace(range, with: bits) }
  }
}
