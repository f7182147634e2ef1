/// A small, fast generator whose whole state is its seed.
///
/// Steele, Lea & Flood, "Fast splittable pseudorandom number generators" (2014): SplitMix64.
///
/// ```swift
/// var generator = SeededGenerator(seed: 1)
/// generator.next()   // 0x910A2DEC89025CC1, in every run and on every platform
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates the generator that yields the same numbers for the same `seed`, on every platform.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns true in about `numerator` of `denominator` calls.
  public mutating func chance(_ numerator: Int, in denominator: Int) -> Bool {
    Int.random(in: 0..<denominator, using: &self) < numerator
  }

  /// Returns a random range inside `0..<count`, which may be empty, and may touch an end.
  ///
  /// - Parameters:
  ///   - count: the space's number of elements.
  ///   - longest: the greatest length of a range; nil allows the whole space.
  /// - Returns: a range inside `0..<count`.
  public mutating func range(in count: Int, longest: Int? = nil) -> Range<Int> {
    let length = Int.random(in: 0...min(count, longest ?? count), using: &self)
    let start = Int.random(in: 0...(count - length), using: &self)
    return start..<(start + length)
  }
}
