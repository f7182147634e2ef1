public import Observation

/// A record of the elements of a tree that were changed since they were last marked unchanged.
///
/// The tracker also finds whether a subtree contains such an element.
///
/// ```swift
/// let work = BranchNode(value: "work", leaves: ["memo", "report"])
/// let home = BranchNode(value: "home", leaves: ["letter"])
/// let tree = BranchNode([work, home])
/// let changes = ChangeTracker(of: tree)
/// tree.replace(at: [0, 1], with: "Report")
/// home.remove(at: 0)
/// changes.wasChanged(at: [0])     // true: an element in it was
/// changes.wasChanged(at: [0, 0])  // false
/// changes.changedPaths            // [[0, 1], [1]]
/// changes.markUnchanged(at: [0])  // saved
/// changes.wasChanged(at: [0])     // false
/// changes.wasChanged              // true
/// ```
///
/// An element was changed if
/// - its value was updated, including a branch's value, header and footer;
/// - it arrived, with everything below it;
/// - it was moved, within its parent or from another one; the elements below were not changed by that;
/// - one of its children left, for another parent or for good.
///
/// Of several changes in one transaction the net change counts: an element that arrived and left again is not counted.
/// A transaction that is rolled back counts for nothing, with one exception: if its body read the tracker or a view,
/// elements that it had changed until then may stay marked. Undoing is a change like any other.
///
/// A value that is updated to its first value again still counts as changed, unless the tracker is created with a
/// comparison.
///
/// The marks follow their elements through all changes of the tree, and the tracker is never behind its node. Track the
/// tree that holds the data: in a view, for example a filter, elements arrive and leave for other reasons.
///
/// It is `Observable`: `withObservationTracking`, or the body of a SwiftUI view, that reads the changed elements is
/// notified when others are changed, or they have other paths.
///
/// - Complexity: reading takes O(d · log n) at depth d, for n children of a node. A change takes O(d · log n) for each
///   of its ranges, and O(log n) for each element that arrived, was moved or was updated. The memory is that of the
///   changed elements, and of the nodes above them. Unchanged elements are never read: a `HierarchyNode` loads nothing
///   for the tracker, except below children that arrive.
public final class ChangeTracker<Element>: Observable {
  /// The node at the root.
  let node: any TreeNode<Element>

  private let areEqual: ((Element, Element) -> Bool)?
  /// The tree after the last change, if values are compared.
  private let state = Cell<TreeSnapshot<Element>?>(nil)
  private let totals = Cell(PlaceTotals<ChangeMark<Element>>(.marks()))
  private let news = FollowingNews()

  /// Creates a tracker of a tree, in which nothing is changed yet.
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada", "Bob"])
  /// let changes = ChangeTracker(of: names, comparing: ==)
  /// names[0] = "Eve"
  /// names[0] = "Ada"
  /// changes.wasChanged         // false
  /// ```
  ///
  /// - Parameters:
  ///   - node: the root, which is kept alive.
  ///   - areEqual: returns whether the first value of an element equals its present value. Then an element whose value
  ///     only was updated is changed as long as the two differ. The values of a branch are compared, but not its header
  ///     and footer; and an object that is changed in place always equals itself. nil: each update counts.
  /// - Complexity: O(1); with a comparison, that of a snapshot now and one for each change: see `TreeSnapshot`.
  public init(of node: any TreeNode<Element>, comparing areEqual: ((Element, Element) -> Bool)? = nil) {
    self.node = node
    self.areEqual = areEqual
    if areEqual != nil { state.value = node.snapshot() }
    news.observe(node) { [unowned self] change in follow(change) }
  }

  deinit {
    news.stop()
    totals.destroy()
    state.destroy()
  }

  // MARK: Reading

  /// Whether anything was changed.
  ///
  /// - Complexity: O(1).
  public var wasChanged: Bool { current.total.count > 0 }

  /// Whether the element at a path, or any element below, was changed.
  ///
  /// - Parameter path: a path from the tracker's node; `[]` is the node itself.
  /// - Returns: whether an element there was changed.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n) for a path of length d.
  public func wasChanged(at path: IndexPath) -> Bool { changedCount(at: path) > 0 }

  /// Returns the number of changed elements at a path and below; a node counts if its value was updated, or a child of
  /// it left.
  ///
  /// - Parameter path: a path from the tracker's node; `[]` is the node itself.
  /// - Returns: the number.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n) for a path of length d.
  public func changedCount(at path: IndexPath = []) -> Int {
    check(path)
    return current.total(at: path).count
  }

  /// The paths of all changed elements, in ascending order; `[]` is the node itself.
  ///
  /// - Complexity: O(k · d · log n) for k such elements at depth d.
  public var changedPaths: [IndexPath] {
    current.paths(below: PlaceTree.root).map(IndexPath.init(indexes:))
  }

  private func check(_ path: IndexPath) {
    if !path.isEmpty { _ = node.requireParent(of: path) }
  }

  private var current: PlaceTotals<ChangeMark<Element>> {
    news.noteRead()
    return totals.value
  }

