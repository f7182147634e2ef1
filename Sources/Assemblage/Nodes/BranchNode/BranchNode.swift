/// An inner node of a tree: its children are leaves and nodes in any order, and it may have a value of its own.
///
/// ```swift
/// let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
/// let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes)])
/// home[[1]]                   // "notes"
/// home[[1, 0]]                // "a.md"
/// notes.append(.leaf("c.md")) // home reports an insertion at [1, 2]
/// ```
///
/// A branch keeps the nodes among its children alive, and hears their changes. A leaf costs no object.
public final class BranchNode<Element>: DerivedNode {
  /// A child of a branch.
  public enum Child {
    /// An element without children.
    case leaf(Element)

    /// A node; the child's value is the node's own.
    case node(any TreeNode<Element>)

    /// The child's value, or nil for a node that has none.
    @inlinable
    public var value: Element? {
      switch self {
      case .leaf(let element): element
      case .node(let node): node.value
      }
    }

    /// The node, or nil for a leaf.
    @inlinable
    public var node: (any TreeNode<Element>)? {
      if case .node(let node) = self { node } else { nil }
    }
  }

  public let hub = NodeHub()
  @usableFromInline let state: Cell<State>
  private let functions: NodeReader<Element>.Functions

  /// Creates a branch.
  ///
  /// - Parameters:
  ///   - value: the branch's own value; none by default.
  ///   - children: the children in order; the same node may stand in several places.
  /// - Complexity: O(n) for n children.
  @inlinable
  public convenience init(value: Element? = nil, _ children: [Child]) {
    self.init(value: value, storage: ChunkedArray(children), functions: .reading(State.self))
  }

  /// Creates a branch whose children are nodes.
  ///
  /// - Parameters:
  ///   - value: the branch's own value; none by default.
  ///   - nodes: the children in order; the same node may stand in several places.
  /// - Complexity: O(n) for n children.
  @inlinable
  public convenience init(value: Element? = nil, _ nodes: [any TreeNode<Element>] = []) {
    self.init(
      value: value, storage: ChunkedArray(nodes.lazy.map { Child.node($0) }), functions: .reading(State.self))
  }

  /// Creates a branch whose children are leaves.
  ///
  /// - Parameters:
  ///   - value: the branch's own value; none by default.
  ///   - leaves: the children in order.
  /// - Complexity: O(n) for n children.
  @inlinable
  public convenience init(value: Element? = nil, leaves: some Sequence<Element>) {
    self.init(
      value: value, storage: ChunkedArray(leaves.lazy.map { Child.leaf($0) }), functions: .reading(State.self))
  }

  @usableFromInline
  init(value: Element?, storage children: consuming ChunkedArray<Child>, functions: NodeReader<Element>.Functions) {
    var isNode: [Bool] = []
    var nodes: [any TreeNode<Element>] = []
    children.forEachSpan(in: 0..<children.count) { _, span in
      for index in span.indices {
        let node = span[index].node
        isNode.append(node != nil)
        if let node { nodes.append(node) }
      }
    }
    state = Cell(State(children: children, translation: BranchTranslation(isNode: isNode), value: value))
    self.functions = functions
    hub.attach(to: self)
    for (slot, node) in nodes.enumerated() { hub.link(node, slot: slot) }
  }

  deinit {
    hub.detach()
    var references: [any TreeNode] = []
    surrenderSources(to: &references)
    release(&references)
    state.destroy()
  }

  /// The children, which of them are nodes, and the branch's own value.
  @usableFromInline
  struct State: NodeState {
    @usableFromInline var children: ChunkedArray<Child>
    @usableFromInline var translation: BranchTranslation
    @usableFromInline var value: Element?

    @usableFromInline
    init(children: consuming ChunkedArray<Child>, translation: BranchTranslation, value: Element?) {
      self.children = children
      self.translation = translation
      self.value = value
    }

    @inlinable
    var count: Int { children.count }

    @inlinable
    func element(at position: Int) -> Element? {
      position >= 0 && position < children.count ? children[position].value : nil
    }

    @inlinable
    func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
      // A copy: should `body` change the branch, this visit goes on with the children it began with.
      let children = children
      gatherSpans(in: range, body) { children[$0].value }
    }
  }

  public func surrenderSources(to references: inout [any TreeNode]) {
    state.value.children.forEachSpan(in: 0..<count) { _, span in
      for index in span.indices {
        if let node = span[index].node { references.append(node) }
      }
    }
    state.value.children.removeAll()
  }

  // MARK: Reading

  @inlinable
  public var count: Int { state.value.children.count }

  /// The branch's own value.
  ///
  /// Setting it tells the branch's observers that its value was updated, and those of a parent that its child was.
  public var value: Element? {
    get { state.value.value }
    set {
      hub.prepareForChange()
      let former = state.value.value
      state.value.value = newValue
      hub.publish(ChangeSet(updatesValue: true))
      withExtendedLifetime(former) {}
    }
  }

  /// The child at a position; setting it replaces the child, and is reported as a removal and an insertion.
  ///
  /// - Parameter position: 0 ..< `count`.
  /// - Complexity: O(log n), and the propagation where it is set.
  @inlinable
  public subscript(position: Int) -> Child {
    get {
      checkPosition(position, in: count, of: "BranchNode")
      return state.value.children[position]
    }
    set { replaceChild(at: position, with: newValue) }
  }

  @inlinable
  public func element(at position: Int) -> Element? {
    state.value.element(at: position)
  }

  @inlinable
  public func child(at position: Int) -> (any TreeNode<Element>)? {
    position >= 0 && position < count ? state.value.children[position].node : nil
  }

  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "BranchNode")
    state.value.forEachSpan(in: range, body)
  }

  public var reader: NodeReader<Element> { state.reader(functions) }

  public func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    state.value.translation.translate(consume changes)
  }
}

