public import Foundation
import OffsetIndexing

/// A `ForestNode` at one moment: a tree of values that never changes, as a collection in document order.
///
/// It is a value, and `Sendable` where the elements are. It shares the storage of the forest, so that taking it copies nothing,
/// whatever the size. Every element has a *number*, its place in document order, which is the index of the collection; what is
/// below an element is a range of numbers.
///
/// ```swift
/// let tree = try ForestNode(rows: [(0, "notes"), (1, "a.md"), (1, "b.md"), (0, "x.txt")])
/// let before = ForestSnapshot(of: tree)
/// tree.remove(at: [0, 0])
/// Array(before)                         // ["notes", "a.md", "b.md", "x.txt"]
/// before[[0, 1]]                        // "b.md"
/// before.numbers(below: [0])            // 1..<3
/// before.path(to: 3)                    // [1]
/// before.difference(to: ForestSnapshot(of: tree)).paths.removals      // [[0, 0]]
/// ```
///
/// `TreeSnapshot(_:)` makes a tree of nodes and leaves of it, and `ForestNode(_:)` of that a forest that can be changed. Of a node
/// of another kind `TreeSnapshot(of:)` copies the values.
///
/// The first edit of the forest after a snapshot copies the shape, some 3 bytes an element or less, and the chunk of elements
/// that it changes. A snapshot keeps the elements alive that it shows, and those which stand in the same chunks.
public struct ForestSnapshot<Element> {
  /// The shape of the forest, and of all that was cut out of it.
  let shape: TreeIndex
  /// The branch that was taken.
  let branch: TreeIndex.Branch
  /// The branch in whose forest the elements are counted.
  let top: TreeIndex.Branch
  /// The elements of that forest.
  @usableFromInline let elements: ChunkedArray<Element>
  /// The numbers of what is below the branch, among them.
  @usableFromInline let numbers: Range<Int>

  /// The value of the node that was taken, which is no element of the collection; nil where it had none.
  public let value: Element?

  init(
    _ shape: TreeIndex, _ branch: TreeIndex.Branch, in top: TreeIndex.Branch, _ elements: ChunkedArray<Element>,
    value: Element?
  ) {
    self.shape = shape
    self.branch = branch
    self.top = top
    self.elements = elements
    self.value = value
    numbers = shape.descendants(of: branch)
  }
}

extension ForestSnapshot: Sendable where Element: Sendable {}

// MARK: - By number

extension ForestSnapshot: RandomAccessCollection {
  /// Always 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of elements at all depths.
  @inlinable public var endIndex: Int { numbers.count }

  /// The element of a number.
  ///
  /// - Parameter number: `0..<count`, in document order.
  /// - Complexity: O(log n).
  @inlinable
  public subscript(number: Int) -> Element {
    checkPosition(number, in: numbers.count, of: "ForestSnapshot")
    return elements[numbers.lowerBound + number]
  }

  /// Passes elements in document order, in pieces that are contiguous in memory.
  ///
  /// - Parameters:
  ///   - range: their numbers, within `0..<count`.
  ///   - body: receives the number of a piece's first element, and the piece, which is never empty.
  /// - Complexity: O(log n + r) for r elements.
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: numbers.count, of: "ForestSnapshot")
    let start = numbers.lowerBound
    elements.forEachSpan(in: range.lowerBound &+ start..<range.upperBound &+ start) { body($0 &- start, $1) }
  }

  /// Iterates over the elements, which are read in pieces.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Iterates over the elements of a snapshot, in document order.
  ///
  /// ```swift
  /// var names = ForestSnapshot(of: ForestNode(leaves: ["a", "b"])).makeIterator()
  /// names.next()    // "a"
  /// names.next()    // "b"
  /// names.next()    // nil
  /// ```
  public struct Iterator: IteratorProtocol {
    @usableFromInline var values: SpanIterator<ForestSnapshot>

    @inlinable
    init(_ snapshot: ForestSnapshot) { values = SpanIterator(snapshot) }

    /// The next element; nil at the end.
    @inlinable
    public mutating func next() -> Element? { values.next() }
  }
}

