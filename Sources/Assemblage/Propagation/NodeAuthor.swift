/// The author's side of a node: what a node of your own needs in order to take part in its graph.
///
/// A node keeps its author private, and gives the author's port to the library. A node with contents of its own tells its author
/// what changed; everything that derives from it, and every observer, hears of it from there:
///
/// ```swift
/// final class Countdown: TreeNode {
///   private let author = NodeAuthor()
///   var port: NodePort { author.port }
///   private(set) var count: Int
///
///   init(from count: Int) {
///     self.count = count
///     author.attach(to: self)
///   }
///
///   func element(at position: Int) -> Int? { position < count ? count - position : nil }
///
///   func tick() {
///     author.prepareForChange()
///     count -= 1
///     author.publish(ChangeSet(.removal(0..<1)))
///   }
/// }
/// ```
///
/// A node that derives from others links them, and translates their changes: see `attach(to:surrender:translate:)`. It keeps its
/// state in a box of its author, so that readers never see it left behind by a transaction: see `box(_:)`.
///
/// An author belongs to the isolation domain of its node and is not `Sendable`. When the node releases it, the node's part in the
/// graph ends.
@_spi(NodeAuthors)
public final class NodeAuthor {
  private let hub = NodeHub()
  private var translation: ((SourceChanges) -> ChangeSet)?
  private var surrender: ((inout [any TreeNode]) -> Void)?

  /// Creates an author without a node; call `attach(to:)` when the node is initialized.
  public init() {}

  deinit { hub.detach() }

  /// What the node gives as its `port`.
  @_spi(NodeAuthors)
  public var port: NodePort { hub }

  /// Makes `node` the node of this author.
  ///
  /// - Parameter node: the node that keeps this author; it is not retained.
  /// - Precondition: the author has no node yet.
  /// - Complexity: O(1).
  public func attach(to node: any TreeNode) { hub.attach(to: node, translator: self) }

  /// Makes a node that derives from others the node of this author.
  ///
  /// Give `self` to the closures through their parameter: what they capture themselves they keep alive.
  ///
  /// ```swift
  /// author.attach(to: self) { node, changes in node.translation.translate(changes[0].change) }
  /// author.link(source, slot: 0)
  /// ```
  ///
  /// - Parameters:
  ///   - node: the node that keeps this author; it is not retained.
  ///   - surrender: gives up the node's references to its sources, and appends them to what it is given. Only nodes that may
  ///     stand in chains of many thousand levels need it: it makes their release a loop rather than a recursion.
  ///   - translate: brings the node up to date with its sources, and returns the change of the node's own index space. It is
  ///     called once for each settlement of the graph in which a source changed: for each edit outside of `performUpdates`, and
  ///     inside when somebody reads, and at the end. All sources have translated by then. It receives one report for each link to
  ///     a source that changed, in no particular order, and must not change any node. A change that only concerns places below a
  ///     source's children arrives only while an observer listens to this node or to one that derives from it.
  /// - Precondition: the author has no node yet.
  /// - Complexity: O(1).
  public func attach<Node: TreeNode>(
    to node: Node, surrender: ((Node, inout [any TreeNode]) -> Void)? = nil,
    translate: @escaping (Node, [SourceChange]) -> ChangeSet
  ) {
    attach(to: node)
    translation = { [unowned node] in translate(node, Array($0)) }
    if let surrender { self.surrender = { [unowned node] in surrender(node, &$0) } }
  }

  /// Ends the node's part in the graph, because it is about to be released.
  ///
  /// The author does so itself when it is released. A node whose `deinit` does more may call it first.
  ///
  /// - Complexity: O(m) for m sources.
  public func detach() { hub.detach() }
}

@available(*, unavailable)
extension NodeAuthor: Sendable {}

extension NodeAuthor: DerivedNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet { translation?(changes) ?? ChangeSet() }

  func surrenderSources(to references: inout [any TreeNode]) { surrender?(&references) }
}

// MARK: - State

