public import Assemblage

// Rows that the user drops on another one: files on a folder.
extension WidgetCoordinator {
  /// Whether the user may move a row into what another row stands for: behaviors of both places allow it, and the nodes
  /// can be written there.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - row: the path of the row that is to take it: of a node in an `OutlineCoordinator`, or of a row that an
  ///     `OutlineNode` has of a node.
  /// - Returns: whether `move(_:onto:)` does something; false where the row that is to move is in there already.
  public func canMove(_ path: IndexPath, onto row: IndexPath) -> Bool {
    drop(row).flatMap { movement(path, onto: $0) } != nil
  }

  /// Moves a row for the user into what another row stands for, behind its last child.
  ///
  /// ```swift
  /// let tree = BranchNode([.node(BranchNode(value: "src", leaves: ["main.swift"])), .leaf("README.md")])
  /// let coordinator = ListCoordinator(OutlineNode(tree, id: { $0 }))
  /// coordinator.behaviors = { _ in [WritingBehavior()] }
  /// coordinator.move([0, 1], onto: [0, 0])      // true: "src" has "main.swift" and "README.md"
  /// ```
  ///
  /// The row may be one of the tree itself, in an `OutlineCoordinator`, or one of an `OutlineNode`, also behind a
  /// filter, whether it is expanded or not. A view that sorts takes it too, and shows it where it belongs.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - row: the path of the row that is to take it.
  /// - Returns: whether it was allowed, and done.
  @discardableResult
  public func move(_ path: IndexPath, onto row: IndexPath) -> Bool { move([path], onto: row) == 1 }

  /// Moves rows for the user into what another row stands for, one behind the other, in one transaction; those that
  /// cannot be moved there stay.
  ///
  /// - Parameters:
  ///   - paths: paths of the widget.
  ///   - row: the path of the row that is to take them.
  /// - Returns: how many were moved; what goes with another one is not counted.
  @discardableResult
  public func move(_ paths: [IndexPath], onto row: IndexPath) -> Int {
    guard let goal = drop(row) else { return 0 }
    let anchors = AnchorSet(of: goal.tree)
    let folder = anchors.anchor(at: goal.path)
    let moving = paths.compactMap { path in movement(path, onto: goal).map { anchors.anchor(at: $0) } }
    return goal.tree.performUpdates {
      moving.reduce(0) { count, child in
        guard let path = child.path, let parent = folder.path, let node = goal.tree.child(at: parent),
          // What another row took along stays below that.
          !moving.contains(where: { other in other !== child && other.path.map { path.starts(with: $0) } == true })
        else { return count }
        goal.tree.move(path, into: parent, at: node.count)
        return count + 1
      }
    }
  }

  /// What a row stands for: a path in the tree that the widget's rows are those of.
  private typealias Drop = (tree: any TreeNode<Element>, path: IndexPath)

  private func drop(_ row: IndexPath) -> Drop? {
    guard let place = place(inTree: row), place.tree.child(at: place.path) != nil else { return nil }
    return place
  }

  /// Where what the widget shows at a path stands in the tree: in the node itself, or in the tree of which that has the
  /// rows.
  private func place(inTree path: IndexPath) -> Drop? {
    if feed.shape == .tree { return feed.nodePath(of: path).flatMap { $0.isEmpty ? nil : (node, $0) } }
    for place in places(at: path) {
      guard let outline = place.node as? any RowNesting<Element> else { continue }
      return (outline.root, outline.path(ofRow: place.position))
    }
    return nil
  }

  /// The path in the tree of a row that may move; nil where it may not.
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
