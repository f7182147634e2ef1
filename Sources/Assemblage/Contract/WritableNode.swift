/// A node whose children can be changed through it.
///
/// A derived node routes a change to the source that owns the place. A node that cannot be written does not conform:
/// `allows(_:at:)` with an index path returns false for it.
///
/// ```swift
/// let done = ArrayNode(["b"])
/// let node: any TreeNode<String> = JoinNode([ArrayNode(["a"]), done])
/// node.insert("c", at: [2])           // done holds "b", "c"
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

  /// Makes a node without children of a leaf, for example a folder without files.
  ///
  /// Observers are notified of one update at `position`. The default traps: most sources hold elements that have no
  /// children, or nodes that the caller made. A `ForestNode` makes a branch of its leaf. An insertion by an index path
  /// below a leaf calls this method.
  ///
  /// - Parameter position: `0..<count`; nothing happens if the child is a branch of a forest already.
  /// - Precondition: the source that owns the place is a `ForestNode`; for a node of your own, the source accepts
  ///   elements and nodes below the child.
  func turnIntoBranch(at position: Int)

  /// Whether an edit is possible at a place; an edit that is not possible traps.
  ///
  /// The default allows every edit of an existing place, except those that need nodes: `.insertNode` and
  /// `.turnIntoBranch`.
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
    edit != .insertNode && edit != .turnIntoBranch && edit.isInRange(at: position, of: count)
  }

  @_spi(NodeAuthors)
  public var writer: (any WritableNode<Element>)? { self }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    trap("\(type(of: self)): its children are elements; it cannot take the node \(node) as a child.")
  }

  public func turnIntoBranch(at position: Int) { trapTurning(position) }

  func trapTurning(_ position: Int) -> Never {
    trap("\(kindName): its child \(position) is a leaf that cannot have children here.")
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

// MARK: - Choosing children

/// A node that does not accept every child.
protocol ChoosingNode<Element>: WritableNode {
  /// Whether the node accepts a child at a position.
  func accepts(_ child: TreeChild<Element>, at position: Int) -> Bool
}

extension WritableNode {
  /// Whether the node that would hold a child accepts the child.
  ///
  /// - Parameters:
  ///   - child: a leaf or a node.
  ///   - position: the place of the insertion, `0...count`.
  /// - Returns: whether it is accepted; `allows(_:at:)` answers for leaves and nodes in general.
  package func accepts(_ child: TreeChild<Element>, at position: Int) -> Bool {
    if let node = self as? any ChoosingNode<Element> { return node.accepts(child, at: position) }
    guard let view = routing else { return true }
    guard let place = view.insertionOwner(at: position) else { return false }
    return place.node.writer?.accepts(child, at: place.position) ?? false
  }
}

extension TreeNode {
  /// A child as the node that owns it has it. For example, an `OutlineNode` shows a branch as a row without children.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the child; nil if it is a leaf without a value.
  package func ownChild(at position: Int) -> TreeChild<Element>? {
    if let view = routing {
      let place = view.owner(of: position)
      return place.node.ownChild(at: place.position)
    }
    if let node = child(at: position) { return .node(node) }
    return element(at: position).map { .leaf($0) }
  }
}

extension IndexPath {
  var lastComponent: Int { self[count - 1] }
}
