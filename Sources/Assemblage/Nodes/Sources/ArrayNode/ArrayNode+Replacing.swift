extension ArrayNode {
  /// Replaces all elements, keeping the elements whose identity is in both.
  ///
  /// Observers are notified of the fewest possible rows: removals and insertions of identities that only one side has,
  /// the fewest moves, and updates of elements that keep their identity but differ. Equal identities are matched in
  /// order, which may move more rows than another choice.
  ///
  /// ```swift
  /// let letters = ArrayNode(["a", "b", "c"])
  /// let token = letters.observe { print($0.delta) }
  /// letters.replaceAll(with: ["b", "x", "c"], id: { $0 }, areEqual: ==)   // removes 0, inserts 1
  /// ```
  ///
  /// - Parameters:
  ///   - elements: the new elements, in order.
  ///   - identity: returns the identity by which an element is the same in both; it must not change any node.
  ///   - areEqual: whether an element that keeps its identity is unchanged.
  /// - Complexity: O(n) expected, O(n · log n) if elements moved, and the propagation.
  @inlinable
  public func replaceAll<Identity: Hashable>(
    with elements: some Collection<Element>, id identity: (Element) -> Identity,
    areEqual: (Element, Element) -> Bool
  ) {
    // Copied first: elements that are computed may edit this node.
    let new = Array(elements)
    let former = storage.value
    let delta = hub.refusingChanges {
      Delta(from: former.elements(in: 0..<former.count), to: new, id: identity, areEqual: areEqual)
    }
    guard !delta.isEmpty else { return }
    hub.prepareForChange()
    storage.value.replaceSubrange(0..<count, with: new)
    publish(delta, inverse: restoration(after: delta, of: former))
    withExtendedLifetime(former) {}
  }

  /// Replaces all elements, keeping the elements whose identity is in both; unequal ones are updated.
  ///
  /// ```swift
  /// people.replaceAll(with: loaded, id: { $0.id })
  /// ```
  ///
  /// - Parameters:
  ///   - elements: the new elements, in order.
  ///   - identity: returns the identity by which an element is the same in both; it must not change any node.
  /// - Complexity: O(n) expected, O(n · log n) if elements moved, and the propagation.
  @inlinable @inline(__always)
  public func replaceAll<Identity: Hashable>(
    with elements: some Collection<Element>, id identity: (Element) -> Identity
  ) where Element: Equatable {
    replaceAll(with: elements, id: identity, areEqual: ==)
  }

  /// Replaces all elements, keeping the elements that are in both.
  ///
  /// Elements that are `Identifiable` are recognized by `id` instead.
  ///
  /// - Parameter elements: the new elements, in order.
  /// - Complexity: O(n) expected, O(n · log n) if elements moved, and the propagation.
  @_disfavoredOverload @inlinable
  public func replaceAll(with elements: some Collection<Element>) where Element: Hashable {
    replaceAll(with: elements, id: { $0 }, areEqual: { _, _ in true })
  }
}
