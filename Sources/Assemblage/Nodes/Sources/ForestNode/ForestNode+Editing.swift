public import Foundation
public import OffsetIndexing

// Each edit checks its arguments, asks the hub, changes the storage, and publishes what it did to the children of one branch.
extension ForestNode {
  /// Adds an element at the end, as a leaf.
  ///
  /// - Parameter element: the new last child.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func append(_ element: Element) { insert(element, at: count) }

  /// Adds elements at the end, as leaves.
  ///
  /// Observers hear of one range of insertions, or of nothing where there are no new elements.
  ///
  /// - Parameter elements: the new last children, in order.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  @inlinable
  public func append(contentsOf elements: some Sequence<Element>) { insert(contentsOf: Array(elements), at: count) }

  /// Adds a tree at the end; see `insert(_:at:)` with a node.
  ///
  /// - Parameter node: the root of a forest.
  /// - Precondition: that of `insert(_:at:)` with a node.
  /// - Complexity: that of `insert(_:at:)` with a node.
  public func append(_ node: ForestNode) { insert(node, at: count) }

  /// Inserts an element, as a leaf.
  ///
  /// Observers hear of one insertion at `position`.
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - position: `0...count`, the place where it is to stand.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "ForestNode")
    insertLeaf(element, at: position, of: branch)
  }

  @inlinable
  func insertLeaf(_ element: Element, at position: Int, of branch: TreeIndex.Branch, path: IndexPath = []) {
    // Of the root: the hub of a branch's node would be read for nothing else.
    root.hub.prepareForChange()
    state.value.storage.value.insertLeaf(element, at: position, of: branch, in: state.value.tree.index)
    publish(
      ShapeEdit(branch, .inserted(position..<position + 1), ofLeaves: true), at: path,
      inverse: { [node = node(of: branch)] in node.removeChild(at: position) })
  }

  /// Inserts elements in one place, as leaves.
  ///
  /// Observers hear of one range of insertions, or of nothing where there are no new elements.
  ///
  /// - Parameters:
  ///   - elements: the new elements, in order.
  ///   - position: `0...count`, the place where the first is to stand.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  @inlinable
  public func insert(contentsOf elements: some Collection<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "ForestNode")
    // Before the storage is touched: the elements may be computed from this very node.
    let elements = Array(elements)
    if !elements.isEmpty { insertLeaves(elements, at: position, of: branch) }
  }

  @usableFromInline
  func insertLeaves(_ elements: [Element], at position: Int, of branch: TreeIndex.Branch) {
    root.hub.prepareForChange()
    state.value.storage.value.insertLeaves(elements, at: position, of: branch, in: state.value.tree.index)
    let range = position..<position + elements.count
    publish(
      ShapeEdit(branch, .inserted(range), ofLeaves: true),
      inverse: { [node = node(of: branch)] in node.removeSubrange(range) })
  }

  @inlinable
  func removeLeaf(at position: Int, of branch: TreeIndex.Branch, path: IndexPath) -> Element {
    root.hub.prepareForChange()
    let element = state.value.storage.value.removeLeaf(at: position, of: branch, in: state.value.tree.index)
    publish(
      ShapeEdit(branch, .removed(position..<position + 1), ofLeaves: true), at: path,
      inverse: { [node = node(of: branch)] in node.insert(element, at: position) })
    return element
  }

  /// Removes children, with everything below them.
  ///
  /// Observers hear of one range of removals, or of nothing where the range is empty.
  ///
  /// - Parameter range: the positions to remove, within `0..<count`.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  public func removeSubrange(_ range: Range<Int>) {
    checkRange(range, in: count, of: "ForestNode")
    if range.isEmpty { return }
    if range.count == 1, !hub.isRecording, shape.branch(at: range.lowerBound, of: branch) == nil {
      // Nothing would be done with a node that has it.
      _ = removeLeaf(at: range.lowerBound, of: branch, path: [])
    } else {
      cut(range, into: nil)
    }
  }

  /// Removes all children.
  ///
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  public func removeAll() { removeSubrange(0..<count) }

  /// Removes the children that satisfy a predicate, with everything below them.
  ///
  /// Observers hear of the removals as one change.
  ///
  /// - Parameter shouldRemove: called once for each child, in order, before anything is removed; it must not change any
  ///   node.
  /// - Throws: what `shouldRemove` throws; the node is as it was then.
  /// - Complexity: O(n + c · log n) for c ranges that go, and the propagation.
  public func removeAll<Failure: Error>(
    where shouldRemove: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let removals = try positions(where: shouldRemove)
    guard !removals.isEmpty else { return }
    performUpdates {
      for range in removals.reversed() { removeSubrange(range) }
    }
  }

  /// The ranges of children of which a predicate holds.
  private func positions<Failure: Error>(
    where isFound: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> [Range<Int>] {
    let elements = elements
    var ranges: [Range<Int>] = []
    try hub.refusingChanges { () throws(Failure) in
      for (position, element) in elements.enumerated() where try isFound(element) {
        if let last = ranges.last, last.upperBound == position {
          ranges[ranges.count - 1] = last.lowerBound..<position + 1
        } else {
          ranges.append(position..<position + 1)
        }
      }
    }
    return ranges
  }

  /// Moves a child, with everything below it, to another place in this branch.
  ///
  /// Observers hear of one move, or of nothing where both places are the same.
  ///
  /// - Parameters:
  ///   - position: `0..<count`, before the move.
  ///   - destination: `0..<count`, after the move.
  /// - Complexity: O(log n) of shape, the child's elements in chunks, and the propagation.
  public func move(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "ForestNode")
    checkPosition(destination, in: count, of: "ForestNode")
    move(from: position, to: destination, of: branch)
  }

  func move(from position: Int, to destination: Int, of branch: TreeIndex.Branch) {
    guard position != destination else { return }
    hub.prepareForChange()
    state.value.storage.value.move(from: position, to: destination, of: branch, in: state.value.tree.index)
    publish(
      ShapeEdit(branch, .moved(from: position, to: destination)),
      inverse: { [node = node(of: branch)] in node.move(from: destination, to: position) })
  }

  /// Exchanges two children, with everything below them.
  ///
  /// Observers hear of one change: of one move where the children are neighbours, of two moves where they are not, and of
  /// nothing where both positions are the same.
  ///
  /// - Parameters:
  ///   - first: `0..<count`.
  ///   - second: `0..<count`.
  /// - Complexity: that of two moves.
  public func swapAt(_ first: Int, _ second: Int) {
    checkPosition(first, in: count, of: "ForestNode")
    checkPosition(second, in: count, of: "ForestNode")
    let (lower, upper) = (min(first, second), max(first, second))
    performUpdates {
      move(from: lower, to: upper)
      if upper - lower > 1 { move(from: upper - 1, to: lower) }
    }
  }

  // MARK: Values

  /// Gives a child another value in its place; what is below it stays.
  ///
  /// Observers hear of one update at `position`.
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - element: the new value.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func replace(at position: Int, with element: Element) {
    checkPosition(position, in: count, of: "ForestNode")
    replaceElement(at: position, of: branch, with: element)
  }

  @inlinable
  func replaceElement(
    at position: Int, of branch: TreeIndex.Branch, with element: Element, path: IndexPath = []
  ) {
    root.hub.prepareForChange()
    let (former, isLeaf) = state.value.storage.value.replace(
      at: position, of: branch, in: state.value.tree.index, with: element)
    publish(
      ShapeEdit(branch, .updated(position..<position + 1), ofLeaves: isLeaf), at: path,
      inverse: { [node = node(of: branch)] in node.replace(at: position, with: former) })
    withExtendedLifetime(former) {}
  }

  func setValue(_ value: Element?) {
    if isElement {
      guard let value else {
        trap("ForestNode: the value of a branch cannot become nil; all elements of a forest have values.")
      }
      if state.value.root != nil, let parent = shape.parent(of: branch) {
        return replaceElement(at: shape.position(of: branch), of: parent, with: value)
      }
      hub.prepareForChange()
      let former = state.value.storage.value.replace(
        at: 0, of: state.value.tree.top, in: state.value.tree.index, with: value
      ).former
      hub.publish(ChangeSet(updatesValue: true), inverse: { [self] in setValue(former) })
      withExtendedLifetime(former) {}
    } else {
      hub.prepareForChange()
      let former = state.value.value
      state.value.value = value
      hub.publish(ChangeSet(updatesValue: true), inverse: { [self] in setValue(former) })
      withExtendedLifetime(former) {}
    }
  }

  /// Says that the object which a child's value refers to has changed.
  ///
  /// Observers hear of one update at `position`.
  ///
  /// - Parameter position: `0..<count`.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func update(at position: Int) { replace(at: position, with: self[position]) }

  /// Changes a child's value in its place.
  ///
  /// Observers hear of one update at `position`. Where `body` throws, the value stays as it was and observers hear nothing.
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - body: changes the value; it must not change this node.
  /// - Throws: what `body` throws.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func update<Failure: Error>(
    at position: Int, _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    // On a copy, so that a `body` that reads this node finds the former value.
    var element = self[position]
    try body(&element)
    replace(at: position, with: element)
  }

  /// Says that an object has changed to which elements at any depth below this node may refer.
  ///
  /// Observers hear of one change with all updates, or of nothing where no element refers to the object.
  ///
  /// - Parameter hasChanged: whether an element refers to what has changed; called once for each, in document order. It must
  ///   not change any node.
  /// - Throws: what `hasChanged` throws; observers hear nothing then.
  /// - Complexity: O(s) for the s elements below this node, O(log n) for each that has changed, and the propagation.
  public func update<Failure: Error>(where hasChanged: (Element) throws(Failure) -> Bool) throws(Failure) {
    let numbers = shape.descendants(of: branch)
    var places: [TreeIndex.Place] = []
    let elements = treeElements.elements(in: numbers)
    try hub.refusingChanges { () throws(Failure) in
      for (offset, element) in elements.enumerated() where try hasChanged(element) {
        places.append(shape.locate(numbers.lowerBound + offset, in: top))
      }
    }
    guard !places.isEmpty else { return }
    performUpdates {
      for place in places { announceUpdate(at: place.position, of: place.parent) }
    }
  }

  private func announceUpdate(at position: Int, of branch: TreeIndex.Branch) {
    hub.prepareForChange()
    publish(
      ShapeEdit(branch, .updated(position..<position + 1)),
      inverse: { [node = node(of: branch)] in node.announceUpdate(at: position, of: node.branch) })
  }

  // MARK: Leaves and branches

  /// Makes a branch of a leaf: a folder without files, for example.
  ///
  /// Observers hear of one update at `position`. An element becomes a branch by itself where the first element is inserted
  /// below it by a path, and stays one when its last child leaves.
  ///
  /// ```swift
  /// let tree = ForestNode(leaves: ["notes"])
  /// tree.makeBranch(at: 0)
  /// tree.child(at: 0)?.count        // 0
  /// ```
  ///
  /// - Parameter position: `0..<count`; nothing happens where the child is a branch.
  /// - Complexity: O(log n), and the propagation.
  public func makeBranch(at position: Int) {
    checkPosition(position, in: count, of: "ForestNode")
    makeBranch(at: position, of: branch)
  }

  /// Makes a leaf of a branch that has no children.
  ///
  /// Observers hear of one update at `position`. A node of the branch that is held becomes an empty forest of its own.
  ///
  /// - Parameter position: `0..<count`; nothing happens where the child is a leaf.
  /// - Precondition: the child has no children.
  /// - Complexity: O(log n), and the propagation.
  public func makeLeaf(at position: Int) {
    checkPosition(position, in: count, of: "ForestNode")
    guard let child = shape.branch(at: position, of: branch) else { return }
    let children = shape.childCount(of: child)
    require(
      children == 0, "ForestNode: its child \(position) has \(children) children; only a branch without is made a leaf."
    )
    hub.prepareForChange()
    let node = hub.isRecording ? node(of: child) : arena.member(child)
    if let node {
      noteDetaching(node)
      arena.removeMember(child)
      node.state.value.value = node.value
      let tree = state.value.storage.value.makeTree()
      node.state.value.branch = tree.top
      node.becomeRoot(of: tree)
    }
    state.value.storage.value.shape.makeLeaf(child)
    publish(ShapeEdit(branch, .turned(position)), inverse: { [self] in turn(position, into: node!) })
    withExtendedLifetime(node) {}
  }

  @discardableResult
  func makeBranch(at position: Int, of branch: TreeIndex.Branch) -> TreeIndex.Branch {
    if let child = shape.branch(at: position, of: branch) { return child }
    hub.prepareForChange()
    let child = state.value.storage.value.makeBranch(at: position, of: branch)
    publish(
      ShapeEdit(branch, .turned(position)), inverse: { [node = node(of: branch)] in node.makeLeaf(at: position) })
    return child
  }

  /// Makes a branch of a leaf, that of a node which stood for it before.
  private func turn(_ position: Int, into node: ForestNode) {
    hub.prepareForChange()
    let child = state.value.storage.value.makeBranch(at: position, of: branch)
    node.state.value.storage.value.removeTree(node.state.value.tree)
    node.state.value.branch = child
    node.state.value.value = nil
    arena.add(node, for: child)
    node.join(root)
    publish(ShapeEdit(branch, .turned(position)), inverse: { [self] in makeLeaf(at: position) })
  }
}