extension NodeAuthor {
  /// Makes a box for the state of the node, where that derives from other nodes.
  ///
  /// Inside a transaction, changes of the sources are not translated one by one. Reading the box settles the graph first: the
  /// node then translates the net change of its sources. So all methods by which the node is read see the present state. A node
  /// that stores nothing, and only reads its sources, needs no box.
  ///
  /// ```swift
  /// // In a node that shows how many children its source has:
  /// private lazy var shown = author.box(source.count)
  /// func element(at position: Int) -> Int? { position == 0 ? shown.value : nil }
  /// ```
  ///
  /// - Parameter value: the state when the node is made.
  /// - Returns: the box, which the node keeps.
  /// - Complexity: O(1).
  public func box<Value>(_ value: Value) -> NodeBox<Value> { NodeBox(value, of: hub) }
}

/// The state of a derived node of your own, whose reading brings the node up to date: see `NodeAuthor.box(_:)`.
@_spi(NodeAuthors)
public final class NodeBox<Value> {
  private let state: NodeCell<Value>
  // The cell does not keep it.
  private let hub: NodeHub

  init(_ value: Value, of hub: NodeHub) {
    state = NodeCell(value, of: hub)
    self.hub = hub
  }

  deinit { state.destroy() }

  /// The state. Reading or changing it settles the graph first, except while the node translates.
  ///
  /// - Complexity: O(1) where no source has changed in an open transaction; otherwise that of the translations.
  public var value: Value {
    _read { yield state.value }
    _modify { yield &state.value }
  }
}

@available(*, unavailable)
extension NodeBox: Sendable {}

// MARK: - Links

extension NodeAuthor {
  /// Makes `source` a source of the node.
  ///
  /// The node itself has to keep `source` alive. A source may be linked several times, under several slots.
  ///
  /// - Parameters:
  ///   - source: the node whose changes the node is going to translate.
  ///   - slot: a small number, at least 0, that is not in use; changes arrive with it.
  /// - Precondition: `source` does not depend on the node, directly or through others.
  /// - Complexity: O(1) where `source` or the node is new; otherwise O(s) for the s nodes whose order changes.
  public func link(_ source: any TreeNode, slot: Int) { hub.link(source, slot: slot) }

  /// Ends the link that was made under `slot`.
  ///
  /// - Parameter slot: the slot that the source was linked under.
  /// - Precondition: there is a source under `slot`.
  /// - Complexity: O(k) where k is the number of the source's dependents.
  public func unlink(slot: Int) { hub.unlink(slot: slot) }

  /// Checks that a node may become a source, before anything else is changed for it.
  ///
  /// `link(_:slot:)` checks it too; a node whose own contents would by then have changed calls this first.
  ///
  /// - Parameter source: the node that is going to be linked.
  /// - Precondition: `source` does not depend on the node, directly or through others.
  /// - Complexity: that of `link(_:slot:)`.
  public func refuseCycle(with source: any TreeNode) { hub.refuseCycle(with: source) }
}

// MARK: - Changes

extension NodeAuthor {
  /// Whether a dependent or an observer would hear of a change.
  ///
  /// A node may skip describing its change where this is false and `isRecording` too.
  public var isObserved: Bool { hub.isObserved }

  /// Whether a change may have to be taken back: inside a transaction whose body can throw, and where an `UndoLog` records.
  ///
  /// - Complexity: O(1).
  public var isRecording: Bool { hub.isRecording }

  /// Checks that the node may change now; call it before touching the node's contents.
  ///
  /// - Precondition: the node is alive, and the graph is not being settled: a predicate or another closure that a derived node
  ///   calls while it translates a change must not change a node of the same graph.
  /// - Complexity: O(1).
  public func prepareForChange() { hub.prepareForChange() }

