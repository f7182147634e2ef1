/// The layout of a `CountedTree`'s inner node: 208 numbers of 32 bits in 13 cache lines.
///
/// | offset | what |
/// |---|---|
/// | 0 | units before groups 0…7, from the node's start |
/// | 8 | weights likewise |
/// | 16 + 16·g | units before each of the 8 children of group g, from the group's start |
/// | 24 + 16·g | weights likewise |
/// | 144 | the children's numbers |
/// | 206 | the node's link: its parent's number times 64, plus its slot there |
/// | 207 | the number of children |
enum InnerNode: InnerLayout {
  static var byteCount: Int { 832 }
  /// The most children: what is left of 64 places by the link and the count.
  static var capacity: Int { 62 }
  /// The distance from the sums of units to those of weights.
  static var weights: Int { 8 }
  @inline(__always)
  static func group(_ group: Int) -> Int { 16 &+ 16 &* group }
  static var children: Int { 144 }
  static var link: Int { 206 }
  static var childCount: Int { 207 }

  /// The last of eight ascending sums, of which the first is 0, that is at most `key`, which is not negative.
  ///
  /// Two `pcmpgtd` and a horizontal sum of four lanes. Sums *before* the children, and not up to their ends, because
  /// the sum that was passed is then always in the lane found: no case of the first lane, which compiles to a branch
  /// that is mispredicted once in eight times and made rank a half slower.
  @inline(__always)
  static func lane(of key: Int32, _ sums: Lanes) -> Int {
    let keys = SIMD4<Int32>(repeating: key)
    let zero = SIMD4<Int32>(repeating: 0)
    let ones = SIMD4<Int32>(repeating: 1)
    let low = ones.replacing(with: zero, where: sums[vector: 0] .> keys)
    let high = ones.replacing(with: zero, where: sums[vector: 4] .> keys)
    // Unsigned, so that it is extended to a word for free, and the -1 goes into the address.
    return Int(truncatingIfNeeded: UInt32(bitPattern: (low &+ high).wrappedSum())) &- 1
  }

  /// The units, or the weight, of child `slot`: the difference of two sums.
  ///
  /// Lanes beyond the last child repeat the sum of all, and there are never 64 children.
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
