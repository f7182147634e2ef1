public import OffsetIndexing

extension SnapshotContents {
  /// The number of children.
  @inlinable
  var count: Int {
    switch self {
    case .elements(let elements): elements.count
    case .sparse(_, let isThere): isThere.count
    case .layer(let layer): layer.mapping.count
    }
  }

  /// The number of layers through which a value is read.
  @usableFromInline
  var depth: Int { if case .layer(let layer) = self { layer.depth } else { 0 } }

  /// The value of a child, whose position the caller has checked; nil where the child has no value.
  @inlinable
  func element(at position: Int) -> Element? {
    guard case .layer(var layer) = self else { return own(at: position) }
    var position = position
    while true {
      let (source, offset) = layer.mapping.place(of: position)
      position = offset
      guard case .layer(let next) = layer.sources[source] else { return layer.sources[source].own(at: position) }
      layer = next
    }
  }

  /// The same for contents that are no layer.
  @inlinable
  func own(at position: Int) -> Element? {
    switch self {
    case .elements(let elements): elements[position]
    case .sparse(let elements, let isThere): isThere[position] ? elements[isThere.rank(position)] : nil
    case .layer: nil
    }
  }

  /// Passes the values of a range in contiguous pieces; children without a value are left out.
  ///
  /// The caller has checked the range.
  @inlinable
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    guard !range.isEmpty else { return }
    switch self {
    case .elements(let elements): elements.forEachSpan(in: range, body)
    case .sparse: gatherSpans(in: range, body) { own(at: $0) }
    case .layer(let layer):
      // Each layer costs a nested call, so this is not done for thousands of layers.
      if layer.depth > callingDepth { return gatherSpans(in: range, body) { element(at: $0) } }
      layer.forEachSpan(in: range, body)
    }
  }

  /// Passes the values of a range in order; nil for a child without a value.
  ///
  /// The caller has checked the range.
  @inlinable
  func forEachValue(in range: Range<Int>, _ body: (Element?) -> Void) {
    var next = range.lowerBound
    forEachSpan(in: range) { start, span in
      for _ in next..<start { body(nil) }
      for index in span.indices { body(span[index]) }
      next = start + span.count
    }
    for _ in next..<range.upperBound { body(nil) }
  }

  /// The values of a range that the caller has checked; nil where a child has no value.
  @inlinable
  func values(in range: Range<Int>) -> [Element]? {
    var values: [Element] = []
    values.reserveCapacity(range.count)
    forEachSpan(in: range) { _, span in
      for index in span.indices { values.append(span[index]) }
    }
    return values.count == range.count ? values : nil
  }
}

extension SnapshotLayer {
  @inlinable
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    switch mapping {
    case .join(let offsets):
      var (index, offset) = offsets.locate(range.lowerBound)
      var position = range.lowerBound
      while position < range.upperBound {
        let length = Swift.min(sources[index].count &- offset, range.upperBound &- position)
        let (start, shift) = (position, position &- offset)
        if length > 0 { sources[index].forEachSpan(in: offset..<offset &+ length) { body($0 &+ shift, $1) } }
        position = start &+ length
        index &+= 1
        offset = 0
      }
    case .window(let window):
      let shift = window.lowerBound
      sources[0].forEachSpan(in: range.lowerBound &+ shift..<range.upperBound &+ shift) { body($0 &- shift, $1) }
    case .bits(let bits):
      // The same code reads a filter.
      let state = SnapshotBits(shown: bits, reader: sourceReader)
      unsafe withUnsafePointer(to: state) { unsafe SnapshotBits.forEachSpan(in: range, of: $0, body) }
    case .order, .section:
      let positions = mapping.sourcePositions(of: range)
      let source = sources[0]
      gatherSpans(in: range, body) { source.element(at: positions[$0 &- range.lowerBound]) }
    }
  }

  /// Reads the only source; valid as long as the caller keeps the layer alive.
  @inlinable
  var sourceReader: NodeReader<Element> {
    unsafe NodeReader(
      place: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()),
      NodeReader.Functions(
        // The place is the address of the layer that calls these functions.
        element: { place, position in
          unsafe Unmanaged<SnapshotLayer>.fromOpaque(place).takeUnretainedValue().sources[0].element(at: position)
        },
        spans: { place, range, body in
          unsafe Unmanaged<SnapshotLayer>.fromOpaque(place).takeUnretainedValue().sources[0].forEachSpan(
            in: range, body)
        },
        step: { place, block in
          let source = unsafe Unmanaged<SnapshotLayer>.fromOpaque(place).takeUnretainedValue().sources[0]
          return .values(ReadValues((0..<block.count).map { source.element(at: block[$0]) }))
        }))
  }
}

/// The bits of a layer, and a reader of its source.
@usableFromInline
struct SnapshotBits<Element>: BitsState {
  @usableFromInline let shown: BitIndex
  @usableFromInline let reader: NodeReader<Element>

  @inlinable
  init(shown: BitIndex, reader: NodeReader<Element>) {
    self.shown = shown
    self.reader = reader
  }
}
