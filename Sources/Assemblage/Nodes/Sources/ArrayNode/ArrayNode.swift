/// A node whose children are elements in memory.
///
/// It has the standard library's edits. Each edit is one change to the nodes that derive from this one. A few elements
/// lie in one array; more elements lie in chunks under an offset index. So an insertion in the middle of ten million
/// elements moves a few kilobytes, not the rest.
///
/// ```swift
/// let friends = ArrayNode(["Best mate"])
/// friends.append("Bo")
/// friends.insert("Al", at: 0)
/// friends[1]                  // "Best mate"
/// friends.elements            // ["Al", "Best mate", "Bo"]
/// ```
///
/// Elements that an edit removes are released after the change has been delivered.
public final class ArrayNode<Element>: TreeNode, ReadableNode, ElementUpdating {
  // The type is concrete: a hub that is read through `port` would be retained at each use.
  @usableFromInline let hub = NodeHub()
  @_spi(NodeAuthors)
  public var port: NodePort { hub }
  @usableFromInline let storage: Cell<ChunkedArray<Element>>
  @usableFromInline let functions: NodeReader<Element>.Functions

  /// Creates a node with elements.
  ///
  /// - Parameter elements: the children, in order; may be empty.
  /// - Complexity: O(n).
  @inlinable
  public convenience init(_ elements: some Sequence<Element>) {
    self.init(storage: ChunkedArray(elements), .reading(ChunkedArray<Element>.self))
  }

  /// Creates a node without children.
  @inlinable
  public convenience init() { self.init(EmptyCollection()) }

  /// Creates a node with small chunks, for tests.
  package convenience init(_ elements: some Sequence<Element>, small: Int, chunk: Int) {
    self.init(
      storage: ChunkedArray(elements, capacities: ChunkCapacities(small: small, chunk: chunk)),
      .reading(ChunkedArray<Element>.self))
  }

  @usableFromInline
  init(storage: consuming ChunkedArray<Element>, _ functions: NodeReader<Element>.Functions) {
    self.storage = Cell(storage)
    self.functions = functions
    hub.attach(to: self)
    hub.state.value.nesting = .none
  }

  deinit {
    hub.detach()
    storage.destroy()
  }

  @inlinable
  public var count: Int { storage.value.count }

  /// The elements in order.
  ///
  /// - Complexity: O(n).
  public var elements: [Element] { storage.value.elements(in: 0..<count) }

  @inlinable
  public func element(at position: Int) -> Element? {
    unsafe ChunkedArray<Element>.element(at: position, in: storage.place)
  }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "ArrayNode")
    storage.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { storage.reader(functions) }

  /// The element at a position.
  ///
  /// Setting it is an update, not a removal and an insertion.
  ///
  /// - Parameter position: `0..<count`.
  /// - Complexity: O(log n), and the propagation if it is set.
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      guard let element = element(at: position) else {
        trapPosition(position, count, "ArrayNode")
      }
      return element
    }
    set { replace(at: position, with: newValue) }
  }
}

@available(*, unavailable)
extension ArrayNode: Sendable {}

extension ArrayNode: SharingNode {
  func sharedSlices(of range: Range<Int>) -> [ArraySlice<Element>]? { storage.value.slices(of: range) }
}
