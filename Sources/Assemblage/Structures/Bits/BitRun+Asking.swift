// The loop over elements that asks a predicate. It is inlinable, so that it is specialized for the element where a
// filter is made.

extension BitRun {
  /// Asks a predicate about the elements of a span, and sets the bits of those that pass.
  ///
  /// The answers are gathered into a word without a branch on them: on unpredictable data a mispredicted branch would cost
  /// more than the predicate.
  ///
  /// - Parameters:
  ///   - span: the elements.
  ///   - first: where the bit of the first one is; these bits are clear.
  ///   - mask: which of the run's bits need an answer; nil for all.
  ///   - predicate: the predicate.
  /// - Throws: what the predicate throws.
  @inlinable @inline(__always)
  mutating func ask<Element, Failure: Error>(
    about span: Span<Element>, from first: Int, among mask: BitRun?, _ predicate: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let count = span.count
    try span.withLender { (lender) throws(Failure) in
      try ask(about: lender, count, from: first, among: mask, predicate)
    }
  }

  @inlinable @inline(__always)
  mutating func ask<Element, Failure: Error>(
    about elements: borrowing Lender<Element>, _ count: Int, from first: Int, among mask: BitRun?,
    _ predicate: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    var index = 0
    while index < count {
      let place = first &+ index
      let shift = place & 63
      let length = Swift.min(64 &- shift, count &- index)
      var word: UInt64 = 0
      if let mask {
        var rest = (mask.word(place &>> 6) &>> UInt64(truncatingIfNeeded: shift)) & lowBits(length)
        countCalls(rest.nonzeroBitCount)
        while rest != 0 {
          let bit = rest.trailingZeroBitCount
          rest &= rest &- 1
          word |= (try elements.lend(index &+ bit, to: predicate) ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
        }
      } else {
        countCalls(length)
        for bit in 0..<length {
          word |= (try elements.lend(index &+ bit, to: predicate) ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
        }
      }
      add(word &<< UInt64(truncatingIfNeeded: shift), at: place &>> 6)
      index &+= length
    }
  }

  /// Sets a range of bits, as far as they are needed.
  @inlinable
  mutating func set(_ range: Range<Int>, among mask: BitRun?) {
    for place in range where mask?[place] ?? true {
      add(1 &<< UInt64(truncatingIfNeeded: place & 63), at: place &>> 6)
    }
  }
}
