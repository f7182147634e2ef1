// Each edit checks its arguments, asks the hub, changes the children, and publishes one delta.
extension BranchNode {
  /// Adds a child at the end.
  ///
  /// - Parameter child: a leaf or a node.
  /// - Precondition: a node does not derive from this branch, because that would be a cycle; the `rule` holds for the
  ///   child.
  /// - Complexity: O(log n), and the propagation.
  public func append(_ child: TreeChild<Element>) { insertChild(child, at: count) }

  /// Adds a node at the end.
  ///
  /// - Parameter node: the new last child.
  /// - Precondition: the node does not derive from this branch, because that would be a cycle.
  /// - Complexity: O(log n), and the propagation.
  public func append(_ node: any TreeNode<Element>) { insertChild(.node(node), at: count) }

  /// Adds an element at the end, as a leaf.
  ///
  /// - Parameter element: the new last child.
  /// - Complexity: O(log n), and the propagation.
  public func append(_ element: Element) { insertChild(.leaf(element), at: count) }

  /// Inserts a leaf or a node, if the `rule` holds for it.
  @inlinable
  func insertChild(_ child: TreeChild<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "BranchNode")
    checkRule(child)
    put(child, at: position)
  }

  @inlinable
  func put(_ child: TreeChild<Element>, at position: Int) {
    hub.prepareForChange()
    link(child, at: position)
    state.value.children.insert(child, at: position)
    publishInsertion(at: position)
  }

  @usableFromInline
  func publishInsertion(at position: Int) {
    hub.publish(ChangeSet(.insertion(position..<position + 1)), inverse: { [self] in removeChild(at: position) })
  }

  /// Removes a child, with everything below it.
  ///
  /// Observers are notified of one removal at `position`.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the former child.
  /// - Complexity: O(log n), and the propagation.
  @discardableResult
  @inlinable
  public func removeChild(at position: Int) -> TreeChild<Element> {
    checkPosition(position, in: count, of: "BranchNode")
    hub.prepareForChange()
    unlink(at: position)
    let child = state.value.children.remove(at: position)
    publishRemoval(of: child, at: position)
    return child
  }

  @usableFromInline
  func publishRemoval(of child: TreeChild<Element>, at position: Int) {
    var change = ChangeSet(.removal(position..<position + 1))
    if let node = child.node { hub.noteDeparture(of: node.hub, at: position, in: &change) }
    hub.publish(change, inverse: { [self] in put(child, at: position) })
  }

  /// Replaces a child by another child, as the subscript does.
  @usableFromInline
  package func replace(at position: Int, with child: TreeChild<Element>) {
    checkPosition(position, in: count, of: "BranchNode")
    checkRule(child)
    exchange(at: position, with: child)
  }

  private func exchange(at position: Int, with child: TreeChild<Element>) {
    hub.prepareForChange()
    if let node = child.node { hub.refuseCycle(with: node) }
    unlink(at: position)
    link(child, at: position)
    let former = state.value.children[position]
    state.value.children[position] = child
    let place = position..<position + 1
    var change = ChangeSet(Delta(removals: [place], insertions: [place]))
    if let node = former.node { hub.noteDeparture(of: node.hub, at: position, in: &change) }
    hub.publish(change, inverse: { [self] in exchange(at: position, with: former) })
    withExtendedLifetime(former) {}
  }

  /// Moves a child, with everything below it, to another position in this branch.
  ///
  /// Observers are notified of one move. They are not notified if both positions are equal.
  ///
  /// - Parameters:
  ///   - position: `0..<count`, before the move.
  ///   - destination: `0..<count`, after the move.
  /// - Complexity: O(log n), and the propagation.
  public func move(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "BranchNode")
    checkPosition(destination, in: count, of: "BranchNode")
    guard position != destination else { return }
    hub.prepareForChange()
    state.value.translation.move(from: position, to: destination)
    let child = state.value.children.remove(at: position)
    state.value.children.insert(child, at: destination)
    hub.publish(
      ChangeSet(.move(position..<position + 1, to: destination)),
      inverse: { [self] in move(from: destination, to: position) })
  }

  /// Reports that an object has changed to which many leaves may refer.
  ///
  /// Observers are notified of one change with all updates. They are not notified if no leaf refers to the object.
  /// Children that are nodes are not checked.
  ///
  /// - Parameter hasChanged: whether a leaf refers to the changed object. It is called once for each leaf, in order,
  ///   and must not change any node.
  /// - Throws: any error of `hasChanged`; observers are not notified then.
  /// - Complexity: O(n) for n children, and the propagation.
  public func update<Failure: Error>(where hasChanged: (Element) throws(Failure) -> Bool) throws(Failure) {
    var updates: [Range<Int>] = []
    try hub.refusingChanges { () throws(Failure) in
      for position in 0..<count {
        guard case .leaf(let element) = state.value.children[position], try hasChanged(element) else { continue }
        updates.append(position..<position + 1)
      }
    }
    if !updates.isEmpty { announceUpdates(Delta(updates: updates)) }
  }

  private func announceUpdates(_ delta: Delta) {
    hub.prepareForChange()
    hub.publish(ChangeSet(delta), inverse: { [self] in announceUpdates(delta) })
  }

  /// Registers a child with the translation, and links it if it is a node.
  @usableFromInline
  func link(_ child: TreeChild<Element>, at position: Int) {
    guard let node = child.node else { return state.value.translation.insertLeaf(at: position) }
    hub.refuseCycle(with: node)
    hub.link(node, slot: state.value.translation.insertNode(at: position))
  }

  /// Removes a child from the translation, and unlinks it if it is a node.
  @usableFromInline
  func unlink(at position: Int) {
    if let slot = state.value.translation.remove(at: position) { hub.unlink(slot: slot) }
  }
}

