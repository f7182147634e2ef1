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

  /// The node at an index path, or nil where there is none.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the node, or nil where the place is a leaf or does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  func child(at path: IndexPath) -> (any TreeNode<Element>)?

  /// Whether an edit is possible at an index path.
  ///
  /// ```swift
  /// let rows = SortNode(ArrayNode(["b", "a"]), by: <)
  /// rows.allows(.remove, at: [0])           // true
  /// rows.allows(.move(to: 1), at: [0])      // false: the comparator decides the position of each child
  /// ```
  ///
  /// - Parameters:
  ///   - edit: the edit; a move stays within the child's parent.
  ///   - path: any path from this node.
  /// - Returns: whether the edit is possible now; false where there is no such place, and for `[]`. At position 0 below
  ///   a leaf, insertions are possible if the leaf can become a node: see `insert(_:at:)`.
  /// - Complexity: O(d · log n) for a path of length d.
  func allows(_ edit: ChildEdit, at path: IndexPath) -> Bool

  /// Inserts an element at an index path.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b"])])
  /// sections.insert("c", at: [1, 1])     // the second section holds "b", "c"
  /// ```
  ///
  /// The path may lead below a leaf of a `ForestNode`, also where a tree filter or another view shows the leaf. The
  /// leaf becomes a branch in the same transaction, and observers are notified of an update of the leaf. In all other
  /// sources a leaf has no children, and such a path traps. So does a path below a row of an `OutlineNode`, of a
  /// `DescendantsNode`, of a `FlattenNode` or of a `NestNode`, which decide by themselves where a child is.
  ///
  /// ```swift
  /// let folders = ForestNode(leaves: ["notes", "drafts"])
  /// TreeSortNode(folders).insert("a.md", at: [1, 0])
  /// folders[[0, 0]]                      // "a.md"
  /// ```
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - path: the place of the new element; its last component may equal the count, which is 0 for a leaf.
  /// - Precondition: the path is not empty and in range, and the node that the path leads into can be written, or is a
  ///   leaf that can become a node.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  func insert(_ element: Element, at path: IndexPath)

  /// Inserts a node at an index path.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b"])])
  /// sections.insert(ArrayNode(["c"]), at: [1])      // the sections hold "a", "c", "b"
  /// ```
  ///
  /// - Parameters:
  ///   - node: the new child.
  ///   - path: the place of the new child; its last component may equal the count. It may lead below a leaf that can
  ///     become a node, as for an element.
  /// - Precondition: the path is not empty and in range, and the node that the path leads into accepts nodes, like a
  ///   `BranchNode`; the new child does not derive from that node.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  func insert(_ node: any TreeNode<Element>, at path: IndexPath)

  /// Removes the child at an index path, with everything below it.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b"])])
  /// sections.remove(at: [0, 0]).value   // "a"
  /// sections.remove(at: [1]).node       // the node that holds "b"
  /// ```
  ///
  /// - Parameter path: the place of the child.
  /// - Returns: the former child, as the owner of the place held it.
  /// - Precondition: the path is not empty and in range, and the child's parent can be written.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  @discardableResult
  func remove(at path: IndexPath) -> TreeChild<Element>

  /// Gives the child at an index path another value.
  ///
  /// - Parameters:
  ///   - path: the place of the child.
  ///   - element: the new value.
  /// - Precondition: the path is not empty and in range, and the child's parent can be written.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  func replace(at path: IndexPath, with element: Element)

  /// Moves the child at an index path to another index path.
  ///
  /// The destination is counted after the child has been removed, at every level. So the destination is the child's
  /// path after the move. `move(_:into:at:)` counts both places before the move.
  ///
  /// Observers of a node that shows both parents are notified of a move. Within one parent, the delta contains the
  /// move; between two parents, the change contains a transfer. A child that is a node moves with all its descendants.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a", "b"]), ArrayNode(["c"])])
  /// sections.move(from: [0, 0], to: [1, 1])     // the sections hold "b", and "c", "a"
  ///
  /// let list = BranchNode([.leaf("x"), .node(BranchNode(leaves: ["y"]))])
  /// list.move(from: [0], to: [0, 1])            // the branch, first now that "x" has left, holds "y", "x"
  /// ```
  ///
  /// - Parameters:
  ///   - path: the place of the child, before the move.
  ///   - destination: the place of the child, after the move. Counted in this way, no path lies inside the child
  ///     itself.
  /// - Precondition: both paths are not empty and in range, and both parents can be written; a child that is a node can
  ///   be moved to a parent that takes nodes.
  /// - Complexity: O(d · log n) for paths of length d, and the propagation.
  func move(from path: IndexPath, to destination: IndexPath)

  /// Moves the child at an index path into another node; both places are counted before the move.
  ///
  /// A user who drags a row chooses its place in this way: the pointer is between rows that have not moved yet.
  /// Observers receive the same changes as those of `move(from:to:)`.
  ///
  /// ```swift
  /// let list = BranchNode([.leaf("x"), .node(BranchNode(leaves: ["y"]))])
  /// list.move([0], into: [1], at: 1)            // the branch, first now that "x" has left, holds "y", "x"
  /// list.move([0, 1], into: [], at: 1)          // "x" lies behind the branch
  /// ```
  ///
  /// - Parameters:
  ///   - path: the place of the child, before the move.
  ///   - parent: the place of the node that is to adopt the child, before the move; `[]` is this node.
  ///   - position: 0...the parent's count, before the move: the child is inserted before the child at this position.
  ///     Within one parent, the child's own position and the next one do not move the child. If the children are the
  ///     rows of an `OutlineNode` or of a `DescendantsNode`, neither do the positions inside the rows that move with
  ///     the child.
  /// - Precondition: both paths and the position are in range, `path` is not empty, and both parents can be written; a
  ///   child that is a node can be moved to a parent that takes nodes, but not into itself.
  /// - Complexity: O(d · log n) for paths of length d, and the propagation.
  func move(_ path: IndexPath, into parent: IndexPath, at position: Int)

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

  /// The node through which the methods by index path change this node's children, nil by default.
  @_spi(NodeAuthors)
  var writer: (any WritableNode<Element>)? { get }

  /// This node as a `RoutingNode`; nil, the default, if it is none.
  ///
  /// A cast to a protocol with a type argument takes 700 ns, so the library reads this property instead. Conform to
  /// `RoutingNode` in the class that conforms to `TreeNode`, and not in a subclass.
  @_spi(NodeAuthors)
  var routing: (any RoutingNode<Element>)? { get }
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

  @_spi(NodeAuthors)
  public var writer: (any WritableNode<Element>)? { nil }

  @_spi(NodeAuthors)
  public var routing: (any RoutingNode<Element>)? { nil }
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
    checkComponent(last, in: parent.count, at: path.dropLast(), of: path)
    return parent
  }

  /// The node at `path`, which the caller needs in order to reach `goal`.
  func requireNode(at path: IndexPath, for goal: IndexPath) -> any TreeNode<Element> {
    guard let node = child(at: path) else { trapPath(path, for: goal) }
    return node
  }

  /// Traps, because there is no node at a path.
  func trapPath(_ path: IndexPath, for goal: IndexPath) -> Never {
    var node: any TreeNode<Element> = self
    for (depth, position) in path.enumerated() {
      checkComponent(position, in: node.count, at: path.prefix(depth), of: goal)
      guard let next = node.child(at: position) else {
        trap(
          "The path \(goal.sentence) leads through \(path.prefix(depth + 1).sentence), which is a leaf.")
      }
      node = next
    }
    trap("The path \(goal.sentence) leads nowhere.")
  }

  /// Traps for the path of the node itself, which is no child.
  func requireChildPath(_ path: IndexPath) {
    require(!path.isEmpty, "The path [] is the node itself, not a child that could be written.")
  }
}
