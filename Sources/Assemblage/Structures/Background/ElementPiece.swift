public import Synchronization

/// Some of a node's elements, to be asked about elsewhere, once.
///
/// Where they stand in arrays that can be shared, these are shared: that costs the node's domain nothing for each element. Else
/// they are copied out.
@usableFromInline
final class ElementPiece<Element: Sendable>: Sendable {
  /// The elements; who asks takes them, so that they are released elsewhere too.
  @usableFromInline let contents: Mutex<Contents>

  /// Which places of the range are asked about.
  @usableFromInline let mask: BitRun

  @usableFromInline
  enum Contents {
    /// All elements of the range, in order.
    case shared([ArraySlice<Element>])
    /// The elements at some places of the range, in order; the others have no value, or are not in the mask.
    case copied([Element], places: BitRun)
  }

  @usableFromInline
  init(_ contents: sending Contents, _ mask: BitRun) {
    self.contents = Mutex(contents)
    self.mask = mask
  }

  /// Copies elements out.
  ///
  /// - Parameters:
  ///   - reader: reads the node.
  ///   - range: the positions.
  ///   - mask: which of them are wanted.
  @inlinable @inline(__always)
  convenience init(copying reader: NodeReader<Element>, _ range: Range<Int>, _ mask: BitRun) {
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
    self.init(.copied(elements, places: places), mask)
  }

  /// Asks a predicate about the elements, which are released meanwhile.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - valueless: the answer on children without a value.
  /// - Returns: a bit for each position of the range; those outside the mask are clear.
  /// - Throws: what the predicate throws, and a `CancellationError` where the task has been cancelled.
  @inlinable @inline(__always)
  func takeVerdicts(of predicate: (Element) throws -> Bool, valueless: Bool) throws -> BitRun {
    let contents = contents.withLock { contents in
      let taken = contents
      contents = .shared([])
      return taken
    }
    switch contents {
    case .shared(let slices):
      var verdicts = BitRun(repeating: false, count: mask.count)
      var place = 0
      for slice in slices {
        try Task.checkCancellation()
        try verdicts.ask(about: slice.span, from: place, among: mask, predicate)
        place &+= slice.count
      }
      return verdicts
    case .copied(let elements, let places):
      return try verdicts(elements, places, valueless, predicate)
    }
  }

  @inlinable @inline(__always)
  func verdicts(
    _ elements: [Element], _ places: BitRun, _ valueless: Bool, _ predicate: (Element) throws -> Bool
  ) throws -> BitRun {
    var verdicts = BitRun(repeating: false, count: mask.count)
    var next = 0
    for index in 0..<(mask.count &+ 63) / 64 {
      if index & 15 == 0 { try Task.checkCancellation() }
      var rest = places.word(index)
      var word = valueless ? mask.word(index) & ~rest : 0
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
