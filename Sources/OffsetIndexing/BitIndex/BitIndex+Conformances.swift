extension BitIndex: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of bits.
  public var endIndex: Int { count }
}

extension BitIndex: Equatable {
  /// Returns whether two sequences hold the same bits, however they came to hold them.
  ///
  /// - Complexity: O(n / 64), n the number of bits; O(1) where they share storage or differ in a count.
  public static func == (left: BitIndex, right: BitIndex) -> Bool { left.bits == right.bits }
}

extension BitIndex: CustomStringConvertible {
  /// The bits as 0 and 1 where there are up to 64 of them, and otherwise the first 64 and the counts.
  ///
  ///     "\(BitIndex([true, false]))"                       // "BitIndex(10)"
  public var description: String {
    let head = prefix(64).map { $0 ? "1" : "0" }.joined()
    return count <= 64 ? "BitIndex(\(head))" : "BitIndex(\(head)… \(setCount) of \(count) set)"
  }

  /// The shape of the structure, a line a node, for debugging; its form may change.
  public var debugShape: String { "flat, \(count) bits" }
}
