/// A node of a tree whose places are addressed by index paths.
///
/// A node has one *index space* of children, numbered `0..<count`. Each child has a value, or none, and may be a node
/// itself. In an index path, `[]` is the node itself, `[i]` is its child i, and `[i, j]` is child j of that child.
///
/// ```swift
/// let family = ArrayNode(["Dad", "Mum"])
/// let friends = ArrayNode(["Best mate"])
/// let sections = BranchNode([family, friends])
/// sections[[1, 0]]            // "Best mate"
/// sections[[1]]               // nil: the child is a node without a value of its own
/// sections.element(at: 7)     // nil: there is no such child
/// ```
///
/// Nodes are classes and not `Sendable`: they belong to the isolation domain that made them.
///
/// ## Laws
/// 1. `count` equals the number of children that enumeration yields.
/// 2. `element(at:)`, enumeration and `forEachSpan(in:_:)` agree.
/// 3. If a node maps positions to a source and back, the maps are inverse on visible children, and nil on hidden
///    ones.
/// 4. Replaying each delivered change on a copy of the former contents gives the present contents.
/// 5. Changes are minimal. Between two settlements, a child that survives in its source, and is visible before and
///    after, is never reported as removed and inserted: it stays, moves or is updated. A transaction that reads no
///    derived node, and changes no setting of a view, has one settlement: so there the law covers the whole
///    transaction. The law holds for child nodes too. There are two exceptions: a child that is visible in several
///    places of one node, and elements that a diff cannot distinguish because their ids repeat.
/// 6. There is one delivery for each outermost transaction, and none for an empty net change.
/// 7. A reader never sees former contents, inside a transaction or in an observer.
/// 8. A path out of range traps in a subscript, with the path and the count in the message, and is nil in
///    `element(at:)` and `child(at:)`.
public protocol TreeNode<Element>: AnyObject, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type of the children's values.
  associatedtype Element

  /// The place where this node meets its graph.
  ///
  /// A node of your own returns the port of its `NodeAuthor`.
  @_spi(NodeAuthors)
  var port: NodePort { get }

  /// The number of children.
  var count: Int { get }

  /// Whether there are children, as far as the node knows without loading them.
  ///
  /// The default compares `count` with 0. A node that loads its children when they are first read may know the answer
  /// before.
  var hasChildren: Bool { get }

  /// The value of the node itself, nil by default.
  var value: Element? { get }

  /// The value of a child.
  ///
  /// - Parameter position: any integer, in this node's index space.
  /// - Returns: the value, or nil where the child has none or where there is no such child.
  func element(at position: Int) -> Element?

  /// The node at a position.
  ///
  /// - Parameter position: any integer, in this node's index space.
  /// - Returns: the node, or nil where the child is a leaf or where there is no such child.
  func child(at position: Int) -> (any TreeNode<Element>)?

  /// The value at an index path, or nil where there is no such place.
  ///
  /// The default asks the nodes along the path. A tree that has no objects for its branches reads the value without
  /// making any.
  ///
  /// - Parameter path: any path from this node.
  /// - Returns: the value, or nil where the place has none or does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  func element(at path: IndexPath) -> Element?

  /// The number of children at an index path, or nil where there is no such node.
  ///
  /// The default asks the nodes along the path, like the default of `element(at:)`.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the count, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  func count(at path: IndexPath) -> Int?

  /// Passes the children's values in order, in pieces that are contiguous in memory.
  ///
  /// The pieces are as long as the node's storage allows. Children without a value are left out: then the next piece
  /// starts behind the end of the former one, with a gap. `body` may read nodes. `body` may also make a change: the
  /// piece that it was given stays the same, but the contents of further pieces are then unspecified, and the visit may
  /// trap.
  ///
  /// - Parameters:
  ///   - range: the positions to visit, within `0..<count`.
  ///   - body: receives the position of a piece's first value, and the piece, which is never empty.
  @_spi(NodeAuthors)
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void)

  /// The node that a caller uses in order to change this node's children, nil by default.
  var writer: (any WritableNode<Element>)? { get }
}

extension TreeNode {
  // A requirement behind `@_spi` needs a default. The default is unavailable, so a node that states no port does not
  // compile.
  @_spi(NodeAuthors)
  @available(*, unavailable, message: "A node gives the port of its NodeAuthor: var port: NodePort { author.port }")
  public var port: NodePort { trap("\(typeName) has no port.") }

  public var hasChildren: Bool { count > 0 }

  public var value: Element? { nil }

  public func child(at position: Int) -> (any TreeNode<Element>)? { nil }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    gatherSpans(in: range, body) { element(at: $0) }
  }

  public var writer: (any WritableNode<Element>)? { nil }
}

extension TreeNode {
  /// Whether the node has no children.
  public var isEmpty: Bool { count == 0 }

  /// The children's values in order; children without a value are left out.
  ///
  /// - Complexity: O(n).
  public var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    forEachSpan(in: 0..<count) { _, span in
      for index in span.indices { elements.append(span[index]) }
    }
    return elements
  }
}

// MARK: - Index paths

extension TreeNode {
  /// The value at an index path; `[]` is the node itself.
  ///
  /// - Parameter path: a path from this node.
  /// - Returns: the value, or nil where the place has none.
  /// - Precondition: there is such a place.
  /// - Complexity: O(d · log n) for a path of length d.
  public subscript(path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    return element(at: path) ?? requireParent(of: path).element(at: last)
  }

  public func element(at path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    return child(at: path.dropLast())?.element(at: last)
  }

  /// The node at an index path, or nil where there is none.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the node, or nil where the place is a leaf or does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  public func child(at path: IndexPath) -> (any TreeNode<Element>)? {
    var node: any TreeNode<Element> = self
    for position in path {
      guard let next = node.child(at: position) else { return nil }
      node = next
    }
    return node
  }

  public func count(at path: IndexPath) -> Int? { child(at: path)?.count }

  /// The parent of the place at `path`, which is not [].
  func requireParent(of path: IndexPath) -> any TreeNode<Element> {
    let parent = requireNode(at: path.dropLast(), for: path)
    let last = path[path.count - 1]
    require(
      last >= 0 && last < parent.count,
      "The path \(path.sentence) is out of range: there are \(parent.count) children at \(path.dropLast().sentence).")
    return parent
  }

  /// The node at `path`, which the caller needs in order to reach `goal`.
  func requireNode(at path: IndexPath, for goal: IndexPath) -> any TreeNode<Element> {
    var node: any TreeNode<Element> = self
    for (depth, position) in path.enumerated() {
      require(
        position >= 0 && position < node.count,
        """
        The path \(goal.sentence) is out of range: there are \(node.count) children at \
        \(path.prefix(depth).sentence).
        """)
      guard let next = node.child(at: position) else {
        trap(
          "The path \(goal.sentence) leads through \(path.prefix(depth + 1).sentence), which is a leaf.")
      }
      node = next
    }
    return node
  }
}
