public import OffsetIndexing

// Leaves and values. Each edit checks its arguments, asks the hub, changes the storage, and publishes what it did to the children
// of one branch.
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
        RangeLists.append(position..<position + 1, to: &ranges)
      }
    }
    return ranges
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
}
