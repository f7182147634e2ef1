// Each edit checks its arguments, asks the hub, changes the storage, and publishes one delta. Without a listener, no
// delta is made.
extension ArrayNode {
  /// Publishes a delta if there is a listener, with its inverse for a rollback or an undo.
  @inlinable
  func publish(_ delta: @autoclosure () -> Delta, inverse: @autoclosure () -> (() -> Void)) {
    if hub.hasListeners { hub.publish(ChangeSet(delta()), inverse: inverse()) }
  }

  /// Adds an element at the end.
  ///
  /// Observers are notified of one insertion at the former count.
  ///
  /// - Parameter element: the new last element.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func append(_ element: Element) { insert(element, at: count) }

  /// Adds elements at the end.
  ///
  /// Observers are notified of one range of insertions. They are not notified if there are no new elements.
  ///
  /// - Parameter elements: the new last elements, in order.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  @inlinable
  public func append(contentsOf elements: some Sequence<Element>) {
    insert(contentsOf: Array(elements), at: count)
  }

  /// Inserts an element.
  ///
  /// Observers are notified of one insertion at `position`.
  ///
  /// - Parameters:
  ///   - element: the new element.
  ///   - position: `0...count`, the position of the new element after the insertion.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "ArrayNode")
    hub.prepareForChange()
    storage.value.insert(element, at: position)
    publish(.insertion(position..<position + 1), inverse: { [self] in remove(at: position) })
  }

  /// Inserts elements at one position.
  ///
  /// Observers are notified of one range of insertions. They are not notified if there are no new elements.
  ///
  /// - Parameters:
  ///   - elements: the new elements, in order.
  ///   - position: `0...count`, the position of the first new element after the insertion.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  @inlinable
  public func insert(contentsOf elements: some Collection<Element>, at position: Int) {
    checkInsertion(position, in: count, of: "ArrayNode")
    replaceSubrange(position..<position, with: elements)
  }

  /// Removes an element.
  ///
  /// Observers are notified of one removal at `position`.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the removed element.
  /// - Complexity: O(log n), and the propagation.
  @discardableResult @inlinable
  public func remove(at position: Int) -> Element {
    checkPosition(position, in: count, of: "ArrayNode")
    hub.prepareForChange()
    let element = storage.value.remove(at: position)
    publish(.removal(position..<position + 1), inverse: { [self] in insert(element, at: position) })
    return element
  }

  /// Removes the first element.
  ///
  /// - Returns: the removed element.
  /// - Precondition: the node is not empty.
  /// - Complexity: O(log n), and the propagation.
  @discardableResult @inlinable
  public func removeFirst() -> Element { remove(at: 0) }

  /// Removes the last element.
  ///
  /// - Returns: the removed element.
  /// - Precondition: the node is not empty.
  /// - Complexity: O(log n), and the propagation.
  @discardableResult @inlinable
  public func removeLast() -> Element { remove(at: count - 1) }

  /// Removes every element.
  ///
  /// - Complexity: O(n), and the propagation.
  @inlinable
  public func removeAll() { removeSubrange(0..<count) }

  /// Removes the elements that satisfy a predicate.
  ///
  /// Observers are notified of all removals as one change.
  ///
  /// - Parameter shouldRemove: called once for each element, in order, before any element is removed; it must not
  ///   change any node.
  /// - Throws: any error of `shouldRemove`; the node is unchanged then.
  /// - Complexity: O(n), and the propagation.
  @inlinable
  public func removeAll<Failure: Error>(
    where shouldRemove: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    var removals: [Range<Int>] = []
    var kept: [Element] = []
    try hub.refusingChanges { () throws(Failure) in
      for (position, element) in self.enumerated() {
        if try !shouldRemove(element) {
          kept.append(element)
        } else if let last = removals.last, last.upperBound == position {
          removals[removals.count - 1] = last.lowerBound..<position + 1
        } else {
          removals.append(position..<position + 1)
        }
      }
    }
    guard !removals.isEmpty else { return }
    hub.prepareForChange()
    let former = storage.value
    storage.value.replaceSubrange(0..<count, with: kept)
    let delta = Delta(removals: removals)
    publish(delta, inverse: restoration(after: delta, of: former))
    withExtendedLifetime(former) {}
  }

  /// The form of the public method that the other edits call.
  @inlinable
  func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    // Copied first: the elements may belong to this node, and elements that are computed may edit it.
    let elements = Array(elements)
    checkRange(range, in: count, of: "ArrayNode")
    guard !range.isEmpty || !elements.isEmpty else { return }
    hub.prepareForChange()
    // Kept until the change has been delivered: an element's `deinit` may use this node.
    let removed = storage.value.elements(in: range)
    let formerCount = count
    storage.value.replaceSubrange(range, with: elements)
    let inserted = count - formerCount + range.count
    publish(
      Delta(
        removals: range.isEmpty ? [] : [range],
        insertions: inserted == 0 ? [] : [range.lowerBound..<range.lowerBound + inserted]),
      inverse: { [self] in replaceSubrange(range.lowerBound..<range.lowerBound + inserted, with: removed) })
    withExtendedLifetime(removed) {}
  }

  /// Moves an element to another position.
  ///
  /// Observers are notified of one move. They are not notified if both positions are equal.
  ///
  /// ```swift
  /// let letters = ArrayNode(["a", "b", "c", "d"])
  /// letters.move(from: 0, to: 2)
  /// letters.elements            // ["b", "c", "a", "d"]
  /// ```
  ///
  /// - Parameters:
  ///   - position: `0..<count`, before the move.
  ///   - destination: `0..<count`, the position of the element after the move.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func move(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "ArrayNode")
    checkPosition(destination, in: count, of: "ArrayNode")
    guard position != destination else { return }
    hub.prepareForChange()
    let element = storage.value.remove(at: position)
    storage.value.insert(element, at: destination)
    publish(
      .move(position..<position + 1, to: destination), inverse: { [self] in move(from: destination, to: position) })
  }

  /// Exchanges two elements.
  ///
  /// Observers are notified of one change. If the elements are neighbours, the change is one move, because that move
  /// also puts the other element in its place. Otherwise the change is two moves. Observers are not notified if both
  /// positions are equal.
  ///
  /// - Parameters:
  ///   - first: `0..<count`.
  ///   - second: `0..<count`.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func swapAt(_ first: Int, _ second: Int) {
    checkPosition(first, in: count, of: "ArrayNode")
    checkPosition(second, in: count, of: "ArrayNode")
    guard first != second else { return }
    let lower = Swift.min(first, second)
    let upper = Swift.max(first, second)
    performUpdates {
      move(from: lower, to: upper)
      if upper - lower > 1 { move(from: upper - 1, to: lower) }
    }
  }

  /// Replaces the value of an element in its place.
  ///
  /// Observers are notified of one update at `position`.
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - element: the new value.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func replace(at position: Int, with element: Element) {
    checkPosition(position, in: count, of: "ArrayNode")
    hub.prepareForChange()
    let former = storage.value[position]
    storage.value[position] = element
    publish(.update(position..<position + 1), inverse: { [self] in replace(at: position, with: former) })
    withExtendedLifetime(former) {}
  }

  /// Reports that an object has changed to which several elements may refer.
  ///
  /// Observers are notified of one change with all updates. They are not notified if no element refers to the object.
  ///
  /// ```swift
  /// ada.name = "Ada Lovelace"
  /// guests.update { $0 === ada }
  /// ```
  ///
  /// - Parameter hasChanged: whether an element refers to the changed object. It is called once for each element, in
  ///   order, and must not change any node.
  /// - Throws: any error of `hasChanged`; observers are not notified then.
  /// - Complexity: O(n), and the propagation.
  @inlinable
  public func update<Failure: Error>(where hasChanged: (Element) throws(Failure) -> Bool) throws(Failure) {
    var updates: [Range<Int>] = []
    try hub.refusingChanges { () throws(Failure) in
      for (position, element) in self.enumerated() where try hasChanged(element) {
        updates.append(position..<position + 1)
      }
    }
    if !updates.isEmpty { announceUpdates(Delta(updates: updates)) }
  }

  @usableFromInline
  func announceUpdates(_ delta: Delta) {
    hub.prepareForChange()
    publish(delta, inverse: { [self] in announceUpdates(delta) })
  }
}

extension ArrayNode: WritableNode {
  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> { .leaf(remove(at: position)) }
}
