extension FilterTranslation {
  /// What a predicate says of the new and the updated children of a change.
  struct Verdicts {
    /// A run for each range of the change's insertions.
    var inserted: [BitRun]

    /// A run for each range of the change's updates.
    var updated: [BitRun]

    /// Whether there is a verdict on each child that `delta` inserts or updates.
    func fit(_ delta: Delta) -> Bool {
      inserted.elementsEqual(delta.insertions) { $0.count == $1.count }
        && updated.elementsEqual(delta.updates) { $0.count == $1.count }
    }
  }

  /// What the bits say of the children that a change is going to remove or update: the verdicts for its inverse.
  ///
  /// - Parameter delta: the source's change, which has not been translated yet.
  /// - Returns: the verdicts, in the order of the inverse's ranges.
  /// - Complexity: O(k + c · log n) for k removed and updated children in c ranges.
  func verdicts(lostBy delta: Delta) -> Verdicts {
    let inverse = delta.inverse()
    return Verdicts(
      inserted: inverse.insertions.map { bits(in: $0) }, updated: inverse.updates.map { bits(in: $0) })
  }
}
