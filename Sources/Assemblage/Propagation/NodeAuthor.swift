/// The author's side of a node, by which a node of your own takes part in its graph.
///
/// A node keeps its author private, and gives the author's port to the library. A node with contents of its own reports
/// its changes to its author. The author notifies every derived node and every observer:
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
/// A node that derives from others links them, and translates their changes: see `attach(to:surrender:translate:)`. Its
/// state is in a box of its author, so that readers never see an outdated state inside a transaction: see `box(_:)`.
///
/// An author belongs to the isolation domain of its node and is not `Sendable`. When the node releases the author, the
/// node's part in the graph ends.
@_spi(NodeAuthors)
public final class NodeAuthor {
  private let hub = NodeHub()
  private var translation: ((SourceChanges) -> ChangeSet)?
  private var surrender: ((inout [any TreeNode]) -> Void)?

  /// Creates an author without a node; call `attach(to:)` when the node is initialized.
  public init() {}

  deinit { hub.detach() }

  /// The port that the node returns as its own `port`.
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
  /// The closures keep alive every object that they capture. So use their parameter for the node, and not `self`.
  ///
  /// ```swift
  /// author.attach(to: self) { node, changes in node.translation.translate(changes[0].change) }
  /// author.link(source, slot: 0)
  /// ```
  ///
  /// - Parameters:
  ///   - node: the node that keeps this author; it is not retained.
  ///   - surrender: removes the node's references to its sources, and appends them to the given array. Only nodes that
  ///     may form chains of many thousand levels need this closure, by which their release is a loop rather than a
  ///     recursion.
  ///   - translate: brings the node up to date with its sources, and returns the change of the node's own index space.
  ///     The closure is called once for each settlement of the graph in which a source changed. Outside of
  ///     `performUpdates`, each edit is a settlement. Inside, the graph is settled when a derived node is read, and at
  ///     the end. All sources have translated by then. The closure receives one report for each link to a source that
  ///     changed, in no particular order, and must not change any node. A change that only concerns places below a
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

  /// Ends the node's part in the graph, because the node is about to be released.
  ///
  /// The author does this itself when it is released. A node whose `deinit` does more work may call this first.
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
  /// Makes a box for the state of the node, where the node derives from other nodes.
  ///
  /// Inside a transaction, changes of the sources are not translated one by one. Reading the box settles the graph
  /// first: the node then translates the net change of its sources. So all methods that read the box see the present
  /// state. A node that stores nothing, and only reads its sources, needs no box.
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

/// The state of a derived node of your own; reading it first brings the node up to date: see `NodeAuthor.box(_:)`.
@_spi(NodeAuthors)
public final class NodeBox<Value> {
  private let state: NodeCell<Value>
  // The cell does not keep the hub alive.
  private let hub: NodeHub

  init(_ value: Value, of hub: NodeHub) {
    state = NodeCell(value, of: hub)
    self.hub = hub
  }

  deinit { state.destroy() }

  /// The state; reading or changing it settles the graph first, except while the node translates.
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
  ///   - slot: a small number, at least 0, that is not in use; each change arrives with this number.
  /// - Precondition: `source` does not depend on the node, directly or through others.
  /// - Complexity: O(1) where `source` or the node is new; otherwise O(s) for the s nodes whose order changes.
  public func link(_ source: any TreeNode, slot: Int) { hub.link(source, slot: slot) }

  /// Ends the link that was made under `slot`.
  ///
  /// - Parameter slot: the slot that the source was linked under.
  /// - Precondition: there is a source under `slot`.
  /// - Complexity: O(1), besides the notes of undo logs.
  public func unlink(slot: Int) { hub.unlink(slot: slot) }

  /// Checks that a node may become a source, before anything else is changed for it.
  ///
  /// `link(_:slot:)` checks this too. A node whose own contents would have changed by then calls this first.
  ///
  /// - Parameter source: the node that is going to be linked.
  /// - Precondition: `source` does not depend on the node, directly or through others.
  /// - Complexity: that of `link(_:slot:)`.
  public func refuseCycle(with source: any TreeNode) { hub.refuseCycle(with: source) }
}

// MARK: - Changes

extension NodeAuthor {
  /// Whether a dependent or an observer would be notified of a change.
  ///
  /// A node may skip describing its change where this is false and `isRecording` too.
  public var isObserved: Bool { hub.isObserved || hub.isFollowed }