  // MARK: Marking

  /// Marks the element at a path, and everything below, as unchanged, for example after saving.
  ///
  /// - Parameter path: a path from the tracker's node; `[]` is the node itself, with everything below.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n + k) for a path of length d and k changed elements there.
  public func markUnchanged(at path: IndexPath = []) {
    check(path)
    news.noteRead()
    if let place = totals.value.tree.place(at: path) { totals.value.removeAll(below: place) }
    news.note(ChangeSet(), changesValues: totals.value.takeChange(), of: node)
  }

  // MARK: Following

  /// Calls a closure when the set of changed elements has changed.
  ///
  /// The closure is called once for each outermost transaction, and when elements are marked unchanged.
  ///
  /// ```swift
  /// let token = changes.observe { _ in window.isDocumentEdited = changes.wasChanged }
  /// ```
  ///
  /// - Parameter handler: receives the net change of the tree; an empty one where elements were marked unchanged. The
  ///   handler may read the tracker, and read and change any node.
  /// - Returns: the token that keeps the observation, and the tracker, alive; releasing the token ends the observation.
  /// - Complexity: O(1); then that of composing the changes of a transaction.
  public func observe(_ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    news.add(keeping: self, handler)
  }

  private func follow(_ change: ChangeSet) {
    let outcome = totals.value.follow(change)
    var former = state.value.map { FormerTree(snapshot: $0, change: change) }
    if areEqual != nil { state.value = node.snapshot() }
    if change.updatesValue { totals.value.set(updatedMark([], &former), at: PlaceTree.root) }
    for (parent, delta) in outcome.deltas {
      let path = IndexPath(indexes: totals.value.tree.path(of: parent))
      for range in delta.updates {
        let marks = range.map { areEqual == nil ? .changed : updatedMark(path.appending($0), &former) }
        totals.value.set(marks, from: range.lowerBound, in: parent)
      }
      for move in delta.moves {
        totals.value.set(
          Array(repeating: .changed, count: move.destination.count), from: move.destination.lowerBound, in: parent)
      }
      if !delta.removals.isEmpty { totals.value.set(.changed, at: parent) }
    }
    for transfer in outcome.transfers { totals.value.set(.changed, at: transfer.place) }
    let arrivals = outcome.arrivals.compactMap { parent, range in
      node.child(at: IndexPath(indexes: totals.value.tree.path(of: parent))).map { (parent, $0, range) }
    }
    PlaceTotals.load(arrivals, into: totals, except: Set(outcome.transfers.map(\.place))) { _, range in
      Array(repeating: .changed, count: range.count)
    }
    totals.value.finish(outcome)
    news.note(change, changesValues: totals.value.takeChange(), of: node)
  }

  /// Finds the mark of an element after an update of its value.
  ///
  /// - Parameters:
  ///   - path: the element's path after the change.
  ///   - former: the tree before the change, if values are compared.
  /// - Returns: no mark if the value is the first one again.
  private func updatedMark(_ path: IndexPath, _ former: inout FormerTree<Element>?) -> ChangeMark<Element> {
    guard let areEqual, let value = path.isEmpty ? node.value : node.element(at: path) else { return .changed }
    let mark = totals.value.tree.place(at: path).map(totals.value.value(of:)) ?? ChangeMark()
    if mark.count > 0, mark.original == nil { return .changed }
    guard let original = mark.original ?? former?.value(at: path) else { return .changed }
    return areEqual(original, value) ? ChangeMark() : ChangeMark(count: 1, original: original)
  }

  /// Traps if the parts do not fit together; for tests.
  func checkInvariants() { current.checkInvariants() }
}

/// The tree before a change, in which the values of updated elements are found.
private struct FormerTree<Element> {
  let snapshot: TreeSnapshot<Element>
  let change: ChangeSet
  /// One map for all updated elements: the first look-up reads the whole change.
  lazy var map = ChangeSetMap(change)

  /// The value before the change of the element that is at a path after the change; nil if there was none.
  ///
  /// - Complexity: O(d · log n) for a path of length d, after O(s) for s nodes of the change once.
  mutating func value(at path: IndexPath) -> Element? {
    guard let finding = map.find(before: Array(path)) else { return nil }
    return snapshot.value(at: IndexPath(indexes: finding.path))
  }
}

/// The mark of an element, or the number of marks in a subtree.
struct ChangeMark<Element>: Equatable {
  var count = 0
  /// The first value of an element that is marked for no other reason than an update of its value.
  var original: Element?

  /// The mark of an element that is changed, whatever its value becomes.
  static var changed: Self { Self(count: 1) }

  static func == (mark: Self, other: Self) -> Bool {
    mark.count == other.count && (mark.original == nil) == (other.original == nil)
  }
}

extension Monoid {
  fileprivate static func marks<Element>() -> Self where Value == ChangeMark<Element> {
    Self(identity: ChangeMark()) { ChangeMark(count: $0.count + $1.count) }
  }
}

@available(*, unavailable)
extension ChangeTracker: Sendable {}
