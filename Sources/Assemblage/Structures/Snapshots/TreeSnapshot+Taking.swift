extension TreeSnapshot {
  /// Takes a snapshot of a node and everything below it.
  ///
  /// A node that is in several places is copied to each place. Children that are loaded on first access are loaded. A
  /// closure of a node, for example a predicate, must not take a snapshot while a change is translated. The contents
  /// are then unspecified, or the call traps.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["Dad", "Mum"]), ArrayNode(["Bo"])])
  /// sections.snapshot()   // [[Dad, Mum], [Bo]]
  /// ```
  ///
  /// - Parameter node: the root; it is only read.
  /// - Complexity: O(1) to O(p · log n) for p places: see the table of this type.
  package init(of node: some TreeNode<Element>) {
    var taking = SnapshotTaking<Element>()
    switch taking.take(node) {
    case .list(let contents): self.init(value: node.value, contents)
    case .tree(let shape, let contents): self.init(value: node.value, shape: shape, contents)
    case nil: self.init(copying: node)
    }
  }

  /// Copies a tree of nodes of any kinds, place by place.
  private init(copying root: some TreeNode<Element>) {
    var builder = Builder(value: root.value)
    var open: [(node: any TreeNode<Element>, reader: NodeReader<Element>, next: Int)] = [(root, root.reader, 0)]
    while let last = open.indices.last {
      let (node, reader, position) = open[last]
      guard position < node.count else {
        open.removeLast()
        if last > 0 { builder.endNode() }
        continue
      }
      open[last].next += 1
      let value = reader.element(at: position)
      if let child = node.child(at: position) {
        builder.beginNode(value)
        open.append((child, child.reader, 0))
      } else {
        builder.appendLeaf(value)
      }
    }
    self = builder.finish()
  }
}

extension TreeNode {
  /// Takes a snapshot: the node and everything below it, as a tree of values that never changes.
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
  /// - Complexity: O(1) to O(p · log n) for p places: see the table of `TreeSnapshot`.
  public func snapshot() -> TreeSnapshot<Element> { TreeSnapshot(of: self) }

  /// Calls a closure with the state before each change, the change, and the state after it.
  ///
  /// Call this instead of `observe(_:)` if the observer needs the removed elements, or hands states to other tasks:
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada", "Grace", "Edsger"])
  /// let token = names.observeSnapshots { old, change, new in
  ///   for position in change.delta.removals.joined() { print("left:", old[position]) }
  ///   for position in change.delta.insertions.joined() { print("came:", new[position]) }
  /// }
  /// names.remove(at: 1)      // prints "left: Grace"
  /// ```
  ///
  /// The observation keeps the state that it passed last. So elements that leave are released after the delivery, and
  /// the first edit after each delivery copies the parts that it changes: see `TreeSnapshot`.
  ///
  /// - Parameter handler: receives the state of its last call, the net change since, in this node's index space, and
  ///   the present state. Removals count in the old state, insertions and updates in the new state.
  /// - Returns: the token that keeps the observation, and the node, alive; see `observe(_:)`.
  /// - Complexity: a snapshot now, and one for each delivery: O(1) to O(p · log n), see `TreeSnapshot`.
  public func observeSnapshots(
    _ handler: @escaping (_ old: TreeSnapshot<Element>, ChangeSet, _ new: TreeSnapshot<Element>) -> Void
  ) -> NodeObservation {
    // The token keeps the node alive as long as the handler may be called.
    var state = snapshot()
    return observe { [unowned self] change in
      let former = state
      state = snapshot()
      handler(former, change, state)
    }
  }
}
