extension ChangeSet {
  /// The change inside one surviving child.
  ///
  /// ```swift
  /// let change = ChangeSet(delta: Delta(), children: [(2, ChangeSet(.insertion(4..<6)))])
  /// let child = change.children[0]
  /// child.position             // 2
  /// child.delta.insertions     // [4..<6]
  /// ```
  public struct Child: Sendable {
    /// The child's position after the change.
    public let position: Int

    /// Whether the child's own value changed, according to its parent's delta.
    package let updatesValue: Bool

    /// The node's index in `nodes`.
    let index: Int
    let nodes: [Node]

    /// The change of the child's children.
    public var delta: Delta { nodes[index].delta }

    /// The changes inside the child's surviving children, ascending by position.
    public var children: Children { Children(nodes, of: index, updates: delta.updates) }

    /// The change of the child as a separate change set.
    ///
    /// - Complexity: O(s) for the s changed nodes below the child.
    public var change: ChangeSet {
      let size = nodes[index].size
      return ChangeSet(
        delta: delta, updatesValue: updatesValue,
        nodes: size == 1 ? [] : Array(nodes[(index - size + 1)..<index]))
    }
  }

  /// The changes inside a node's surviving children, ascending by position.
  ///
  /// The changes of children's children are reached through `Child.children`, without copies.
  ///
  /// ```swift
  /// let change = ChangeSet(delta: Delta(), children: [(0, ChangeSet(.removal(3..<4))), (2, ChangeSet(.insertion(4..<6)))])
  /// change.children.map(\.position)             // [0, 2]
  /// change.children.map(\.delta.countChange)    // [-1, 2]
  /// ```
  public struct Children: RandomAccessCollection, Sendable {
    private let nodes: [Node]
    private let places: [Int]
    private let updates: Delta.Ranges

    init(_ nodes: [Node], of parent: Int, updates: Delta.Ranges) {
      self.nodes = nodes
      self.updates = updates
      var indexes: [Int] = []
      ChangeSet.forEachChildBackward(of: parent, in: nodes) { indexes.append($0) }
      indexes.reverse()
      places = indexes
    }

    /// The position of the first change: 0.
    public var startIndex: Int { 0 }

    /// The number of changes.
    public var endIndex: Int { places.count }

    /// The change number `index`.
    public subscript(index: Int) -> Child {
      let node = nodes[places[index]]
      return Child(
        position: node.position, updatesValue: updates.contains(position: node.position),
        index: places[index],
        nodes: nodes)
    }
  }

  /// The changes inside surviving children, ascending by position.
  ///
  /// - Complexity: O(c) for c such children.
  public var children: Children { Children(nodes, of: nodes.count, updates: delta.updates) }

  /// Calls `body` with the indexes of the children of one node, from the last to the first.
  ///
  /// `parent` is the node's index in `nodes`, or `nodes.count` for the root.
  @inline(__always)
  static func forEachChildBackward(of parent: Int, in nodes: [Node], _ body: (Int) -> Void) {
    let first = parent == nodes.count ? 0 : parent - nodes[parent].size + 1
    var index = parent - 1
    while index >= first {
      let size = nodes[index].size
      body(index)
      index -= size
    }
  }

  /// This change, with one level added for the node's parent.
  ///
  /// A new value of the node itself becomes an update of the parent's child. An empty change stays empty.
  ///
  /// ```swift
  /// ChangeSet(.insertion(0..<1)).wrapped(at: 3).paths.insertions   // [3, 0]
  /// ```
  ///
  /// - Parameter position: the node's position in its parent, after the change.
  /// - Returns: the parent's change.
  /// - Precondition: `position` is not negative.
  /// - Complexity: amortised O(1) if the change set is not shared.
  public consuming func wrapped(at position: Int) -> ChangeSet {
    wrap(at: position)
    return self
  }

