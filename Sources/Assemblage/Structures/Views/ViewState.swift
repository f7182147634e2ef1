public import OffsetIndexing

/// The state of a view that shows children of one source.
@usableFromInline
protocol ViewState<Element>: NodeState, ~Copyable {
  /// Reads the source.
  var reader: NodeReader<Element> { get }

  /// The source position of a child, whose position the caller has checked.
  func sourcePosition(of position: Int) -> Int
}

extension ViewState where Self: ~Copyable {
  @inlinable
  func element(at position: Int) -> Element? {
    guard position >= 0, position < count else { return nil }
    return reader.element(at: sourcePosition(of: position))
  }

  @inlinable
  static func step(from block: inout ReadingBlock, of state: UnsafePointer<Self>) -> ReadingStep {
    let count = unsafe state.pointee.count
    block.replacePrefix { unsafe $0 >= 0 && $0 < count ? state.pointee.sourcePosition(of: $0) : -1 }
    return unsafe .source(state.pointee.reader.walkingPlace)
  }

  @usableFromInline
  var depth: Int { reader.depth + 1 }
}

/// The state of a view that shows the children of its source for which a bit is set, in the order of the source.
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
  static func step(from block: inout ReadingBlock, of state: UnsafePointer<Self>) -> ReadingStep {
    unsafe block.select(in: state.pointee.shown)
    return unsafe .source(state.pointee.reader.walkingPlace)
  }

  @inlinable
  static func forEachSpan(
    in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    guard !range.isEmpty else { return }
    let (shown, reader) = unsafe (state.pointee.shown, state.pointee.reader)
    let first = shown.select(range.lowerBound)
    let last = shown.select(range.upperBound - 1)
    unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: gatheringCapacity) { memory in
      var buffer = unsafe SpanBuffer<Element>(base: memory.baseAddress!, isBorrowing: true)
      var window = BitWindow(shown, last + 1)
      var rank = range.lowerBound
      var next = first
      reader.forEachSpan(in: first..<last + 1) { start, span in
        // Children without a value are visible, but have no place in a span.
        if start > next { rank += shown.rank(next..<start).count }
        next = start + span.count
        var position = start
        while position < next {
          let count = Swift.min(64, next &- position)
          let word = window.word(at: position, count)
          buffer.append(span, from: position &- start, word, count, rank: &rank, body)
          position &+= count
        }
        buffer.giveBack(body)
      }
      buffer.flush(body)
    }
  }
}

/// Reads words of an index's bits at ascending positions, with one descent for thousands of bits.
@usableFromInline
struct BitWindow {
  @usableFromInline let index: BitIndex
  /// Where the reading ends.
  @usableFromInline let end: Int
  /// The bits that have been read, and the position of the first one.
  @usableFromInline var run = BitRun(repeating: false, count: 0)
  @usableFromInline var start = 0

  @inlinable
  init(_ index: BitIndex, _ end: Int) {
    self.index = index
    self.end = end
  }

  /// Some bits, the first one lowest; the bits above them are zero.
  ///
  /// - Parameters:
  ///   - position: the position of the first bit, at or behind that of the last call.
  ///   - count: the number of bits, 1...64; they lie before `end`.
  /// - Returns: the bits.
  /// - Complexity: O(1) amortized; O(log n) where bits are skipped.
  @inlinable @inline(__always)
  mutating func word(at position: Int, _ count: Int) -> UInt64 {
    if position &+ count > start &+ run.count { move(to: position) }
    let offset = position &- start
    let shift = UInt64(truncatingIfNeeded: offset & 63)
    var word = run.word(offset &>> 6) &>> shift
    if shift > 0, offset & 63 &+ count > 64 { word |= run.word(offset &>> 6 &+ 1) &<< (64 &- shift) }
    return word & lowBits(count)
  }

  @usableFromInline
  mutating func move(to position: Int) {
    start = position
    run = index.bits(in: position..<Swift.min(position + 16_384, end))
  }
}
