public import OffsetIndexing

/// The state of a view that shows children of one source.
@usableFromInline
protocol ViewState<Element>: NodeState, ~Copyable {
  /// Reads the source.
  var reader: NodeReader<Element> { get }

  /// The position of a child in the source; the child has been checked.
  func sourcePosition(of position: Int) -> Int
}

extension ViewState where Self: ~Copyable {
  @inlinable
  func element(at position: Int) -> Element? {
    guard position >= 0, position < count else { return nil }
    return reader.element(at: sourcePosition(of: position))
  }

  @inlinable
  func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? {
    guard position >= 0, position < count else { return nil }
    return (reader, sourcePosition(of: position))
  }

  @usableFromInline
  var depth: Int { reader.depth + 1 }
}

/// The state of a view that shows the children of its source for which a bit is set, in their order.
@usableFromInline
protocol BitsState<Element>: ViewState, ~Copyable {
  /// A bit for each child of the source.
  var shown: BitIndex { get }
}

extension BitsState where Self: ~Copyable {
  @inlinable
  var count: Int { shown.setCount }

  @inlinable
  func sourcePosition(of position: Int) -> Int { shown.select(position) }

  @inlinable
  static func forEachSpan(
    in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    guard !range.isEmpty else { return }
    let (shown, reader) = unsafe (state.pointee.shown, state.pointee.reader)
    let first = shown.select(range.lowerBound)
    let last = shown.select(range.upperBound - 1)
    unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: gatheringCapacity) { memory in
      var buffer = unsafe SpanBuffer<Element>(base: memory.baseAddress!)
      var rank = range.lowerBound
      var next = first
      reader.forEachSpan(in: first..<last + 1) { start, span in
        // Children without a value are visible, but have no place in a span.
        if start > next { rank += shown.rank(next..<start).count }
        next = start + span.count
        shown.forEachWord(in: start..<next) { position, word, count in
          buffer.append(span, from: position &- start, word, count, rank: &rank, body)
        }
      }
      buffer.flush(body)
    }
  }
}
