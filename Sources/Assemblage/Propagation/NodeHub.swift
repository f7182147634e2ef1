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
  // Not weak: a weak reference moves the node's reference count to a side table, which makes counting three times as
  // slow. An unowned one traps should it ever be used too late.

  /// The node that owns this hub, nil before `attach(to:)` and after `detach()`.
  private(set) unowned var owner: (any TreeNode)?

  /// The owner again, where it derives from other nodes; asked for once, because the cast is slow.
  private unowned var translator: (any DerivedNode)?

  /// The connected graph this node is part of, made when first needed. It may have been merged into
  /// another since; `graph` follows it there.
  private var knownGraph: Graph?

  /// A topological number: lower than that of every dependent, higher than that of every source.
  var level = 0

  /// The hubs of the nodes that derive from this one; each removes itself before it dies.
  private(set) var dependents: [Dependent] = []

  /// The sources' hubs, by the slot under which this node linked them.
  private(set) var sources: [NodeHub?] = []

  /// The observers of this node, in the order in which they registered.
  private(set) var observers: [Observer] = []

  /// How many observers, and links to dependents that are listened to, this hub has.
  private(set) var listeners = 0

  /// Whether an observer of this node, or of one that derives from it, would hear of a change.
  var isListenedTo: Bool { listeners > 0 }

  /// What the sources reported in the settling that is under way, and this node has not translated yet.
  private var inbox: [SourceChange] = []

  /// Creates a hub without a node; call `attach(to:)` when the node is initialized.
  public init() {}

  deinit { unlinkAll() }

  /// Makes `node` the owner of this hub.
  ///
  /// - Parameter node: the node that stores this hub; it is not retained.
  /// - Precondition: the hub has no owner yet.
  /// - Complexity: O(1).
  public func attach(to node: any TreeNode) {
    precondition(owner == nil, "This hub already belongs to \(description); each node needs a hub of its own.")
    owner = node
    translator = Self.derivedNode(node)
  }

  /// Ends the hub's part in the graph, because its node is about to be released.
  ///
  /// Call it in the node's `deinit`. Using the hub afterwards to change the node traps.
  ///
  /// - Complexity: O(m) for m sources.
  public func detach() {
    owner = nil
    translator = nil
    unlinkAll()
  }

  // Apart from `attach(to:)`, because the 6.3 optimizer fails to verify the cast beside the weak stores.
  @inline(never)
  private static func derivedNode(_ node: any TreeNode) -> (any DerivedNode)? { node as? any DerivedNode }

  /// Whether anybody would hear of a change: a dependent or an observer.
  ///
  /// A source may skip describing its change where this is false.
  public var isObserved: Bool { !dependents.isEmpty || !observers.isEmpty }

  /// The connected graph this node is part of.
  var graph: Graph {
    guard let known = knownGraph else {
      let graph = Graph()
      knownGraph = graph
      return graph
    }
    guard known.isMerged else { return known }
    let root = known.root
    knownGraph = root
    return root
  }

  /// The name of the node in messages.
  var description: String {
    guard let owner else { return "a released node" }
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

/// What one source of a derived node reports.
public struct SourceChange {
  /// The slot under which the node linked this source.
  public let slot: Int

  /// The source's change, from the contents that the node last translated to those that the source has now.
  public var change: ChangeSet

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - slot: the slot under which the node linked the source, at least 0.
  ///   - change: the source's change, in the source's own index space.
  public init(slot: Int, change: ChangeSet) {
    self.slot = slot
    self.change = change
  }
}

// MARK: - Changes

extension NodeHub {
  /// Checks that this node may change now; call it before touching the node's contents.
  ///
  /// - Precondition: the node is alive, and the graph is not being settled: a predicate or another closure
  ///   that a derived node calls while it translates a change must not change a node of the same graph.
  /// - Complexity: O(1).
  public func prepareForChange() {
    precondition(
      owner != nil, "A node was changed after it had been released, or before its hub was attached to it.")
    guard let knownGraph else { return }
    precondition(
      !knownGraph.root.isSettling,
      """
      \(description) was changed from a closure that a derived node of the same graph calls while it \
      translates a change; change it from an observer, or after the change.
      """)
  }

  /// Calls closures of the user's that must not change the graph: a change that they make traps.
  @usableFromInline
  func refusingChanges<Result>(_ body: () -> Result) -> Result { graph.refusingChanges(body) }

  /// Tells every dependent and observer what changed, after the node's contents have changed.
  ///
  /// When this returns, every derived node shows the change. Observers hear at once, or, inside
  /// `performUpdates`, when the outermost transaction ends.
  ///
  /// - Parameter change: from the node's former contents to those it has now; an empty change is not delivered.
  /// - Complexity: O(d · log n) and the translations' own cost, where d is the number of derived nodes.
  public func publish(_ change: consuming ChangeSet) {
    guard isObserved, !change.isEmpty else { return }
    graph.settle(from: self, consume change)
  }

  /// Hands this node's change to its observers' pending changes and its dependents' inboxes.
  func broadcast(_ change: consuming ChangeSet, in graph: Graph) {
    for observer in observers {
      observer.pending.append(copy change)
      graph.noteDelivery(to: observer)
    }
    // What happened below the children concerns nobody's state, only observers.
    let concernsStates = !change.delta.isEmpty || change.updatesValue
    guard let last = dependents.last(where: { unsafe concernsStates || $0.hub.isListenedTo }) else { return }
    for dependent in dependents where unsafe concernsStates || dependent.hub.isListenedTo {
      if unsafe dependent.hub === last.hub && dependent.slot == last.slot { break }
      unsafe dependent.hub.receive(SourceChange(slot: dependent.slot, change: copy change), in: graph)
    }
    unsafe last.hub.receive(SourceChange(slot: last.slot, change: consume change), in: graph)
  }

  private func receive(_ change: consuming SourceChange, in graph: Graph) {
    if inbox.isEmpty { graph.schedule(self) }
    inbox.append(consume change)
  }

  /// Lets the owner translate what its sources reported, and passes on what it makes of it.
  func translate(in graph: Graph) {
    var changes: [SourceChange] = []
    swap(&changes, &inbox)
    guard let translator else { return }
    // Handed on without a copy, here and below: along a chain of branches the change then grows in place.
    let change = translator.translate(consume changes)
    if !change.isEmpty { broadcast(consume change, in: graph) }
  }
}

// MARK: - Links

extension NodeHub {
  /// Makes `source` a source of this node.
  ///
  /// The node itself has to keep `source` alive. A source may be linked several times, under several slots.
  ///
  /// - Parameters:
  ///   - source: the node whose changes this node's `translate(_:)` is to receive.
  ///   - slot: a small number, at least 0, that is not in use; changes arrive with it.
  /// - Precondition: `source` does not depend on this node, directly or through others.
  /// - Complexity: O(1) where `source` or this node is new; otherwise O(s) for the s nodes whose order changes.
  public func link(_ source: any TreeNode, slot: Int) {
    let hub = source.hub
    precondition(slot >= 0, "The slot \(slot) of a source is negative.")
    precondition(
      slot >= sources.count || sources[slot] == nil, "The slot \(slot) of \(description) is already in use.")
    refuseCycle(with: source)
    while sources.count <= slot { sources.append(nil) }
    sources[slot] = hub
    hub.dependents.append(Dependent(hub: self, slot: slot))
    if isListenedTo { hub.addListener() }
    Graph.join(hub, self)
  }

  /// Checks that `source` may become a source of this node, before anything else is changed for it.
  ///
  /// - Precondition: `source` does not depend on this node, and the graph is not being settled.
  func refuseCycle(with source: any TreeNode) {
    prepareForLinking(to: source.hub)
    Levels.order(source.hub, before: self)
  }

  /// Ends the link that was made under `slot`.
  ///
  /// - Parameter slot: the slot that the source was linked under.
  /// - Precondition: there is a source under `slot`.
  /// - Complexity: O(k) where k is the number of the source's dependents.
  public func unlink(slot: Int) {
    guard sources.indices.contains(slot), let source = sources[slot] else {
      preconditionFailure("\(description) has no source in slot \(slot).")
    }
    sources[slot] = nil
    source.removeDependent(self, slot: slot)
  }

  /// Ends every link to a source.
  private func unlinkAll() {
    guard !sources.isEmpty else { return }
    var former: [NodeHub?] = []
    swap(&former, &sources)
    for (slot, source) in former.enumerated() { source?.removeDependent(self, slot: slot) }
  }

  private func removeDependent(_ hub: NodeHub, slot: Int) {
    // The newest links go first, as when a join is released: search from the end.
    guard let index = dependents.lastIndex(where: { unsafe $0.hub === hub && $0.slot == slot }) else { return }
    dependents.remove(at: index)
    if hub.isListenedTo { removeListener() }
  }

  private func prepareForLinking(to source: NodeHub) {
    for hub in [self, source] {
      guard let graph = hub.knownGraph else { continue }
      precondition(
        !graph.root.isSettling,
        """
        \(source.description) was linked to \(description) from a closure that a derived node of the same \
        graph calls while it translates a change; link it from an observer, or after the change.
        """)
    }
  }

  /// Adopts the graph of another hub, or makes both hubs' graphs one.
  fileprivate func join(_ other: NodeHub) {
    switch (knownGraph, other.knownGraph) {
    case (nil, nil): other.knownGraph = graph
    case (nil, _): knownGraph = other.graph
    case (_, nil): other.knownGraph = graph
    default: Graph.merge(graph, other.graph)
    }
  }
}

extension Graph {
  /// Makes the graphs of two linked hubs one.
  static func join(_ first: NodeHub, _ second: NodeHub) { first.join(second) }
}

// MARK: - Observers

extension NodeHub {
  func add(_ observer: Observer) {
    observers.append(observer)
    addListener()
  }

  func remove(_ observer: Observer) {
    guard let index = observers.firstIndex(where: { $0 === observer }) else { return }
    observers.remove(at: index)
    removeListener()
  }

  /// Counts one more listener; the first one also counts for the sources.
  private func addListener() {
    var open = [self]
    while let hub = open.popLast() {
      hub.listeners += 1
      if hub.listeners == 1 { open.append(contentsOf: hub.sources.lazy.compactMap(\.self)) }
    }
  }

  /// Counts one listener less; without the last one, the sources have one less as well.
  private func removeListener() {
    var open = [self]
    while let hub = open.popLast() {
      hub.listeners -= 1
      if hub.listeners == 0 { open.append(contentsOf: hub.sources.lazy.compactMap(\.self)) }
    }
  }
}
