public import Observation

/// An aggregate of each subtree of a tree, for example a sum or the latest date, kept up to date and readable at every
/// path.
///
/// ```swift
/// let work = BranchNode(value: "work", leaves: ["memo", "report"])
/// let home = BranchNode(value: "home", leaves: ["letter"])
/// let tree = BranchNode([work, home])
/// let lengths = AggregateIndex(of: tree, .sum(\.count))
/// lengths.total               // 24
/// lengths.total(at: [0])      // 14: "work" and its contents
/// lengths.total(at: [0, 1])   // 6
/// tree.move(from: [0, 1], to: [1, 0])
/// lengths.total(at: [0])      // 8
/// ```
///
/// An `Aggregate` states the contribution of an element, and how contributions are combined: a sum, a minimum, a
/// maximum, or a combination of your own. The total at a path combines the element there and everything below; a child
/// without a value contributes nothing itself. To find whether any element below a place has a property, compare a
/// count with zero:
///
/// ```swift
/// let invalid = AggregateIndex(of: form, .sum { $0.isEmpty ? 1 : 0 })
/// invalid.total(at: [1]) == 0     // everything in the second section is filled in
/// ```
///
/// The index follows the node, at every depth, through insertions, removals and moves, also of whole subtrees and
/// between parents, and through undoing. A transaction that is rolled back leaves the totals as they were. The index is
/// always current: inside a transaction, and in observers that are called before others, it has the totals of the node
/// at that moment.
///
/// `SortNode(_:by:order:)` and `TreeSortNode(_:by:order:)` sort children by their totals: sections by their sums, and
/// threads by their latest messages.
///
/// The aggregate's closure must depend on nothing but the element. Otherwise the owner of the element has to announce
/// an update when the other data change. An index reads the whole tree: a `HierarchyNode` below it loads all its
/// children.
///
/// Contributions are combined in no particular order, so sums of floating-point numbers may differ by rounding errors.
/// Integers are exact; a total that overflows traps, also between two updates of one transaction.
///
/// It is `Observable`: `withObservationTracking`, or the body of a SwiftUI view, that reads a total is notified when a
/// total has changed, or elements have other paths.
///
/// - Complexity: reading takes O(d · log n) at depth d, for n children of a node. A change takes O(d · log n) for each
///   of its ranges and each child that moves between parents. Each element that arrives or is updated costs O(log n)
///   and a call of the closure; a subtree that leaves or moves is not read again. The memory is that of elements with a
///   contribution, about 40 bytes and two to four values each, and of the nodes above them.
public final class AggregateIndex<Element, Value: Equatable>: Observable {
  /// The node at the root.
  let node: any TreeNode<Element>

  private let aggregate: Aggregate<Element, Value>
  private let totals: Cell<PlaceTotals<Value>>
  private let news = FollowingNews()

  /// Creates the index of a tree.
  ///
  /// - Parameters:
  ///   - node: the root, which is kept alive.
  ///   - aggregate: states the contribution of an element, and combines contributions.
  /// - Complexity: O(n) for n elements in all, and as many calls of the aggregate's closure.
  public init(of node: any TreeNode<Element>, _ aggregate: Aggregate<Element, Value>) {
    self.node = node
    self.aggregate = aggregate
    totals = Cell(PlaceTotals(aggregate.monoid))
    news.observe(node) { [unowned self] change in follow(change) }
    setRootValue()
    load([(PlaceTree.root, node, 0..<node.count)])
    totals.value.prune()
    _ = totals.value.takeChange()
  }

  deinit {
    news.stop()
    totals.destroy()
  }

  // MARK: Reading

  /// The total of the whole tree, with the value of the node itself.
  ///
  /// - Complexity: O(1).
  public var total: Value { current.total }

  /// Returns the total of the element at a path and of everything below.
  ///
  /// - Parameter path: a path from the index's node; `[]` is the node itself.
  /// - Returns: the total; the aggregate's identity, for example zero, where nothing contributes.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n) for a path of length d.
  public func total(at path: IndexPath) -> Value {
    if !path.isEmpty { _ = node.requireParent(of: path) }
    return current.total(at: path)
  }

  /// The place of the node at a path; nil if nothing contributes there.
  func place(at path: [Int]) -> Int? {
    news.noteRead()
    return totals.value.tree.place(at: path)
  }

  /// The place of the child at a position; nil if nothing contributes there.
  func child(at position: Int, of place: Int?) -> Int? {
    place.flatMap { totals.value.tree.place(at: position, in: $0) }
  }

  /// The total of the child at a position, without a check that there is one.
  func total(ofChild position: Int, of place: Int?) -> Value {
    totals.value.total(of: child(at: position, of: place))
  }

  /// The present totals.
  var current: PlaceTotals<Value> {
    news.noteRead()
    return totals.value
  }

  // MARK: Following

  /// Calls a closure when a total has changed.
  ///
  /// The closure is called once for each outermost transaction in which an element with a contribution arrived, left,
  /// moved to another parent, or changed its contribution. It is not called if elements only moved among their
  /// siblings, or if the contributions of everything that left or moved with an element add up to nothing.
  ///
  /// ```swift
  /// let token = lengths.observe { change in show(lengths.total) }
  /// tree.insert("note", at: [1, 0])         // the closure receives an insertion at [1, 0]
  /// ```
  ///
  /// - Parameter handler: receives the net change of the tree. The totals at the paths in the change, and at the paths
  ///   above, may have changed. The handler may read the index, and read and change any node.
  /// - Returns: the token that keeps the observation, and the index, alive; releasing the token ends the observation.
  /// - Complexity: O(1); then that of composing the changes of a transaction.
  public func observe(_ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    news.add(keeping: self, handler)
  }

  private func follow(_ change: ChangeSet) {
    let outcome = totals.value.follow(change)
    if change.updatesValue { setRootValue() }
    for (parent, range) in outcome.updates {
      guard let node = node(at: parent) else { continue }
      let values = values(node, range)
      totals.value.set(values, from: range.lowerBound, in: parent)
    }
    load(
      outcome.arrivals.compactMap { parent, range in node(at: parent).map { (parent, $0, range) } },
      except: Set(outcome.transfers.map(\.place)))
    totals.value.finish(outcome)
    news.note(change, changesValues: totals.value.takeChange(), of: node)
  }

  private func node(at place: Int) -> (any TreeNode<Element>)? {
    node.child(at: IndexPath(indexes: totals.value.tree.path(of: place)))
  }

  private func setRootValue() {
    let value = node.hub.refusingChanges { node.value.map(aggregate.value) } ?? aggregate.monoid.identity
    totals.value.set(value, at: PlaceTree.root)
  }

  private func load(_ arrivals: [PlaceTotals<Value>.Arrival<Element>], except settled: Set<Int> = []) {
    PlaceTotals.load(arrivals, into: totals, except: settled) { values($0, $1) }
  }

  private func values(_ node: any TreeNode<Element>, _ range: Range<Int>) -> [Value] {
    countCalls(range.count)
    return node.hub.refusingChanges { aggregate.values(node.reader, range) }
  }

  /// Traps if the parts do not fit together; for tests.
  func checkInvariants() { current.checkInvariants() }
}

@available(*, unavailable)
extension AggregateIndex: Sendable {}
