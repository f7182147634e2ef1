extension OrderIndex: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of handles.
  public var endIndex: Int { count }

  /// Returns an iterator over the handles, which needs constant time for each handle.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The handles in order.
  public struct Iterator: IteratorProtocol, Sendable {
    // The copy keeps the leaves, because shared storage is not changed.
    private let order: OrderIndex
    private var position = 0
    private var leaf = noBlock
    private var offset = 0

    init(_ order: OrderIndex) { self.order = order }

    /// Returns the next handle, or nil after the last.
    public mutating func next() -> Handle? {
      guard position < order.count else { return nil }
      let leaves = order.tree.leaves
      if leaf == noBlock || offset == HandleLeaves.capacity || leaves.lanes(leaf)[offset] < 0 {
        let place = order.tree.locate(position)
        leaf = place.leaf
        offset = place.offset
      }
      let handle = Handle(number: Int(leaves.lanes(leaf)[offset]))
      position += 1
      offset += 1
      return handle
    }
  }
}

extension OrderIndex: Equatable {
  /// Returns whether two sequences hold the same handles in the same order.
  ///
  /// - Complexity: O(n), n the number of handles; O(1) where they share storage or differ in `count`.
  public static func == (left: OrderIndex, right: OrderIndex) -> Bool {
    left.storage === right.storage || (left.count == right.count && left.elementsEqual(right))
  }
}

extension OrderIndex: CustomStringConvertible {
  /// The handles' numbers in order, or the first 32 of them if there are more.
  ///
  /// ```swift
  /// "\(OrderIndex(count: 2))"                          // "OrderIndex(0, 1)"
  /// ```
  public var description: String {
    let head = prefix(32).map { "\($0.number)" }.joined(separator: ", ")
    return count <= 32 ? "OrderIndex(\(head))" : "OrderIndex(\(head), … \(count) handles)"
  }

  /// The shape of the structure, with a node on each line, for debugging. Its form may change.
  public var debugShape: String { tree.shape }
}

extension OrderIndex.Handle: CustomStringConvertible {
  /// The handle's number after a number sign.
  public var description: String { "#\(number)" }
}
