/// An integer in which the nodes of an ``OffsetIndex`` keep sums, with what the nodes do to groups of them.
///
/// A group is eight or sixteen sums in ascending order, next to each other in memory at an address that is a
/// multiple of 16. Every operation touches all its lanes without a branch: a loop that stops early costs a
/// mispredicted branch, which is dearer than all the lanes.
///
/// The implementations for `Int16` and `Int32` are written with vectors of 128 bits, which every processor of
/// the supported platforms has. A comparison gives a vector of −1 and 0, which is added up as it is. The
/// operands' types are spelled out: where they are left to inference, the generic operators may be chosen,
/// which compare one lane after the other.
///
/// All of it works on raw memory, hence the `unsafe` marks: the callers pass pointers to whole groups inside
/// a node's block.
protocol SumLane: FixedWidthInteger, SignedInteger, Sendable {
  /// Returns the last of eight lanes that is not above `key`. Lane 0 must not be above it.
  static func rank8(_ lanes: UnsafeMutablePointer<Self>, _ key: Self) -> Int

  /// Returns the last of sixteen lanes that is not above `key`. Lane 0 must not be above it.
  static func rank16(_ lanes: UnsafeMutablePointer<Self>, _ key: Self) -> Int

  /// Adds `delta` to those of eight lanes that come after `lane`.
  static func add8(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>)

  /// Adds `delta` to those of sixteen lanes that come after `lane`.
  static func add16(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>)

  /// Moves those of eight lanes that come after `lane` up by one, with `delta` added:
  /// `lanes[j] = lanes[j - 1] + delta`.
  static func open8(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>)

  /// Does the same as `open8` after lane 0, which must hold zero.
  static func openAll8(_ delta: Self, _ lanes: UnsafeMutablePointer<Self>)

  /// Moves those of eight lanes that come after `lane` down by one, with `delta` added:
  /// `lanes[j] = lanes[j + 1] + delta`, and `last + delta` in lane 7.
  static func close8(_ delta: Self, after lane: Int, last: Self, _ lanes: UnsafeMutablePointer<Self>)

  /// Does the same as `close8` after lane 0, which holds zero and becomes `lanes[1] + delta`, which must be
  /// zero.
  static func closeAll8(_ delta: Self, last: Self, _ lanes: UnsafeMutablePointer<Self>)
}

extension SumLane {
  /// Returns the last of `count` lanes that is not above `key`.
  ///
  /// The sign of the difference counts the lanes above: a comparison would be compiled to a jump. Lane 0 may
  /// be negative, so that its difference would overflow; it is not above `key` anyway.
  @inline(__always)
  private static func rank(_ count: Int, _ lanes: UnsafeMutablePointer<Self>, _ key: Self) -> Int {
    var above: Self = 0
    for lane in 1..<count { unsafe above &+= (key &- lanes[lane]) >> (Self.bitWidth - 1) }
    return count &- 1 &+ Int(truncatingIfNeeded: above)
  }

  @inline(__always) static func rank8(_ lanes: UnsafeMutablePointer<Self>, _ key: Self) -> Int {
    unsafe rank(8, lanes, key)
  }

  @inline(__always) static func rank16(_ lanes: UnsafeMutablePointer<Self>, _ key: Self) -> Int {
    unsafe rank(16, lanes, key)
  }

  @inline(__always)
  static func add8(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>) {
    for other in 1..<8 { unsafe lanes[other] &+= other > lane ? delta : 0 }
  }

  @inline(__always)
  static func add16(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>) {
    for other in 1..<16 { unsafe lanes[other] &+= other > lane ? delta : 0 }
  }

  @inline(__always)
  static func open8(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>) {
    var other = 7
    while other > lane {
      unsafe lanes[other] = unsafe lanes[other - 1] &+ delta
      other -= 1
    }
  }

  @inline(__always)
  static func close8(_ delta: Self, after lane: Int, last: Self, _ lanes: UnsafeMutablePointer<Self>) {
    guard lane < 7 else { return }
    var other = lane + 1
    while other < 7 {
      unsafe lanes[other] = unsafe lanes[other + 1] &+ delta
      other += 1
    }
    unsafe lanes[7] = last &+ delta
  }
}

extension SumLane {
  @inline(__always) static func openAll8(_ delta: Self, _ lanes: UnsafeMutablePointer<Self>) {
    unsafe open8(delta, after: 0, lanes)
  }

  @inline(__always)
  static func closeAll8(_ delta: Self, last: Self, _ lanes: UnsafeMutablePointer<Self>) {
    unsafe close8(delta, after: 0, last: last, lanes)
  }
}

extension Int64: SumLane {}

extension Int32: SumLane {
  /// Four lanes, and −1 in each that is above `key`.
  @inline(__always)
  private static func above(_ lanes: UnsafeMutablePointer<Int32>, _ first: Int, _ key: SIMD4<Int32>) -> SIMD4<
    Int32
  > {
    let four = unsafe UnsafeRawPointer(lanes + first).load(as: SIMD4<Int32>.self)
    return unsafe unsafeBitCast(four .> key, to: SIMD4<Int32>.self)
  }

  @inline(__always) static func rank8(_ lanes: UnsafeMutablePointer<Int32>, _ key: Int32) -> Int {
    let key = SIMD4(repeating: key)
    let sum = unsafe above(lanes, 0, key) &+ above(lanes, 4, key)
    return 7 &+ Int(sum.wrappedSum())
  }

