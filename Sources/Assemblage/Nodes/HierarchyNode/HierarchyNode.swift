/// A tree whose children are asked for, with a closure or a key path, when somebody first looks at them.
///
/// ```swift
/// struct Folder: Hashable { var name: String; var folders: [Folder] = [] }
/// let home = Folder(name: "home", folders: [Folder(name: "notes", folders: [Folder(name: "old")]), Folder(name: "music")])
/// let tree = HierarchyNode(home, id: { $0.name }, children: { $0.folders })
/// tree.elements.map(\.name)       // ["notes", "music"]: only these have been asked for
/// tree[[0, 0]]?.name              // "old": and now those of "notes"
/// ```
///
/// Each node is asked for its children once; `reload` asks again, and reports what differs, by id: what survived keeps its
/// place in the tree, with all that has been loaded below it. Opening a folder of a million files loads the names of these,
/// and no more.
///
/// Children are nodes of the same kind, made when they are asked for. Where `hasChildren` says that a value has none, the
/// child is a leaf, and costs nothing but its value; say so where you can. The closures must not change any node.
public final class HierarchyNode<Element>: DerivedNode {
  public let hub = NodeHub()
  @usableFromInline let state: Cell<State>
  let supply: HierarchySupply<Element>

  init(value: Element?, supply: HierarchySupply<Element>) {
    state = Cell(State(value: value))
    self.supply = supply
    hub.attach(to: self)
  }

  deinit {
    hub.detach()
    var references: [any TreeNode] = []
    surrenderSources(to: &references)
    release(&references)
    state.destroy()
  }

  public func surrenderSources(to references: inout [any TreeNode]) {
    for case .some(let node) in state.value.nodes { references.append(node) }
    state.value.nodes = []
    state.value.slots = [:]
  }

  /// The node's value, its children's as far as they are loaded, and the nodes that were made for some of them.
  @usableFromInline
  struct State: NodeState {
    enum Loading { case never, underWay, done }

    var value: Element?
    @usableFromInline var elements: [Element] = []
    var loading = Loading.never
    /// The nodes by slot, their positions by slot, and their slots by position.
    var nodes: [HierarchyNode?] = []
    var positions: [Int] = []
    var slots: [Int: Int] = [:]
    var free: [Int] = []

    init(value: Element?) { self.value = value }

    @inlinable
    var count: Int { elements.count }

    @inlinable
    func element(at position: Int) -> Element? {
      position >= 0 && position < elements.count ? elements[position] : nil
    }

    @inlinable
    func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
      guard !range.isEmpty else { return }
      // A copy: should `body` reload the node, this visit goes on with the elements it began with.
      let elements = elements
      body(range.lowerBound, elements.span.extracting(range))
    }

    /// The node that was made for a child.
    func node(at position: Int) -> HierarchyNode? { slots[position].flatMap { nodes[$0] } }

    mutating func add(_ node: HierarchyNode, at position: Int) -> Int {
      let slot: Int
      if let last = free.popLast() {
        slot = last
        nodes[slot] = node
        positions[slot] = position
      } else {
        slot = nodes.count
        nodes.append(node)
        positions.append(position)
      }
      slots[position] = slot
      return slot
    }

    /// Takes the node in a slot away.
    mutating func remove(slot: Int) {
      if slots[positions[slot]] == slot { slots[positions[slot]] = nil }
      nodes[slot] = nil
      free.append(slot)
    }
  }

  // MARK: Reading

  public var value: Element? { state.value.value }

  /// The number of children, which are loaded now if they have not been yet.
  public var count: Int {
    load()
    return state.value.elements.count
  }

  /// Whether there are children: what has been loaded, or else what the closure `hasChildren` says; without one, the children
  /// are loaded.
  public var hasChildren: Bool {
    if state.value.loading == .done { return !state.value.elements.isEmpty }
    if let value, let hasChildren = supply.hasChildren { return hub.refusingChanges { hasChildren(value) } }
    return count > 0
  }

  /// Whether the children have been asked for.
  public var isLoaded: Bool { state.value.loading == .done }

  public func element(at position: Int) -> Element? {
    load()
    return state.value.element(at: position)
  }

  /// The node of a child, made when it is first asked for; nil where the child is a leaf, or there is none.
  public func child(at position: Int) -> (any TreeNode<Element>)? { node(at: position) }

  /// See `child(at:)`.
  func node(at position: Int) -> HierarchyNode? {
    load()
    guard position >= 0, position < state.value.elements.count else { return nil }
    if let node = state.value.node(at: position) { return node }
    let element = state.value.elements[position]
    guard hub.refusingChanges({ supply.mayHaveChildren(element) }) else { return nil }
    return makeNode(at: position)
  }

  /// Makes the node of a child that has none yet.
  func makeNode(at position: Int) -> HierarchyNode {
    let node = HierarchyNode(value: state.value.elements[position], supply: supply)
    hub.linkNewSource(node, slot: state.value.add(node, at: position))
    return node
  }

  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "HierarchyNode")
    state.value.forEachSpan(in: range, body)
  }

  public var reader: NodeReader<Element> {
    // What reads the state does not load.
    load()
    return state.reader(supply.reading)
  }

  private func load() {
    guard state.value.loading != .done else { return }
    require(
      state.value.loading == .never, "HierarchyNode: the closure that was asked for a node's children asks that node.")
    state.value.loading = .underWay
    let elements = hub.refusingChanges { supply.children(state.value.value) }
    state.value.elements = elements
    state.value.loading = .done
  }

  /// Tells the same changes one level deeper.
  public func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    if case (let slot, var change)? = changes.takeOnly() {
      change.wrap(at: state.value.positions[slot])
      return change
    }
    return ChangeSet(
      delta: Delta(), children: changes.map { (position: state.value.positions[$0.slot], change: $0.change) })
  }
}

@available(*, unavailable)
extension HierarchyNode: Sendable {}

extension HierarchyNode: CustomStringConvertible {
  public var description: String {
    isLoaded ? "HierarchyNode(\(state.value.elements.count) children)" : "HierarchyNode(not loaded)"
  }
}
