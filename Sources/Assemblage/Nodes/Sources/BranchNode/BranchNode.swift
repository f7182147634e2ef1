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
/// A branch keeps the nodes among its children alive, and receives their changes. A leaf costs no object. A branch that
/// is a section of a list may also have a `header` and a `footer`.
public final class BranchNode<Element>: TreeNode, ReadableNode, DerivedNode {
  // The type is concrete: a hub that is read through `port` would be retained at each use.
  @usableFromInline let hub = NodeHub()
  @_spi(NodeAuthors)
  public var port: NodePort { hub }
  @usableFromInline let state: Cell<State>
  private let functions: Functions

  /// The functions that must be specialized for the element, at the place where the branch is created.
  @safe @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    /// The node at a position in a state.
    let child: (UnsafeRawPointer, Int) -> (any TreeNode<Element>)?

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions, child: @escaping (UnsafeRawPointer, Int) -> (any TreeNode<Element>)?
    ) {
      self.reading = reading
      unsafe self.child = child
    }

    @inlinable @inline(__always)
    static var specialized: Self {
      unsafe Self(
        reading: .reading(State.self),
        child: { unsafe $0.assumingMemoryBound(to: State.self).pointee.child(at: $1) })
    }
  }

  /// Creates a branch.
  ///
  /// - Parameters:
  ///   - value: the branch's own value; none by default.
  ///   - children: the children in order; the same node may be at several positions.
  /// - Complexity: O(n) for n children.
  @inlinable
  public convenience init(value: Element? = nil, _ children: some Collection<TreeChild<Element>>) {
    let children = ChunkedArray(children)
    let sources = BranchSources(children)
    self.init(Cell(State(value, children, sources.isNode)), sources.hubs, .specialized)
  }

  /// Creates a branch that has no children yet.
  ///
  /// - Parameter value: the branch's own value; none by default.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(value: Element? = nil) {
    self.init(value: value, leaves: EmptyCollection())
  }

  /// Creates a branch whose children are nodes.
  ///
  /// - Parameters:
  ///   - value: the branch's own value; none by default.
  ///   - nodes: the children in order; the same node may be at several positions.
  /// - Complexity: O(n) for n children.
  @inlinable
  public convenience init(value: Element? = nil, _ nodes: [any TreeNode<Element>]) {
    self.init(value: value, nodes.lazy.map { TreeChild.node($0) })
  }

  /// Creates a branch whose children are leaves.
  ///
  /// - Parameters:
  ///   - value: the branch's own value; none by default.
  ///   - leaves: the children in order.
  /// - Complexity: O(n) for n children.
  @inlinable
  public convenience init(value: Element? = nil, leaves: some Sequence<Element>) {
    let children = ChunkedArray(leaves.lazy.map { TreeChild.leaf($0) })
    self.init(Cell(State(value, children, BitRun(repeating: false, count: children.count))), [], .specialized)
  }

  // The state is made where the element's type is known. Otherwise that type would be looked up at run time for each
  // branch.
  @usableFromInline
  init(_ state: Cell<State>, _ sources: [NodeHub?], _ functions: Functions) {
    self.state = state
    self.functions = functions
    hub.attach(to: self)
    hub.state.value.nesting = .sources
    hub.state.value.isContainer = true
    hub.linkFirst(sources)
  }

  deinit {
    // If the children have no sources themselves, the release of one child does not lead to the release of another.
    if hub.mayReleaseChain { releaseSources() } else { hub.detach() }
    state.destroy()
  }

  /// The children, a bit for each child that is a node, and the branch's own value, header and footer.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    // First, so that its offset is known where the element's type is not known.
    @usableFromInline var translation: BranchTranslation
    @usableFromInline var children: ChunkedArray<TreeChild<Element>>
    @usableFromInline var value: Element?
    @usableFromInline var supplements: BranchSupplements<Element>?

    @inlinable
    init(_ value: Element?, _ children: ChunkedArray<TreeChild<Element>>, _ isNode: BitRun) {
      translation = BranchTranslation(isNode)
      self.children = children
      self.value = value
    }

    @inlinable
    var count: Int { children.count }

    @inlinable
    func element(at position: Int) -> Element? {
      position >= 0 && position < children.count ? children[position].value : nil
    }

    @inlinable
    func child(at position: Int) -> (any TreeNode<Element>)? {
      // The bit is checked first, because most children are leaves.
      guard position >= 0, position < count, translation.isNode(at: position) else { return nil }
      return children[position].node
    }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let children = unsafe state.pointee.children
      gatherSpans(in: range, body) { children[$0].value }
    }
  }

  func surrenderSources(to references: inout [any TreeNode]) {
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
  /// Setting the value notifies the branch's observers of an update of its value, and a parent's observers of an update
  /// of the child.
  public var value: Element? {
    get { state.value.value }
    set {
      hub.prepareForChange()
      let former = state.value.value
      state.value.value = newValue
      hub.publish(ChangeSet(updatesValue: true), inverse: { [self] in value = former })
      withExtendedLifetime(former) {}
    }
  }

  /// The child at a position.
  ///
  /// Setting it replaces the child, and is reported as a removal and an insertion. `replace(at:with:)` differs: it
  /// changes the value of the present child. A new node must not derive from this branch, because that would be a
  /// cycle, and the `rule` must hold for the new child.
  ///
  /// - Parameter position: `0..<count`.
  /// - Complexity: O(log n), and the propagation if it is set.
  @inlinable
  public subscript(position: Int) -> TreeChild<Element> {
    get {
      checkPosition(position, in: count, of: "BranchNode")
      return state.value.children[position]
    }
    set { replace(at: position, with: newValue) }
  }

  @inlinable
  public func element(at position: Int) -> Element? {
    state.value.element(at: position)
  }

  public func child(at position: Int) -> (any TreeNode<Element>)? { unsafe functions.child(state.place, position) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "BranchNode")
    state.forEachSpan(in: range, body)
  }

  // The branch stores its values itself. The functions are passed, so that the type of the state need not be looked up.
  var reader: NodeReader<Element> { unsafe NodeReader(place: state.place, functions.reading) }

  func position(ofChildInSlot slot: Int) -> Int? {
    // The translation is at the start of the state. Read from there, it needs no look-up of the element's type.
    unsafe state.place.assumingMemoryBound(to: BranchTranslation.self).pointee.position(ofSlot: slot)
  }
}

