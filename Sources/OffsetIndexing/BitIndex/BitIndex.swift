/// A sequence of bits that can be counted, searched and edited in logarithmic time.
///
/// A bit index answers the two questions of a filtered list: how many elements before this place are visible
/// (`rank(_:)`), and where in the source is visible element number k (`select(_:)`). Bits can be flipped, inserted
/// and removed anywhere, one at a time or a range at a time, and read a word at a time.
///
///     var visible = BitIndex([true, false, true, true])
///     visible.rank(3)                  // 2: bits 0 and 2 are set before bit 3
///     visible.select(2)                // 3: the third set bit
///     visible.insert(true, at: 0)      // 1 1 0 1 1
///     visible.toggle(1..<4)            // 1 0 1 0 1
///     visible.select(1)                // 2
///
/// A copy shares its storage until one of the two is changed. It holds at most `Int32.max` bits.
public struct BitIndex: Sendable {
  var bits: [Bool]

  /// Creates an empty sequence.
  ///
  ///     BitIndex().count                                   // 0
  ///
  /// - Complexity: O(1).
  public init() { bits = [] }

  /// Creates the sequence of the given bits.
  ///
  ///     BitIndex([true, false]).setCount                   // 1
  ///
  /// - Parameter bits: the bits in order; at most `Int32.max` of them.
  /// - Precondition: there are no more than `Int32.max` bits; more trap.
  /// - Complexity: O(n), n the number of bits.
  public init(_ bits: some Sequence<Bool>) { self.bits = Array(bits) }

  /// Creates `count` bits that all equal `bit`.
  ///
  ///     BitIndex(repeating: true, count: 3).select(2)      // 2
  ///     BitIndex(repeating: true, count: 0).isEmpty        // true
  ///
  /// - Parameters:
  ///   - bit: the value of each bit.
  ///   - count: the number of bits, in `0...Int32.max`.
  /// - Precondition: `count` is in its range; anything else traps.
  /// - Complexity: O(n / 64), n = `count`.
  public init(repeating bit: Bool, count: Int) {
    precondition(count >= 0, "a bit index cannot hold \(count) bits")
    bits = Array(repeating: bit, count: count)
  }

  /// Creates a sequence from whole words, as fast as they can be copied and counted.
  ///
  /// Bit i of the sequence is bit i % 64 (the lowest is 0) of word i / 64. What stands in the words beyond `count`
  /// is ignored.
  ///
  ///     BitIndex(words: [0b1011], count: 3)                // 1 1 0
  ///
  /// - Parameters:
  ///   - words: the bits, 64 to a word.
  ///   - count: the number of bits, in `0...64 * words.count`.
  /// - Precondition: `count` is in its range and no more than `Int32.max`; anything else traps.
  /// - Complexity: O(n / 64), n = `count`.
  public init(words: [UInt64], count: Int) {
    self.init()
    insert(words: words, count: count, at: 0)
  }

  /// The number of bits.
  ///
  /// - Complexity: O(1).
  public var count: Int { bits.count }

  /// The number of set bits.
  ///
  ///     BitIndex([true, false, true]).setCount             // 2
  ///
  /// - Complexity: O(1).
  public var setCount: Int { bits.count { $0 } }

  /// The bytes of heap memory that the sequence holds, shared or not.
  ///
  /// After a bulk build of a million bits or more it is at most 1.3 bits a bit.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int { bits.capacity + 32 }
}
