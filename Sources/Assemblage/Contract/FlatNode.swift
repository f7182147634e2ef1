/// A node whose children all have values, as a collection of these.
///
/// ```swift
/// let numbers = ArrayNode([3, 8, 5, 12])
/// let large = FilterNode(numbers) { $0 > 4 }
/// large[0]                            // 8
/// large.first                         // 8
/// for number in large { print(number) }
/// large.map { $0 * 2 }                // [16, 10, 24]
/// large.last { $0 < 10 }              // 5
/// numbers[0] = 7
/// large.count                         // 4: a node is live, and so is what it shows as a collection
/// ```
///
/// Most nodes that show one list are flat: arrays, filters, sorts, joins, sections. Whether their children have values depends
/// on what they stand on: a filter of a `BranchNode` may show nodes without a value of their own. Reading such a child as an
/// element traps with a sentence that says where it stands. `elements` leaves those children out, and `element(at:)` is nil
/// for them.
///
/// A node is a class: a loop sees changes that are made in its body, and a `Slice` of a node shows what stands at its positions
/// when it is read. An `Array` of the node, or `elements`, keeps what there is now.
public protocol FlatNode<Element>: TreeNode, RandomAccessCollection where Index == Int, Indices == Range<Int> {}

extension FlatNode {
  /// Always 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of children.
  @inlinable
  public var endIndex: Int { count }

  /// Whether the node has no children.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// The value of a child.
  ///
  /// - Parameter position: 0..<`count`.
  /// - Precondition: there is such a child, and it has a value.
  /// - Complexity: that of `element(at:)`, which is O(log n) in most nodes.
  @inlinable
  public subscript(position: Int) -> Element {
    guard let element = element(at: position) else { trapMissing(position) }
    return element
  }

  /// Iterates over the values, which are read in pieces: as fast as `elements`, without storing all of them.
  @inlinable
  public func makeIterator() -> FlatNodeIterator<Element> { FlatNodeIterator(self) }
}

extension TreeNode {
  /// Traps, because the child at a position cannot be read as an element.
  @usableFromInline @inline(never)
  func trapMissing(_ position: Int) -> Never {
    require(
      position >= 0 && position < count,
      "\(hub.description): the position \(position) is out of range 0..<\(count).")
    trap("\(hub.description): its child \(position) is a node without a value, which cannot be read as an element.")
  }
}

/// Iterates over the values of a `FlatNode`.
///
/// It reads one value first, then two, four, up to 256 at a time. Where the node changes meanwhile, the values that have been
/// read still come; those after them are the node's present ones.
///
/// ```swift
/// var numbers = ArrayNode([3, 8]).makeIterator()
/// numbers.next()    // 3
/// numbers.next()    // 8
/// numbers.next()    // nil
/// ```
public struct FlatNodeIterator<Element>: IteratorProtocol {
  @usableFromInline let node: any TreeNode<Element>
  /// The values that were read last, and how many of them have been passed on.
  @usableFromInline var piece: [Element] = []
  @usableFromInline var passed = 0
  /// The position of the first of them.
  @usableFromInline var start = 0

  @inlinable
  init(_ node: any TreeNode<Element>) { self.node = node }

  /// The next value; nil at the end.
  ///
  /// - Precondition: the child that comes next has a value.
  @inlinable
  public mutating func next() -> Element? {
    if passed == piece.count { read() }
    guard passed < piece.count else { return nil }
    defer { passed += 1 }
    return piece[passed]
  }

  @inlinable
  mutating func read() {
    start += piece.count
    let length = Swift.min(Swift.max(1, 2 * piece.count), gatheringCapacity, node.count - start)
    piece = []
    passed = 0
    guard length > 0 else { return }
    var values: [Element] = []
    values.reserveCapacity(length)
    node.forEachSpan(in: start..<start + length) { position, span in
      if position > start + values.count { node.trapMissing(start + values.count) }
      for index in span.indices { values.append(span[index]) }
    }
    if values.count < length { node.trapMissing(start + values.count) }
    piece = values
  }
}

@available(*, unavailable)
extension FlatNodeIterator: Sendable {}
