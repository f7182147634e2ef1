public import OffsetIndexing

// Leaves and values. Each edit checks its arguments, asks the hub, changes the storage, and publishes the change of the
// children of one branch.
extension ForestNode {
  /// Adds an element at the end, as a leaf.
  ///
  /// - Parameter element: the new last child.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func append(_ element: Element) { insert(element, at: count) }

  /// Adds elements at the end, as leaves.
  ///
  /// Observers are notified of one range of insertions. They are not notified if there are no new elements.
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
  /// Observers are notified of one insertion at `position`.
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - position: `0...count`, the position of the new element after the insertion.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "ForestNode")
    insertLeaf(element, at: position, of: branch)
  }

  @inlinable
  func insertLeaf(_ element: Element, at position: Int, of branch: TreeIndex.Branch, path: IndexPath = []) {
    // The root's hub is asked: the hub of the branch's node would be read for nothing else.
    root.hub.prepareForChange()
    state.value.storage.value.insertLeaf(element, at: position, of: branch, in: state.value.tree.index)
    publish(
      ShapeEdit(branch, .inserted(position..<position + 1), ofLeaves: true), at: path,
      inverse: { [node = node(of: branch)] in node.removeChild(at: position) })
  }

  /// Inserts elements at one position, as leaves.
  ///
  /// Observers are notified of one range of insertions. They are not notified if there are no new elements.
  ///
  /// - Parameters:
  ///   - elements: the new elements, in order.
  ///   - position: `0...count`, the position of the first new element after the insertion.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  @inlinable
  public func insert(contentsOf elements: some Collection<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "ForestNode")
    // Copied before the storage changes: the elements may be computed from this node.
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
  /// Observers are notified of one range of removals. They are not notified if the range is empty.
  ///
  /// - Parameter range: the positions to remove, within `0..<count`, for example `0...1` or `..<k`; may be empty.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    let range = positions(of: range, in: count, of: "ForestNode")
    if range.isEmpty { return }
    if range.count == 1, !hub.isRecording, shape.branch(at: range.lowerBound, of: branch) == nil {
      // No inverse needs a root that holds the removed leaf.
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
  /// Observers are notified of all removals as one change.
  ///
  /// - Parameter shouldRemove: called once for each child, in order, before any child is removed; it must not change
  ///   any node.
  /// - Throws: any error of `shouldRemove`; the node is unchanged then.
  /// - Complexity: O(n + c · log n) for c removed ranges, and the propagation.
  public func removeAll<Failure: Error>(
    where shouldRemove: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let removals = try ranges(where: shouldRemove)
    guard !removals.isEmpty else { return }
    performUpdates {
      for range in removals.reversed() { removeSubrange(range) }
    }
  }

  /// Returns the ranges of children that satisfy a predicate.
  private func ranges<Failure: Error>(
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

  /// Replaces the value of a child in its place; everything below the child stays.
  ///
  /// Observers are notified of one update at `position`.
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
      guard let value else { return giveUpElement() }
      if state.value.root != nil, let parent = shape.parent(of: branch) {
        return replaceElement(at: shape.position(of: branch), of: parent, with: value)
      }
      hub.prepareForChange()
      let former = state.value.storage.value.replace(
        at: 0, of: state.value.tree.top, in: state.value.tree.index, with: value
      ).former
      publishValue(inverse: { [self] in setValue(former) })
      withExtendedLifetime(former) {}
    } else {
      hub.prepareForChange()
      let former = state.value.value
      state.value.value = value
      publishValue(inverse: { [self] in setValue(former) })
      withExtendedLifetime(former) {}
    }
  }

  /// Reports that an object has changed to which elements at any depth below this node may refer.
  ///
  /// Observers are notified of one change with all updates. They are not notified if no element refers to the object.
  ///
  /// - Parameter hasChanged: whether an element refers to the changed object. It is called once for each element, in
  ///   document order, and must not change any node.
  /// - Throws: any error of `hasChanged`; observers are not notified then.
  /// - Complexity: O(s) for the s elements below this node, O(log n) for each changed element, and the propagation.
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
