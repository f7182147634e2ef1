/// The place where a node meets its graph: its sources, its dependents, its observers.
///
/// Every node owns one hub. A node that holds contents of its own tells its hub what changed; the hub
/// carries the change to every dependent, sources first, and then to the observers. A node of your own needs
/// four calls:
///
/// ```swift
/// final class Countdown: TreeNode {
///   let hub = NodeHub()
///   private(set) var count: Int
///
///   init(from count: Int) {
///     self.count = count
///     hub.attach(to: self)
///   }
///
///   func element(at position: Int) -> Int? { position < count ? count - position : nil }
///
///   func tick() {
///     hub.prepareForChange()
///     count -= 1
///     hub.publish(ChangeSet(.removal(0..<1)))
///   }
///
///   deinit { hub.detach() }
/// }
/// ```
///
/// A hub belongs to the isolation domain of its node and is not `Sendable`.
public final class NodeHub {
  /// Everything that changes, in a cell: the hub is on the way of every edit, and run-time exclusivity checks on its
  /// properties would take a tenth of an edit's time. Only this module's code touches it, and no closure of a user's
  /// runs while it is being modified.
  let state = Cell(State())

  /// What a hub knows.
  struct State {
    // Not weak: a weak reference moves the node's reference count to a side table, which makes counting three times as
    // slow. An unowned one traps should it ever be used too late.

    /// The node that owns the hub, nil before `attach(to:)` and after `detach()`.
    unowned var owner: (any TreeNode)?

    /// The owner again, where it derives from other nodes; asked for once, because the cast is slow.
    unowned var translator: (any DerivedNode)?

    /// The connected graph the node is part of, made when first needed. It may have been merged into another since;
    /// `NodeHub.graph` follows it there.
    var graph: Graph?

    /// A topological number: lower than that of every dependent, higher than that of every source.
    var level = 0

    /// The hubs of the nodes that derive from this one; each removes itself before it dies.
    var dependents: [Dependent] = []

    /// The sources' hubs, by the slot under which this node linked them.
    var sources: [NodeHub?] = []

    /// The observers of this node, in the order in which they registered.
    var observers: [Observer] = []

    /// How many observers, and links to dependents that are listened to, this hub has.
    var listeners = 0

    /// The undo logs that watch this node itself, not only what derives from it.
    var recorders: [UndoRecorder] = []

    /// Whether the only source keeps this node up to date, and whether it knows of it: see `becomePart(of:)`.
    var isPart = false
    var isAwake = false

    /// What the sources reported in the settling that is under way, and this node has not translated yet.
    var inbox = SourceChanges()
  }

  /// Creates a hub without a node; call `attach(to:)` when the node is initialized.
  public init() {}

  deinit {
    unlinkAll()
    state.destroy()
  }

  /// Makes `node` the owner of this hub.
  ///
  /// - Parameter node: the node that stores this hub; it is not retained.
  /// - Precondition: the hub has no owner yet.
  /// - Complexity: O(1).
  public func attach(to node: any TreeNode) {
    require(
      state.value.owner == nil, "This hub already belongs to \(description); each node needs a hub of its own.")
    state.value.owner = node
    state.value.translator = Self.derivedNode(node)
  }

  /// Ends the hub's part in the graph, because its node is about to be released.
  ///
  /// Call it in the node's `deinit`. Using the hub afterwards to change the node traps.
  ///
  /// - Complexity: O(m) for m sources.
  public func detach() {
    state.value.owner = nil
    state.value.translator = nil
    unlinkAll()
  }

  // Apart from `attach(to:)`, because the 6.3 optimizer fails to verify the cast beside the weak stores.
  @inline(never)
  private static func derivedNode(_ node: any TreeNode) -> (any DerivedNode)? { node as? any DerivedNode }

  /// Whether anybody would hear of a change: a dependent or an observer.
  ///
  /// A source may skip describing its change where this is false.
  public var isObserved: Bool { !state.value.dependents.isEmpty || !state.value.observers.isEmpty }

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
    guard let owner = state.value.owner else { return "a released node" }
    return String(describing: type(of: owner))
  }
}

@available(*, unavailable)
extension NodeHub: Sendable {}

/// One edge of the graph as its source sees it.
@safe
struct Dependent {
  /// The dependent's hub. It is not retained: a dependent unlinks itself from its sources when it dies.
  unowned(unsafe) let hub: NodeHub

  /// The slot under which the dependent knows this source.
  let slot: Int
}
