/// A node whose children all have values, and which is a collection of these values.
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
/// large.count                         // 4: the node is live, and so is the collection
/// ```
///
/// Most nodes that show one list are flat: arrays, filters, sorts, joins, sections. Whether their children have values
/// depends on the sources: a filter of a `BranchNode` may show nodes without a value of their own. Reading such a child
/// as an element traps, and the message names the child's position. `elements` leaves out the children without a value,
/// and `element(at:)` returns nil for them.
///
/// A node is a class, so a loop over a node sees the changes that the loop's body makes. A `Slice` of a node reads the
/// children that are at its positions when it is read. An `Array` of the node, or `elements`, keeps the present values.
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
  /// - Precondition: there is such a child, and the child has a value.
  /// - Complexity: that of `element(at:)`, which is O(log n) in most nodes.
  @inlinable
  public subscript(position: Int) -> Element {
    guard let element = element(at: position) else { trapMissing(position) }
    return element
  }

  /// Iterates over the values.
  ///
  /// The iterator reads the values in pieces. This is as fast as `elements`, and does not store all of them.
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Element> { SpanIterator(NodeSpans(self)) }
}

extension TreeNode {
  /// Traps, because the child at a position cannot be read as an element.
  @usableFromInline @inline(never)
  func trapMissing(_ position: Int) -> Never {
    require(position >= 0 && position < count, "\(typeName): the position \(position) is out of range 0..<\(count).")
    trap("\(typeName): its child \(position) is a node without a value, which cannot be read as an element.")
  }
}

/// A node in the form that an iterator reads.
@usableFromInline
struct NodeSpans<Element>: SpanReadable {
  @usableFromInline let node: any TreeNode<Element>

  @inlinable
  init(_ node: any TreeNode<Element>) { self.node = node }

  @inlinable
  var count: Int { node.count }

  // Not inlinable, because `TreeNode.forEachSpan` is for authors of nodes. The cost is one call for each piece.
  @usableFromInline
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    node.forEachSpan(in: range, body)
  }

  @inlinable
  func trapMissing(_ position: Int) -> Never { node.trapMissing(position) }
}
