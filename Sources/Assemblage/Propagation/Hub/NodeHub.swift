/// The connection of a node to its graph: its sources, its dependents, its observers.
///
/// Every node owns one hub. A node that holds contents of its own reports its changes to its hub. The hub carries each
/// change to every dependent, sources first, and then to the observers. A user's node reports changes through its
/// `NodeAuthor`.
@usableFromInline
final class NodeHub: NodePort {
  /// The mutable state.
  ///
  /// Every edit passes the hub, and run-time exclusivity checks on its properties would take a tenth of an edit's time.
  /// Only this module's code uses this property, and no closure of a user runs during a modification. A tree may have a
  /// million hubs, so the memory is the hub's own, and not that of a cell.
  @safe @exclusivity(unchecked) var state = Contents()

  /// The state, under the same name as in the cell of a node.
  struct Contents {
    var value = State()
  }

  /// The links of a hub, and the changes that are not carried yet.
  struct State {
    // Not weak: a weak reference moves the node's reference count to a side table, which makes counting three times as
    // slow. An unowned reference traps if ever used too late.

    /// The node that owns the hub, nil before `attach(to:)` and after `detach()`.
    unowned var owner: (any TreeNode)?

    /// Whether there is an owner: to read `owner` for that would count references to it.
    var isAttached = false

    /// The owner, if that is a derived node; for a user's node, its author.
    unowned var translator: (any DerivedNode)?

    /// The owner, if that is one of the library's nodes.
    unowned var readable: (any ReadableNode)?

    /// The connected graph of the node, made when first needed.
    ///
    /// The graph may have been merged into another one since; `NodeHub.graph` then finds that one.
    var graph: Graph?

    /// A topological number: lower than that of every dependent, higher than that of every source.
    var level = 0

    /// The edges to the nodes that derive from this one; each node removes its own before it dies.
    var dependents = Dependents()

    /// The edges to the sources, by the slot under which this node linked them.
    var sources: [SourceLink?] = []

    /// The observers of this node; each knows its place here.
    var observers: [Observer] = []

    /// How many observers this hub has, and how many links to dependents that are listened to.
    var listeners = 0

    /// The undo logs that watch this node itself, and not only nodes that derive from this one.
    var recorders: [UndoRecorder] = []

    /// Whether the only source keeps this node up to date: see `becomePart(of:)`.
    var isPart = false

    /// Whether the node has received the change that is under way in another way than through its inbox.
    var hasReceived = false

    /// The known facts about children that are nodes: see `hasOnlyLeaves`.
    var nesting = Nesting.unknown

    /// The changes that the sources have reported in the settlement under way, and that this node has not translated
    /// yet.
    var inbox = SourceChanges()

    /// The changes of this node since its graph was last settled; nil where there are none.
    var pending: PendingChange?

    /// Whether the node's children are its sources.
    ///
    /// A change of the node and the changes of its sources are then of one level.
    var isContainer = false
  }

  /// The facts that a node of the library states about its children that are nodes.
  enum Nesting {
    case unknown
    /// There are no such children.
    case none
    /// They are children of the node's sources.
    case ofSources
    /// They are the node's sources, and the node keeps no other nodes alive; more may be added at any time.
    case sources
  }

  /// Creates a hub without a node; call `attach(to:)` when the node is initialized.
  @usableFromInline
  override init() { super.init() }

  deinit {
    // An observer of a stream does not keep the node alive, and may still wait to be notified of an earlier change.
    let observers = state.value.observers
    for observer in observers { observer.cancel() }
    unlinkAll()
  }

  /// Makes a node of the library the owner of this hub.
  ///
  /// - Parameter node: the node that stores this hub; it is not retained.
  /// - Precondition: the hub has no owner yet.
  /// - Complexity: O(1).
  func attach<Node: ReadableNode>(to node: Node) {
    attach(to: node, translator: nil)
    state.value.readable = node
  }

  /// Makes a node of the library that derives from others the owner of this hub.
  func attach<Node: ReadableNode & DerivedNode>(to node: Node) {
    attach(to: node, translator: node)
    state.value.readable = node
  }

  /// Makes `node` the owner of this hub.
  ///
  /// - Parameters:
  ///   - node: the node that stores this hub; it is not retained.
  ///   - translator: translates the sources' changes; it is not retained.
  /// - Precondition: the hub has no owner yet.
  func attach(to node: any TreeNode, translator: (any DerivedNode)?) {
    require(
      !state.value.isAttached, "This author already belongs to \(description); each node needs one of its own.")
    state.value.owner = node
    state.value.isAttached = true
    state.value.translator = translator
  }

