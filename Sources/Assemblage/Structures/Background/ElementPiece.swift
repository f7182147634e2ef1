/// Some of a node's elements, copied out so that they can be asked about elsewhere.
@usableFromInline
struct ElementPiece<Element> {
  /// The elements, in order.
  @usableFromInline let elements: [Element]

  /// Where they stand in the range that they come from.
  @usableFromInline let places: BitRun

  /// The verdict on the children without a value.
  @usableFromInline let verdicts: BitRun

  /// Copies elements out.
  ///
  /// - Parameters:
  ///   - reader: reads the node.
  ///   - range: the positions.
  ///   - mask: which of them are wanted.
  @inlinable @inline(__always)
  init(_ reader: NodeReader<Element>, _ range: Range<Int>, _ mask: BitRun) {
    var elements: [Element] = []
    elements.reserveCapacity(range.count)
    var places = BitRun(repeating: false, count: range.count)
    reader.forEachSpan(in: range) { start, span in
      let first = start &- range.lowerBound
      for index in 0..<span.count where mask[first &+ index] {
        unsafe elements.append(span[unchecked: index])
        places.add(1 &<< UInt64(truncatingIfNeeded: (first &+ index) & 63), at: (first &+ index) &>> 6)
      }
    }
    self.elements = elements
    self.places = places
    // A child without a value passes.
    var verdicts = BitRun(repeating: false, count: range.count)
    if elements.count < range.count {
      for index in 0..<(range.count &+ 63) / 64 { verdicts.add(mask.word(index) & ~places.word(index), at: index) }
    }
    self.verdicts = verdicts
  }

  /// Asks a predicate about the elements.
  ///
  /// - Parameter predicate: the predicate.
  /// - Returns: a bit for each position of the range; those outside the mask are clear.
  /// - Throws: what the predicate throws, and a `CancellationError` where the task has been cancelled.
  @inlinable @inline(__always)
  func verdicts(of predicate: (Element) throws -> Bool) throws -> BitRun {
    var verdicts = verdicts
    var next = 0
    for index in 0..<(places.count &+ 63) / 64 {
      if index & 15 == 0 { try Task.checkCancellation() }
      var rest = places.word(index)
      var word: UInt64 = 0
      while rest != 0 {
        let bit = rest & (0 &- rest)
        rest ^= bit
        if try predicate(elements[next]) { word |= bit }
        next &+= 1
      }
      verdicts.add(word, at: index)
    }
    return verdicts
  }
}

extension ElementPiece: Sendable where Element: Sendable {}
