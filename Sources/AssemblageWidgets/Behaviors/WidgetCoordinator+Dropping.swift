@_spi(NodeAuthors) public import Assemblage

// Rows that the user drops on another row, for example files on a folder.
extension WidgetCoordinator {
  /// Whether the user may move a row into the node that another row represents.
  ///
  /// Behaviors of both places must allow the move, and the nodes must be writable there.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - row: the path of the row that represents the new parent. In an `OutlineCoordinator`, the path leads to a node.
  ///     Otherwise the row is the row of a node in an `OutlineNode` or in a `DescendantsNode`.
  /// - Returns: whether `move(_:onto:)` has an effect; false if the row is already a child of that node.
  public func canMove(_ path: IndexPath, onto row: IndexPath) -> Bool {
    guard let own = feed.nodePath(of: path), let goal = drop(row) else { return false }
    return movement(own, onto: goal) != nil
  }

  /// Moves a row for the user into the node that another row represents, behind the last child of that node.
  ///
  /// ```swift
  /// let tree = BranchNode([.node(BranchNode(value: "src", leaves: ["main.swift"])), .leaf("README.md")])
  /// let coordinator = ListCoordinator(OutlineNode(tree, id: { $0 }))
  /// coordinator.behaviors = { _ in [WritingBehavior()] }
  /// coordinator.move([0, 1], onto: [0, 0])      // true: "src" has "main.swift" and "README.md"
  /// ```
  ///
  /// In an `OutlineCoordinator`, the target row is a row of the tree itself. Otherwise it is a row of an `OutlineNode`
  /// or of a `DescendantsNode`, also behind a filter. It may be expanded or not. A view that sorts accepts the row too,
  /// and shows the row at its sorted position.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - row: the path of the row that represents the new parent.
  /// - Returns: whether the move was allowed and was done.
  @discardableResult
  public func move(_ path: IndexPath, onto row: IndexPath) -> Bool { move([path], onto: row) == 1 }

  /// Moves rows for the user into the node that another row represents, in one transaction.
  ///
  /// The rows arrive one behind the other. Rows that cannot be moved there stay. Before each row moves, its behaviors
  /// are asked again.
  ///
  /// - Parameters:
  ///   - paths: paths of the widget.
  ///   - row: the path of the row that represents the new parent.
  /// - Returns: the number of moved rows. A row that moves with its parent is not counted.
  @discardableResult
  public func move(_ paths: [IndexPath], onto row: IndexPath) -> Int {
    guard let goal = drop(row) else { return 0 }
    let folder = NodeAnchor(of: goal.tree, at: goal.path)
    let rows = paths.compactMap { feed.nodePath(of: $0) }
      .compactMap { own in movement(own, onto: goal).map { (own: own, path: $0.path) } }
    // A row that moves with its parent stays below the parent.
    let moving = rows.filter { row in !rows.contains { $0.path != row.path && row.path.starts(with: $0.path) } }
    return AnchorSet(of: node).edit(moving.map(\.own)) { _, own in
      guard let parent = folder.path, let move = movement(own, onto: (goal.tree, parent)) else { return false }
      goal.tree.move(move.path, into: parent, at: move.position)
      return true
    }
  }

  /// The node that a row represents: a tree that has the widget's rows, and a path in this tree.
  private typealias Drop = (tree: any TreeNode<Element>, path: IndexPath)

  private func drop(_ row: IndexPath) -> Drop? {
    guard let goal = feed.nodePath(of: row).flatMap({ place(inTree: $0) }), goal.tree.child(at: goal.path) != nil else {
      return nil
    }
    return goal
  }

  /// The place in the tree of the row at a path of the node. The tree is the node itself, or the root of an
  /// `OutlineNode` or of a `DescendantsNode` behind the row.
  private func place(inTree own: IndexPath) -> Drop? {
    if feed.shape == .tree { return own.isEmpty ? nil : (node, own) }
    for place in places(at: own, in: node) {
      guard let rows = place.node as? any TreeRows<Element> else { continue }
      return (rows.root, rows.path(ofRow: place.position))
    }
    return nil
  }

  /// The path in the tree of the row at a path of the node, and the position at which the row arrives; nil if the row
  /// may not move.
  private func movement(_ own: IndexPath, onto goal: Drop) -> (path: IndexPath, position: Int)? {
    guard let origin = place(inTree: own), origin.tree === goal.tree, origin.path.dropLast() != goal.path,
      let count = goal.tree.count(at: goal.path),
      allowsMovement(of: origin.path, leaving: places(at: own, in: node), into: goal.path, at: count, in: goal.tree)
    else { return nil }
    return (origin.path, count)
  }
}