  /// Makes another node the owner of this hub, or again the node that stores it; the owner is not retained.
  ///
  /// The translator stays the same.
  func changeOwner<Node: ReadableNode>(to node: Node) {
    state.value.owner = node
    state.value.readable = node
  }

  /// Ends the hub's part in the graph, because its node is about to be released.
  ///
  /// The node calls this in its `deinit`. Using the hub afterwards to change the node traps.
  ///
  /// - Complexity: O(m) for m sources.
  func detach() {
    state.value.owner = nil
    state.value.isAttached = false
    state.value.translator = nil
    state.value.readable = nil
    unlinkAll()
  }

  /// The node that the hub belongs to; nil before `attach(to:)` and after `detach()`.
  var owner: (any TreeNode)? { state.value.owner }

  /// Whether a dependent or an observer would be notified of a change.
  ///
  /// A source may skip describing its change where this is false.
  @usableFromInline
  var isObserved: Bool { !state.value.dependents.isEmpty || !state.value.observers.isEmpty }

  /// Whether the hub knows, without asking each child, that no child is a node and that none ever will be.
  ///
  /// - Complexity: O(d) for a chain of d nodes with one source each.
  var hasOnlyLeaves: Bool { origin.state.value.nesting == .none }

  /// The last hub in the chain of nodes that show the children of their only source.
  private var origin: NodeHub {
    var hub = self
    while hub.state.value.nesting == .ofSources, hub.state.value.sources.count == 1,
      let source = hub.state.value.sources[0]?.hub
    {
      hub = source
    }
    return hub
  }

  /// Whether the hub knows in the same way that no child is a node now; a node may become a child later.
  ///
  /// - Parameter count: the number of children that the caller would otherwise ask one by one. A join with more sources
  ///   is not examined: an edit of one child costs no time for the other members.
  /// - Returns: whether the hub knows that.
  /// - Complexity: O(`count`), and that of `hasOnlyLeaves` for each source.
  func hasOnlyLeavesNow(sparing count: Int) -> Bool {
    if state.value.nesting == .sources { return state.value.sources.isEmpty }
    let hub = origin
    guard hub.state.value.nesting == .ofSources else { return hub.state.value.nesting == .none }
    let sources = hub.state.value.sources
    // The sources share the number, so that joins of joins do not cost more.
    return sources.count <= count
      && sources.allSatisfy { $0?.hub.hasOnlyLeavesNow(sparing: count / sources.count) ?? true }
  }

  /// Whether the node derives from no other, and has no nodes as children.
  var hasNoSources: Bool { state.value.sources.allSatisfy { $0 == nil } && state.value.nesting == .none }

  /// Whether the node derives from others, and has a change of its own only when a setting changes.
  var isView: Bool { !state.value.isContainer && !state.value.isPart && !state.value.sources.isEmpty }

  /// Whether an observer of this node, or of a node that derives from it, would be notified of a change.
  var isListenedTo: Bool { state.value.listeners > 0 }

  /// The connected graph this node is part of.
  var graph: Graph {
    guard let known = state.value.graph else {
      let graph = Graph()
      state.value.graph = graph
      return graph
    }
    guard known.isMerged else { return known }
    let root = known.root
    state.value.graph = root
    return root
  }

  /// A topological number: lower than that of every dependent, higher than that of every source.
  var level: Int {
    get { state.value.level }
    set { state.value.level = newValue }
  }

  /// The name of the node in messages.
  var description: String {
    state.value.owner?.typeName ?? "a released node"
  }
}

extension TreeNode {
  /// The hub of this node: only this library makes ports, and each port is a hub.
  ///
  /// Clients cannot inline this property, because the port is for authors. So the nodes whose edits clients specialize
  /// store their hub.
  @usableFromInline @inline(__always)
  var hub: NodeHub { unsafe unsafeDowncast(port, to: NodeHub.self) }

  /// Whether the hub knows, without asking each child, that no child is a node now: see `NodeHub`.
  package var hasOnlyLeavesNow: Bool { hub.hasOnlyLeavesNow(sparing: 0) }

  /// Calls a closure while no node of this graph may be changed: see `NodeHub`.
  package func refusingChanges<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try hub.refusingChanges(body)
  }

  /// Direct access to the values, for nodes that derive from this one.
  @usableFromInline
  package var reader: NodeReader<Element> {
    guard let node = hub.state.value.readable, node === self else { return NodeReader(calling: self) }
    return Self.reader(of: node)
  }

  private static func reader<Node: ReadableNode>(of node: Node) -> NodeReader<Element> {
    // The node is an instance of this type, so both reader types are the same.
    unsafe unsafeBitCast(node.reader, to: NodeReader<Element>.self)
  }
}