// MARK: - Trees that come and go

extension ForestNode {
  /// Takes children out, as those of a root of their own, and tells of it.
  ///
  /// - Parameters:
  ///   - range: the positions of the children; not empty.
  ///   - node: the root that is to have them, whose own tree is empty; nil: a new one.
  private func cut(_ range: Range<Int>, into node: ForestNode?) {
    hub.prepareForChange()
    let tree = state.value.storage.value.cut(range, of: branch, in: state.value.tree.index)
    let taken = node ?? ForestNode(arena, tree: tree)
    if let node {
      node.state.value.storage.value.removeTree(node.state.value.tree)
      node.move(to: tree, of: arena)
    }
    taken.hub.shareGraph(with: hub)
    noteDetaching(taken)
    taken.adoptParts()
    publish(ShapeEdit(branch, .removed(range)), inverse: { [self] in paste(taken, at: range.lowerBound) })
    withExtendedLifetime(taken) {}
  }

  /// Puts the children of a root that `cut(_:into:)` made back.
  private func paste(_ node: ForestNode, at position: Int) {
    hub.prepareForChange()
    let range = position..<position + node.count
    let parts = pasteTree(node.state.value.tree, of: node.arena, at: position, of: branch)
    node.move(to: state.value.storage.value.makeTree(), of: arena)
    for part in parts { part.join(root) }
    publish(ShapeEdit(branch, .inserted(range)), inverse: { [self] in cut(range, into: node) })
  }

