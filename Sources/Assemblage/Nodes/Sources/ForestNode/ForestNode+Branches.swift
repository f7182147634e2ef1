public import OffsetIndexing

// Leaves that become branches, branches that become leaves, and whole subtrees that arrive and leave.
extension ForestNode {
  /// Makes a branch of a leaf, for example a folder without files.
  ///
  /// Observers are notified of one update at `position`. An element also becomes a branch when the first element is
  /// inserted below it by a path. It remains a branch when its last child leaves.
  ///
  /// ```swift
  /// let tree = ForestNode(leaves: ["notes"])
  /// tree.turnIntoBranch(at: 0)
  /// tree.child(at: 0)?.count        // 0
  /// ```
  ///
  /// - Parameter position: `0..<count`; nothing happens if the child is a branch.
  /// - Complexity: O(log n), and the propagation.
  public func turnIntoBranch(at position: Int) {
    checkPosition(position, in: count, of: "ForestNode")
    makeBranch(at: position, of: branch)
  }

  /// Makes a leaf of a branch that has no children.
  ///
  /// Observers are notified of one update at `position`. If the node of the branch is held, it becomes an empty
  /// separate forest.
  ///
  /// - Parameter position: `0..<count`; nothing happens if the child is a leaf.
  /// - Precondition: the child has no children.
  /// - Complexity: O(log n), and the propagation.
  public func turnIntoLeaf(at position: Int) {
    checkPosition(position, in: count, of: "ForestNode")
    if let child = shape.branch(at: position, of: branch) { makeLeaf(child, at: position, of: branch) }
  }

  /// Makes a leaf of a branch.
  ///
  /// - Returns: the former node of the branch, if a node is alive.
  @discardableResult
  func makeLeaf(_ child: TreeIndex.Branch, at position: Int, of branch: TreeIndex.Branch) -> ForestNode? {
    let children = shape.childCount(of: child)
    require(
      children == 0,
      "ForestNode: its child \(position) has \(countedChildren(children)); only a branch without is made a leaf.")
    hub.prepareForChange()
    let pending = foldPending(child, at: position, of: branch)
    // The handle of the child may be given to another branch.
    if hub.isRecording { root.state.value.followers.renewHandles() }
    let node = hub.isRecording && arena.isReversible ? node(of: child) : arena.member(child)
    if let node {
      noteDetaching(node)
      arena.removeMember(child)
      node.state.value.value = node.value
      let tree = state.value.storage.value.makeTree()
      node.state.value.branch = tree.top
      node.becomeRoot(of: tree)
      // The node's own observers receive the changes inside the branch.
      if !pending.isSilent, node.hub.isObserved {
        arena.pending.append(pending, to: tree.top)
        node.notePending()
      }
    }
    state.value.storage.value.shape.makeLeaf(child)
    publish(
      ShapeEdit(branch, .turned(position)),
      inverse: { [parent = self.node(of: branch)] in parent.turn(position, into: node!) })
    return node
  }

  @discardableResult
  func makeBranch(at position: Int, of branch: TreeIndex.Branch) -> TreeIndex.Branch {
    if let child = shape.branch(at: position, of: branch) { return child }
    hub.prepareForChange()
    let child = state.value.storage.value.makeBranch(at: position, of: branch)
    publish(
      ShapeEdit(branch, .turned(position)), inverse: { [node = node(of: branch)] in node.turnIntoLeaf(at: position) })
    return child
  }

  /// Makes a branch of a leaf, and gives the branch its former node.
  private func turn(_ position: Int, into node: ForestNode) {
    hub.prepareForChange()
    // The node's own observers receive what is pending. The observers of this node know the child as a leaf.
    if node.arena.pending.composers[node.branch] != nil { hub.graph.settle() }
    node.releaseFollowers()
    let child = state.value.storage.value.makeBranch(at: position, of: branch)
    // The node may have been a branch in between.
    node.arena.removeMember(node.branch)
    node.state.value.storage.value.removeTree(node.state.value.tree)
    node.state.value.branch = child
    node.state.value.value = nil
    arena.add(node, for: child)
    node.join(root)
    publish(ShapeEdit(branch, .turned(position)), inverse: { [self] in turnIntoLeaf(at: position) })
  }
}

// MARK: - Trees that arrive and leave

extension ForestNode {
  /// Makes this root, which is an element of its tree, a root without a value. Its children get a tree of their own.
  func giveUpElement() {
    require(isRoot, "ForestNode: the value of a branch cannot become nil; all elements of a forest have values.")
    hub.prepareForChange()
    releaseFollowers()
    let (value, branch, tree) = (value, branch, state.value.tree)
    let children = state.value.storage.value.cut(0..<count, of: branch, in: tree.index)
    renamePending(branch, of: arena, to: children.top)
    arena.removeMember(branch)
    move(to: children, of: arena)
    adoptParts()
    let removed = state.value.storage.value.removeTree(tree)
    notePending()
    publishValue(inverse: { [self] in setValue(value) })
    withExtendedLifetime(removed) {}
  }

