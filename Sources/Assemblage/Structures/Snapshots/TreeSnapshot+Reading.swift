import OffsetIndexing

extension TreeSnapshot: RandomAccessCollection {
  /// Always 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of the root's children.
  @inlinable public var endIndex: Int { count }

  /// The value of a child.
  ///
  /// - Parameter position: `0..<count`.
  /// - Precondition: there is such a child, and it has a value.
  /// - Complexity: that of the node's `element(at:)`, which is O(log n) in most nodes.
  @inlinable
  public subscript(position: Int) -> Element {
    guard let element = element(at: position) else { trapMissing(position) }
    return element
  }

  /// The value of a child; nil where the child has no value or does not exist.
  ///
  /// - Parameter position: any integer.
  /// - Returns: the value, or nil.
  /// - Complexity: as `subscript(position:)`.
  @inlinable
  public func element(at position: Int) -> Element? {
    guard position >= 0 && position < count else { return nil }
    return contents.element(at: shape == nil ? position : number(ofChild: position))
  }

  @usableFromInline
  func number(ofChild position: Int) -> Int {
    shape.map { $0.index.child(at: position, of: $0.branch).number } ?? position
  }

  /// Passes the children's values in order, in pieces that are contiguous in memory; children without a value are left
  /// out.
  ///
  /// - Parameters:
  ///   - range: the positions to visit, within `0..<count`.
  ///   - body: receives the position of a piece's first value, and the piece, which is never empty.
  /// - Complexity: O(log n + r) for r positions, where the node reads its children in order; O(r · log n) in another
  ///   order.
  @inlinable
  package func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "TreeSnapshot")
    guard let shape else { return contents.forEachSpan(in: range, body) }
    var position = range.lowerBound
    while position < range.upperBound {
      let numbers = shape.run(at: position, limit: range.upperBound)
      let shift = position &- numbers.lowerBound
      contents.forEachSpan(in: numbers) { body($0 &+ shift, $1) }
      position += numbers.count
    }
  }

  /// The children's values in order; children without a value are left out.
  ///
  /// - Complexity: O(n).
  @inlinable
  public var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    forEachSpan(in: 0..<count) { _, span in
      for index in span.indices { elements.append(span[index]) }
    }
    return elements
  }

  /// Iterates over the children's values, which are read in pieces.
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Element> { SpanIterator(self) }

  @usableFromInline @inline(never)
  func trapMissing(_ position: Int) -> Never {
    require(
      position >= 0 && position < count, "TreeSnapshot: the position \(position) is out of range 0..<\(count).")
    trap("TreeSnapshot: the child \(position) has no value, so it cannot be read as an element.")
  }
}

extension TreeSnapshot: SpanReadable {}