  /// Makes this change the change of the node's parent: the form of `wrapped(at:)` that never copies.
  ///
  /// - Parameter position: the node's position in its parent, after the change.
  /// - Precondition: `position` is not negative.
  /// - Complexity: amortised O(1) if the change set is not shared.
  package mutating func wrap(at position: Int) {
    require(position >= 0, "ChangeSet: the position of a child is negative: \(position).")
    if !(delta.isEmpty && nodes.isEmpty) {
      nodes.append(Node(position: position, size: nodes.count + 1, delta: delta))
    }
    level = updatesValue ? Delta(storage: .update(position..<(position + 1))) : Delta()
    updatesValue = false
    for index in crossings.indices { crossings[index].wrap(before: position, after: position) }
  }

  /// Makes this change the change of a node that shows the same children in other places, or only some of them.
  ///
  /// For example, a join shifts the positions of its member, and a filter leaves out hidden children. Changes inside
  /// children and transfers between parents are kept. A change inside a child that `delta` inserts is dropped.
  ///
  /// ```swift
  /// var change = ChangeSet(delta: .removal(0..<1), children: [(2, ChangeSet(.insertion(5..<6)))])
  /// change.translate(to: change.delta.shifted(by: 10), before: { $0 + 10 }, after: { $0 + 10 })
  /// change   // [-10; 12: [+5]]
  /// ```
  ///
  /// - Parameters:
  ///   - delta: the change of the other node's children.
  ///   - before: returns a child's position in the other node for its position in the node of this change, both
  ///     before the change; nil for a child that the other node did not show.
  ///   - after: the same for positions after the change.
  /// - Precondition: `before` and `after` return no position twice, and no negative position.
  /// - Complexity: O(c) for c changed children; O(s) for all s changed nodes if some are dropped or change their
  ///   order.
  mutating func translate(to delta: Delta, before: (Int) -> Int?, after: (Int) -> Int?) {
    level = delta
    if !nodes.isEmpty {
      let inserted = delta.insertions
      if inserted.isEmpty {
        mapNodes(after)
      } else {
        mapNodes { after($0).flatMap { inserted.contains(position: $0) ? nil : $0 } }
      }
    }
    if !crossings.isEmpty {
      crossings = crossings.compactMap { $0.mapped(before: before, after: after) }
    }
    checkInvariants()
  }

  /// Gives the changes inside surviving children other positions, or drops them.
  private mutating func mapNodes(_ position: (Int) -> Int?) {
    if nodes.isEmpty { return }
    var index = nodes.count - 1
    var later = Int.max
    while index >= 0 {
      guard let mapped = position(nodes[index].position), mapped < later else {
        rebuildChildren(from: index, position)
        checkInvariants()
        return
      }
      require(mapped >= 0, "ChangeSet: the position of a child is negative: \(mapped).")
      nodes[index].position = mapped
      later = mapped
      index -= nodes[index].size
    }
    checkInvariants()
  }

  /// The slow way of `mapNodes`: child `index` and all children before it have not been mapped yet.
  @inline(never)
  private mutating func rebuildChildren(from index: Int, _ position: (Int) -> Int?) {
    var kept: [(position: Int, index: Int)] = []
    var isOrdered = true
    Self.forEachChildBackward(of: nodes.count, in: nodes) { child in
      guard let mapped = child > index ? nodes[child].position : position(nodes[child].position) else {
        return
      }
      require(mapped >= 0, "ChangeSet: the position of a child is negative: \(mapped).")
      if let last = kept.last, last.position <= mapped { isOrdered = false }
      kept.append((mapped, child))
    }
    if isOrdered { kept.reverse() } else { kept.sort(byNumber: \.position) }
    var result: [Node] = []
    result.reserveCapacity(nodes.count)
    var previous = -1
    for (position, child) in kept {
      require(position != previous, "ChangeSet: two changes of the child at \(position).")
      previous = position
      result.append(contentsOf: nodes[(child - nodes[child].size + 1)...child])
      result[result.count - 1].position = position
    }
    nodes = result
  }
}