  /// Whether a change may have to be reverted: inside a transaction whose body can throw, and where an `UndoLog`
  /// records.
  ///
  /// - Complexity: O(1).
  public var isRecording: Bool { hub.isRecording }

  /// Checks that the node may change now; the node calls this before it changes its contents.
  ///
  /// - Precondition: the node is alive, and the graph is not being settled: a predicate or another closure that a
  ///   derived node calls while it translates a change must not change a node of the same graph.
  /// - Complexity: O(1).
  public func prepareForChange() { hub.prepareForChange() }

  /// Calls a closure while no node of this graph may be changed: a change traps.
  ///
  /// A node calls its users' closures, for example predicates, in `body` where a change would break the node.
  ///
  /// - Parameter body: reads nodes, and calls closures that should do no more.
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  /// - Complexity: that of `body`.
  public func refusingChanges<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try hub.refusingChanges(body)
  }

  /// Reports a change to every dependent and observer, after the node's contents have changed.
  ///
  /// From now on, readers of all derived nodes see the change. Outside of `performUpdates`, the derived nodes have
  /// translated the change when this method returns. Inside, they translate it when one of them is read. Observers are
  /// called at once, or when the outermost transaction ends.
  ///
  /// A change that is published this way cannot be reverted. A rollback keeps the change, and no `UndoLog` records the
  /// change. See `publish(_:inverse:)`.
  ///
  /// - Parameter change: from the node's former contents to its present ones; an empty change is not delivered.
  /// - Complexity: O(d · log n) and the translations' own cost, where d is the number of derived nodes.
  public func publish(_ change: consuming ChangeSet) { hub.publish(consume change) }
}

// MARK: - Reverting

extension NodeAuthor {
  /// The subject of a change, for transactions that are rolled back and for undo logs.
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
    /// The data: a rollback reverts the change, and an `UndoLog` records the change.
    case contents

    /// The way in which the data are shown, for example a filter's predicate: a rollback reverts the change, and no
    /// `UndoLog` records the change.
    case view
  }

  /// Reports a change to every dependent and observer, and provides its inverse.
  ///
  /// This is `publish(_:)` for changes that can be reverted, and a node should prefer this form. A transaction whose
  /// body throws then leaves no trace of the change, and an `UndoLog` can undo the change.
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
  /// 1. Called while the node is in its present state, the inverse restores exactly the contents before this change.
  /// 2. The inverse makes one change, and publishes that with an inverse of its own. The latter redoes this change.
  /// 3. The inverse holds all values that it needs, including removed elements and nodes.
  ///
  /// - Parameters:
  ///   - change: from the node's former contents to its present ones. An empty change is not delivered, but can be
  ///     reverted all the same.
  ///   - concern: the data, or the way in which they are shown.
  ///   - inverse: the closure that reverts the change; evaluated only where `isRecording`, and called at most once.
  /// - Complexity: that of `publish(_:)`; where an `UndoLog` watches a node of the graph, O(a) more for the a nodes
  ///   that derive from this one, unless all logs of the graph have steps of this node.
  public func publish(
    _ change: consuming ChangeSet, of concern: Concern = .contents, inverse: @autoclosure () -> (() -> Void)
  ) {
    hub.publish(consume change, of: concern == .view ? .view : .contents, inverse: inverse())
  }
}

// MARK: - Translating

extension NodeAuthor {
  /// Translates a source's change for a node that shows the same children at other positions, or only some of them.
  ///
  /// Changes inside children, and transfers between parents, are translated too. A change inside a child that `delta`
  /// inserts, or that the node does not show, is dropped.
  ///
  /// ```swift
  /// var change = ChangeSet(delta: .removal(0..<1), children: [(2, ChangeSet(.insertion(5..<6)))])
  /// NodeAuthor.translate(&change, to: change.delta.shifted(by: 10), before: { $0 + 10 }, after: { $0 + 10 })
  /// change   // [-10; 12: [+5]]
  /// ```
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - delta: the change of the node's own children.
  ///   - before: yields the node's position before the change, for a position of the source before the change; nil
  ///     where the node did not show the child.
  ///   - after: the same after the change.
  /// - Precondition: `before` and `after` yield no position twice, and none that is negative.
  /// - Complexity: O(c) for c children that changed; O(s) for all s changed nodes where some are dropped or change
  ///   their order.
  public static func translate(
    _ change: inout ChangeSet, to delta: Delta, before: (Int) -> Int?, after: (Int) -> Int?
  ) {
    change.translate(to: delta, before: before, after: after)
  }
}