  /// Makes this root that of another tree, whose children it has from now on.
  private func move(to tree: ForestTree, of arena: ForestArena<Element>) {
    state.value.arena = arena
    state.value.storage = arena.storage
    state.value.tree = tree
    state.value.branch = tree.top
  }

  /// Takes a branch out, as the root of a tree of its own, and tells of it.
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
      ShapeEdit(branch, .removed(position..<position + 1)), at: path,
      inverse: { [parent = self.node(of: branch)] in parent.put(node, at: position, of: parent.branch) })
    return node
  }

  /// Puts the root of a tree in as a child, and tells of it.
  func put(_ node: ForestNode, at position: Int, of branch: TreeIndex.Branch) {
    hub.prepareForChange()
    node.hub.prepareForChange()
    node.releaseFollowers()
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

  /// Inserts a branch without children for a root that is no element.
  private func insertBranch(of node: ForestNode, at position: Int, of branch: TreeIndex.Branch) {
    let value = node.state.value.value!
    node.state.value.value = nil
    state.value.storage.value.insertLeaf(value, at: position, of: branch, in: state.value.tree.index)
    node.state.value.branch = state.value.storage.value.makeBranch(at: position, of: branch)
    arena.add(node, for: node.branch)
  }

  /// Puts everything that is in a tree of this arena or of another one among the children of a branch.
  ///
  /// - Returns: the living nodes of the branches in it, which are still those of their former root.
  private func pasteTree(
    _ tree: ForestTree, of other: ForestArena<Element>, at position: Int, of branch: TreeIndex.Branch
  ) -> [ForestNode] {
    let index = state.value.tree.index
    if other === arena {
      let nodes = arena.members(below: tree.top)
      state.value.storage.value.paste(tree, at: position, of: branch, in: index)
      return nodes
    }
    let handles = state.value.storage.value.paste(tree, of: &other.storage.value, at: position, of: branch, in: index)
    var nodes: [ForestNode] = []
    for (former, new) in handles {
      guard let node = other.member(former) else { continue }
      other.removeMember(former)
      arena.add(node, for: new)
      node.state.value.branch = new
      nodes.append(node)
    }
    return nodes
  }

  /// Lets the undo logs that watch this forest know what happens to a node until it comes back.
  private func noteDetaching(_ node: ForestNode) {
    guard hub.isRecording else { return }
    for recorder in hub.graph.recorders(watching: root.hub) { recorder.watch(node.hub, owns: false) }
  }
}

