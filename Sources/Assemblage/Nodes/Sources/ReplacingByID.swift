// Elements that are `Identifiable` need no `id:`, also if they are `Hashable`: the methods for `Hashable` elements are
// disfavored.

extension ArrayNode where Element: Identifiable & Equatable {
  /// Replaces all elements, keeping the elements whose id is in both; unequal ones are updated.
  ///
  /// ```swift
  /// people.replaceAll(with: loaded)
  /// ```
  ///
  /// - Parameter elements: the new elements, in order.
  /// - Complexity: O(n) expected, O(n · log n) if elements moved, and the propagation.
  @inlinable @inline(__always)
  public func replaceAll(with elements: some Collection<Element>) { replaceAll(with: elements, id: { $0.id }) }
}

extension ForestNode where Element: Identifiable & Equatable {
  /// Replaces everything below this node, keeping the elements whose id is in both trees; unequal ones are updated.
  ///
  /// - Parameter snapshot: the new contents of this node; the snapshot's own value is not adopted.
  /// - Throws: `ForestError.missingValue` if a place other than the root has no value; the tree is unchanged then.
  /// - Complexity: that of `replaceAll(with:id:areEqual:)`.
  @inlinable @inline(__always)
  public func replaceAll(with snapshot: TreeSnapshot<Element>) throws(ForestError) {
    try replaceAll(with: snapshot, id: { $0.id })
  }
}