  /// Cuts children out, as the children of another root, and publishes the removal.
  ///
  /// - Parameters:
  ///   - range: the positions of the children; not empty.
  ///   - node: the new parent of the children, whose own tree is empty; nil: a new root.
  func cut(_ range: Range<Int>, into node: ForestNode?) {
    hub.prepareForChange()
    let leaving = leavingBranches(in: range, of: branch)
    let tree = state.value.storage.value.cut(range, of: branch, in: state.value.tree.index)
    let taken = node ?? ForestNode(arena, tree: tree)
    if let node {
      node.state.value.storage.value.removeTree(node.state.value.tree)
      node.move(to: tree, of: arena)
    }
    taken.hub.shareGraph(with: hub)
    noteDetaching(taken)
    taken.adoptParts()
    taken.notePending()
    publish(
      ShapeEdit(branch, .removed(range)), leaving: leaving, inverse: { [self] in paste(taken, at: range.lowerBound) })
    hub.graph.whenSettled { withExtendedLifetime(taken) {} }
  }

  /// Puts the children of a root back that `cut(_:into:)` has made.
  private func paste(_ node: ForestNode, at position: Int) {
    hub.prepareForChange()
    let range = position..<position + node.count
    let parts = pasteTree(node.state.value.tree, of: node.arena, at: position, of: branch)
    node.move(to: state.value.storage.value.makeTree(), of: arena)
    for part in parts { part.join(root) }
    publish(ShapeEdit(branch, .inserted(range)), inverse: { [self] in cut(range, into: node) })
  }

  /// Makes this node the root of another tree. The children of that tree are then the children of this node.
  private func move(to tree: ForestTree, of arena: ForestArena<Element>) {
    state.value.arena = arena
    state.value.storage = arena.storage
    state.value.tree = tree
    state.value.branch = tree.top
  }

  /// Cuts a branch out, as the root of a tree of its own, and publishes the removal.
  @usableFromInline
  func cutOut(
    _ child: TreeIndex.Branch, at position: Int, of branch: TreeIndex.Branch, _ path: IndexPath
  ) -> ForestNode {
    hub.prepareForChange()
    let node = node(of: child)
    noteDetaching(node)
    let tree = state.value.storage.value.cut(position..<position + 1, of: branch, in: state.value.tree.index)
    node.becomeRoot(of: tree)
    publish(
      ShapeEdit(branch, .removed(position..<position + 1)), at: path, leaving: [(position, child)],
      inverse: { [parent = self.node(of: branch)] in parent.put(node, at: position, of: parent.branch) })
    hub.graph.whenSettled { withExtendedLifetime(node) {} }
    return node
  }

  /// Inserts the root of a tree as a child, and publishes the insertion.
  func put(_ node: ForestNode, at position: Int, of branch: TreeIndex.Branch) {
    hub.prepareForChange()
    node.hub.prepareForChange()
    node.releaseFollowers()
    // The new handles of pending changes and moves are noted in the graph of both.
    Graph.join(root.hub, node.hub)
    let (tree, arena) = (node.state.value.tree, node.arena)
    var parts: [ForestNode] = []
    if node.isElement {
      parts = pasteTree(tree, of: arena, at: position, of: branch)
    } else {
      insertBranch(of: node, at: position, of: branch)
      parts = pasteTree(tree, of: arena, at: 0, of: node.branch) + [node]
    }
    for part in parts { part.join(root) }
    publish(
      ShapeEdit(branch, .inserted(position..<position + 1)),
      inverse: { [parent = self.node(of: branch)] in parent.removeChild(at: position) })
  }

  /// Inserts a branch without children for a root that is not an element.
  private func insertBranch(of node: ForestNode, at position: Int, of branch: TreeIndex.Branch) {
    let (value, former, other) = (node.state.value.value!, node.branch, node.arena)
    node.state.value.value = nil
    state.value.storage.value.insertLeaf(value, at: position, of: branch, in: state.value.tree.index)
    node.state.value.branch = state.value.storage.value.makeBranch(at: position, of: branch)
    arena.add(node, for: node.branch)
    renamePending(former, of: other, to: node.branch)
  }

