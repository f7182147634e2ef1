// Each edit checks its arguments, takes in what the owner has changed unannounced, sets the property, and publishes.
extension PropertyNode: WritableNode {
  /// Whether an edit is possible: nodes are inserted only in a tree of objects.
  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    edit.isInRange(at: position, of: count) && (edit != .insertNode || access.holdsNodes)
  }

  /// Inserts an element in the property.
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

  /// Inserts the object of a node of a tree of objects, with the node.
  ///
  /// - Precondition: `node` is a `PropertyNode` with a value that may stand here, and does not hold this node.
  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "PropertyNode")
    guard let node = node as? PropertyNode, let element = node.value, access.below(element) != nil else {
      trap("PropertyNode: its children are elements of an array property; it cannot take the node \(node) as a child.")
    }
    hub.refuseCycle(with: node)
    edit { unannounced in
      let position = unannounced?.insertionPoint(after: position, of: count) ?? position
      insert(element, at: position, returning: [position: node])
    }
  }

  private func insert(_ element: Element, at position: Int, returning nodes: [Int: PropertyNode]) {
    var new = state.value.elements
    new.insert(element, at: position)
    write(new, .insertion(position..<position + 1), returning: nodes)
  }

  /// Removes an element from the property.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the element; the object's node in a tree of objects.
  /// - Complexity: O(n), and the propagation.
  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    checkPosition(position, in: count, of: "PropertyNode")
    let former = child(at: position).map { TreeChild.node($0) } ?? .leaf(state.value.elements[position])
    edit { unannounced in
      guard let position = Self.follow(position, unannounced) else { return }
      var new = state.value.elements
      new.remove(at: position)
      write(new, .removal(position..<position + 1))
    }
    return former
  }

  /// Gives an element of the property another value.
  ///
  /// Observers hear of an update. In a tree of objects, where another object with children comes, or one with children goes,
  /// they hear of a removal and an insertion.
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

  /// Makes one edit, after what the owner has changed unannounced was taken in, in one transaction with it.
  ///
  /// - Parameter body: makes the edit, given what has been taken in.
  private func edit(_ body: (_ unannounced: Delta?) -> Void) {
    hub.prepareForChange()
    require(
      !state.value.isWriting, "PropertyNode: the setter of the property changed the node that was setting the property."
    )
    let present = read()
    guard let unannounced = difference(to: present) else { return body(nil) }
    performUpdates {
      // It is no end of the move that this edit may be an end of.
      let graph = hub.graph
      let mark = graph.takeMark()
      commit(present, unannounced)
      graph.mark = mark
      body(unannounced)
    }
  }

  /// Sets the property, and shows what it holds then.
  ///
  /// - Parameters:
  ///   - new: the elements.
  ///   - delta: what becomes of those shown, if the property takes them.
  ///   - returning: nodes that come back, by their positions after the change.
  func write(_ new: [Element], _ delta: Delta, returning: [Int: PropertyNode] = [:]) {
    state.value.isWriting = true
    access.set(new)
    state.value.isWriting = false
    let actual = read()
    if Self.isSame(actual, new) || hub.refusingChanges({ access.difference(new, actual) }).isEmpty {
      commit(actual, delta, returning: returning)
    } else {
      // A setter that makes something else of it may do so of what a rollback puts back.
      takeIn(actual)
      hub.rollsBackPartly()
    }
  }
}

extension Delta {
  /// Where an element is to be inserted after the change that was to stand before the element at a position.
  ///
  /// - Parameters:
  ///   - position: a position before the change, or the count.
  ///   - count: the count after the change.
  /// - Returns: the position after the change: that of the next element that survived, or the count.
  /// - Complexity: O(e · log c) for e elements that left there, and c ranges.
  fileprivate func insertionPoint(after position: Int, of count: Int) -> Int {
    for candidate in position..<max(position, count - countChange) {
      if let place = self.position(after: candidate) { return place }
    }
    return count
  }
}