extension ForestSnapshot.Iterator: Sendable where Element: Sendable {}

extension ForestSnapshot: SpanReadable {
  // Every element of a forest has a value.
  @usableFromInline
  func trapMissing(_ number: Int) -> Never { trap("A ForestSnapshot has lost its element \(number).") }
}

// MARK: - By path

extension ForestSnapshot {
  /// The element at an index path.
  ///
  /// - Parameter path: the positions that lead to it from the node that was taken; `[]` is that node itself.
  /// - Returns: the element; nil where there is no such place, or for `[]` where the node had no value.
  /// - Complexity: O(d · log n) for a path of length d.
  public subscript(path: IndexPath) -> Element? {
    path.isEmpty ? value : number(at: path).map { self[$0] }
  }

  /// The number of the element at an index path; nil where there is none, and for `[]`.
  ///
  /// - Parameter path: any path.
  /// - Returns: the number, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func number(at path: IndexPath) -> Int? {
    guard let last = path.last, let parent = branch(at: path.dropLast()), last >= 0, last < shape.childCount(of: parent)
    else { return nil }
    return shape.child(at: last, of: parent).number - numbers.lowerBound
  }

  /// The path of an element.
  ///
  /// - Parameter number: `0..<count`, in document order.
  /// - Returns: the positions that lead to it.
  /// - Complexity: O(d · log n) for a path of length d.
  public func path(to number: Int) -> IndexPath {
    checkPosition(number, in: count, of: "ForestSnapshot")
    let path = shape.path(to: numbers.lowerBound + number, in: top)
    return IndexPath(indexes: branch == top ? path[...] : path.dropFirst(shape.depth(of: branch) + 1))
  }

  /// How many branches are above an element, below the node that was taken: 0 for its children.
  ///
  /// - Parameter number: `0..<count`, in document order.
  /// - Returns: the length of its path, less one.
  /// - Complexity: O(log n).
  public func depth(of number: Int) -> Int {
    checkPosition(number, in: count, of: "ForestSnapshot")
    let depth = shape.depth(ofNumber: numbers.lowerBound + number, in: top).depth
    return branch == top ? depth : depth - shape.depth(of: branch) - 1
  }

  /// The number of the element that another one is a child of; nil where that is the node that was taken.
  ///
  /// - Parameter number: `0..<count`, in document order.
  /// - Returns: a number less than `number`, or nil.
  /// - Complexity: O(log n).
  public func parent(of number: Int) -> Int? {
    checkPosition(number, in: count, of: "ForestSnapshot")
    let parent = shape.locate(numbers.lowerBound + number, in: top).parent
    return parent == branch ? nil : shape.number(of: parent) - numbers.lowerBound
  }

  /// The number of children at an index path; nil where there is a leaf, or nothing.
  ///
  /// - Parameter path: any path; `[]` is the node that was taken.
  /// - Returns: the count, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func count(at path: IndexPath) -> Int? { branch(at: path).map { shape.childCount(of: $0) } }

  /// The numbers of all that is below an index path; nil where there is nothing at the path.
  ///
  /// - Parameter path: any path; `[]` is the node that was taken.
  /// - Returns: a range of numbers, empty for a leaf: then it begins behind the leaf.
  /// - Complexity: O(d · log n) for a path of length d.
  public func numbers(below path: IndexPath) -> Range<Int>? {
    if let branch = branch(at: path) {
      let below = shape.descendants(of: branch)
      return below.lowerBound - numbers.lowerBound..<below.upperBound - numbers.lowerBound
    }
    return number(at: path).map { $0 + 1..<$0 + 1 }
  }

  private func branch(at path: IndexPath) -> TreeIndex.Branch? {
    var branch = branch
    for position in path {
      guard position >= 0, position < shape.childCount(of: branch), let child = shape.branch(at: position, of: branch)
      else { return nil }
      branch = child
    }
    return branch
  }
}

extension ForestSnapshot: CustomStringConvertible {
  /// As that of a `TreeSnapshot`: the children of a branch in brackets behind it.
  public var description: String { TreeSnapshot(self).description }
}
