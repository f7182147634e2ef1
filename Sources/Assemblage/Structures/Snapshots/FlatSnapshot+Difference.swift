extension FlatSnapshot {
  /// The change from this snapshot to another, of elements that are told apart by an id.
  ///
  /// Arrays that both share are not looked at: after few changes only the chunks are compared in which something changed. Sorted
  /// lists, sections and copies share none that could be told, and are compared as a whole.
  ///
  /// An element survives where its id is in both; where an id stands several times, as many survive as can. Survivors that
  /// `areEqual` tells apart are updated, and of those that were compared the fewest possible are moved. Objects that changed
  /// while they stayed where they were are not told apart: both snapshots refer to the same ones.
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada", "Bo", "Cy"])
  /// let before = names.snapshot()
  /// names.move(from: 2, to: 0)
  /// names.remove(at: 1)
  /// before.difference(to: names.snapshot())     // [-0, 2→0]
  /// ```
  ///
  /// - Parameters:
  ///   - new: the state after the change; of the same node as a rule, but any will do.
  ///   - id: what tells one element from another.
  ///   - areEqual: whether a survivor is as it was: (before, after).
  /// - Returns: the change, from positions here to positions in `new`.
  /// - Precondition: no child is without a value, and there are fewer than 2^31 in each.
  /// - Complexity: O(c) for c chunks, and the words of the bits of filters; and expected O(k) for the k elements of chunks that are
  ///   not shared.
  @inlinable
  public func difference<ID: Hashable>(
    to new: FlatSnapshot, by id: (Element) throws -> ID, areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows -> Delta {
    let shared = SharedSegments(contents.segments(in: 0..<count), new.contents.segments(in: 0..<new.count))
    var (former, positions): ([Element], [Int]) = ([], [])
    for range in shared.left {
      former += values(in: range)
      positions += range
    }
    let table = IdentityTable(try former.map(id))
    var matching = Delta.Matching()
    var expected = 0
    for run in shared.present {
      if let start = run.former {
        matching.append(start, run.range.lowerBound, count: run.range.count)
        continue
      }
      for (offset, element) in new.values(in: run.range).enumerated() {
        let identity = try id(element)
        let origin = table.takeOnly(identity, at: expected) ? expected : table.take(identity)
        if origin < 0 { continue }
        expected = origin + 1
        let isEqual = try areEqual(former[origin], element)
        matching.append(positions[origin], run.range.lowerBound + offset, isUpdated: !isEqual)
      }
    }
    return matching.finish(oldCount: count, newCount: new.count)
  }

  /// The change from this snapshot to another, of elements that are told apart by an id, and updated where they are not equal.
  ///
  /// - Parameters:
  ///   - new: the state after the change.
  ///   - id: what tells one element from another.
  /// - Returns: the change, from positions here to positions in `new`.
  /// - Precondition: as for `difference(to:by:areEqual:)`.
  /// - Complexity: as for `difference(to:by:areEqual:)`.
  @inlinable
  public func difference<ID: Hashable>(to new: FlatSnapshot, by id: (Element) throws -> ID) rethrows -> Delta
  where Element: Equatable {
    try difference(to: new, by: id, areEqual: ==)
  }

  /// The change from this snapshot to another, of elements that are their own ids.
  ///
  /// - Parameter new: the state after the change.
  /// - Returns: the change, from positions here to positions in `new`.
  /// - Precondition: as for `difference(to:by:areEqual:)`.
  /// - Complexity: as for `difference(to:by:areEqual:)`.
  @inlinable
  public func difference(to new: FlatSnapshot) -> Delta where Element: Hashable {
    difference(to: new, by: { $0 }, areEqual: { _, _ in true })
  }

  /// The values of a range, all of which there must be.
  @usableFromInline
  func values(in range: Range<Int>) -> [Element] {
    var values: [Element] = []
    values.reserveCapacity(range.count)
    forEachSpan(in: range) { start, span in
      if start > range.lowerBound + values.count { trapMissing(range.lowerBound + values.count) }
      for index in span.indices { values.append(span[index]) }
    }
    if values.count < range.count { trapMissing(range.lowerBound + values.count) }
    return values
  }
}
