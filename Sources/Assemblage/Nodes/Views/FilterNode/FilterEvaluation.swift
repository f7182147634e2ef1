// The loops over elements. They are inlinable, so that they are specialized for the element where a filter is made.

/// Asks a predicate about a range of a node's children, a word of 64 at a time.
///
/// The answers are gathered into a word without a branch on them: on unpredictable data a mispredicted branch would cost
/// more than the predicate.
///
/// - Parameters:
///   - reader: reads the node.
///   - range: the positions to ask about.
///   - mask: which of them need an answer; nil for all. The answer on others is false.
///   - predicate: the predicate. Children without a value pass.
/// - Returns: a bit for each position of the range.
@inlinable @inline(__always)
func evaluate<Element>(
  _ reader: NodeReader<Element>, _ range: Range<Int>, _ mask: BitRun?, _ predicate: (Element) -> Bool
) -> BitRun {
  guard !range.isEmpty else { return BitRun(word: 0, count: 0) }
  let needed = mask?.allWords
  var words = [UInt64](repeating: 0, count: (range.count + 63) / 64)
  // How far the answers reach; what lies between two pieces has no value.
  var next = 0
  // The indexes below are those of the span, so they need no check each.
  reader.forEachSpan(in: range) { start, span in
    let first = start &- range.lowerBound
    if first > next { setBits(&words, next..<first, needed) }
    next = first &+ span.count
    var index = 0
    while index < span.count {
      let place = first &+ index
      let shift = place & 63
      let length = Swift.min(64 &- shift, span.count &- index)
      var word: UInt64 = 0
      if let needed {
        var rest = (needed[place &>> 6] &>> UInt64(truncatingIfNeeded: shift)) & lowBits(length)
        countCalls(rest.nonzeroBitCount)
        while rest != 0 {
          let bit = rest.trailingZeroBitCount
          rest &= rest &- 1
          word |= (unsafe predicate(span[unchecked: index &+ bit]) ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
        }
      } else {
        countCalls(length)
        for bit in 0..<length {
          word |= (unsafe predicate(span[unchecked: index &+ bit]) ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
        }
      }
      words[place &>> 6] |= word &<< UInt64(truncatingIfNeeded: shift)
      index &+= length
    }
  }
  if next < range.count { setBits(&words, next..<range.count, needed) }
  return BitRun(words: words, count: range.count)
}

/// Sets a range of bits, as far as they are needed.
@inlinable
func setBits(_ words: inout [UInt64], _ range: Range<Int>, _ needed: [UInt64]?) {
  for place in range {
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place & 63)
    words[place >> 6] |= needed.map { $0[place >> 6] & bit } ?? bit
  }
}
