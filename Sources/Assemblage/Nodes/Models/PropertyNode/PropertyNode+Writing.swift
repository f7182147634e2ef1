// Each edit checks its arguments, shows changes of the owner that `refresh()` has not reported, sets the property, and
// reports.
extension PropertyNode: WritableNode {
  /// Whether an edit is possible; nodes can be inserted only in a tree of objects.
  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    edit != .turnIntoBranch && edit.isInRange(at: position, of: count) && (edit != .insertNode || access.holdsNodes)
  }

  /// Inserts an element into the property.
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - position: `0...count`.
  /// - Complexity: O(n), and the propagation.
  public func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "PropertyNode")
    edit { unannounced in
      insert(element, at: unannounced?.insertionPoint(after: position, of: count) ?? position, returning: [:])
    }
  }

  /// Inserts the object of another node, together with this node; only in a tree of objects.
  ///
  /// - Precondition: `node` is a `PropertyNode` whose value may be an element here, and `node` does not hold this node.
  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "PropertyNode")
    guard let (node, element) = object(of: node) else {
      trap("PropertyNode: its children are elements of an array property; it cannot take the node \(node) as a child.")
    }
    hub.refuseCycle(with: node)
    edit { unannounced in
      let position = unannounced?.insertionPoint(after: position, of: count) ?? position
      insert(element, at: position, returning: [position: node])
    }
  }

  /// A node that can become a child, and its object; nil for any other node.
  private func object(of node: any TreeNode<Element>) -> (node: PropertyNode, element: Element)? {
    guard let node = node as? PropertyNode, let element = node.value, access.below(element) != nil else { return nil }
    return (node, element)
  }

  private func insert(_ element: Element, at position: Int, returning nodes: [Int: PropertyNode]) {
    var new = state.value.elements
    new.insert(element, at: position)
    write(new, .insertion(position..<position + 1), returning: nodes)
  }

  /// Removes an element from the property.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the element; in a tree of objects, the node of a removed object.
  /// - Complexity: O(n), and the propagation.
  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    checkPosition(position, in: count, of: "PropertyNode")
    var former = child(at: position).map { TreeChild.node($0) } ?? .leaf(state.value.elements[position])
    edit { unannounced in
      guard let position = Self.follow(position, unannounced) else { return }
      // The owner may have changed the element.
      if former.node == nil { former = .leaf(state.value.elements[position]) }
      var new = state.value.elements
      new.remove(at: position)
      write(new, .removal(position..<position + 1))
    }
    return former
  }

  /// Replaces an element of the property.
  ///
  /// Observers receive an update. In a tree of objects, they receive a removal and an insertion if the old or the new
  /// element is an object with children.
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - element: the new value.
  /// - Complexity: O(n), and the propagation.
  public func replace(at position: Int, with element: Element) {
    checkPosition(position, in: count, of: "PropertyNode")
    edit { unannounced in
      guard let position = Self.follow(position, unannounced) else { return }
      let place = position..<position + 1
      var new = state.value.elements
      new[position] = element
      let isNode = access.below(element) != nil || access.below(state.value.elements[position]) != nil
      write(new, isNode ? Delta(removals: [place], insertions: [place]) : .update(place))
    }
  }

  /// Moves an element within the property.
  ///
  /// - Parameters:
  ///   - position: `0..<count`, before the move.
  ///   - destination: `0..<count`, after the move.
  /// - Complexity: O(n), and the propagation.
  public func move(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "PropertyNode")
    checkPosition(destination, in: count, of: "PropertyNode")
    guard position != destination else { return }
    edit { unannounced in
      guard let position = Self.follow(position, unannounced) else { return }
      let destination = min(destination, count - 1)
      guard position != destination else { return }
      var new = state.value.elements
      new.insert(new.remove(at: position), at: destination)
      write(new, .move(position..<position + 1, to: destination))
    }
  }

  private static func follow(_ position: Int, _ unannounced: Delta?) -> Int? {
    guard let unannounced else { return position }
    return unannounced.position(after: position)
  }

  /// Makes one edit in a transaction, in which the owner's unreported changes are shown first. The setter may let other
  /// nodes read the property again, and observers receive one change.
  ///
  /// - Parameter body: makes the edit. The closure receives the change that was shown first, or nil.
  private func edit(_ body: (_ unannounced: Delta?) -> Void) {
    hub.prepareForChange()
    require(
      !state.value.isWriting, "PropertyNode: the setter of the property changed the node that was setting the property."
    )
    let present = read()
    let unannounced = difference(to: present)
    performUpdates {
      if let unannounced { withoutMark { commit(present, unannounced) } }
      body(unannounced)
    }
  }

  /// Makes changes of the owner during an edit. The edit may be one end of a move, but these changes are not.
  private func withoutMark(_ body: () -> Void) {
    let mark = hub.graph.takeMark()
    body()
    // The graph may have been merged into another one.
    hub.graph.mark = mark
  }

  /// Sets the property, and shows the elements that the property has then.
  ///
  /// - Parameters:
  ///   - new: the elements to set.
  ///   - delta: the change from the shown elements to the new ones, if the property keeps these.
  ///   - returning: nodes that return, by their positions after the change.
  func write(_ new: [Element], _ delta: Delta, returning: [Int: PropertyNode] = [:]) {
    state.value.isWriting = true
    withoutMark { access.set(new) }
    state.value.isWriting = false
    let actual = read()
    if Self.isSame(actual, new) || hub.refusingChanges({ access.difference(new, actual) }).isEmpty {
      commit(actual, delta, returning: returning)
    } else {
      // This setter changes the elements that it gets. So it may also change the elements that a rollback restores.
      takeIn(actual)
      hub.rollsBackPartly()
    }
  }
}

extension PropertyNode: ChoosingNode {
  /// Whether an insertion of a child is possible. The property's type decides about the child's value.
  func accepts(_ child: TreeChild<Element>, at position: Int) -> Bool {
    switch child {
    case .leaf(let element): return access.accepts(element)
    case .node(let arriving):
      guard let (node, element) = object(of: arriving) else { return false }
      return access.accepts(element) && !hub.isSource(of: node.hub, withoutLinkTo: hub)
    }
  }
}

extension Delta {
  /// The new position of an insertion that was to be before an element, after the change that this delta describes.
  ///
  /// - Parameters:
  ///   - position: the element's position before the change, or the count.
  ///   - count: the count after the change.
  /// - Returns: the position, after the change, of the next element that stays; or the count.
  /// - Complexity: O(e · log c) for e elements that left from `position` on, and c ranges.
  fileprivate func insertionPoint(after position: Int, of count: Int) -> Int {
    for candidate in position..<max(position, count - countChange) {
      if let place = self.position(after: candidate) { return place }
    }
    return count
  }
}
