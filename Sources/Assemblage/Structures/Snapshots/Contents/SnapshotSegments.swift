import OffsetIndexing

/// A run of children of a snapshot, identified by its place in memory.
///
/// Runs with equal places hold the same elements: as long as a snapshot exists, its arrays are not written.
@usableFromInline
struct SnapshotSegment {
  /// The address and the count of a piece of an array, and the bits of all filters above it; nil where no place
  /// identifies the elements.
  @usableFromInline var place: [UInt]?
  @usableFromInline var count: Int
}

extension SnapshotContents {
  /// The runs of a range of children.
  ///
  /// - Complexity: O(c) for c chunks, and the words of their bits.
  @usableFromInline
  func segments(in range: Range<Int>) -> [SnapshotSegment] {
    if range.isEmpty { return [] }
    switch self {
    case .elements(let elements):
      var segments: [SnapshotSegment] = []
      elements.forEachSpan(in: range) { _, span in
        let address = unsafe span.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        segments.append(SnapshotSegment(place: [address, UInt(span.count)], count: span.count))
      }
      return segments
    case .sparse:
      return [SnapshotSegment(place: nil, count: range.count)]
    case .layer(let layer):
      // Each layer costs a nested call, so this is not done for thousands of layers.
      return layer.depth > callingDepth
        ? [SnapshotSegment(place: nil, count: range.count)] : layer.segments(in: range)
    }
  }
}

extension SnapshotLayer {
  fileprivate func segments(in range: Range<Int>) -> [SnapshotSegment] {
    switch mapping {
    case .order, .section: return [SnapshotSegment(place: nil, count: range.count)]
    case .window(let window):
      return sources[0].segments(in: range.lowerBound + window.lowerBound..<range.upperBound + window.lowerBound)
    case .join(let offsets):
      var segments: [SnapshotSegment] = []
      var (index, offset) = offsets.locate(range.lowerBound)
      var position = range.lowerBound
      while position < range.upperBound {
        let length = Swift.min(sources[index].count - offset, range.upperBound - position)
        segments += sources[index].segments(in: offset..<offset + length)
        position += length
        index += 1
        offset = 0
      }
      return segments
    case .bits(let bits):
      let start = bits.select(range.lowerBound)
      let end = bits.select(range.upperBound - 1) + 1
      var segments: [SnapshotSegment] = []
      var position = start
      for segment in sources[0].segments(in: start..<end) {
        let run = bits.bits(in: position..<position + segment.count)
        position += segment.count
        let count = run.allWords.reduce(0) { $0 + $1.nonzeroBitCount }
        if count == 0 { continue }
        // The number of bits is not added: it follows from the place before them.
        let place = segment.place.map { $0 + run.allWords.map { UInt(truncatingIfNeeded: $0) } }
        segments.append(SnapshotSegment(place: place, count: count))
      }
      return segments
    }
  }
}

/// Finds the runs of two snapshots that are at the same place, and the runs that are left.
@usableFromInline
struct SharedSegments {
  /// A run of children, and its position in the other snapshot; nil where the run is not found there.
  @usableFromInline
  struct Run {
    @usableFromInline var range: Range<Int>
    @usableFromInline var former: Int?
  }

  /// All runs after the change, in order.
  @usableFromInline private(set) var present: [Run] = []
  /// The runs before the change that are not found after it, in order.
  @usableFromInline private(set) var left: [Range<Int>] = []

  @usableFromInline
  init(_ old: [SnapshotSegment], _ new: [SnapshotSegment]) {
    // A run without a place equals no other run: it gets a key of one word, and a place has at least two.
    let delta = Delta(
      from: old.indices.map { old[$0].place ?? [UInt($0)] }, to: new.indices.map { new[$0].place ?? [~UInt($0)] })
    let (oldRanges, newRanges) = (Self.ranges(of: old), Self.ranges(of: new))
    present = newRanges.map { Run(range: $0) }
    var isLeft = [Bool](repeating: true, count: old.count)
    for piece in delta.pieces(oldCount: old.count) {
      for offset in 0..<piece.count {
        present[piece.new + offset].former = oldRanges[piece.old + offset].lowerBound
        isLeft[piece.old + offset] = false
      }
    }
    left = oldRanges.indices.filter { isLeft[$0] }.map { oldRanges[$0] }
  }

  private static func ranges(of segments: [SnapshotSegment]) -> [Range<Int>] {
    var end = 0
    return segments.map { segment in
      defer { end += segment.count }
      return end..<end + segment.count
    }
  }
}
