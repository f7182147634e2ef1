// Reverting a change of several places.
extension ArrayNode {
  /// Returns a closure that reverts a change of any number of places.
  ///
  /// - Parameters:
  ///   - delta: the change.
  ///   - former: the elements before the change. Only the elements that were removed or updated are kept.
  /// - Returns: the inverse for `publish(_:inverse:)`.
  /// - Complexity: O(c · log n + k) for a change of c ranges, which removed or updated k elements.
  @usableFromInline
  func restoration(after delta: Delta, of former: ChunkedArray<Element>) -> () -> Void {
    let inverse = delta.inverse()
    var values: [Element] = []
    var ranges = Array(inverse.insertions) + Array(inverse.updates)
    ranges.sort(byNumber: \.lowerBound)
    for range in ranges { values += former.elements(in: range) }
    return { [self] in apply(inverse, values: values) }
  }

  /// Applies a change of any number of places.
  ///
  /// - Parameters:
  ///   - delta: the change.
  ///   - values: the inserted and updated elements, by ascending position after the change.
  /// - Complexity: O(n), and the propagation.
  private func apply(_ delta: Delta, values: [Element]) {
    hub.prepareForChange()
    let former = storage.value
    var next = values.makeIterator()
    let elements = delta.applying(to: former.elements(in: 0..<former.count)) { _ in next.next()! }
    storage.value.replaceSubrange(0..<count, with: elements)
    publish(delta, inverse: restoration(after: delta, of: former))
    withExtendedLifetime(former) {}
  }
}
