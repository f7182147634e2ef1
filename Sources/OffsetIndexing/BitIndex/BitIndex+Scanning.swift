extension BitIndex {
  /// Passes the bits of `range` a word at a time, as fast as they can be read.
  ///
  /// Every bit of the range is passed exactly once, in ascending order. The structure decides where the words are cut.
  /// The cuts are not at multiples of 64.
  ///
  /// ```swift
  /// BitIndex([true, false, true]).forEachWord(in: 1..<3) { position, word, count in
  ///   print(position, word, count)                     // 1 2 2
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - range: positions within `0..<count`. An empty range passes no bits.
  ///   - body: receives the position of the word's lowest bit, the bits, and their number (1...64). The bits above them
  ///     are zero.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k / 64), n = `count`, k the length of `range`.
  public func forEachWord(
    in range: Range<Int>, _ body: (_ position: Int, _ word: UInt64, _ count: Int) -> Void
  ) {
    checkRange(range)
    tree.forEachLeaf(in: range) { leaf, covered in
      leaf.forEachWord(in: covered.clamped(to: range), start: covered.lowerBound, body)
    }
  }

  /// Passes the maximal runs of set bits inside `range`.
  ///
  /// ```swift
  /// BitIndex([true, true, false, true]).forEachSetRange(in: 1..<4) { print($0) }   // 1..<2, then 3..<4
  /// ```
  ///
  /// - Parameters:
  ///   - range: positions within `0..<count`. Runs are cut at the ends of the range.
  ///   - body: receives each run, in ascending order. Runs are not empty and don't touch one another.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k / 64 + r), n = `count`, k the length of `range`, r the number of runs.
  public func forEachSetRange(in range: Range<Int>, _ body: (Range<Int>) -> Void) {
    checkRange(range)
    // The run that reaches the end of the bits read so far; empty where there is none.
    var open = range.lowerBound..<range.lowerBound
    forEachWord(in: range) { position, word, count in
      // This loop passes each word's runs of zeros and ones in turn. A whole word of ones is one run.
      var left = word
      var offset = 0
      while left != 0 {
        let zeros = left.trailingZeroBitCount
        left = left &>> UInt64(zeros)
        let ones = (~left).trailingZeroBitCount
        offset += zeros
        if open.upperBound == position + offset && !open.isEmpty {
          open = open.lowerBound..<open.upperBound + ones
        } else {
          if !open.isEmpty { body(open) }
          open = position + offset..<position + offset + ones
        }
        offset += ones
        left = ones == 64 ? 0 : left &>> UInt64(ones)
      }
    }
    if !open.isEmpty { body(open) }
  }
}
