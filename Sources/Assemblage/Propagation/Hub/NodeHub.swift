/// The place where a node meets its graph: its sources, its dependents, its observers.
///
/// Every node owns one hub. A node that holds contents of its own tells its hub what changed; the hub
/// carries the change to every dependent, sources first, and then to the observers. A user's node does so through its
/// `NodeAuthor`.
@usableFromInline
final class NodeHub: NodePort {
  /// Everything that changes.
  ///
  /// The hub is on the way of every edit, and run-time exclusivity checks on its properties would take a tenth of an edit's
  /// time. Only this module's code touches it, and no closure of a user's runs while it is being modified. A tree may have a
  /// million hubs, so the memory is the hub's own, and not that of a cell.
  @safe @exclusivity(unchecked) var state = Contents()

  /// The state, under the name that it has in the cell of a node.
  struct Contents {
    var value = State()
  }

  /// What a hub knows.
  struct State {
    // Not weak: a weak reference moves the node's reference count to a side table, which makes counting three times as
    // slow. An unowned one traps should it ever be used too late.

    /// The node that owns the hub, nil before `attach(to:)` and after `detach()`.
    unowned var owner: (any TreeNode)?

    /// Whether there is an owner: to look at that itself counts references to it.
    var isAttached = false

    /// The owner again, where it derives from other nodes; the author of a user's node.
    unowned var translator: (any DerivedNode)?

    /// The owner again, where it is one of the library's nodes.
    unowned var readable: (any ReadableNode)?

    /// The connected graph the node is part of, made when first needed. It may have been merged into another since;
    /// `NodeHub.graph` follows it there.
    var graph: Graph?

    /// A topological number: lower than that of every dependent, higher than that of every source.
    var level = 0

    /// The edges to the nodes that derive from this one; each node removes its own before it dies.
    var dependents = Dependents()

    /// The edges to the sources, by the slot under which this node linked them.
    var sources: [SourceLink?] = []

    /// The observers of this node; each knows its place.
    var observers: [Observer] = []

    /// How many observers, and links to dependents that are listened to, this hub has.
    var listeners = 0

    /// The undo logs that watch this node itself, not only what derives from it.
    var recorders: [UndoRecorder] = []

    /// Whether the only source keeps this node up to date: see `becomePart(of:)`.
    var isPart = false

    /// Whether the node has heard of the change that is under way in another way than by its inbox.
    var hasHeard = false

    /// What is known of children that are nodes: see `hasOnlyLeaves`.
    var nesting = Nesting.unknown

    /// What the sources reported in the settling that is under way, and this node has not translated yet.
    var inbox = SourceChanges()

    /// What has changed in this node since its graph was last settled; nil: nothing.
    var pending: PendingChange?

    /// Whether the node's children are its sources, so that a change of the node and those of its sources are of one level.
    var isContainer = false
  }

  /// What a node of the library says of its children that are nodes.
  enum Nesting {
    case unknown
    /// There are none.
    case none
    /// They are those of its sources.
    case ofSources
    /// They are its sources, which are all that it keeps alive; by and by there may be others.
    case sources
  }

  /// Creates a hub without a node; call `attach(to:)` when the node is initialized.
  @usableFromInline
  override init() { super.init() }

  deinit {
    // Such as wait to be told of what happened before, but do not keep the node: those of streams.
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

  /// The same for a node that derives from others.
  func attach<Node: ReadableNode & DerivedNode>(to node: Node) {
    attach(to: node, translator: node)
    state.value.readable = node
  }

  /// Makes `node` the owner of this hub.
  ///
  /// - Parameters:
  ///   - node: the node that stores this hub; it is not retained.
  ///   - translator: what translates the sources' changes; it is not retained.
  /// - Precondition: the hub has no owner yet.
  func attach(to node: any TreeNode, translator: (any DerivedNode)?) {
    require(
      !state.value.isAttached, "This author already belongs to \(description); each node needs one of its own.")
    state.value.owner = node
    state.value.isAttached = true
    state.value.translator = translator
  }

  /// Lets another node stand for this hub's, or the one that stored it again; it is not retained.
  ///
  /// What the owner translates it goes on to translate.
  func changeOwner<Node: ReadableNode>(to node: Node) {
    state.value.owner = node
    state.value.readable = node
  }

  /// Ends the hub's part in the graph, because its node is about to be released.
  ///
  /// Call it in the node's `deinit`. Using the hub afterwards to change the node traps.
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

  /// Whether a dependent or an observer would hear of a change.
  ///
  /// A source may skip describing its change where this is false.
  @usableFromInline
  var isObserved: Bool { !state.value.dependents.isEmpty || !state.value.observers.isEmpty }

  /// Whether it is known, without a question for each, that no child is a node, and none will be.
  ///
  /// - Complexity: a look at each node below, as long as there is one only.
  var hasOnlyLeaves: Bool { origin.state.value.nesting == .none }

  /// The node below that has the children, as long as there is one source only.
  private var origin: NodeHub {
    var hub = self
    while hub.state.value.nesting == .ofSources, hub.state.value.sources.count == 1,
      let source = hub.state.value.sources[0]?.hub
    {
      hub = source
    }
    return hub
  }

  /// Whether it is known in the same way that no child is a node now; one may become a child later.
  ///
  /// - Parameter count: the number of children that are asked one by one otherwise. A join with more sources than that is not
  ///   looked through: an edit of one child takes no time for the other members.
  /// - Returns: whether that is known.
  /// - Complexity: O(`count`), and that of `hasOnlyLeaves` for each source.
  func hasOnlyLeavesNow(sparing count: Int) -> Bool {
    if state.value.nesting == .sources { return state.value.sources.isEmpty }
    let hub = origin
    guard hub.state.value.nesting == .ofSources else { return hub.state.value.nesting == .none }
    let sources = hub.state.value.sources
    // The sources share the number, so that joins of joins take no more.
    return sources.count <= count
      && sources.allSatisfy { $0?.hub.hasOnlyLeavesNow(sparing: count / sources.count) ?? true }
  }

  /// Whether the node derives from no other, and has no nodes as children.
  var hasNoSources: Bool { state.value.sources.allSatisfy { $0 == nil } && state.value.nesting == .none }

  /// Whether the node derives from others, and has a change of its own only where a setting is changed.
  var isView: Bool { !state.value.isContainer && !state.value.isPart && !state.value.sources.isEmpty }

  /// Whether an observer of this node, or of one that derives from it, would hear of a change.
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
  /// The place where this node meets its graph: only this library makes ports, and each is a hub.
  ///
  /// Clients cannot inline it, because the port is for authors. So the nodes whose edits clients specialize have a stored hub.
  @usableFromInline @inline(__always)
  var hub: NodeHub { unsafe unsafeDowncast(port, to: NodeHub.self) }

  /// Whether it is known, without a question for each, that no child is a node now: see `NodeHub`.
  package var hasOnlyLeavesNow: Bool { hub.hasOnlyLeavesNow(sparing: 0) }

  /// Calls a closure while no node of this graph may be changed: see `NodeHub`.
  package func refusingChanges<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try hub.refusingChanges(body)
  }

  /// Direct access to the values, for nodes that stand on this one.
  @usableFromInline
  package var reader: NodeReader<Element> {
    guard let node = hub.state.value.readable, node === self else { return NodeReader(calling: self) }
    return Self.reader(of: node)
  }

  private static func reader<Node: ReadableNode>(of node: Node) -> NodeReader<Element> {
    // The node is an instance of this type, so both types of reader are one.
    unsafe unsafeBitCast(node.reader, to: NodeReader<Element>.self)
  }
}
