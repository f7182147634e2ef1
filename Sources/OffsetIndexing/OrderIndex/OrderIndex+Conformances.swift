extension OrderIndex: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of handles.
  public var endIndex: Int { count }
}

extension OrderIndex: Equatable {
  /// Returns whether two sequences hold the same handles in the same order.
  ///
  /// - Complexity: O(n), n the number of handles; O(1) where they share storage or differ in `count`.
  public static func == (left: OrderIndex, right: OrderIndex) -> Bool { left.numbers == right.numbers }
}

extension OrderIndex: CustomStringConvertible {
  /// The handles' numbers in order, the first 32 of them where there are more.
  ///
  ///     "\(OrderIndex(count: 2))"                          // "OrderIndex(0, 1)"
  public var description: String {
    let head = prefix(32).map { "\($0.number)" }.joined(separator: ", ")
    return count <= 32 ? "OrderIndex(\(head))" : "OrderIndex(\(head), … \(count) handles)"
  }

  /// The shape of the structure, a line a node, for debugging; its form may change.
  public var debugShape: String { "flat, \(count) handles" }
}

extension OrderIndex.Handle: CustomStringConvertible {
  /// The handle's number after a number sign.
  public var description: String { "#\(number)" }
}
