/// The number of values that are copied together if a node's values are not in one piece of memory.
///
/// 256 values of 8 bytes fill a sixteenth of a 32 KiB first-level cache. The cost of one call to the body is shared by
/// 256 values.
@usableFromInline let gatheringCapacity = 256

/// A piece of memory in which values are gathered into contiguous spans.
///
/// The buffer either owns the values, or borrows them. Borrowed values are bare copies of the bytes: the buffer passes
/// them on before their owner releases them (see `Lender`).
@safe
@usableFromInline
struct SpanBuffer<Element> {
  // The caller owns the memory, which outlives every use; `count` elements are initialized.
  @usableFromInline let base: UnsafeMutablePointer<Element>
  /// Whether the buffer borrows the values.
  @usableFromInline let isBorrowing: Bool
  @usableFromInline var count = 0
  /// The position of the first value in the buffer.
  @usableFromInline var start = 0

  /// Creates a buffer.
  ///
  /// - Parameters:
  ///   - base: the memory, of `gatheringCapacity` values.
  ///   - isBorrowing: whether all values are read from spans, and are passed on while these spans are valid. Then the
  ///     buffer borrows the values, if their type `isLendable`.
  @inlinable
  init(base: UnsafeMutablePointer<Element>, isBorrowing: Bool = false) {
    unsafe self.base = base
    self.isBorrowing = isBorrowing && isLendable(Element.self)
  }

  /// Adds the value of `position` to the span, or starts a new span if the position is not the next one; the buffer
  /// owns the value.
  @inlinable
  mutating func append(
    _ element: Element, at position: Int, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    if count == gatheringCapacity || position != start &+ count { flush(body) }
    if count == 0 { start = position }
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }

  /// Passes on the gathered values.
  @inlinable
  mutating func flush(_ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    guard count > 0 else { return }
    unsafe body(start, UnsafeBufferPointer(start: base, count: count).span)
    if !isBorrowing { unsafe base.deinitialize(count: count) }
    count = 0
  }

  /// Passes on the borrowed values, before their owner may release them.
  @inlinable
  mutating func giveBack(_ body: (_ start: Int, _ span: Span<Element>) -> Void) { if isBorrowing { flush(body) } }
}

extension SpanBuffer {
  /// Adds the values of a span whose bits are set, and counts their ranks.
  ///
  /// - Parameters:
  ///   - span: the values.
  ///   - offset: the index in the span that belongs to the lowest bit.
  ///   - word: a bit for each value: whether to add the value.
  ///   - count: the number of the word's bits in use, 1...64.
  ///   - rank: the position of the next value; advanced.
  ///   - body: receives the gathered values.
  @inlinable
  mutating func append(
    _ span: Span<Element>, from offset: Int, _ word: UInt64, _ count: Int, rank: inout Int,
    _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    if word == 0 { return }
    if word == ~0 {
      // A whole word is long enough to be passed on without a copy.
      flush(body)
      body(rank, span.extracting(offset..<offset &+ 64))
      rank &+= 64
      return
    }
    if self.count > gatheringCapacity &- 64 || rank != start &+ self.count { flush(body) }
    if self.count == 0 { start = rank }
    var rest = word
    var length = self.count
    if isBorrowing {
      unsafe span.withUnsafeBufferPointer { elements in
        let elements = unsafe elements.baseAddress! + offset
        while rest != 0 {
          unsafe UnsafeMutableRawPointer(base + length).copyMemory(
            from: elements + rest.trailingZeroBitCount, byteCount: MemoryLayout<Element>.size)
          rest &= rest &- 1
          length &+= 1
        }
      }
    } else {
      while rest != 0 {
        unsafe (base + length).initialize(to: span[unchecked: offset &+ rest.trailingZeroBitCount])
        rest &= rest &- 1
        length &+= 1
      }
    }
    rank &+= length &- self.count
    self.count = length
  }
}

/// Passes the values that `element` gives for a range of positions, gathered into spans.
@inlinable
func gatherSpans<Element>(
  in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void, from element: (Int) -> Element?
) {
  unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: gatheringCapacity) { memory in
    var buffer = unsafe SpanBuffer<Element>(base: memory.baseAddress!)
    for position in range {
      countElements()
      if let value = element(position) { buffer.append(value, at: position, body) }
    }
    buffer.flush(body)
  }
}
