/// What has values by position, and passes them in pieces that are contiguous in memory: a node, or a snapshot of one.
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

/// Iterates over values that are read in pieces: one first, then two, four, up to 256 at a time.
///
/// It asks for the count at each piece, because a node may change meanwhile.
@usableFromInline
struct SpanIterator<Source: SpanReadable> {
  @usableFromInline let source: Source
  /// The values that were read last, and how many of them have been passed on.
  @usableFromInline var piece: [Source.Element] = []
  @usableFromInline var passed = 0
  /// The position of the first of them.
  @usableFromInline var start = 0

  @inlinable
  init(_ source: Source) { self.source = source }

  @inlinable
  mutating func next() -> Source.Element? {
    if passed == piece.count { read() }
    guard passed < piece.count else { return nil }
    defer { passed += 1 }
    return piece[passed]
  }

  @inlinable
  mutating func read() {
    start += piece.count
    let length = Swift.min(Swift.max(1, 2 * piece.count), gatheringCapacity, source.count - start)
    piece = []
    passed = 0
    guard length > 0 else { return }
    var values: [Source.Element] = []
    values.reserveCapacity(length)
    source.forEachSpan(in: start..<start + length) { position, span in
      if position > start + values.count { source.trapMissing(start + values.count) }
      for index in span.indices { values.append(span[index]) }
    }
    if values.count < length { source.trapMissing(start + values.count) }
    piece = values
  }
}

extension SpanIterator: Sendable where Source: Sendable, Source.Element: Sendable {}