  /// Calls a closure while no node of this graph may be changed: a change traps.
  ///
  /// A node runs the closures of its users in here, predicates and the like, where it could not bear a change.
  ///
  /// - Parameter body: reads nodes, and calls closures that should do no more.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  /// - Complexity: that of `body`.
  public func refusingChanges<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try hub.refusingChanges(body)
  }

  /// Tells every dependent and observer what changed, after the node's contents have changed.
  ///
  /// From now on, readers of all derived nodes see the change: outside of `performUpdates` these have translated it when this
  /// returns, inside they do when one of them is read. Observers are called at once, or when the outermost transaction ends.
  ///
  /// A change that is published this way cannot be taken back: it stays where a transaction is rolled back, and an `UndoLog`
  /// does not record it. See `publish(_:inverse:)`.
  ///
  /// - Parameter change: from the node's former contents to those it has now; an empty change is not delivered.
  /// - Complexity: O(d · log n) and the translations' own cost, where d is the number of derived nodes.
  public func publish(_ change: consuming ChangeSet) { hub.publish(consume change) }
}

// MARK: - Taking back

extension NodeAuthor {
  /// What a change is about, for transactions that are rolled back and for undo logs.
  ///
  /// ```swift
  /// // A node's two rows change their order, which is not part of the data:
  /// func turn() {
  ///   author.prepareForChange()
  ///   isTurned.toggle()
  ///   author.publish(ChangeSet(.move(0..<1, to: 1)), of: .view, inverse: { [self] in turn() })
  /// }
  /// ```
  public enum Concern: Sendable {
    /// The data: a rollback takes the change back, and an `UndoLog` records it.
    case contents

    /// How the data are shown, as a filter's predicate does: a rollback takes the change back, and no `UndoLog` records
    /// it.
    case view
  }

  /// Tells every dependent and observer what changed, and how to take it back.
  ///
  /// This is `publish(_:)` for changes that can be reversed, which a node should prefer: a transaction whose body throws
  /// then leaves no trace of the change, and an `UndoLog` can undo it.
  ///
  /// ```swift
  /// func tick() {
  ///   author.prepareForChange()
  ///   count -= 1
  ///   author.publish(ChangeSet(.removal(0..<1)), inverse: { [self] in tock() })
  /// }
  /// ```
  ///
  /// Laws of the inverse:
  /// 1. Called while the node is as it is now, it brings back exactly the contents there were before this change.
  /// 2. It makes one change, which it publishes with an inverse of its own: that is what redoes this change.
  /// 3. It holds what it needs, removed elements and nodes included.
  ///
  /// - Parameters:
  ///   - change: from the node's former contents to those it has now. An empty change is not delivered, but can be taken
  ///     back all the same.
  ///   - concern: the data, or how they are shown.
  ///   - inverse: the closure that takes the change back. It is asked for only where `isRecording`, and called at most once.
  /// - Complexity: that of `publish(_:)`; where an `UndoLog` watches the graph, O(a) more for a first change of this
  ///   node, where a is the number of nodes that derive from it.
  public func publish(
    _ change: consuming ChangeSet, of concern: Concern = .contents, inverse: @autoclosure () -> (() -> Void)
  ) {
    hub.publish(consume change, of: concern == .view ? .view : .contents, inverse: inverse())
  }
}

// MARK: - Translating

extension NodeAuthor {
  /// Makes a source's change that of a node which shows the same children in other places, or some of them.
  ///
  /// What happened inside children, and transfers between parents, go along; what an insertion of `delta` makes superfluous is
  /// dropped.
  ///
  /// ```swift
  /// var change = ChangeSet(delta: .removal(0..<1), children: [(2, ChangeSet(.insertion(5..<6)))])
  /// NodeAuthor.translate(&change, to: change.delta.shifted(by: 10), before: { $0 + 10 }, after: { $0 + 10 })
  /// change   // [-10; 12: [+5]]
  /// ```
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - delta: what happened to the node's own children.
  ///   - before: yields the node's position before the change for one of the source before it; nil where the node did not show
  ///     the child.
  ///   - after: the same after the change.
  /// - Precondition: `before` and `after` yield no position twice, and none that is negative.
  /// - Complexity: O(c) for c children that changed, and O(s) for all s nodes that did where some are dropped or change their
  ///   order.
  public static func translate(
    _ change: inout ChangeSet, to delta: Delta, before: (Int) -> Int?, after: (Int) -> Int?
  ) {
    change.translate(to: delta, before: before, after: after)
  }
}
