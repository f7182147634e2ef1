public import Observation

/// A node that can be read inside `withObservationTracking`, and in the body of a SwiftUI view.
///
/// ```swift
/// let names = ArrayNode(["Ada", "Grace"])
/// let observable = ObservableNode(names)
/// withObservationTracking {
///   print(observable[1] ?? "")             // Grace
/// } onChange: {
///   print("another one now")
/// }
/// names.append("Edsger")                   // prints nothing: the row is as it was
/// names.remove(at: 0)                      // prints "another one now"
/// ```
///
/// Each read is tracked: of the count, a row, a range of rows, or the node's value. A row has changed if its value was
/// updated, or if another child, or none, is at its position. A change below a child concerns only the readers of that
/// child: see `child(at:)`. A reader is notified once for each transaction, when all nodes show the result; earlier, if
/// the same rows are read again inside the transaction. A reader that reads again in `onChange` may be notified once
/// for each kind of read that has changed.
///
/// Reading through this object costs more than reading the node, and is for rows on the screen. Reads outside of any
/// tracking are noted too, as ranges, until a change concerns them. So many adjacent rows are one entry.
public final class ObservableNode<Element>: Observable {
  /// The node that is read.
  public let node: any TreeNode<Element>

  private let registrar = ObservationRegistrar()
  private var observation: NodeObservation?
  /// The rows that were read since they last changed.
  private var readRows = RangeSet<Int>()
  /// The observable nodes of children that were read, by position.
  private var children: [Int: ObservableNode] = [:]

  /// How many rows are examined one by one; if more may have changed, all rows that were read count as changed.
  private static var limit: Int { 4096 }

  /// Begins to follow a node, and keeps it alive.
  ///
  /// - Parameter node: the node to be read.
  /// - Complexity: O(1).
  public init(_ node: any TreeNode<Element>) {
    self.node = node
    observation = node.observe { [unowned self] in notify($0) }
  }

  /// Releases the children in a loop: a recursive release would overflow the stack in a deep tree.
  deinit {
    var released = Array(children.values)
    children = [:]
    while var child = released.popLast() {
      guard isKnownUniquelyReferenced(&child) else { continue }
      released += child.children.values
      child.children = [:]
    }
  }

  // MARK: Reading

  /// The number of the node's children.
  ///
  /// - Complexity: that of the node's.
  public var count: Int {
    catchUp()
    registrar.access(self, keyPath: \.count)
    return node.count
  }

  /// The node's own value.
  ///
  /// - Complexity: that of the node's.
  public var value: Element? {
    catchUp()
    registrar.access(self, keyPath: \.value)
    return node.value
  }

  /// The value of a child; nil where the child has none, or does not exist.
  ///
  /// - Parameter position: the child's position.
  /// - Complexity: that of `element(at:)` of the node, and O(log r) for r ranges that were read.
  public subscript(position: Int) -> Element? {
    note(position..<position + 1)
    return node.element(at: position)
  }

  /// The values of a range of children.
  ///
  /// A reader of more than 4,096 children at once is also notified where other children have changed that were read.
  ///
  /// - Parameter range: `0..<count`, or part of it; positions beyond are ignored.
  /// - Returns: the values, in order.
  /// - Complexity: that of reading them from the node.
  public func elements(in range: Range<Int>) -> [Element?] {
    note(range)
    return range.clamped(to: 0..<node.count).map { node.element(at: $0) }
  }

  /// Returns an observable node for a child that is a node; nil where the child is a leaf, or does not exist.
  ///
  /// - Parameter position: the child's position.
  /// - Returns: the same object for as long as the child is there.
  /// - Complexity: that of `child(at:)` of the node.
  public func child(at position: Int) -> ObservableNode? {
    note(position..<position + 1)
    guard let child = node.child(at: position) else { return nil }
    if let known = children[position], known.node === child { return known }
    let made = ObservableNode(child)
    children[position] = made
    return made
  }

  /// Follows the changes that the node has not delivered yet. While a view translates, this waits: a reader could not
  /// change nodes then.
  private func catchUp() {
    if !node.hub.graph.isSettling { observation?.catchUp() }
  }

  private func note(_ rows: Range<Int>) {
    catchUp()
    if rows.isEmpty { return }
    if rows.count > Self.limit {
      registrar.access(self, keyPath: \.[.some])
    } else {
      registrar.access(self, keyPath: \.[.many])
      for row in rows { registrar.access(self, keyPath: \.[.one(row)]) }
    }
    readRows.insert(contentsOf: rows)
  }

  /// The rows that the registrar tracks, besides the count and the value.
  private enum Rows: Hashable {
    /// One row.
    case one(Int)
    /// Rows that were read one by one, where too many have changed to examine each.
    case many
    /// Rows that were read as a long range, where any row has changed.
    case some
  }

  /// The property that represents rows in the registrar.
  private subscript(rows: Rows) -> Void { () }

  // MARK: Notifying

  private func notify(_ change: ChangeSet) {
    let delta = change.delta
    moveChildren(delta)
    if delta.countChange != 0 { registrar.withMutation(of: self, keyPath: \.count) {} }
    if change.updatesValue { registrar.withMutation(of: self, keyPath: \.value) {} }
    guard let rows = rows(changedBy: delta) else {
      readRows = RangeSet()
      registrar.withMutation(of: self, keyPath: \.[.many]) {}
      return registrar.withMutation(of: self, keyPath: \.[.some]) {}
    }
    if rows.isEmpty { return }
    readRows.subtract(rows)
    registrar.withMutation(of: self, keyPath: \.[.some]) {}
    for row in rows.ranges.joined() { registrar.withMutation(of: self, keyPath: \.[.one(row)]) {} }
  }

  /// Finds the rows that have been read and have changed; nil where these are too many to examine each.
  private func rows(changedBy delta: Delta) -> RangeSet<Int>? {
    if delta.isEmpty || readRows.isEmpty { return RangeSet() }
    var rows = readRows.intersection(RangeSet(delta.updates))
    if delta.movesPositions {
      let ends = delta.moves.map { min($0.source.lowerBound, $0.destination.lowerBound) }
      let first = ([delta.removals.first?.lowerBound, delta.insertions.first?.lowerBound] + ends).compactMap { $0 }
        .min()
      let later = readRows.intersection(RangeSet((first ?? 0)..<Int.max))
      if later.ranges.reduce(0, { $0 + $1.count }) > Self.limit { return nil }
      let map = Delta.PositionMap(delta)
      let count = node.count
      for row in later.ranges.joined() {
        let (was, isThere) = (row < count - delta.countChange, row < count)
        if was != isThere || isThere && map.position(before: row) != row { rows.insert(contentsOf: row..<row + 1) }
      }
    }
    return rows.ranges.reduce(0, { $0 + $1.count }) > Self.limit ? nil : rows
  }

  /// Moves the observable nodes of the children together with the children.
  private func moveChildren(_ delta: Delta) {
    guard !children.isEmpty, delta.movesPositions else { return }
    let map = Delta.PositionMap(delta)
    let former = children
    children = [:]
    for (position, child) in former {
      if let position = map.position(after: position) { children[position] = child }
    }
  }
}

@available(*, unavailable)
extension ObservableNode: Sendable {}
