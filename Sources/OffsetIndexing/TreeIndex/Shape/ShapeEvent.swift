/// A step of a walk through a forest in document order, in 32 bits.
///
/// | top bits | event | the other bits |
/// |---|---|---|
/// | 0 | a run of leaves side by side | their number |
/// | 100 | the opening of a branch: its element, and a level down | the branch |
/// | 101 | the closing of a branch: a level up | the branch |
/// | 110 | a collapsed branch: its element | the branch |
/// | 111 | a run whose length does not fit in 31 bits | the number of its record, which has the length |
struct ShapeEvent: Equatable {
  var bits: UInt32

  enum Kind: UInt32 { case open = 4, close, collapsed, longRun }

  @inline(__always)
  init(bits: UInt32) { self.bits = bits }

  @inline(__always)
  init(_ kind: Kind, _ record: UInt32) { bits = kind.rawValue << 29 | record }

  /// A run of `length` leaves, in `1...longestRun`.
  @inline(__always)
  init(run length: Int) { bits = UInt32(truncatingIfNeeded: length) }

  static var longestRun: Int { Int(Int32.max) }

  /// The branch, or the record of a long run.
  @inline(__always)
  var record: UInt32 { bits & 0x1FFF_FFFF }

  @inline(__always)
  func isKind(_ kind: Kind) -> Bool { bits >> 29 == kind.rawValue }

  /// Whether the event is a run of leaves.
  @inline(__always)
  var isLeaves: Bool { bits >> 29 < Kind.open.rawValue || isKind(.longRun) }

  /// Whether the event is the element of a branch, open or collapsed.
  @inline(__always)
  var isBranch: Bool { isKind(.open) || isKind(.collapsed) }

  /// The change of the walk's level by the event: 1, 0 or -1.
  @inline(__always)
  var excess: Int32 { isKind(.open) ? 1 : isKind(.close) ? -1 : 0 }
}

/// The summary of a piece of the sequence of events.
///
/// Levels are counted from the piece's start. The sum of two neighbours is the summary of both. So the sequence can be
/// searched by number, by level and by position among siblings.
struct ShapeSum: Equatable {
  var elements = 0
  /// The number of elements on the lowest level.
  var lowCount = 0
  /// The number of openings minus the number of closings.
  var excess: Int32 = 0
  /// The lowest level of an element; `noLevel` where there is none.
  var low: Int32 = noLevel

  /// A level above every level. It stays above them after any excess has been added to it.
  static var noLevel: Int32 { 1 << 30 }

  @inline(__always)
  mutating func append(_ next: ShapeSum) {
    if next.elements != 0 { addElements(next.lowCount, onLevel: next.low &+ excess) }
    // If the number does not fit, it is negative. The code that sets the sum of the whole traps a negative number.
    elements &+= next.elements
    excess &+= next.excess
  }

  /// Counts elements on a level among the elements on the lowest level, if their level is not above the lowest. Does
  /// not change `elements`.
  @inline(__always)
  mutating func addElements(_ count: Int, onLevel level: Int32) {
    if level > low { return }
    lowCount = level == low ? lowCount &+ count : count
    low = level
  }

  /// Subtracts elements on a level from the elements on the lowest level, if their level is the lowest. If none is
  /// left, the lowest level has to be found again.
  @inline(__always)
  mutating func removeElements(_ count: Int, onLevel level: Int32) {
    if level == low { lowCount &-= count }
  }
}
