/// An integer type of the sums in the nodes of an ``OffsetIndex``, with the operations of the nodes on groups of sums.
///
/// A group is eight or sixteen sums in ascending order. They are next to each other in memory, at an address that is a
/// multiple of 16. Every operation works on all lanes without a branch. A loop that stops early costs a mispredicted
/// branch, and that costs more than the work on all lanes.
///
/// The implementations for `Int16` and `Int32` use vectors of 128 bits, which every processor of the supported
/// platforms has. A comparison gives a vector of −1 and 0, and these are added up without a conversion. The operands'
/// types are written in the code. Otherwise, type inference may choose the generic operators, which compare one lane
/// after the other.
///
/// All operations work on raw memory, and this is the reason of the `unsafe` marks. The callers pass pointers to whole
/// groups inside a node's block.
protocol SumLane: FixedWidthInteger, SignedInteger, Sendable {
  /// Returns the last of eight lanes that is not above `key`. Lane 0 must not be above it.
  static func rank8(_ lanes: UnsafeMutablePointer<Self>, _ key: Self) -> Int

  /// Returns the last of sixteen lanes that is not above `key`. Lane 0 must not be above it.
  static func rank16(_ lanes: UnsafeMutablePointer<Self>, _ key: Self) -> Int

  /// Adds `delta` to the lanes after `lane`, out of eight lanes.
  static func add8(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>)

  /// Adds `delta` to the lanes after `lane`, out of sixteen lanes.
  static func add16(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>)

  /// Moves the lanes after `lane`, out of eight lanes, up by one, with `delta` added:
  /// `lanes[j] = lanes[j - 1] + delta`.
  static func open8(_ delta: Self, after lane: Int, _ lanes: UnsafeMutablePointer<Self>)

  /// Does the same as `open8` after lane 0. Lane 0 must hold zero.
  static func openAll8(_ delta: Self, _ lanes: UnsafeMutablePointer<Self>)

  /// Moves the lanes after `lane`, out of eight lanes, down by one, with `delta` added:
  /// `lanes[j] = lanes[j + 1] + delta`, and `last + delta` in lane 7.
  static func close8(_ delta: Self, after lane: Int, last: Self, _ lanes: UnsafeMutablePointer<Self>)

  /// Does the same as `close8` after lane 0. Lane 0 holds zero and becomes `lanes[1] + delta`, which must be zero.
  static func closeAll8(_ delta: Self, last: Self, _ lanes: UnsafeMutablePointer<Self>)
}

extension SumLane {
  /// Returns the last of `count` lanes that is not above `key`.
  ///
  /// The sign of the difference counts the lanes above `key`, because a comparison would be compiled to a jump. Lane 0
  /// may be negative, so that its difference would overflow. The loop leaves it out, because it is not above `key`
  /// anyway.
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
  /// Compares four lanes with `key`: −1 in each lane that is above `key`, and 0 in the others.
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

  /// Adds `delta` to the lanes after `lane`, out of the four lanes that begin at `first`.
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
  /// −1 in the lanes after `lane`, out of eight lanes, and 0 in the others.
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
    // Lane −1 is in the same block, because a leaf begins with its bases. Its content is masked away.
    let place = unsafe UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: SIMD8<Int16>.self)
    let moved =
      unsafe UnsafeRawPointer(lanes - 1).loadUnaligned(as: SIMD8<Int16>.self)
      &+ SIMD8<Int16>(repeating: delta)
    let old = unsafe place.pointee
    // The form `(moved & mask) | (old & ~mask)` is not used, because the compiler takes it apart lane by lane.
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

  /// Eight lanes, moved down by one, with `last` in lane 7 and `delta` added to each lane.
  ///
  /// The standard library has no shift across lanes, but the compiler turns this into one.
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
