// The loops over elements. They are inlinable, so that they are specialized for the element where a filter is made.

/// Asks a predicate about a range of a node's children, a word of 64 at a time.
///
/// - Parameters:
///   - reader: reads the node.
///   - range: the positions to ask about.
///   - mask: which of them need an answer; nil for all. The answer on others is false.
///   - valueless: the answer on children without a value.
///   - predicate: the predicate.
/// - Returns: a bit for each position of the range.
@inlinable @inline(__always)
func evaluate<Element>(
  _ reader: NodeReader<Element>, _ range: Range<Int>, _ mask: BitRun?, valueless: Bool = true,
  _ predicate: (Element) -> Bool
) -> BitRun {
  var run = BitRun(repeating: false, count: range.count)
  if range.isEmpty { return run }
  // How far the answers reach; what lies between two pieces has no value.
  var next = 0
  reader.forEachSpan(in: range) { start, span in
    let first = start &- range.lowerBound
    if valueless && first > next { run.set(next..<first, among: mask) }
    next = first &+ span.count
    run.ask(about: span, from: first, among: mask, predicate)
  }
  if valueless && next < range.count { run.set(next..<range.count, among: mask) }
  return run
}

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
