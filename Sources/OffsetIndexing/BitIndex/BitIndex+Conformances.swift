extension BitIndex: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of bits.
  public var endIndex: Int { count }

  /// Returns an iterator over the bits, which needs constant time for each bit.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The bits in order, read a word at a time.
  public struct Iterator: IteratorProtocol, Sendable {
    // The copy keeps the leaves, because shared storage is not changed.
    private let bits: BitIndex
    private var position = 0
    private var word: UInt64 = 0

    init(_ bits: BitIndex) { self.bits = bits }

    /// Returns the next bit, or nil after the last.
    public mutating func next() -> Bool? {
      guard position < bits.count else { return nil }
      if position % 64 == 0 {
        var reader = BitReader(bits)
        word = reader.bits(at: position, count: Swift.min(64, bits.count - position))
      }
      let bit = word & 1 != 0
      word &>>= 1
      position += 1
      return bit
    }
  }
}

/// Reads up to 64 bits anywhere. Bits that follow the last bits are read fast.
struct BitReader {
  private let bits: BitIndex
  private var words: Words?
  private var covered = 0..<0

  init(_ bits: BitIndex) { self.bits = bits }

  /// Reads bits `position..<position + count` into the low bits. `count` is in 1...64, and the bits exist.
  mutating func bits(at position: Int, count: Int) -> UInt64 {
    var result: UInt64 = 0
    var done = 0
    while done < count {
      let next = position + done
      if !covered.contains(next) {
        bits.tree.forEachLeaf(in: next..<next + 1) { leaf, leafRange in
          words = leaf.words
          covered = leafRange
        }
      }
      let piece = Swift.min(count - done, covered.upperBound - next)
      result |= words!.bits(at: next - covered.lowerBound, count: piece) << UInt64(done)
      done += piece
    }
    return result
  }
}

extension BitIndex: Equatable {
  /// Returns whether two sequences hold the same bits, whatever edits made them.
  ///
  /// - Complexity: O(n / 64), n the number of bits; O(1) where they share storage or differ in a count.
  public static func == (left: BitIndex, right: BitIndex) -> Bool {
    if left.storage === right.storage { return true }
    guard left.count == right.count && left.setCount == right.setCount else { return false }
    var reader = BitReader(right)
    var isEqual = true
    left.forEachWord(in: 0..<left.count) { position, word, count in
      if isEqual && reader.bits(at: position, count: count) != word { isEqual = false }
    }
    return isEqual
  }
}

extension BitIndex: CustomStringConvertible {
  /// The bits as 0 and 1 if there are up to 64 of them, and otherwise the first 64 and the counts.
  ///
  /// ```swift
  /// "\(BitIndex([true, false]))"                       // "BitIndex(10)"
  /// ```
  public var description: String {
    let head = prefix(64).map { $0 ? "1" : "0" }.joined()
    return count <= 64 ? "BitIndex(\(head))" : "BitIndex(\(head)… \(setCount) of \(count) set)"
  }

  /// The shape of the structure, with a node on each line, for debugging. Its form may change.
  public var debugShape: String { tree.shape }
}
