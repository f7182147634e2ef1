import OffsetIndexing

extension TreeSnapshot {
  /// The values of all places below the root in document order, each before its descendants.
  ///
  /// The place of an element in this order is its *number*, the index of the collection. The numbers of an element's
  /// descendants are a range.
  ///
  /// ```swift
  /// let tree = try ForestNode(rows: [(0, "notes"), (1, "a.md"), (1, "b.md"), (0, "x.txt")])
  /// let names = tree.snapshot().descendants
  /// Array(names)                          // ["notes", "a.md", "b.md", "x.txt"]
  /// names.numbers(below: [0])             // 1..<3
  /// names.path(to: 3)                     // [1]
  /// names.parent(of: 2)                   // 0
  /// ```
  public struct DocumentOrder: RandomAccessCollection {
    @usableFromInline let contents: SnapshotContents<Element>
    @usableFromInline let shape: SnapshotShape

    init(_ snapshot: TreeSnapshot) {
      contents = snapshot.contents
      shape = snapshot.structure
    }

    /// Always 0.
    @inlinable public var startIndex: Int { 0 }

    /// The number of places below the root.
    @inlinable public var endIndex: Int { shape.numbers.count }

    /// The value of a place.
    ///
    /// - Parameter number: `0..<count`, in document order.
    /// - Precondition: there is such a place, and it has a value.
    /// - Complexity: O(log n).
    @inlinable
    public subscript(number: Int) -> Element {
      checkPosition(number, in: shape.numbers.count, of: "TreeSnapshot")
      guard let element = contents.element(at: shape.numbers.lowerBound + number) else { trapMissing(number) }
      return element
    }

    /// Passes values in document order, in pieces that are contiguous in memory; places without a value are left out.
    ///
    /// - Parameters:
    ///   - range: the numbers of the places, within `0..<count`.
    ///   - body: receives the number of a piece's first value, and the piece, which is never empty.
    /// - Complexity: O(log n + r) for r places.
    @inlinable
    package func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
      checkRange(range, in: shape.numbers.count, of: "TreeSnapshot")
      let start = shape.numbers.lowerBound
      contents.forEachSpan(in: range.lowerBound &+ start..<range.upperBound &+ start) { body($0 &- start, $1) }
    }

    /// Iterates over the values, which are read in pieces.
    @inlinable
    public func makeIterator() -> some IteratorProtocol<Element> { SpanIterator(self) }

    @usableFromInline @inline(never)
    func trapMissing(_ number: Int) -> Never {
      trap("TreeSnapshot: the place \(number) in document order has no value, so it cannot be read as an element.")
    }
  }

  /// The values of all places below the root in document order.
  ///
  /// - Complexity: O(1).
  public var descendants: DocumentOrder { DocumentOrder(self) }
}

extension TreeSnapshot.DocumentOrder: SpanReadable {}

extension TreeSnapshot.DocumentOrder {
  /// The number of the place at an index path; nil where there is none, and for `[]`.
  ///
  /// - Parameter path: any path.
  /// - Returns: the number, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func number(at path: IndexPath) -> Int? { shape.number(at: path).map { $0 - shape.numbers.lowerBound } }

  /// The path of a place.
  ///
  /// - Parameter number: `0..<count`, in document order.
  /// - Returns: the positions that lead from the root to the place.
  /// - Complexity: O(d · log n) for a path of length d.
  public func path(to number: Int) -> IndexPath {
    checkPosition(number, in: count, of: "TreeSnapshot")
    return shape.path(to: shape.numbers.lowerBound + number)
  }

  /// How many places are above a place, without the root: 0 for the children of the root.
  ///
  /// - Parameter number: `0..<count`, in document order.
  /// - Returns: the length of its path, less one.
  /// - Complexity: O(log n).
  public func depth(of number: Int) -> Int {
    checkPosition(number, in: count, of: "TreeSnapshot")
    return shape.index.depth(ofNumber: shape.numbers.lowerBound + number, in: shape.top).depth - shape.depth
  }

  /// The number of a place's parent; nil where the parent is the root.
  ///
  /// - Parameter number: `0..<count`, in document order.
  /// - Returns: a number less than `number`, or nil.
  /// - Complexity: O(log n).
  public func parent(of number: Int) -> Int? {
    checkPosition(number, in: count, of: "TreeSnapshot")
    let parent = shape.index.locate(shape.numbers.lowerBound + number, in: shape.top).parent
    return parent == shape.branch ? nil : shape.index.number(of: parent) - shape.numbers.lowerBound
  }

  /// The numbers of all places below an index path; nil where there is no place at the path.
  ///
  /// - Parameter path: any path; `[]` is the root.
  /// - Returns: a range of numbers, empty for a leaf: then it begins behind the leaf.
  /// - Complexity: O(d · log n) for a path of length d.
  public func numbers(below path: IndexPath) -> Range<Int>? {
    if let branch = shape.branch(at: path) {
      let (below, start) = (shape.index.descendants(of: branch), shape.numbers.lowerBound)
      return below.lowerBound - start..<below.upperBound - start
    }
    return number(at: path).map { $0 + 1..<$0 + 1 }
  }
}

extension TreeSnapshot.DocumentOrder: Sendable where Element: Sendable {}
