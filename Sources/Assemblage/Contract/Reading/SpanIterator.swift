/// A node, or a snapshot of one: it has values by position, and passes them in pieces that are contiguous in memory.
@usableFromInline
protocol SpanReadable<Element> {
  associatedtype Element

  /// The number of positions.
  var count: Int { get }

  /// Passes the values of a range in order; positions without a value are left out.
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void)

  /// Traps, because there is no value at a position.
  func trapMissing(_ position: Int) -> Never
}

/// Iterates over the values of a `FlatNode`, or of a snapshot.
///
/// The iterator reads one value first, then two, four, up to 256 at a time. If the node changes meanwhile, the iterator
/// still passes the values that it has read. The values after them are the node's present ones.
///
/// ```swift
/// var numbers = ArrayNode([3, 8]).makeIterator()
/// numbers.next()    // 3
/// numbers.next()    // 8
/// numbers.next()    // nil
/// ```
@usableFromInline
struct SpanIterator<Element>: IteratorProtocol {
  @usableFromInline let source: any SpanReadable<Element>
  /// The values that were read last, and the number of them that have been passed on.
  @usableFromInline var piece: [Element] = []
  @usableFromInline var passed = 0
  /// The position of the first value of the piece.
  @usableFromInline var start = 0

  @inlinable
  init(_ source: any SpanReadable<Element>) { self.source = source }

  /// The next value; nil at the end.
  ///
  /// - Precondition: the next child has a value.
  @inlinable
  mutating func next() -> Element? {
    if passed == piece.count { read() }
    guard passed < piece.count else { return nil }
    defer { passed += 1 }
    return piece[passed]
  }

  @inlinable
  mutating func read() {
    start += piece.count
    // The count is read again for each piece, because a node may change meanwhile.
    let length = Swift.min(Swift.max(1, 2 * piece.count), gatheringCapacity, source.count - start)
    piece = []
    passed = 0
    guard length > 0 else { return }
    var values: [Element] = []
    values.reserveCapacity(length)
    source.forEachSpan(in: start..<start + length) { position, span in
      if position > start + values.count { source.trapMissing(start + values.count) }
      for index in span.indices { values.append(span[index]) }
    }
    if values.count < length { source.trapMissing(start + values.count) }
    piece = values
  }
}

@available(*, unavailable)
extension SpanIterator: Sendable {}
