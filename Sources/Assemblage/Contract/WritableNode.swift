/// A node whose children can be changed through it.
///
/// A derived node routes a change to the source that owns the place. A node that cannot be written does not conform.
///
/// ```swift
/// let done = ArrayNode(["b"])
/// let node: any TreeNode<String> = JoinNode([ArrayNode(["a"]), done])
/// node.writer?.insert("c", at: 2)     // done holds "b", "c"
/// ```
public protocol WritableNode<Element>: TreeNode {
  /// Inserts an element as a child.
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - position: `0...count`.
  func insert(_ element: Element, at position: Int)

  /// Inserts a node as a child.
  ///
  /// The default traps, because most sources hold elements only.
  ///
  /// - Parameters:
  ///   - node: the new child.
  ///   - position: `0...count`.
  /// - Precondition: the source that owns the place accepts nodes, like a `BranchNode`, and the new child does not
  ///   derive from that source.
  func insert(_ node: any TreeNode<Element>, at position: Int)

  /// Removes a child, with everything below it.
  ///
  /// This is the same operation as `remove(at:)`. It has its own name because the `remove(at:)` of an `ArrayNode`
  /// returns the element itself.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the former child, as the owner of the place held it.
  @discardableResult
  func removeChild(at position: Int) -> TreeChild<Element>

  /// Moves a child within this node.
  ///
  /// - Parameters:
  ///   - position: `0..<count`, before the move.
  ///   - destination: `0..<count`, after the move: the child's new position.
  func move(from position: Int, to destination: Int)

  /// Gives a child another value.
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - element: the new value.
  func replace(at position: Int, with element: Element)

  /// Whether an edit is possible at a place; an edit that is not possible traps.
  ///
  /// The default allows every edit of an existing place, except the insertion of a node.
  ///
  /// ```swift
  /// let status = SingleNode("Offline")
  /// status.allows(.replace, at: 0)      // true
  /// status.allows(.insert, at: 1)       // false: the node holds exactly one child
  /// ```
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - position: any integer, in this node's index space.
  /// - Returns: whether the edit is possible now; false where there is no such place.
  /// - Complexity: that of finding the node that owns the place.
  func allows(_ edit: ChildEdit, at position: Int) -> Bool
}

extension WritableNode {
  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    edit != .insertNode && edit.isInRange(at: position, of: count)
  }

  public var writer: (any WritableNode<Element>)? { self }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    trap("\(type(of: self)): its children are elements; it cannot take the node \(node) as a child.")
  }

  /// Inserts a leaf or a node.
  ///
  /// - Parameters:
  ///   - child: the new child.
  ///   - position: `0...count`.
  /// - Precondition: for a node, that of `insert(_:at:)` with a node.
  public func insert(_ child: TreeChild<Element>, at position: Int) {
    switch child {
    case .leaf(let element): insert(element, at: position)
    case .node(let node): insert(node, at: position)
    }
  }

  /// Removes a child, with everything below it.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the former child, as the owner of the place held it.
  /// - Complexity: O(log n), and the propagation.
  @discardableResult
  public func remove(at position: Int) -> TreeChild<Element> { removeChild(at: position) }
}

// MARK: - Writing by index path

extension TreeNode {
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
  /// - Returns: whether the edit is possible now; false where there is no such place, and for `[]`.
  /// - Complexity: O(d · log n) for a path of length d.
  public func allows(_ edit: ChildEdit, at path: IndexPath) -> Bool {
    guard let last = path.last, let writer = child(at: path.dropLast())?.writer else { return false }
    return writer.allows(edit, at: last)
  }

  /// Inserts an element at an index path.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b"])])
  /// sections.insert("c", at: [1, 1])     // the second section holds "b", "c"
  /// ```
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - path: the place of the new element; its last component may equal the count.
  /// - Precondition: the path is not empty and in range, and the node that the path leads into can be written.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  public func insert(_ element: Element, at path: IndexPath) {
    requireWriter(for: path).insert(element, at: path.lastComponent)
  }

  /// Inserts a node at an index path.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b"])])
  /// sections.insert(ArrayNode(["c"]), at: [1])      // the sections hold "a", "c", "b"
  /// ```
  ///
  /// - Parameters:
  ///   - node: the new child.
  ///   - path: the place of the new child; its last component may equal the count.
  /// - Precondition: the path is not empty and in range, and the node that the path leads into accepts nodes, like a
  ///   `BranchNode`; the new child does not derive from that node.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  public func insert(_ node: any TreeNode<Element>, at path: IndexPath) {
    requireWriter(for: path).insert(node, at: path.lastComponent)
  }

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
  public func remove(at path: IndexPath) -> TreeChild<Element> {
    requireWriter(for: path).removeChild(at: path.lastComponent)
  }

  /// Gives the child at an index path another value.
  ///
  /// - Parameters:
  ///   - path: the place of the child.
  ///   - element: the new value.
  /// - Precondition: the path is not empty and in range, and the child's parent can be written.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  public func replace(at path: IndexPath, with element: Element) {
    requireWriter(for: path).replace(at: path.lastComponent, with: element)
  }

  /// The node that writes the parent of the place at `path`.
  func requireWriter(for path: IndexPath) -> any WritableNode<Element> {
    require(!path.isEmpty, "The path [] is the node itself, not a child that could be written.")
    return requireWriter(of: path.dropLast(), for: path)
  }

  /// The node that writes the node at `path`; the caller needs it in order to reach `goal`.
  func requireWriter(of path: IndexPath, for goal: IndexPath) -> any WritableNode<Element> {
    let node = requireNode(at: path, for: goal)
    guard let writer = node.writer else {
      trap("The path \(goal.sentence) leads into a \(type(of: node)), which cannot be written.")
    }
    return writer
  }
}

extension IndexPath {
  var lastComponent: Int { self[count - 1] }
}
