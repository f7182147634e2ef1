// The loop that asks a predicate about elements. It is inlinable, so that it is specialized for the element where a
// client makes a filter.

extension BitRun {
  /// Asks a predicate about the elements of a span, and sets the bits of the elements that pass.
  ///
  /// The answers are gathered into a word without a branch on an answer: on unpredictable data a mispredicted branch
  /// would cost more than the predicate.
  ///
  /// - Parameters:
  ///   - span: the elements.
  ///   - first: the index of the first element's bit; the bits of the elements are clear before the call.
  ///   - mask: which of the run's bits need an answer; nil for all.
  ///   - predicate: the predicate.
  /// - Throws: the error of the predicate.
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

  /// Sets the bits of a range that a mask has; all where the mask is nil.
  @inlinable
  mutating func set(_ range: Range<Int>, among mask: BitRun?) {
    for place in range where mask?[place] ?? true {
      add(1 &<< UInt64(truncatingIfNeeded: place & 63), at: place &>> 6)
    }
  }
}