// MARK: - Writing through

extension ForestNode: WritableNode {
  /// Whether an edit is possible: all are.
  public func allows(_ edit: ChildEdit, at position: Int) -> Bool { edit.isInRange(at: position, of: count) }

  /// Inserts a tree: what was taken out of a forest, or is the root of another one.
  ///
  /// The node becomes that of a branch, and stays the same object; so do those of branches below it. Observers of the
  /// forest hear of one insertion, those of the node hear nothing.
  ///
  /// ```swift
  /// let tree = ForestNode(leaves: ["a"])
  /// tree.insert(ForestNode(value: "notes", leaves: ["b"]), at: 0)
  /// tree[[0, 0]]                    // "b"
  /// ```
  ///
  /// - Parameters:
  ///   - node: a `ForestNode` that has a value.
  ///   - position: `0...count`, the place where it is to stand.
  /// - Precondition: the node is the root of a forest, not of that which it is inserted into, and has a value.
  /// - Complexity: O(log n) of shape and the elements in chunks for what was cut out of this forest, O(log n + m) for another
  ///   one of m elements; and the propagation.
  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "ForestNode")
    guard let node = node as? ForestNode else {
      trap("ForestNode: it takes roots of forests as children, and not a \(type(of: node)).")
    }
    require(node.isRoot, "ForestNode: the node that is inserted is a branch of a forest; take it out of that first.")
    require(node !== root, "ForestNode: a forest cannot be inserted into itself.")
    require(
      node.value != nil, "ForestNode: the root that is inserted has no value, and all elements of a forest have values."
    )
    put(node, at: position, of: branch)
  }

  /// Removes a child, with everything below it.
  ///
  /// Observers hear of one removal at `position`. A branch becomes the root of a forest of its own, which can be read,
  /// changed, and inserted again, here or elsewhere; its node stays the same object, and observers of it hear nothing.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the former child.
  /// - Complexity: O(log n) of shape, the elements in chunks, and the propagation.
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
