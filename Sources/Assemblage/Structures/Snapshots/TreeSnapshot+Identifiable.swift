extension TreeSnapshot where Element: Identifiable & Equatable {
  /// Returns the change from this snapshot to another, with values that are recognized by their ids.
  ///
  /// A survivor is updated if its values are not equal.
  ///
  /// - Parameter new: the state after the change.
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 places in each.
  /// - Complexity: as for `difference(to:id:areEqual:)`.
  @inlinable
  public func difference(to new: TreeSnapshot) -> ChangeSet { difference(to: new, id: { $0.id }) }
}
