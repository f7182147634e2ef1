/// A leaf of the tree under a tree index: 30 events, their number, and the link to its parent.
enum ShapeLeaf: BlockLayout {
  static var byteCount: Int { 128 }
  static var capacity: Int { 30 }
  static var countLane: Int { 30 }
  static var linkLane: Int { 31 }
}

/// An inner node of the tree under a tree index: up to 16 children with the sum of each.
///
/// | bytes | what |
/// |---|---|
/// | 0 | 16 numbers of elements |
/// | 128 | 16 numbers of elements on the lowest level |
/// | 256 | 16 excesses |
/// | 320 | 16 lowest levels |
/// | 384 | the children's numbers |
/// | 448 | the node's link, the number of children |
enum ShapeNode: BlockLayout {
  static var byteCount: Int { 512 }
  static var capacity: Int { 16 }
}

/// An inner node. `@safe`: slots are below the capacity.
@safe
struct ShapeNodeView {
  let lanes: Lanes
  let words: Words

  private static var lowCounts: Int { 16 }
  private static var excesses: Int { 64 }
  private static var lows: Int { 80 }
  private static var children: Int { 96 }
  private static var linkLane: Int { 112 }
  private static var countLane: Int { 113 }

  @inline(__always)
  var count: Int {
    get { Int(lanes[Self.countLane]) }
    nonmutating set { lanes[Self.countLane] = Int32(truncatingIfNeeded: newValue) }
  }

  /// See `ShapeLink`.
  @inline(__always)
  var link: ShapeLink {
    get { ShapeLink(bits: UInt32(bitPattern: lanes[Self.linkLane])) }
    nonmutating set { lanes[Self.linkLane] = Int32(bitPattern: newValue.bits) }
  }

  @inline(__always)
  func elements(_ slot: Int) -> Int { Int(bitPattern: UInt(words[slot])) }
  @inline(__always)
  func lowCount(_ slot: Int) -> Int { Int(bitPattern: UInt(words[slot &+ Self.lowCounts])) }
  @inline(__always)
  func excess(_ slot: Int) -> Int32 { lanes[slot &+ Self.excesses] }
  @inline(__always)
  func low(_ slot: Int) -> Int32 { lanes[slot &+ Self.lows] }
  @inline(__always)
  func child(_ slot: Int) -> UInt32 { UInt32(bitPattern: lanes[slot &+ Self.children]) }

  @inline(__always)
  func sum(_ slot: Int) -> ShapeSum {
    ShapeSum(elements: elements(slot), lowCount: lowCount(slot), excess: excess(slot), low: low(slot))
  }

  @inline(__always)
  func set(_ slot: Int, _ sum: ShapeSum) {
    words[slot] = UInt64(bitPattern: Int64(sum.elements))
    words[slot &+ Self.lowCounts] = UInt64(bitPattern: Int64(sum.lowCount))
    lanes[slot &+ Self.excesses] = sum.excess
    lanes[slot &+ Self.lows] = sum.low
  }

  @inline(__always)
  func set(_ slot: Int, child: UInt32) { lanes[slot &+ Self.children] = Int32(bitPattern: child) }

  /// The sum of all children.
  @inline(__always)
  var sum: ShapeSum {
    var sum = ShapeSum()
    for slot in 0..<count { sum.append(self.sum(slot)) }
    return sum
  }
}

/// Where a node hangs: a slot of an inner node, or as the root of a forest.
struct ShapeLink: Equatable {
  var bits: UInt32

  @inline(__always)
  init(bits: UInt32) { self.bits = bits }

  @inline(__always)
  init(parent: UInt32, slot: Int) { bits = parent << 4 | UInt32(truncatingIfNeeded: slot) }

  @inline(__always)
  init(forest: UInt32) { bits = forest | 0x8000_0000 }

  @inline(__always)
  var isForest: Bool { bits >= 0x8000_0000 }
  @inline(__always)
  var forest: UInt32 { bits & 0x7FFF_FFFF }
  @inline(__always)
  var parent: UInt32 { bits >> 4 }
  @inline(__always)
  var slot: Int { Int(bits & 15) }
}
