public import OffsetIndexing

/// An error in the values from which a forest is created.
///
/// ```swift
/// do {
///   let tree = try ForestNode(rows: [(0, "notes"), (2, "a.md")])
/// } catch {
///   error    // .depth(row: 1, depth: 2, limit: 1)
/// }
/// ```
public enum ForestError: Error, Hashable, Sendable {
  /// A row is more than one level deeper than the row before it, the first row is not on the top level, or a depth is
  /// negative.
  ///
  /// `row` is the position of the row, `depth` its given depth, and `limit` the greatest depth that it may have.
  case depth(row: Int, depth: Int, limit: Int)

  /// A place of a snapshot has no value.
  ///
  /// `place` is its position among all places in document order, where 0 is the root.
  case missingValue(place: Int)
}

extension ForestNode {
  @inlinable
  convenience init(value: Element?, _ storage: consuming ForestStorage<Element>) {
    self.init(value: value, storage, .specialized)
  }

  /// Creates a forest without elements.
  ///
  /// - Parameter value: the root's own value; none by default.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(value: Element? = nil) { self.init(value: value, leaves: EmptyCollection()) }

  /// Creates a forest with small chunks, for tests.
  package convenience init(value: Element?, small: Int, chunk: Int) {
    let capacities = ChunkCapacities(small: small, chunk: chunk)
    let storage = ForestStorage<Element>(
      shape: TreeIndex(leafCapacity: 4, fanOut: 4),
      elements: ChunkedArray(EmptyCollection(), capacities: capacities))
    self.init(value: value, storage)
  }

  /// Creates a forest whose elements are leaves.
  ///
  /// - Parameters:
  ///   - value: the root's own value; none by default.
  ///   - leaves: the children in order.
  /// - Complexity: O(n) for n leaves.
  @inlinable
  public convenience init(value: Element? = nil, leaves: some Sequence<Element>) {
    let elements = ChunkedArray(leaves)
    self.init(
      value: value, ForestStorage(shape: TreeIndex(leafCount: elements.count), elements: elements))
  }

  /// Creates the forest of nested values.
  ///
  /// ```swift
  /// let tree = ForestNode([12]) { n in n == 1 ? nil : [2, 3].filter { n % $0 == 0 }.map { n / $0 } }
  /// tree.child(at: 0)?.elements     // [6, 4]
  /// ```
  ///
  /// - Parameters:
  ///   - value: the root's own value; none by default.
  ///   - roots: the values on the top level, in order.
  ///   - children: returns the values below a value, in order. It returns nil for a leaf, and an empty collection for a
  ///     branch without children, for example a folder without files. It is called once for each value, in document
  ///     order.
  /// - Throws: any error of `children`.
  /// - Complexity: O(n) for all n values; nothing recurses.
  @inlinable
  public convenience init<Values: Collection<Element>, Failure: Error>(
    value: Element? = nil, _ roots: some Sequence<Element>, children: (Element) throws(Failure) -> Values?
  ) throws(Failure) {
    var builder = ForestBuilder<Element>()
    var open: [Values.Iterator] = []
    for root in roots {
      if let values = try builder.append(root, children) { open.append(values.makeIterator()) }
      while let last = open.indices.last {
        guard let next = open[last].next() else {
          open.removeLast()
          builder.close()
          continue
        }
        if let values = try builder.append(next, children) { open.append(values.makeIterator()) }
      }
    }
    self.init(value: value, builder.finish())
  }

  /// Creates the forest of values that have their children in a property.
  ///
  /// ```swift
  /// struct Folder { var name: String; var folders: [Folder]? }
  /// let tree = ForestNode(folders, children: \.folders)     // a folder with nil is a leaf
  /// ```
  ///
  /// - Parameters:
  ///   - value: the root's own value; none by default.
  ///   - roots: the values on the top level, in order.
  ///   - children: the property that holds a value's children; nil in a leaf.
  /// - Complexity: O(n) for all n values.
  @inlinable
  public convenience init(
    value: Element? = nil, _ roots: some Sequence<Element>, children: KeyPath<Element, [Element]?>
  ) {
    self.init(value: value, roots) { $0[keyPath: children] }
  }

  /// Creates the forest of values that have their children in a property.
  ///
  /// A value whose property is empty is a leaf.
  ///
  /// - Parameters:
  ///   - value: the root's own value; none by default.
  ///   - roots: the values on the top level, in order.
  ///   - children: the property that holds a value's children.
  /// - Complexity: O(n) for all n values.
  @inlinable
  public convenience init(
    value: Element? = nil, _ roots: some Sequence<Element>, children: KeyPath<Element, [Element]>
  ) {
    self.init(value: value, roots) { element in
      let values = element[keyPath: children]
      return values.isEmpty ? nil : values
    }
  }

