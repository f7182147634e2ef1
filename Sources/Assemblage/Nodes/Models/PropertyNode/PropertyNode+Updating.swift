extension PropertyNode {
  /// Reads the property again, and reports the difference.
  ///
  /// In a tree of objects, every node below that has been made also reads its property. Observers receive all changes
  /// at once. Call it after the property has changed, and as often as you like: where nothing has changed, nothing is
  /// reported.
  ///
  /// ```swift
  /// final class Person {
  ///   var friends: [String] = [] { didSet { node?.refresh() } }
  ///   weak var node: PropertyNode<String>?
  /// }
  /// ```
  ///
  /// - Complexity: O(1) where the property still has the array that was read last; otherwise expected O(n) for n
  ///   elements, and the propagation.
  public func refresh() {
    guard !state.value.isWriting else { return }
    hub.prepareForChange()
    performUpdates {
      var open = [self]
      while let node = open.popLast() {
        // The setter of this node's property may have led here. The edit itself shows the elements then.
        if !node.state.value.isWriting { node.takeIn(node.read()) }
        open += node.state.value.nodes.all
      }
    }
  }

  /// Reports that the object of an element has changed.
  ///
  /// Observers receive one update at `position`.
  ///
  /// - Parameter position: `0..<count`.
  /// - Complexity: O(log n), and the propagation.
  public func update(at position: Int) {
    checkPosition(position, in: count, of: "PropertyNode")
    hub.prepareForChange()
    publishUpdate(at: position) { [self] in if position < count { update(at: position) } }
  }

  func announceUpdate(ofElementAt position: Int) { publishUpdate(at: position) {} }

  private func publishUpdate(at position: Int, inverse: @escaping () -> Void) {
    if let node = state.value.nodes[position] {
      node.hub.publish(ChangeSet(updatesValue: true), inverse: inverse)
    } else {
      hub.publish(ChangeSet(.update(position..<position + 1)), inverse: inverse)
    }
  }

  /// The property's elements now.
  func read() -> [Element] { hub.refusingChanges { access.get() } }

  /// The change from the shown elements, or other former ones, to new ones; nil where nothing changed.
  func difference(to new: [Element], from old: [Element]? = nil) -> Delta? {
    let old = old ?? state.value.elements
    if Self.isSame(old, new) { return nil }
    let delta = hub.refusingChanges { access.difference(old, new) }
    return delta.isEmpty ? nil : delta
  }

  /// Shows other elements of the property, and reports the difference.
  func takeIn(_ new: [Element]) {
    guard let delta = difference(to: new) else { return hub.carry(ChangeSet()) }
    commit(new, delta)
  }

  /// Shows other elements, and reports the change.
  ///
  /// - Parameters:
  ///   - new: the property's elements now.
  ///   - delta: the change from the shown elements to these.
  ///   - returning: removed nodes that return, by their positions after the change.
  func commit(_ new: [Element], _ delta: Delta, returning: [Int: PropertyNode] = [:]) {
    let former = state.value.elements
    let lost = state.value.nodes.follow(delta)
    for (slot, _, _) in lost { hub.unlink(slot: slot) }
    state.value.elements = new
    for (position, node) in returning {
      hub.link(node, slot: state.value.nodes.add(node, at: position))
      if let following { node.follow(with: following.relay) }
    }
    var change = ChangeSet(delta)
    for (_, position, node) in lost { hub.noteDeparture(of: node.hub, at: position, in: &change) }
    hub.publish(change, inverse: restoration(after: delta, of: former, lost))
    withExtendedLifetime((former, lost)) {}
  }

  /// The inverse of a change, which also sets the property.
  private func restoration(
    after delta: Delta, of former: [Element], _ lost: [(slot: Int, position: Int, node: PropertyNode)]
  ) -> () -> Void {
    let inverse = delta.inverse()
    var values: [Element] = []
    var ranges = Array(inverse.insertions) + Array(inverse.updates)
    ranges.sort(byNumber: \.lowerBound)
    for range in ranges { values += former[range] }
    let nodes = Dictionary(uniqueKeysWithValues: lost.map { ($0.position, $0.node) })
    let shown = state.value.elements
    return { [self] in
      hub.prepareForChange()
      // The setter, or a node of the same property, has changed the elements since, so this inverse does not fit.
      guard difference(to: state.value.elements, from: shown)?.movesPositions != true else {
        takeIn(read())
        return hub.rollsBackPartly()
      }
      var next = values.makeIterator()
      let elements = inverse.applying(to: state.value.elements) { _ in next.next()! }
      write(elements, inverse, returning: nodes)
    }
  }

  /// Whether two arrays share their memory, and so are certainly equal.
  static func isSame(_ first: [Element], _ second: [Element]) -> Bool {
    first.span.isIdentical(to: second.span)
  }
}