  /// Inserts everything in a tree, of this arena or of another one, among the children of a branch.
  ///
  /// - Returns: the living nodes of the branches in the tree. They still belong to their former root.
  private func pasteTree(
    _ tree: ForestTree, of other: ForestArena<Element>, at position: Int, of branch: TreeIndex.Branch
  ) -> [ForestNode] {
    let index = state.value.tree.index
    if other === arena {
      let nodes = arena.members(below: tree.top)
      state.value.storage.value.paste(tree, at: position, of: branch, in: index)
      return nodes
    }
    // The tree may have left this one in the same transaction.
    if !arena.pending.isEmpty { root.state.value.followers.renewHandles() }
    let handles = state.value.storage.value.paste(tree, of: &other.storage.value, at: position, of: branch, in: index)
    var nodes: [ForestNode] = []
    for (former, new) in handles {
      renamePending(former, of: other, to: new)
      guard let node = other.member(former) else { continue }
      other.removeMember(former)
      arena.add(node, for: new)
      node.state.value.branch = new
      nodes.append(node)
    }
    return nodes
  }

  /// Lets the undo logs that watch this forest watch a removed node too, until the node is inserted again.
  func noteDetaching(_ node: ForestNode) {
    guard hub.isRecording else { return }
    for recorder in hub.graph.recorders(watching: root.hub) { recorder.watch(node.hub, owns: false) }
  }
}

// MARK: - Writing through

extension ForestNode: WritableNode {
  /// Returns whether an edit is possible.
  ///
  /// Each edit in range is.
  public func allows(_ edit: ChildEdit, at position: Int) -> Bool { edit.isInRange(at: position, of: count) }

  /// Inserts a tree: a branch that was removed from a forest, or the root of another forest.
  ///
  /// The node becomes the node of a branch and stays the same object; so do the nodes of branches below it. Observers
  /// of the forest are notified of one insertion. Observers of the node are not notified.
  ///
  /// ```swift
  /// let tree = ForestNode(leaves: ["a"])
  /// tree.insert(ForestNode(value: "notes", leaves: ["b"]), at: 0)
  /// tree[[0, 0]]                    // "b"
  /// ```
  ///
  /// - Parameters:
  ///   - node: a `ForestNode` that has a value.
  ///   - position: `0...count`, the position of the new branch after the insertion.
  /// - Precondition: the node has a value, and is the root of a forest other than this one.
  /// - Complexity: O(log n) for the shape, and the elements in chunks, if the tree was cut out of this forest; O(log n
  ///   + m) for another forest of m elements; and the propagation.
  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "ForestNode")
    let tree = node as? ForestNode
    require(
      tree?.isRoot ?? true,
      "ForestNode: the node that is inserted is a branch of a forest; take it out of that first.")
    if let refusal = refusal(of: node) { trap(refusal) }
    put(tree!, at: position, of: branch)
  }

  /// The message that refuses a node as a child; nil for a root that can be inserted, and for a branch that can be
  /// inserted after it was taken out of its forest.
  private func refusal(of node: any TreeNode<Element>) -> String? {
    guard let node = node as? ForestNode else {
      return "ForestNode: it takes roots of forests as children, and not \(withArticle(type(of: node)))."
    }
    if isInside(node) { return "ForestNode: a forest cannot be inserted into itself." }
    if node.value == nil {
      return "ForestNode: the root that is inserted has no value, and all elements of a forest have values."
    }
    return nil
  }

  /// Whether this node is another one, or lies below it.
  private func isInside(_ node: ForestNode) -> Bool {
    var next: TreeIndex.Branch? = node.root === root ? branch : nil
    while let branch = next {
      if branch == node.branch { return true }
      next = shape.parent(of: branch)
    }
    return false
  }

  /// Removes a child, with everything below it.
  ///
  /// Observers are notified of one removal at `position`. A removed branch becomes the root of a separate forest, which
  /// can be read, changed, and inserted again, here or elsewhere. Its node stays the same object, and the node's
  /// observers are not notified.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the former child.
  /// - Complexity: O(log n) for the shape, the elements in chunks, and the propagation.
  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    checkPosition(position, in: count, of: "ForestNode")
    return remove(at: position, of: branch)
  }

  @inlinable
  func remove(at position: Int, of branch: TreeIndex.Branch, path: IndexPath = []) -> TreeChild<Element> {
    if let child = shape.branch(at: position, of: branch) {
      return .node(cutOut(child, at: position, of: branch, path))
    }
    return .leaf(removeLeaf(at: position, of: branch, path: path))
  }
}

extension ForestNode: ChoosingNode {
  /// Whether an insertion of a child is possible, after the child was taken out of its present parent.
  func accepts(_ child: TreeChild<Element>, at position: Int) -> Bool {
    switch child {
    case .leaf: true
    case .node(let node): refusal(of: node) == nil
    }
  }
}