  /// Creates the forest of a list of rows in document order, as an outline shows them.
  ///
  /// ```swift
  /// let tree = try ForestNode(rows: [(0, "notes"), (1, "a.md"), (0, "x.txt")])
  /// tree.elements                   // ["notes", "x.txt"]
  /// ```
  ///
  /// A row is a branch if the next row is deeper. Otherwise it is a leaf.
  ///
  /// - Parameters:
  ///   - value: the root's own value; none by default.
  ///   - rows: the depth of each row, and its value. The depth is 0 on the top level, and at most one more than the
  ///     depth of the row before.
  /// - Throws: `ForestError.depth` if a row is deeper than it may be.
  /// - Complexity: O(n) for n rows.
  @inlinable
  public convenience init(
    value: Element? = nil, rows: some Sequence<(Int, Element)>
  ) throws(ForestError) {
    var builder = ForestBuilder<Element>()
    for (depth, element) in rows { try builder.append(element, depth: depth) }
    self.init(value: value, builder.finish())
  }

  /// Creates the forest of a snapshot.
  ///
  /// Places that are nodes become branches, also without children.
  ///
  /// - Parameter snapshot: the root's value and everything below it.
  /// - Throws: `ForestError.missingValue` if a place other than the root has no value.
  /// - Complexity: O(n) for n places.
  @inlinable
  public convenience init(_ snapshot: TreeSnapshot<Element>) throws(ForestError) {
    var builder = ForestBuilder<Element>()
    let shape = snapshot.structure
    let base = shape.depth
    for row in shape.rows {
      while builder.shape.depth > row.place.depth - base { builder.close() }
      guard let value = snapshot.contents.element(at: row.number) else {
        throw .missingValue(place: row.number - shape.numbers.lowerBound + 1)
      }
      if row.place.branch == nil { builder.appendLeaf(value) } else { builder.open(value) }
    }
    self.init(value: snapshot.value, builder.finish())
  }
}

/// Makes the storage of a forest from a walk in document order.
@usableFromInline
struct ForestBuilder<Element>: ~Copyable {
  @usableFromInline var shape = TreeIndex.Builder()
  @usableFromInline var elements = ChunkedArray<Element>.Builder()
  /// The number of the newest leaves, which the shape does not have yet.
  @usableFromInline var leaves = 0
  /// The depth of the last element, which may become a branch; -1 at the beginning.
  @usableFromInline var depth = -1

  @inlinable
  init() {}

  @inlinable
  mutating func appendLeaf(_ element: Element) {
    elements.append(element)
    leaves += 1
  }

  @inlinable
  @discardableResult
  mutating func open(_ element: Element) -> TreeIndex.Branch {
    flush()
    elements.append(element)
    return shape.openBranch()
  }

  @inlinable
  mutating func close() {
    flush()
    shape.closeBranch()
  }

  @inlinable
  mutating func flush() {
    shape.appendLeaves(leaves)
    leaves = 0
  }

  /// Appends an element, and returns the values below it; nil for a leaf.
  @inlinable
  mutating func append<Values: Collection<Element>, Failure: Error>(
    _ element: Element, _ children: (Element) throws(Failure) -> Values?
  ) throws(Failure) -> Values? {
    guard let values = try children(element) else {
      appendLeaf(element)
      return nil
    }
    open(element)
    return values
  }

  /// Appends an element at a known depth. The last element becomes a branch if the new one is deeper.
  @inlinable
  mutating func append(_ element: Element, depth: Int) throws(ForestError) {
    if depth != self.depth {
      guard depth >= 0, depth <= self.depth + 1 else {
        throw .depth(row: elements.count, depth: depth, limit: self.depth + 1)
      }
      if depth > self.depth {
        if self.depth >= 0 {
          leaves -= 1
          flush()
          shape.openBranch()
        }
      } else {
        flush()
        for _ in depth..<self.depth { shape.closeBranch() }
      }
      self.depth = depth
    }
    appendLeaf(element)
  }

  @inlinable
  consuming func finish() -> ForestStorage<Element> {
    flush()
    while shape.depth > 0 { shape.closeBranch() }
    return ForestStorage(shape: shape.finish(), elements: elements.finish())
  }
}
