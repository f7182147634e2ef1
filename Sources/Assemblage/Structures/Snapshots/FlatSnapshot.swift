/// The values of a node's children at one moment, as a collection.
///
/// It is a value, and `Sendable` where the elements are: it can be read on any thread, and stays as it is while the node changes.
/// It shares its storage with the node, so taking it copies no element where the node stands on arrays; the first change that the
/// node makes afterwards copies what it changes.
///
/// ```swift
/// let lines = ArrayNode(["error: disk", "ok", "error: net"])
/// let errors = FilterNode(lines) { $0.hasPrefix("error") }
/// let before = errors.snapshot()
/// lines.remove(at: 0)
/// Array(before)                         // ["error: disk", "error: net"]
/// errors.elements                       // ["error: net"]
/// before.difference(to: errors.snapshot()).removals.first   // 0..<1
/// ```
///
/// ## What it shares
/// | of | a snapshot takes |
/// |---|---|
/// | `ArrayNode`, a branch of a `ForestNode` | O(1) |
/// | `FilterNode`, `SortNode`, `SliceNode`, `UniqueNode`, `GroupSection`, `DescendantsNode` | O(1), and what the source takes |
/// | `SegmentNode` | what the selected member takes |
/// | `JoinNode` of arrays | O(m) for m members the first time, then O(k + m / 32) for k that have changed since |
/// | other joins, `FlattenNode` | O(m) for m members, and what these take |
/// | `OutlineNode` that shows all of a forest | O(1) |
/// | others: `MapNode`, `ProviderNode`, models, collapsed outlines, nodes of your own | a copy of the elements, O(n) |
///
/// A `PagedNode` is copied as far as its rows are there; nothing is fetched because of it.
///
/// A snapshot of a node keeps the elements that it shows alive, and with them those of the chunks they stand in.
public struct FlatSnapshot<Element> {
  @usableFromInline let contents: SnapshotContents<Element>

  /// The number of children.
  public let count: Int

  /// Takes a snapshot of any node's children, without what is below them.
  ///
  /// It is `snapshot()` for a node whose type is not known to be flat. Not to be called by closures of nodes (a predicate, for
  /// example) while a change is translated: then what it shows is unspecified, or it traps.
  ///
  /// - Parameter node: the node; it is only read.
  /// - Complexity: O(1) to O(n): see the table of this type.
  public init(of node: some TreeNode<Element>) { self.init(SnapshotContents(of: node)) }

  /// Makes a snapshot of values that are at hand.
  ///
  /// - Parameter elements: the values, in order.
  /// - Complexity: O(n).
  public init(_ elements: some Sequence<Element>) { self.init(.elements(ChunkedArray(elements))) }

  init(_ contents: SnapshotContents<Element>) {
    self.contents = contents
    count = contents.count
  }
}

extension FlatSnapshot: Sendable where Element: Sendable {}

extension FlatNode {
  /// Takes a snapshot: what the node shows now, as a collection that never changes.
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada", "Grace"])
  /// let before = names.snapshot()
  /// names.append("Edsger")
  /// Array(before)               // ["Ada", "Grace"]
  /// ```
  ///
  /// - Returns: the snapshot; it does not keep the node alive.
  /// - Complexity: O(1) to O(n): see the table of `FlatSnapshot`.
  public func snapshot() -> FlatSnapshot<Element> { FlatSnapshot(of: self) }
}

// MARK: - Reading

extension FlatSnapshot: RandomAccessCollection {
  /// Always 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of children.
  @inlinable public var endIndex: Int { count }

  /// The value of a child.
  ///
  /// - Parameter position: `0..<count`.
  /// - Precondition: there is such a child, and it had a value.
  /// - Complexity: that of the node's `element(at:)`, which is O(log n) in most nodes.
  @inlinable
  public subscript(position: Int) -> Element {
    guard let element = element(at: position) else { trapMissing(position) }
    return element
  }

  /// The value of a child; nil where it had none or there is no such child.
  ///
  /// - Parameter position: any integer.
  /// - Returns: the value, or nil.
  /// - Complexity: as `subscript(position:)`.
  @inlinable
  public func element(at position: Int) -> Element? {
    position >= 0 && position < count ? contents.element(at: position) : nil
  }

  /// Passes the values in order, in pieces that are contiguous in memory; children without a value are left out.
  ///
  /// - Parameters:
  ///   - range: the positions to visit, within `0..<count`.
  ///   - body: receives the position of a piece's first value, and the piece, which is never empty.
  /// - Complexity: O(log n + r) for r positions, where the node reads its children in order; O(r · log n) in another order.
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "FlatSnapshot")
    contents.forEachSpan(in: range, body)
  }

  /// The values in order, without those of children that had none.
  ///
  /// - Complexity: O(n).
  @inlinable
  public var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    forEachSpan(in: 0..<count) { _, span in
      for index in span.indices { elements.append(span[index]) }
    }
    return elements
  }

  /// Iterates over the values, which are read in pieces.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  @usableFromInline @inline(never)
  func trapMissing(_ position: Int) -> Never {
    require(
      position >= 0 && position < count, "FlatSnapshot: the position \(position) is out of range 0..<\(count).")
    trap("FlatSnapshot: the child \(position) was a node without a value, which cannot be read as an element.")
  }

  /// Iterates over the values of a snapshot.
  ///
  /// It reads one value first, then two, four, up to 256 at a time.
  ///
  /// ```swift
  /// var numbers = ArrayNode([3, 8]).snapshot().makeIterator()
  /// numbers.next()    // 3
  /// numbers.next()    // 8
  /// numbers.next()    // nil
  /// ```
  public struct Iterator: IteratorProtocol {
    @usableFromInline var values: SpanIterator<FlatSnapshot>

    @inlinable
    init(_ snapshot: FlatSnapshot) { values = SpanIterator(snapshot) }

    /// The next value; nil at the end.
    ///
    /// - Precondition: the child that comes next had a value.
    @inlinable
    public mutating func next() -> Element? { values.next() }
  }
}

extension FlatSnapshot: SpanReadable {}

extension FlatSnapshot.Iterator: Sendable where Element: Sendable {}

extension FlatSnapshot: Equatable where Element: Equatable {
  /// Whether both have the same values at the same positions; children without a value are equal.
  ///
  /// - Complexity: O(n).
  public static func == (first: FlatSnapshot, second: FlatSnapshot) -> Bool {
    first.count == second.count && first.indices.allSatisfy { first.element(at: $0) == second.element(at: $0) }
  }
}

extension FlatSnapshot: CustomStringConvertible {
  /// The values as those of an array are written, `-` for a child without one.
  public var description: String {
    "[" + indices.map { element(at: $0).map { String(describing: $0) } ?? "-" }.joined(separator: ", ") + "]"
  }
}
