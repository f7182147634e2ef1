/// The layout of a `CountedTree`'s inner node: 208 numbers of 32 bits in 13 cache lines.
///
/// | offset | content |
/// |---|---|
/// | 0 | units before groups 0…7, from the node's start |
/// | 8 | weights before groups 0…7, from the node's start |
/// | 16 + 16·g | units before each of the 8 children of group g, from the group's start |
/// | 24 + 16·g | weights before each of these 8 children, from the group's start |
/// | 144 | the children's numbers |
/// | 206 | the node's link: its parent's number times 64, plus its slot in the parent |
/// | 207 | the number of children |
enum InnerNode: InnerLayout {
  static var byteCount: Int { 832 }
  /// The greatest number of children: 64 places without the places of the link and of the count.
  static var capacity: Int { 62 }
  /// The distance from the sums of units to the sums of weights.
  static var weights: Int { 8 }
  @inline(__always)
  static func group(_ group: Int) -> Int { 16 &+ 16 &* group }
  static var children: Int { 144 }
  static var link: Int { 206 }
  static var childCount: Int { 207 }

  /// The last of eight ascending sums that is at most `key`. The first sum is 0, and `key` is not negative.
  ///
  /// The search compiles to two `pcmpgtd` and a horizontal sum of four lanes. The sums are the sums *before* the
  /// children, and not the sums up to their ends. So the passed sum is always in the lane that was found, and there is
  /// no special case of the first lane. That case compiles to a branch that is mispredicted once in eight times, and it
  /// made rank a half slower.
  @inline(__always)
  static func lane(of key: Int32, _ sums: Lanes) -> Int {
    let keys = SIMD4<Int32>(repeating: key)
    let zero = SIMD4<Int32>(repeating: 0)
    let ones = SIMD4<Int32>(repeating: 1)
    let low = ones.replacing(with: zero, where: sums[vector: 0] .> keys)
    let high = ones.replacing(with: zero, where: sums[vector: 4] .> keys)
    // The type is unsigned, so that the conversion to a word is free, and the -1 goes into the address.
    return Int(truncatingIfNeeded: UInt32(bitPattern: (low &+ high).wrappedSum())) &- 1
  }

  /// The units, or the weight, of child `slot`: the difference of two sums.
  ///
  /// Lanes beyond the last child repeat the sum of all children, and there are never 64 children.
  @inline(__always)
  static func size(of slot: Int, _ node: Lanes, weights: Int = 0) -> Int32 {
    let group = slot &>> 3
    let lane = slot & 7
    let sums = node + (InnerNode.group(group) &+ weights)
    let groups = node + weights
    let end = lane < 7 ? sums[lane &+ 1] : groups[group &+ 1] &- groups[group]
    return end &- sums[lane]
  }

  /// Adds `delta` to the sums after lane `lane` of eight.
  @inline(__always)
  static func add(_ delta: Int32, after lane: Int32, _ sums: Lanes) {
    let lanes = SIMD4<Int32>(repeating: lane)
    let deltas = SIMD4<Int32>(repeating: delta)
    let zero = SIMD4<Int32>(repeating: 0)
    sums[vector: 0] =
      sums[vector: 0] &+ zero.replacing(with: deltas, where: SIMD4<Int32>(0, 1, 2, 3) .> lanes)
    sums[vector: 4] =
      sums[vector: 4] &+ zero.replacing(with: deltas, where: SIMD4<Int32>(4, 5, 6, 7) .> lanes)
  }
}
