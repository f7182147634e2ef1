/// A tree whose children are asked for, with a closure or a key path, when they are first read.
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
///
/// Children that come from a network or a slow disk are fetched by an asynchronous closure, with `loading:` in place of
/// `children:`: then the first look begins a load, `loadState` says how far a node has come, and the children arrive as a change.
public final class HierarchyNode<Element>: TreeNode, ReadableNode, DerivedNode {
  public let port: NodePort = NodeHub()
  @usableFromInline let state: Cell<State>
  let supply: HierarchySupply<Element>

  init(value: Element?, supply: HierarchySupply<Element>) {
    state = Cell(State(value: value))
    self.supply = supply
    hub.attach(to: self)
  }

  deinit {
    dropLoad()
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    references += state.value.nodes.all
    state.value.nodes.removeAll()
  }

  /// The node's value, its children's as far as they are loaded, and the nodes that were made for some of them.
  @usableFromInline
  struct State: ElementsState {
    /// What has become of the last load; one that waits or runs elsewhere is not in it.
    enum Loading {
      case never
      /// The closure is being called.
      case underWay
      /// The only load was cancelled; a look begins no other.
      case cancelled
      case failed(any Error)
      case done
    }

    var value: Element?
    @usableFromInline var elements: [Element] = []
    var loading = Loading.never
    /// Whether the elements are what was loaded, by the last load or an earlier one.
    var isLoaded = false
    /// The load that waits or runs, in the tree's loader.
    var load: Int?
    /// The node that was collapsed when its load was cancelled.
    var suspender: ObjectIdentifier?
    var nodes = ChildNodes<HierarchyNode>()
  }

  // MARK: Reading

  public var value: Element? { state.value.value }

  /// The number of children, which are loaded now if they have not been yet.
  ///
  /// Where they come from afar, their load begins, and there are none until it has ended.
  public var count: Int {
    look()
    return state.value.elements.count
  }

  /// Whether there are children: what has been loaded, or else what the closure `hasChildren` says; without one, the children
  /// are loaded, or, where they come from afar, there may be some.
  public var hasChildren: Bool {
    if isLoaded { return !state.value.elements.isEmpty }
    if let value, let hasChildren = supply.hasChildren { return hub.refusingChanges { hasChildren(value) } }
    return supply.loader != nil || count > 0
  }

  /// Whether the children have been asked for, and have come: they stay while they are loaded again, and where that fails.
  public var isLoaded: Bool { state.value.isLoaded }

  public func element(at position: Int) -> Element? {
    look()
    return state.value.element(at: position)
  }

  /// The node of a child, made when it is first asked for; nil where the child is a leaf, or there is none.
  public func child(at position: Int) -> (any TreeNode<Element>)? { node(at: position) }

  /// See `child(at:)`.
  func node(at position: Int) -> HierarchyNode? {
    look()
    guard position >= 0, position < state.value.elements.count else { return nil }
    if let node = state.value.nodes[position] { return node }
    let element = state.value.elements[position]
    guard hub.refusingChanges({ supply.mayHaveChildren(element) }) else { return nil }
    return makeNode(at: position)
  }

  /// Makes the node of a child that has none yet.
  func makeNode(at position: Int) -> HierarchyNode {
    let node = HierarchyNode(value: state.value.elements[position], supply: supply)
    hub.linkNew(node, slot: state.value.nodes.add(node, at: position))
    return node
  }

  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "HierarchyNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> {
    // What reads the state does not load.
    look()
    return state.reader(supply.reading)
  }

  /// Loads the children if nobody has looked at them yet, or begins to.
  func look() {
    if state.value.isLoaded { return }
    switch supply.source {
    case .afar(let loader): beginWithLook(loader)
    case .atHand(let children): load(children)
    }
  }

  private func load(_ children: (Element?) -> [Element]) {
    if case .underWay = state.value.loading {
      trap("HierarchyNode: the closure that was asked for a node's children asks that node.")
    }
    state.value.loading = .underWay
    state.value.elements = hub.refusingChanges { children(state.value.value) }
    setLoaded()
  }

  func setLoaded() {
    state.value.loading = .done
    state.value.isLoaded = true
  }

  func position(ofChildInSlot slot: Int) -> Int? { state.value.nodes.position(ofSlot: slot) }
}

@available(*, unavailable)
extension HierarchyNode: Sendable {}
