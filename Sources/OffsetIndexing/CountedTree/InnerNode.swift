/// The layout of a `CountedTree`'s inner node: 208 numbers of 32 bits in 13 cache lines.
///
/// | offset | what |
/// |---|---|
/// | 0 | units up to the end of groups 0…7, from the node's start |
/// | 8 | weights likewise |
/// | 16 + 16·g | units up to the end of each of the 8 children of group g, from the group's start |
/// | 24 + 16·g | weights likewise |
/// | 144 | the children's numbers |
/// | 206 | the node's link: its parent's number times 64, plus its slot there |
/// | 207 | the number of children |
enum InnerNode {
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

  /// How many of eight ascending sums are at most `key`.
  ///
  /// Compiles to two `pcmpgtd` and a horizontal sum of four lanes.
  @inline(__always)
  static func countAtMost(_ key: Int32, _ sums: Lanes) -> Int {
    let keys = SIMD4<Int32>(repeating: key)
    let zero = SIMD4<Int32>(repeating: 0)
    let one = SIMD4<Int32>(repeating: 1)
    let low = one.replacing(with: zero, where: sums[vector: 0] .> keys)
    let high = one.replacing(with: zero, where: sums[vector: 4] .> keys)
    return Int(truncatingIfNeeded: (low &+ high).wrappedSum())
  }

  /// The sum before lane `lane` of eight: that of the lane before, or 0, without a branch.
  @inline(__always)
  static func sum(before lane: Int, _ sums: Lanes) -> Int32 {
    sums[(lane &- 1) & 7] & Int32(truncatingIfNeeded: (0 &- lane) >> 63)
  }

  /// Adds `delta` to the sums from lane `lane` of eight on.
  @inline(__always)
  static func add(_ delta: Int32, from lane: Int32, _ sums: Lanes) {
    let lanes = SIMD4<Int32>(repeating: lane)
    let deltas = SIMD4<Int32>(repeating: delta)
    let zero = SIMD4<Int32>(repeating: 0)
    sums[vector: 0] =
      sums[vector: 0] &+ deltas.replacing(with: zero, where: lanes .> SIMD4<Int32>(0, 1, 2, 3))
    sums[vector: 4] =
      sums[vector: 4] &+ deltas.replacing(with: zero, where: lanes .> SIMD4<Int32>(4, 5, 6, 7))
  }
}
