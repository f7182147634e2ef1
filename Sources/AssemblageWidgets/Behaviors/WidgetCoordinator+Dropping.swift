public import Assemblage

// Rows that the user drops on another row, for example files on a folder.
extension WidgetCoordinator {
  /// Whether the user may move a row into the node that another row represents.
  ///
  /// Behaviors of both places must allow the move, and the nodes must be writable there.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - row: the path of the row that represents the new parent. In an `OutlineCoordinator`, the path leads to a node.
  ///     Otherwise the row is the row of a node in an `OutlineNode`.
  /// - Returns: whether `move(_:onto:)` has an effect; false if the row is already a child of that node.
  public func canMove(_ path: IndexPath, onto row: IndexPath) -> Bool {
    drop(row).flatMap { movement(path, onto: $0) } != nil
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
  /// The target row is a row of the tree itself in an `OutlineCoordinator`, or a row of an `OutlineNode`, also behind a
  /// filter. It may be expanded or not. A view that sorts accepts the row too, and shows the row at its sorted
  /// position.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - row: the path of the row that represents the new parent.
  /// - Returns: whether the move was allowed and was done.
  @discardableResult
  public func move(_ path: IndexPath, onto row: IndexPath) -> Bool { move([path], onto: row) == 1 }

  /// Moves rows for the user into the node that another row represents, in one transaction.
  ///
  /// The rows arrive one behind the other. Rows that cannot be moved there stay.
  ///
  /// - Parameters:
  ///   - paths: paths of the widget.
  ///   - row: the path of the row that represents the new parent.
  /// - Returns: the number of moved rows. A row that moves with its parent is not counted.
  @discardableResult
  public func move(_ paths: [IndexPath], onto row: IndexPath) -> Int {
    guard let goal = drop(row) else { return 0 }
    let anchors = AnchorSet(of: goal.tree)
    let folder = anchors.anchor(at: goal.path)
    let moving = paths.compactMap { path in movement(path, onto: goal).map { anchors.anchor(at: $0) } }
    return goal.tree.performUpdates {
      moving.reduce(0) { count, child in
        guard let path = child.path, let parent = folder.path, let node = goal.tree.child(at: parent),
          // A row that has moved with its parent stays below the parent.
          !moving.contains(where: { other in other !== child && other.path.map { path.starts(with: $0) } == true })
        else { return count }
        goal.tree.move(path, into: parent, at: node.count)
        return count + 1
      }
    }
  }

  /// The node that a row represents: a tree that has the widget's rows, and a path in this tree.
  private typealias Drop = (tree: any TreeNode<Element>, path: IndexPath)

  private func drop(_ row: IndexPath) -> Drop? {
    guard let place = place(inTree: row), place.tree.child(at: place.path) != nil else { return nil }
    return place
  }

  /// The place in the tree of the row that the widget shows at a path. The tree is the node itself, or the root of an
  /// `OutlineNode` behind the row.
  private func place(inTree path: IndexPath) -> Drop? {
    if feed.shape == .tree { return feed.nodePath(of: path).flatMap { $0.isEmpty ? nil : (node, $0) } }
    for place in places(at: path) {
      guard let outline = place.node as? any RowNesting<Element> else { continue }
      return (outline.root, outline.path(ofRow: place.position))
    }
    return nil
  }

  /// The path in the tree of a row that may move; nil if the row may not move.
  private func movement(_ path: IndexPath, onto goal: Drop) -> IndexPath? {
    guard let origin = place(inTree: path), origin.tree === goal.tree, origin.path.dropLast() != goal.path,
      let count = goal.tree.child(at: goal.path)?.count,
      allowsMovement(of: origin.path, leaving: places(at: path), into: goal.path, at: count, in: goal.tree)
    else { return nil }
    return origin.path
  }
}

/// A node whose children are the rows of a tree.
private protocol RowNesting<Element> {
  associatedtype Element
  var root: any TreeNode<Element> { get }
  func path(ofRow row: Int) -> IndexPath
}

extension OutlineNode: RowNesting {}