// MARK: - Writing through

extension BranchNode: WritableNode {
  /// Returns whether an edit is possible.
  ///
  /// Each edit in range is possible, with three exceptions. The `rule` may refuse an insertion. The value of a child
  /// that is a node can be replaced only if that node is a `BranchNode` or a `ForestNode`. A leaf stays a leaf.
  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    guard edit != .turnIntoBranch, edit.isInRange(at: position, of: count), rule?.allows(edit) ?? true else {
      return false
    }
    guard edit == .replace, let node = state.value.children[position].node else { return true }
    return node is BranchNode || node is ForestNode<Element>
  }

  /// Inserts an element as a leaf.
  public func insert(_ element: Element, at position: Int) { insertChild(.leaf(element), at: position) }

  public func insert(_ node: any TreeNode<Element>, at position: Int) { insertChild(.node(node), at: position) }

  /// Changes the value of a leaf, or of a branch among the children.
  ///
  /// - Precondition: the child is a leaf, a `BranchNode` or a `ForestNode`; the `rule` holds for the new leaf.
  public func replace(at position: Int, with element: Element) {
    checkPosition(position, in: count, of: "BranchNode")
    switch state.value.children[position] {
    case .leaf:
      checkRule(.leaf(element))
      putLeaf(element, at: position)
    case .node(let node):
      switch node {
      case let branch as BranchNode: branch.value = element
      case let forest as ForestNode<Element>: forest.value = element
      default:
        trap(
          """
          BranchNode: its child \(position) is \(withArticle(type(of: node))), which has no value that could be replaced.
          """)
      }
    }
  }

  private func putLeaf(_ element: Element, at position: Int) {
    hub.prepareForChange()
    let former = state.value.children[position]
    state.value.children[position] = .leaf(element)
    hub.publish(
      ChangeSet(.update(position..<position + 1)),
      inverse: { [self] in if let former = former.value { putLeaf(former, at: position) } })
    withExtendedLifetime(former) {}
  }
}

extension BranchNode: ElementUpdating {
  func canAnnounceUpdate(at position: Int) -> Bool {
    state.value.children[position].node.map { $0 is BranchNode } ?? true
  }

  func announceUpdate(ofElementAt position: Int) {
    if let node = state.value.children[position].node {
      node.hub.publish(ChangeSet(updatesValue: true), inverse: {})
    } else {
      hub.publish(ChangeSet(.update(position..<position + 1)), inverse: {})
    }
  }
}
