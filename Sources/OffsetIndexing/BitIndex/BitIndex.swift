/// A sequence of bits that can be counted, searched and edited in logarithmic time.
///
/// A bit index answers the two questions of a filtered list. How many elements before this position are visible
/// (`rank(_:)`)? Where in the source is visible element number k (`select(_:)`)? Bits can be flipped, inserted and
/// removed anywhere, one at a time or a range at a time. They can be read a word at a time.
///
/// ```swift
/// var visible = BitIndex([true, false, true, true])
/// visible.rank(3)                  // 2: bits 0 and 2 are set before bit 3
/// visible.select(2)                // 3: the third set bit
/// visible.insert(true, at: 0)      // 1 1 0 1 1
/// visible.toggle(1..<4)            // 1 0 1 0 1
/// visible.select(1)                // 2
/// ```
///
/// A copy shares its storage until one of the two is changed. A sequence holds at most `Int32.max` bits.
public struct BitIndex: Sendable {
  typealias Tree = CountedTree<BitLeaves>

  var storage: BitStorage

  /// Creates an empty sequence.
  ///
  /// ```swift
  /// BitIndex().count                                   // 0
  /// ```
  ///
  /// - Complexity: O(1).
  public init() { storage = .empty }

  init(limits: Tree.Limits) { storage = BitStorage(Tree(limits: limits, leaves: BitLeaves())) }

  /// Creates an empty sequence with small nodes, for tests.
  ///
  /// - Parameters:
  ///   - leafCapacity: the most bits in a leaf, in `2...960`.
  ///   - fanOut: the most children of an inner node, in `3...62`.
  package init(leafCapacity: Int, fanOut: Int) {
    self.init(
      limits: Tree.Limits(
        leafCapacity: leafCapacity, leafFill: Swift.max(1, leafCapacity * 15 / 16), fanOut: fanOut))
  }

  /// Creates the sequence of the given bits.
  ///
  /// ```swift
  /// BitIndex([true, false]).setCount                   // 1
  /// ```
  ///
  /// - Parameter bits: the bits in order; at most `Int32.max` of them.
  /// - Precondition: there are no more than `Int32.max` bits; more trap.
  /// - Complexity: O(n), n the number of bits.
  public init(_ bits: some Sequence<Bool>) {
    // An array is packed here, because its loop is compiled for arrays. For other sequences, each element costs a call.
    let packed =
      bits.withContiguousStorageIfAvailable { buffer in unsafe Self.pack(buffer) } ?? Self.pack(bits)
    self.init(words: packed.words, count: packed.count)
  }

  @inline(__always)
  private static func pack(_ bits: some Sequence<Bool>) -> (words: [UInt64], count: Int) {
    var words: [UInt64] = []
    words.reserveCapacity((bits.underestimatedCount + 63) / 64)
    var count = 0
    var word: UInt64 = 0
    for bit in bits {
      word |= (bit ? 1 : 0) << UInt64(count % 64)
      count += 1
      if count % 64 == 0 {
        words.append(word)
        word = 0
      }
    }
    if count % 64 != 0 { words.append(word) }
    return (words, count)
  }

  /// Creates `count` bits that all equal `bit`.
  ///
  /// ```swift
  /// BitIndex(repeating: true, count: 3).select(2)      // 2
  /// BitIndex(repeating: true, count: 0).isEmpty        // true
  /// ```
  ///
  /// - Parameters:
  ///   - bit: the value of each bit.
  ///   - count: the number of bits, in `0...Int32.max`.
  /// - Precondition: `count` is in its range; anything else traps.
  /// - Complexity: O(n / 64), n = `count`.
  public init(repeating bit: Bool, count: Int) {
    self.init()
    insert(repeating: bit, count: count, at: 0)
  }

  /// Creates a sequence from whole words, as fast as they can be copied and counted.
  ///
  /// Bit i of the sequence is bit i % 64 (the lowest is 0) of word i / 64. The bits of the words beyond `count` are
  /// ignored.
  ///
  /// ```swift
  /// BitIndex(words: [0b1011], count: 3)                // 1 1 0
  /// ```
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
  public var count: Int { tree.count }

  /// The number of set bits.
  ///
  /// ```swift
  /// BitIndex([true, false, true]).setCount             // 2
  /// ```
  ///
  /// - Complexity: O(1).
  public var setCount: Int { tree.weight }

  /// The bytes of heap memory that the sequence holds, shared or not.
  ///
  /// After a bulk build of a million bits or more, that is at most 1.3 bits for each bit.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int { tree.byteCount + 32 }

  /// The sums inside the nodes are 32-bit numbers.
  static var maximumCount: Int { Int(Int32.max) }
}

extension CountedTree<BitLeaves>.Limits {
  /// Leaves are filled to 14 of 15 words. So the first insertions after a bulk build don't each split a leaf.
  static var bits: CountedTree<BitLeaves>.Limits {
    CountedTree<BitLeaves>.Limits(
      leafCapacity: BitLeaves.capacity, leafFill: BitLeaves.capacity - 64, fanOut: InnerNode.capacity)
  }
}
