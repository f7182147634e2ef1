import OffsetIndexing

extension TreeSnapshot {
  /// Returns the change from this snapshot to another, with places that are matched by an id.
  ///
  /// A place survives if its id is in both trees. A survivor with another parent is a transfer. A survivor with another
  /// place among the same siblings is a move; there are as few moves as possible. A survivor is updated if `areEqual`
  /// is false for its values, or if it becomes a node or a leaf. The two roots match, whatever their ids are.
  ///
  /// ```swift
  /// let old = TreeSnapshot(children: [TreeSnapshot(value: "A", leaves: ["a", "b"])])
  /// let new = TreeSnapshot(children: [
  ///   TreeSnapshot(value: "B", leaves: ["b"]), TreeSnapshot(value: "A", leaves: ["a"]),
  /// ])
  /// old.difference(to: new)      // [+0; 1: [-1]] {[0, 1]→[0, 0]}
  /// ```
  ///
  /// If an id is in several places, these are matched below the same parent first, and then level by level, in order.
  /// Places without a value have no id: they are matched, in order, below the same parent only.
  ///
  /// Arrays that both snapshots share are skipped, if the snapshots are two lists, or two states of a forest in which
  /// only values have changed. So after a few changes, only the chunks with changes are compared. In shared arrays, an
  /// object that has changed itself is not found: both snapshots refer to the same object. A list whose shared arrays
  /// cannot be recognized is compared as a whole, for example the list of a sorted node or of a section.
  ///
  /// A transfer holds two whole paths. In a tree of thousands of levels that is turned upside down, these paths would
  /// fill the memory. So all paths together have at most 64 components a place, or 2^22 if that is more. Beyond this
  /// limit, a transfer becomes a removal and an insertion.
  ///
  /// - Parameters:
  ///   - new: the state after the change, as a rule of the same node; any snapshot is allowed.
  ///   - id: returns the id of a value. It may be called several times for a value.
  ///   - areEqual: returns whether a survivor's value is the same as before: (before, after).
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 places in each.
  /// - Complexity: O(c) for c chunks, the words of the bits of filters, and expected O(k) for the k elements of chunks
  ///   that are not shared. In a forest, also O(b · log p) for the b places that are updated, or above such a place.
  ///   For other trees expected O(p · log p) for p places in both, O(m · log m) for m places that moved among their
  ///   siblings, and the length of the paths of transferred places. Nothing recurses.
  @inlinable
  public func difference<ID: Hashable>(
    to new: TreeSnapshot, id: (Element) throws -> ID, areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows -> ChangeSet {
    if hasShape(of: new), let delta = try valueDelta(to: new, id: id, areEqual: areEqual),
      let change = change(delta, updatesValue: try Self.differ(value, new.value, areEqual))
    {
      return change
    }
    let (old, new) = (levels, new.levels)
    var matcher = try SnapshotMatcher(old, new, by: id)
    for place in matcher.origins.indices {
      let origin = matcher.origins[place]
      if origin < 0 { continue }
      let isUpdated = try Self.differ(old.values[origin], new.values[place], areEqual)
      if isUpdated || old.isNode[origin] != new.isNode[place] { matcher.isUpdated[place] = true }
    }
    return SnapshotDifference(matcher).changeSet()
  }

  /// Returns the change from this snapshot to another, with places that are matched by an id.
  ///
  /// A survivor is updated if its values are not equal.
  ///
  /// - Parameters:
  ///   - new: the state after the change.
  ///   - id: returns the id of a value.
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 places in each.
  /// - Complexity: as for `difference(to:id:areEqual:)`.
  @inlinable
  public func difference<ID: Hashable>(to new: TreeSnapshot, id: (Element) throws -> ID) rethrows -> ChangeSet
  where Element: Equatable {
    try difference(to: new, id: id, areEqual: ==)
  }

  /// Returns the change from this snapshot to another, with values that are their own ids.
  ///
  /// Values that are `Identifiable` are recognized by `id` instead.
  ///
  /// - Parameter new: the state after the change.
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 places in each.
  /// - Complexity: as for `difference(to:id:areEqual:)`.
  @_disfavoredOverload @inlinable
  public func difference(to new: TreeSnapshot) -> ChangeSet where Element: Hashable {
    difference(to: new, id: { $0 }, areEqual: { $0 == $1 })
  }

  @inlinable
  static func differ(
    _ before: Element?, _ after: Element?, _ areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows -> Bool {
    switch (before, after) {
    case (let before?, let after?): try !areEqual(before, after)
    case (nil, nil): false
    default: true
    }
  }
}

// MARK: - Shared storage of two states

extension TreeSnapshot {
  /// Whether both are lists, or states of one forest in which at most values have changed.
  @usableFromInline
  func hasShape(of other: TreeSnapshot) -> Bool {
    switch (shape, other.shape) {
    case (nil, nil): isNode == other.isNode
    case (let shape?, let other?): shape.isIdentical(to: other)
    default: false
    }
  }

  /// The change from these values to the values of a snapshot with the same shape, by document numbers; nil where a
  /// place has no value.
  @inlinable
  func valueDelta<ID: Hashable>(
    to new: TreeSnapshot, id: (Element) throws -> ID, areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows -> Delta? {
    let (start, newStart) = (numbers.lowerBound, new.numbers.lowerBound)
    let shared = SharedSegments(contents.segments(in: numbers), new.contents.segments(in: new.numbers))
    var (former, positions): ([Element], [Int]) = ([], [])
    for range in shared.left {
      guard let values = contents.values(in: range.lowerBound + start..<range.upperBound + start) else { return nil }
      former += values
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
      let range = run.range.lowerBound + newStart..<run.range.upperBound + newStart
      guard let values = new.contents.values(in: range) else { return nil }
      for (offset, element) in values.enumerated() {
        let identity = try id(element)
        let origin = table.takeOnly(identity, at: expected) ? expected : table.take(identity)
        if origin < 0 { continue }
        expected = origin + 1
        let isEqual = try areEqual(former[origin], element)
        matching.append(positions[origin], run.range.lowerBound + offset, isUpdated: !isEqual)
      }
    }
    return matching.finish(oldCount: numbers.count, newCount: new.numbers.count)
  }

  /// The change of a tree in which values have changed; nil where more than values has changed.
  @usableFromInline
  func change(_ delta: Delta, updatesValue: Bool) -> ChangeSet? {
    guard let shape else { return ChangeSet(delta, updatesValue: updatesValue) }
    if delta.movesPositions { return nil }
    let index = shape.index
    // Each branch in which something has changed is visited once, in document order.
    var updates: [TreeIndex.Branch: [Range<Int>]] = [:]
    var below: [TreeIndex.Branch: [(position: Int, key: TreeIndex.Branch)]] = [:]
    var seen: Set = [shape.branch]
    for number in delta.updates.joined() {
      let place = index.locate(shape.numbers.lowerBound + number, in: shape.top)
      RangeLists.append(place.position..<place.position + 1, to: &updates[place.parent, default: []])
      var branch = place.parent
      while seen.insert(branch).inserted, let parent = index.parent(of: branch) {
        below[parent, default: []].append((index.position(of: branch), branch))
        branch = parent
      }
    }
    return ChangeSet(
      gathering: shape.branch, updatesValue: updatesValue, delta: { Delta(updates: updates[$0] ?? []) },
      children: { below[$0] ?? [] })
  }
}