  @inline(__always) static func rank16(_ lanes: UnsafeMutablePointer<Int32>, _ key: Int32) -> Int {
    let key = SIMD4(repeating: key)
    let low = unsafe above(lanes, 0, key) &+ above(lanes, 4, key)
    let high = unsafe above(lanes, 8, key) &+ above(lanes, 12, key)
    return 15 &+ Int((low &+ high).wrappedSum())
  }

  /// Adds to four lanes, beginning at `first`, those of `delta` that come after `lane`.
  @inline(__always)
  private static func add4(
    _ delta: SIMD4<Int32>, _ first: Int32, _ lane: SIMD4<Int32>, _ lanes: UnsafeMutablePointer<Int32>
  ) {
    let place = unsafe UnsafeMutableRawPointer(lanes + Int(first)).assumingMemoryBound(to: SIMD4<Int32>.self)
    let after = SIMD4<Int32>(first, first + 1, first + 2, first + 3) .> lane
    unsafe place.pointee = unsafe place.pointee &+ (delta & unsafeBitCast(after, to: SIMD4<Int32>.self))
  }

  @inline(__always)
  static func add8(_ delta: Int32, after lane: Int, _ lanes: UnsafeMutablePointer<Int32>) {
    let delta = SIMD4(repeating: delta)
    let lane = SIMD4(repeating: Int32(truncatingIfNeeded: lane))
    unsafe add4(delta, 0, lane, lanes)
    unsafe add4(delta, 4, lane, lanes)
  }

  @inline(__always)
  static func add16(_ delta: Int32, after lane: Int, _ lanes: UnsafeMutablePointer<Int32>) {
    let delta = SIMD4(repeating: delta)
    let lane = SIMD4(repeating: Int32(truncatingIfNeeded: lane))
    unsafe add4(delta, 0, lane, lanes)
    unsafe add4(delta, 4, lane, lanes)
    unsafe add4(delta, 8, lane, lanes)
    unsafe add4(delta, 12, lane, lanes)
  }
}

extension Int16: SumLane {
  /// −1 in those of eight lanes that come after `lane`.
  @inline(__always) private static func mask(after lane: Int) -> SIMD8<Int16> {
    let numbers = SIMD8<Int16>(0, 1, 2, 3, 4, 5, 6, 7)
    let lane = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: lane))
    let after = numbers .> lane
    return unsafe unsafeBitCast(after, to: SIMD8<Int16>.self)
  }

  @inline(__always) static func rank8(_ lanes: UnsafeMutablePointer<Int16>, _ key: Int16) -> Int {
    let eight = unsafe UnsafeRawPointer(lanes).load(as: SIMD8<Int16>.self)
    let key = SIMD8<Int16>(repeating: key)
    let above = unsafe unsafeBitCast(eight .> key, to: SIMD8<Int16>.self)
    return 7 &+ Int(above.wrappedSum())
  }

  @inline(__always)
  static func add8(_ delta: Int16, after lane: Int, _ lanes: UnsafeMutablePointer<Int16>) {
    let place = unsafe UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: SIMD8<Int16>.self)
    unsafe place.pointee = unsafe place.pointee &+ (SIMD8<Int16>(repeating: delta) & mask(after: lane))
  }

  @inline(__always)
  static func open8(_ delta: Int16, after lane: Int, _ lanes: UnsafeMutablePointer<Int16>) {
    // Lane −1 lies in the same block, because a leaf begins with its bases; what it holds is masked away.
    let place = unsafe UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: SIMD8<Int16>.self)
    let moved =
      unsafe UnsafeRawPointer(lanes - 1).loadUnaligned(as: SIMD8<Int16>.self)
      &+ SIMD8<Int16>(repeating: delta)
    let old = unsafe place.pointee
    // Not `(moved & mask) | (old & ~mask)`, which the compiler takes apart lane by lane.
    unsafe place.pointee = old ^ ((moved ^ old) & mask(after: lane))
  }

  @inline(__always)
  static func openAll8(_ delta: Int16, _ lanes: UnsafeMutablePointer<Int16>) {
    let place = unsafe UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: SIMD8<Int16>.self)
    let moved =
      unsafe UnsafeRawPointer(lanes - 1).loadUnaligned(as: SIMD8<Int16>.self)
      &+ SIMD8<Int16>(repeating: delta)
    unsafe place.pointee = moved & SIMD8<Int16>(0, -1, -1, -1, -1, -1, -1, -1)
  }

  /// Eight lanes, moved down by one, with `last` in lane 7 and `delta` added to each.
  ///
  /// The standard library has no shift across lanes, but this becomes one.
  @inline(__always)
  private static func movedDown(_ old: SIMD8<Int16>, _ delta: Int16, _ last: Int16) -> SIMD8<Int16> {
    SIMD8<Int16>(old[1], old[2], old[3], old[4], old[5], old[6], old[7], last)
      &+ SIMD8<Int16>(repeating: delta)
  }

  @inline(__always)
  static func close8(_ delta: Int16, after lane: Int, last: Int16, _ lanes: UnsafeMutablePointer<Int16>) {
    let place = unsafe UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: SIMD8<Int16>.self)
    let old = unsafe place.pointee
    unsafe place.pointee = old ^ ((movedDown(old, delta, last) ^ old) & mask(after: lane))
  }

  @inline(__always)
  static func closeAll8(_ delta: Int16, last: Int16, _ lanes: UnsafeMutablePointer<Int16>) {
    let place = unsafe UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: SIMD8<Int16>.self)
    unsafe place.pointee = unsafe movedDown(place.pointee, delta, last)
  }
}
