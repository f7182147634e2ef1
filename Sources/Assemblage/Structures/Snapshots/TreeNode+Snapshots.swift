extension TreeNode {
  /// Takes a snapshot: the node and everything below it, as a tree of values that never changes.
  ///
  /// It is `TreeSnapshot(of: self)`: the values are copied, in whatever nodes they stand. What a `FlatNode` shows is taken by its
  /// own `snapshot()`, which shares it.
  ///
  /// ```swift
  /// let tree = BranchNode([ArrayNode(["Dad", "Mum"]), ArrayNode(["Bo"])])
  /// let before = tree.snapshot()
  /// tree.remove(at: [0, 0])
  /// before.value(at: [0, 0])                          // "Dad"
  /// before.difference(to: tree.snapshot())            // [; 0: [-0]]
  /// ```
  ///
  /// - Returns: the snapshot; it does not keep the node alive.
  /// - Complexity: O(p · log n) for p places. Children that are loaded when first asked for are loaded.
  public func snapshot() -> TreeSnapshot<Element> { TreeSnapshot(of: self) }

  /// Calls a closure with the state before each change, the change, and the state after it.
  ///
  /// It is `observe(_:)` for those who need what was removed, or who hand states to other tasks. It takes a snapshot of the whole
  /// tree now and for each delivery; of flat nodes `observe(withSnapshots:)` takes one that is shared.
  ///
  /// - Parameter handler: receives the state that it was told of last, the net change since, and the present state.
  /// - Returns: the token that keeps the observation, and the node, alive.
  /// - Complexity: O(p · log n) for p places, now and for each delivery.
  public func observe(
    withSnapshots handler: @escaping (_ old: TreeSnapshot<Element>, ChangeSet, _ new: TreeSnapshot<Element>) -> Void
  ) -> NodeObservation {
    // The token keeps the node alive as long as the handler may be called.
    var state: TreeSnapshot<Element> = snapshot()
    return observe { [unowned self] change in
      let former = state
      state = snapshot()
      handler(former, change, state)
    }
  }
}

extension FlatNode {
  /// Calls a closure with the state before each change, the change, and the state after it.
  ///
  /// It is `observe(_:)` for those who need what was removed, or who hand states to other tasks:
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada", "Grace", "Edsger"])
  /// let token = names.observe(withSnapshots: { old, change, new in
  ///   for position in change.delta.removals.joined() { print("left:", old[position]) }
  ///   for position in change.delta.insertions.joined() { print("came:", new[position]) }
  /// })
  /// names.remove(at: 1)      // prints "left: Grace"
  /// ```
  ///
  /// While it lasts, it keeps the state that it told last. So elements that leave are released after it has told of that, and the
  /// first edit after each delivery copies what it changes: see `FlatSnapshot`.
  ///
  /// - Parameter handler: receives the state that it was told of last, the net change since, in this node's index space, and the
  ///   present state. Removals count in the former, insertions and updates in the latter.
  /// - Returns: the token that keeps the observation, and the node, alive; see `observe(_:)`.
  /// - Complexity: a snapshot now, and one for each delivery: O(1) to O(n), see `FlatSnapshot`.
  public func observe(
    withSnapshots handler: @escaping (_ old: FlatSnapshot<Element>, ChangeSet, _ new: FlatSnapshot<Element>) -> Void
  ) -> NodeObservation {
    // The token keeps the node alive as long as the handler may be called.
    var state: FlatSnapshot<Element> = snapshot()
    return observe { [unowned self] change in
      let former = state
      state = snapshot()
      handler(former, change, state)
    }
  }
}

extension TreeSnapshot {
  /// The change from this snapshot to another, of places that are told apart by an id.
  ///
  /// It is `ChangeSet(from: self, to: new, by: id, areEqual: areEqual)`.
  ///
  /// - Parameters:
  ///   - new: the tree after the change.
  ///   - id: what tells one value from another.
  ///   - areEqual: whether a survivor's value is as it was: (before, after).
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 places in each.
  /// - Complexity: that of the initializer: expected O(p) for p places. A snapshot and itself are not compared.
  @inlinable
  public func difference<ID: Hashable>(
    to new: TreeSnapshot, by id: (Element) throws -> ID, areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows -> ChangeSet {
    try ChangeSet(from: self, to: new, by: id, areEqual: areEqual)
  }

  /// The change from this snapshot to another, of places that are told apart by an id, and updated where their values are not
  /// equal.
  ///
  /// - Parameters:
  ///   - new: the tree after the change.
  ///   - id: what tells one value from another.
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 places in each.
  /// - Complexity: as for `difference(to:by:areEqual:)`.
  @inlinable
  public func difference<ID: Hashable>(to new: TreeSnapshot, by id: (Element) throws -> ID) rethrows -> ChangeSet
  where Element: Equatable {
    try ChangeSet(from: self, to: new, by: id)
  }

  /// The change from this snapshot to another, of places whose values are their own ids.
  ///
  /// - Parameter new: the tree after the change.
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 places in each.
  /// - Complexity: as for `difference(to:by:areEqual:)`.
  @inlinable
  public func difference(to new: TreeSnapshot) -> ChangeSet where Element: Hashable { ChangeSet(from: self, to: new) }
}
