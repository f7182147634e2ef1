/// A leaf of the tree under a tree index: 30 events, their number, and the link to its parent.
enum ShapeLeaf: BlockLayout {
  static var byteCount: Int { 128 }
  static var capacity: Int { 30 }
  static var countLane: Int { 30 }
  static var linkLane: Int { 31 }

  // No branch below depends on the events. So the processor can begin the next look-up before the memory of this
  // look-up has arrived. The lanes of the count and of the link, and the lanes beyond the count, are never counted.

  /// The slot of an event in its leaf: the first lane that is equal to the event.
  @inline(__always)
  static func slot(of event: ShapeEvent, _ lanes: Lanes) -> Int {
    let wanted = SIMD4<Int32>(repeating: Int32(bitPattern: event.bits))
    let none = SIMD4<Int32>(repeating: 31)
    var least = none
    for vector in 0..<8 {
      let slots = slots(of: vector)
      least = pointwiseMin(least, none.replacing(with: slots, where: lanes[vector: vector &* 4] .== wanted))
    }
    return Int(least.min())
  }

  /// The change of level by the events before a slot.
  @inline(__always)
  static func excess(before slot: Int, _ lanes: Lanes) -> Int32 {
    let end = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: slot))
    let zero = SIMD4<Int32>(repeating: 0)
    let one = SIMD4<Int32>(repeating: 1)
    var sum = zero
    for vector in 0..<8 {
      let kinds = lanes[vector: vector &* 4] &>> 29
      let isBefore = slots(of: vector) .< end
      sum &+= zero.replacing(with: one, where: isBefore .& (kinds .== -4))
      sum &-= zero.replacing(with: one, where: isBefore .& (kinds .== -3))
    }
    return sum.wrappedSum()
  }

  /// The number of elements in the events before a slot; nil where the runs are too long to be added up in 32 bits.
  @inline(__always)
  static func elements(before slot: Int, _ lanes: Lanes) -> Int? {
    let end = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: slot))
    let zero = SIMD4<Int32>(repeating: 0)
    let one = SIMD4<Int32>(repeating: 1)
    var sum = zero
    var union = zero
    for vector in 0..<8 {
      let events = lanes[vector: vector &* 4]
      // The lowest bit of the kind is 0 for openings and collapsed branches, and 1 for closings and long runs.
      let branches = one &- (events &>> 29 & one)
      let isBefore = slots(of: vector) .< end
      let counts = zero.replacing(with: branches.replacing(with: events, where: events .>= zero), where: isBefore)
      sum &+= counts
      let isLong = isBefore .& (events &>> 29 .== -1)
      union |= counts.replacing(with: Int32.max, where: isLong)
    }
    return union.max() < 1 << 25 ? Int(sum.wrappedSum()) : nil
  }

  @inline(__always)
  private static func slots(of vector: Int) -> SIMD4<Int32> {
    SIMD4<Int32>(0, 1, 2, 3) &+ Int32(truncatingIfNeeded: vector &* 4)
  }
}

/// An inner node of the tree under a tree index: up to 16 children with the sum of each.
///
/// | bytes | content |
/// |---|---|
/// | 0 | 16 numbers of elements |
/// | 128 | 16 numbers of elements on the lowest level |
/// | 256 | 16 excesses |
/// | 320 | 16 lowest levels |
/// | 384 | the children's numbers |
/// | 448 | the node's link, the number of children |
enum ShapeNode: InnerLayout {
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

  /// The link of the node. See `ShapeLink`.
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

  /// The number of elements in the children before a slot.
  @inline(__always)
  func elements(before slot: Int) -> Int {
    var sum: UInt64 = 0
    for other in 0..<ShapeNode.capacity { sum &+= other < slot ? words[other] : 0 }
    return Int(truncatingIfNeeded: sum)
  }

  /// The change of level by the children before a slot.
  @inline(__always)
  func excess(before slot: Int) -> Int32 {
    let end = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: slot))
    let zero = SIMD4<Int32>(repeating: 0)
    var sum = zero
    for vector in 0..<4 {
      let first = Int32(truncatingIfNeeded: vector &* 4)
      let isBefore = SIMD4<Int32>(first, first &+ 1, first &+ 2, first &+ 3) .< end
      sum &+= zero.replacing(with: lanes[vector: Self.excesses &+ vector &* 4], where: isBefore)
    }
    return sum.wrappedSum()
  }

  /// The sum of all children.
  @inline(__always)
  var sum: ShapeSum {
    var sum = ShapeSum()
    for slot in 0..<count { sum.append(self.sum(slot)) }
    return sum
  }
}

/// The place where a node hangs: a slot of an inner node, or the root of a forest.
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
