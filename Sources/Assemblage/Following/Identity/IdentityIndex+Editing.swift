extension IdentityIndex {
  /// Changes the first element with an id in its place.
  ///
  /// Observers are notified of one update of the source that owns the place, and of its results in the views.
  ///
  /// ```swift
  /// let index = IdentityIndex(of: people)
  /// index.update(id: 7) { $0.name = "Ada" }
  /// ```
  ///
  /// - Parameters:
  ///   - id: any id.
  ///   - body: changes a copy of the element; it must not change any node.
  /// - Returns: whether there is such an element; `body` is not called if there is none.
  /// - Throws: any error of `body`; the element is unchanged then.
  /// - Precondition: the parent of the element can be written.
  /// - Complexity: O(d · log n) for an element at depth d, and the propagation.
  @discardableResult
  public func update<Failure: Error>(
    id: ID, _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard let path = path(of: id) else { return false }
    try node.update(at: path, body)
    return true
  }
}