@available(*, unavailable)
extension BranchNode: Sendable {}

/// The facts about its children that a new branch needs.
@usableFromInline
struct BranchSources {
  /// A bit for each child; it is set if the child is a node.
  @usableFromInline var isNode: BitRun
  /// The hubs of the child nodes, in order.
  @usableFromInline var hubs: [NodeHub?] = []

  // Inlined, because reading a child is slow where the element's type is not known.
  @inlinable
  init<Element>(_ children: ChunkedArray<TreeChild<Element>>) {
    isNode = BitRun(repeating: false, count: children.count)
    children.forEachSpan(in: 0..<children.count) { start, span in
      for index in span.indices {
        guard case .node(let node) = span[index] else { continue }
        isNode.add(1 &<< UInt64(truncatingIfNeeded: (start &+ index) & 63), at: (start &+ index) &>> 6)
        hubs.append(node.hub)
      }
    }
  }
}

// The same initializers for values that are not optional. With the initializers above alone, the compiler would infer
// an optional element for `values.map { BranchNode(value: $0, leaves: []) }`.
extension BranchNode {
  /// Creates a branch with a value and children: see `init(value:_:)`.
  @inlinable
  public convenience init(value: Element, _ children: some Collection<TreeChild<Element>>) {
    self.init(value: .some(value), children)
  }

  /// Creates a branch with a value, whose children are nodes: see `init(value:_:)`.
  @inlinable
  public convenience init(value: Element, _ nodes: [any TreeNode<Element>]) { self.init(value: .some(value), nodes) }

  /// Creates a branch with a value, whose children are leaves: see `init(value:leaves:)`.
  @inlinable
  public convenience init(value: Element, leaves: some Sequence<Element>) {
    self.init(value: .some(value), leaves: leaves)
  }
}