@available(*, unavailable)
extension BranchNode: Sendable {}

extension BranchNode: CustomStringConvertible {
  public var description: String { "BranchNode(\(count) children)" }
}

// MARK: - Editing

extension BranchNode {
  /// Adds a child at the end.
  ///
  /// - Parameter child: a leaf or a node.
  /// - Precondition: a node does not derive from this branch: that would be a cycle.
  /// - Complexity: O(log n), and the propagation.
  public func append(_ child: Child) { insert(child, at: count) }

  /// Adds a node at the end.
  ///
  /// - Parameter node: the new last child.
  /// - Precondition: the node does not derive from this branch: that would be a cycle.
  /// - Complexity: O(log n), and the propagation.
  public func append(_ node: any TreeNode<Element>) { insert(.node(node), at: count) }

  /// Inserts a child.
  ///
  /// Observers hear of one insertion at `position`.
  ///
  /// - Parameters:
  ///   - child: a leaf or a node.
  ///   - position: 0 ... `count`, the place where it is to stand.
  /// - Precondition: a node does not derive from this branch: that would be a cycle.
  /// - Complexity: O(log n), and the propagation.
  public func insert(_ child: Child, at position: Int) {
    checkInsertion(position, in: count, of: "BranchNode")
    hub.prepareForChange()
    link(child, at: position)
    state.value.children.insert(child, at: position)
    hub.publish(ChangeSet(.insertion(position..<position + 1)))
  }

  /// Removes a child, with everything below it.
  ///
  /// Observers hear of one removal at `position`.
  ///
  /// - Parameter position: 0 ..< `count`.
  /// - Returns: the former child.
  /// - Complexity: O(log n), and the propagation.
  @discardableResult
  public func remove(at position: Int) -> Child {
    checkPosition(position, in: count, of: "BranchNode")
    hub.prepareForChange()
    if let slot = state.value.translation.remove(at: position) { hub.unlink(slot: slot) }
    let child = state.value.children.remove(at: position)
    hub.publish(ChangeSet(.removal(position..<position + 1)))
    return child
  }

  /// Puts another child in the place of one.
  ///
  /// Observers hear of one removal and one insertion.
  ///
  /// - Parameters:
  ///   - position: 0 ..< `count`.
  ///   - child: a leaf or a node.
  /// - Precondition: a node does not derive from this branch: that would be a cycle.
  /// - Complexity: O(log n), and the propagation.
  public func replaceChild(at position: Int, with child: Child) {
    checkPosition(position, in: count, of: "BranchNode")
    hub.prepareForChange()
    if let node = child.node { hub.refuseCycle(with: node) }
    if let slot = state.value.translation.remove(at: position) { hub.unlink(slot: slot) }
    link(child, at: position)
    let former = state.value.children[position]
    state.value.children[position] = child
    let place = position..<position + 1
    hub.publish(ChangeSet(Delta(removals: [place], insertions: [place])))
    withExtendedLifetime(former) {}
  }

  /// Moves a child, with everything below it, to another place in this branch.
  ///
  /// Observers hear of one move, or of nothing where both places are the same.
  ///
  /// - Parameters:
  ///   - position: 0 ..< `count`, before the move.
  ///   - destination: 0 ..< `count`, after the move.
  /// - Complexity: O(log n), and the propagation.
  public func move(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "BranchNode")
    checkPosition(destination, in: count, of: "BranchNode")
    guard position != destination else { return }
    hub.prepareForChange()
    state.value.translation.move(from: position, to: destination)
    let child = state.value.children.remove(at: position)
    state.value.children.insert(child, at: destination)
    hub.publish(ChangeSet(.move(position..<position + 1, to: destination)))
  }

  /// Registers a child with the translation, and links it if it is a node.
  private func link(_ child: Child, at position: Int) {
    guard let node = child.node else { return state.value.translation.insertLeaf(at: position) }
    hub.refuseCycle(with: node)
    hub.link(node, slot: state.value.translation.insertNode(at: position))
  }
}

// MARK: - Writing through

extension BranchNode: WritableNode {
  /// Inserts an element as a leaf.
  public func insert(_ element: Element, at position: Int) { insert(.leaf(element), at: position) }

  @discardableResult
  public func removeChild(at position: Int) -> Element? { remove(at: position).value }

  /// Gives a leaf, or a branch among the children, another value.
  ///
  /// - Precondition: the child is a leaf or a `BranchNode`.
  public func replace(at position: Int, with element: Element) {
    checkPosition(position, in: count, of: "BranchNode")
    switch state.value.children[position] {
    case .leaf:
      hub.prepareForChange()
      let former = state.value.children[position]
      state.value.children[position] = .leaf(element)
      hub.publish(ChangeSet(.update(position..<position + 1)))
      withExtendedLifetime(former) {}
    case .node(let node):
      guard let branch = node as? BranchNode else {
        trap(
          "BranchNode: its child \(position) is a \(type(of: node)), which has no value that could be replaced.")
      }
      branch.value = element
    }
  }
}
