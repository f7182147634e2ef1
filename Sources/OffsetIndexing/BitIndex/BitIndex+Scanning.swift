extension BitIndex {
  /// Passes the bits of `range` a word at a time, as fast as they can be read.
  ///
  /// Every bit of the range is passed exactly once, in ascending order. The cuts between the words are the
  /// structure's own and are not multiples of 64.
  ///
  /// ```swift
  /// BitIndex([true, false, true]).forEachWord(in: 1..<3) { position, word, count in
  ///   print(position, word, count)                     // 1 2 2
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - range: positions within `0..<count`; of an empty range nothing is passed.
  ///   - body: gets the position of the word's lowest bit, the bits, and how many they are (1...64); the bits above
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
  ///   - range: positions within `0..<count`; runs are cut at its ends.
  ///   - body: gets each run, in ascending order. Runs are not empty and don't touch one another.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k / 64 + r), n = `count`, k the length of `range`, r the number of runs.
  public func forEachSetRange(in range: Range<Int>, _ body: (Range<Int>) -> Void) {
    checkRange(range)
    // The run that reaches the end of what was read; empty where there is none.
    var open = range.lowerBound..<range.lowerBound
    forEachWord(in: range) { position, word, count in
      // Beyond each word's runs of ones, whole words included, lie its runs of zeros.
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
