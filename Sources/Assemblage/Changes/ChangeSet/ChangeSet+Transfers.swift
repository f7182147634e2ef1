extension ChangeSet {
  /// The move of a child from one parent to another.
  ///
  /// In the parents' deltas, the child is removed and inserted. It may also leave a parent that is removed, and arrive
  /// at a parent that is inserted. The transfer identifies the two: they are the same child.
  ///
  /// ```swift
  /// // A child leaves one parent for another, and is updated:
  /// let change = ChangeSet(
  ///   delta: Delta(), children: [(0, ChangeSet(.removal(1..<2))), (1, ChangeSet(.insertion(0..<1)))],
  ///   transfers: [ChangeSet.Transfer(from: [0, 1], to: [1, 0], change: ChangeSet(updatesValue: true))])
  /// change.paths.moves      // [ChangeSet.Paths.Move(from: [0, 1], to: [1, 0])]
  /// change.paths.updates    // [[1, 0]]
  /// ```
  public struct Transfer: Hashable, Sendable {
    /// The child's path before the change, in all components.
    public let source: IndexPath

    /// The child's path after the change, in all components.
    public let destination: IndexPath

    /// The change of the child's own value and inside the child.
    ///
    /// This change has no transfers of its own: they are in the outermost change set, with their whole paths.
    public let change: ChangeSet

    /// Creates a transfer.
    ///
    /// - Parameters:
    ///   - source: the child's path before the change.
    ///   - destination: the child's path after the change.
    ///   - change: the change of the child itself and inside it.
    /// - Precondition: no path is empty, and `change` has no transfers.
    public init(from source: IndexPath, to destination: IndexPath, change: ChangeSet = ChangeSet()) {
      require(
        !source.isEmpty && !destination.isEmpty,
        "ChangeSet: the path [] is the node itself, which has no parent to leave.")
      require(change.crossings.isEmpty, "ChangeSet: the change of a transfer has transfers of its own: \(change).")
      self.source = source
      self.destination = destination
      self.change = change
    }
  }

  /// The children that moved from one parent to another, ascending by destination.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a", "b"]), ArrayNode(["c"])])
  /// let token = sections.observe { print($0.transfers.map { "\($0.source) → \($0.destination)" }) }
  /// sections.move(from: [0, 1], to: [1, 0])     // prints ["[0, 1] → [1, 0]"]
  /// ```
  ///
  /// A move within one parent that survives is in that parent's `delta.moves` instead.
  ///
  /// - Complexity: O(c · log c · d) for c transfers at depth d.
  public var transfers: [Transfer] {
    if crossings.isEmpty { return [] }
    return crossings.compactMap { crossing in
      crossing.places.map {
        Transfer(
          from: IndexPath(indexes: $0.source.components), to: IndexPath(indexes: $0.destination.components),
          change: crossing.change)
      }
    }.sorted { $0.destination < $1.destination }
  }

  /// Creates a change set of several levels, in which children may move from one parent to another.
  ///
  /// A child's `updatesValue` becomes an update of `delta`. Empty changes are dropped, and so are the changes of
  /// inserted children. Transfers inside the children's changes stay. Transfers within one surviving parent become
  /// moves of its delta.
  ///
  /// - Parameters:
  ///   - delta: the change of the node's children.
  ///   - updatesValue: whether the node's own value changed.
  ///   - children: the changes inside surviving children, by their position after the change, in any order.
  ///   - transfers: pairs of a removed child and an inserted one that are the same child, in any order; none by
  ///     default.
  /// - Precondition: no position is negative or occurs twice, and no place is the source or the destination of two
  ///   transfers. Each source is removed in the deltas, or lies inside a removed child. Each destination is inserted in
  ///   the deltas, or lies inside an inserted child.
  /// - Complexity: O(s · log s) for s nodes, ranges and transfers in all.
  public init(
    delta: Delta, updatesValue: Bool = false, children: some Sequence<(position: Int, change: ChangeSet)>,
    transfers: [Transfer] = []
  ) {
    self.init(delta, updatesValue: updatesValue, children: children)
    if transfers.isEmpty { return }
    let map = ChangeSetMap(self)
    crossings += transfers.map {
      Crossing(
        from: Crossing.Place(Array($0.source)), to: Crossing.Place(Array($0.destination)), change: $0.change)
    }
    var sources = Set<Crossing.Place>()
    var destinations = Set<Crossing.Place>()
    for (source, destination) in crossings.lazy.compactMap(\.places) {
      require(
        sources.insert(source).inserted, "ChangeSet: the child at \(source.components) before the change moves twice.")
      require(
        destinations.insert(destination).inserted,
        "ChangeSet: two children move to \(destination.components) after the change.")
    }
    for transfer in transfers {
      require(
        map.isDeparture(Crossing.Place(Array(transfer.source))),
        "ChangeSet: the child at \(transfer.source.sentence) before the change moves, but stays where it was.")
      require(
        map.isArrival(Crossing.Place(Array(transfer.destination))),
        "ChangeSet: a child moves to \(transfer.destination.sentence) after the change, where another one stays.")
    }
    foldCrossings()
    checkInvariants()
  }

  // MARK: Following a place

  /// The path after the change of the element that was at a path before the change.
  ///
  /// ```swift
  /// ChangeSet(.insertion(0..<1)).path(after: [2, 7])   // [3, 7]
  /// ```
  ///
  /// - Parameter old: a path in the tree before the change.
  /// - Returns: the path after the change; nil if the element, or a parent of it, was removed.
  /// - Precondition: no component is negative.
  /// - Complexity: O(s + d · log n) for s nodes of the change set and a path of length d.
  public func path(after old: IndexPath) -> IndexPath? {
    let path = crossings.isEmpty ? walk(after: old)?.path : ChangeSetMap(self).find(after: Array(old))?.path
    return path.map(IndexPath.init(indexes:))
  }

  /// The path before the change of the element that is at a path after the change.
  ///
  /// - Parameter new: a path in the tree after the change.
  /// - Returns: the path before the change; nil if the element, or a parent of it, was inserted.
  /// - Precondition: no component is negative.
  /// - Complexity: O(s + d · log n) for s nodes of the change set and a path of length d.
  public func path(before new: IndexPath) -> IndexPath? {
    let path = crossings.isEmpty ? walk(before: new)?.path : ChangeSetMap(self).find(before: Array(new))?.path
    return path.map(IndexPath.init(indexes:))
  }

  /// The change of the children of the element that was at a path before the change, wherever the element is now.
  ///
  /// ```swift
  /// let change = ChangeSet(delta: .removal(0..<1), children: [(1, ChangeSet(.insertion(4..<6)))])
  /// change.delta(at: [2])                // +4..<6
  /// change.delta(at: [1]).isEmpty        // true: its children did not change
  /// change.delta(at: [0])                // nil: it was removed
  /// ```
  ///
  /// A caller can so compute the former number of children from the present one: subtract `countChange`.
  ///
  /// - Parameter old: a path in the tree before the change; [] is the root.
  /// - Returns: the delta of its children; nil if the element, or a parent of it, was removed.
  /// - Precondition: no component is negative.
  /// - Complexity: O(s + d · log n) for s nodes of the change set and a path of length d.
  package func delta(at old: IndexPath) -> Delta? {
    if crossings.isEmpty { return walk(after: old).map { $0.node.map(delta(ofNode:)) ?? Delta() } }
    let map = ChangeSetMap(self)
    return map.find(after: Array(old)).map { map.change(of: $0).delta }
  }

  // A single place is found without a `ChangeSetMap`, which makes dictionaries of the whole change: a coordinator asks
  // for counts during each update. With the map, these took half of the time of `benchmark --suite coordinator`.

  private func walk(after old: IndexPath) -> (path: [Int], node: Int?)? {
    walk(old) { delta, position in delta.position(after: position).map { ($0, after: $0) } }
  }

  private func walk(before new: IndexPath) -> (path: [Int], node: Int?)? {
    walk(new) { delta, position in delta.position(before: position).map { ($0, after: position) } }
  }

  /// Follows a path through a change without transfers.
  ///
  /// - Parameters:
  ///   - path: a path before or after the change.
  ///   - step: returns the position of a child on the other side of the change, and after the change; nil if the child
  ///     does not exist on the other side.
  /// - Returns: the path on the other side, and the node of the change there: `nodes.count` is the root, and nil means
  ///   that nothing changed there. Nil if the path does not exist on the other side.
  @inline(__always)
  private func walk(
    _ path: IndexPath, _ step: (Delta, Int) -> (result: Int, after: Int)?
  ) -> (path: [Int], node: Int?)? {
    // An array: an index path is copied each time it grows.
    var result: [Int] = []
    result.reserveCapacity(path.count)
    var node: Int? = nodes.count
    for position in path {
      guard let parent = node else {
        result.append(position)
        continue
      }
      guard let (other, after) = step(delta(ofNode: parent), position) else { return nil }
      result.append(other)
      node = child(ofNode: parent, at: after)
    }
    return (result, node)
  }

  private func delta(ofNode node: Int) -> Delta { node == nodes.count ? level : nodes[node].delta }

  private func child(ofNode parent: Int, at position: Int) -> Int? {
    let first = parent == nodes.count ? 0 : parent - nodes[parent].size + 1
    var child = parent - 1
    while child >= first, nodes[child].position > position { child -= nodes[child].size }
    return child >= first && nodes[child].position == position ? child : nil
  }
}
