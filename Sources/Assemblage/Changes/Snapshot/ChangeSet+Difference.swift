extension ChangeSet {
  /// The difference of two trees whose places are told apart by an id.
  ///
  /// A place survives where its id is in both trees, wherever it went: with another parent it is a transfer, among the same
  /// siblings a move, of which there are the fewest possible. Survivors that `areEqual` tells apart are updated, and so are
  /// those that are a leaf no longer, or a leaf now. The roots are the same whatever their ids.
  ///
  /// ```swift
  /// let old = TreeSnapshot(children: [TreeSnapshot(value: "A", leaves: ["a", "b"])])
  /// let new = TreeSnapshot(children: [
  ///   TreeSnapshot(value: "B", leaves: ["b"]), TreeSnapshot(value: "A", leaves: ["a"]),
  /// ])
  /// ChangeSet(from: old, to: new)      // [+0; 1: [-1]] {[0, 1]→[0, 0]}
  /// ```
  ///
  /// Where an id stands several times, its places are matched with those below the same parent first, and then level by
  /// level, in order. Places without a value have no id: they are matched, in order, below the same parent only.
  ///
  /// A transfer holds two whole paths. In trees that are thousands of levels deep and turned upside down these would fill
  /// the memory: beyond 64 components a place, and 2^22 in all, what is transferred is told as removed and inserted.
  ///
  /// - Parameters:
  ///   - old: the tree before the change.
  ///   - new: the tree after it.
  ///   - id: what tells one value from another. It is called once for each value.
  ///   - areEqual: whether a survivor's value is as it was: (before, after).
  /// - Precondition: there are fewer than 2^31 places in each.
  /// - Complexity: expected O(p) for p places in both, O(m · log m) for m places that moved among their siblings, and the
  ///   length of the paths of those that were transferred. Nothing recurses.
  @inlinable
  public init<Element, ID: Hashable>(
    from old: TreeSnapshot<Element>, to new: TreeSnapshot<Element>, by id: (Element) throws -> ID,
    areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows {
    if old.storage === new.storage {
      self.init()
      return
    }
    var matcher = try SnapshotMatcher(old, new, by: id)
    for place in matcher.origins.indices {
      let origin = matcher.origins[place]
      if origin < 0 { continue }
      var isUpdated = old.storage.isNode[origin] != new.storage.isNode[place]
      switch (old.storage.values[origin], new.storage.values[place]) {
      case (let before?, let after?): if try !areEqual(before, after) { isUpdated = true }
      case (nil, nil): break
      default: isUpdated = true
      }
      if isUpdated { matcher.isUpdated[place] = true }
    }
    self = SnapshotDifference(matcher).changeSet()
  }

  /// The difference of two trees whose places are told apart by an id, and updated where their values are not equal.
  ///
  /// - Complexity: as `init(from:to:by:areEqual:)`.
  @inlinable @inline(__always)
  public init<Element: Equatable, ID: Hashable>(
    from old: TreeSnapshot<Element>, to new: TreeSnapshot<Element>, by id: (Element) throws -> ID
  ) rethrows {
    try self.init(from: old, to: new, by: id, areEqual: ==)
  }

  /// The difference of two trees whose values are their own ids.
  ///
  /// - Complexity: as `init(from:to:by:areEqual:)`.
  @inlinable @inline(__always)
  public init<Element: Hashable>(from old: TreeSnapshot<Element>, to new: TreeSnapshot<Element>) {
    self.init(from: old, to: new, by: { $0 }, areEqual: { $0 == $1 })
  }
}

/// The ids of two snapshots' places as small numbers: equal numbers, equal ids.
@usableFromInline
struct PlaceClasses {
  /// For each place before the change, the first place of the same id; 0: it has no value.
  @usableFromInline var old: [Int]
  /// For each place after it, the first place of the same id before it; 0: it has no value; -1: there is none.
  @usableFromInline var new: [Int]

  @inlinable
  init<Element, ID: Hashable>(
    _ old: TreeSnapshot<Element>.Storage, _ new: TreeSnapshot<Element>.Storage, by id: (Element) throws -> ID
  ) rethrows {
    self.old = [Int](repeating: 0, count: old.values.count)
    self.new = [Int](repeating: 0, count: new.values.count)

    // The root is the root: it needs no id.
    var places: [Int] = []
    var ids: [ID] = []
    places.reserveCapacity(old.values.count)
    ids.reserveCapacity(old.values.count)
    for place in old.values.indices.dropFirst() {
      guard let value = old.values[place] else { continue }
      places.append(place)
      ids.append(try id(value))
    }
    let table = IdentityTable(ids)
    var firsts = places
    for position in places.indices {
      self.old[places[position]] = firsts[position]
      if !table.next.isEmpty, table.next[position] != IdentityTable<ID>.free {
        firsts[Int(table.next[position])] = firsts[position]
      }
    }

    var expected = 0
    for place in new.values.indices.dropFirst() {
      guard let value = new.values[place] else { continue }
      let position = table.first(try id(value), near: expected)
      self.new[place] = position < 0 ? -1 : firsts[position]
      if position >= 0 { expected = position + 1 }
    }
  }
}
