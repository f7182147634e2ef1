extension Delta {
  /// The difference of two collections whose elements are identified by an id.
  ///
  /// An element survives if its id is in both collections. A survivor is updated if `areEqual` returns false for it. The
  /// fewest possible survivors are moved where ids are unique. If an id occurs several times, as many elements survive as
  /// possible, and they keep their order; another choice of survivors could have fewer moves.
  ///
  /// ```swift
  /// Delta(from: ["a", "b", "c"], to: ["c", "a", "X"], id: { $0 })   // [-1, +2, 0→1]
  /// ```
  ///
  /// The common beginning and the common end are compared in place. For the rest, the ids before the change are put
  /// into a hash table. An id after the change is looked up only if it did not follow its predecessor before the
  /// change.
  ///
  /// - Parameters:
  ///   - old: the elements before the change.
  ///   - new: the elements after it.
  ///   - id: identifies an element. The closure is called at most three times for each element.
  ///   - areEqual: whether a survivor is unchanged: (before, after). The closure is called once for each survivor.
  /// - Precondition: there are fewer than 2^31 elements in each.
  /// - Complexity: expected O(n) for n elements in both, and O(p · log p) if p runs of survivors changed their order.
  @inlinable
  public init<Element, ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, id: (Element) throws -> ID,
    areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows {
    let old = Array(old)
    let new = Array(new)
    var matching = Matching()

    // The common beginning and the common end are usually most of the elements, and need no table.
    var start = 0
    let common = Swift.min(old.count, new.count)
    while start < common, try id(old[start]) == id(new[start]) {
      matching.append(start, start, isUpdated: try !areEqual(old[start], new[start]))
      start += 1
    }
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > start, newEnd > start, try id(old[oldEnd - 1]) == id(new[newEnd - 1]) {
      oldEnd -= 1
      newEnd -= 1
    }

    if oldEnd > start && newEnd > start {
      let table = IdentityTable(try old[start..<oldEnd].map(id))
      // `expected` is the position before the change where the survivors probably continue: behind the last survivor,
      // or in front of it if they are reversed. `other` is the position where they would continue if the last survivor
      // had not moved there from elsewhere.
      var step = 1
      var expected = 0
      var other = 0
      for position in start..<newEnd {
        let identity = try id(new[position])
        let origin: Int
        if table.takeOnly(identity, at: expected) {
          origin = expected
        } else if table.takeOnly(identity, at: expected + step) {
          origin = expected + step
        } else if table.takeOnly(identity, at: other) {
          origin = other
        } else {
          origin = table.take(identity)
          if origin < 0 { continue }
          other = expected
          step = origin == expected - 2 * step ? -step : step
        }
        expected = origin + step
        matching.append(
          start + origin, position, isUpdated: try !areEqual(old[start + origin], new[position]))
      }
    }

    let shift = old.count - new.count
    for position in newEnd..<new.count {
      matching.append(
        position + shift, position, isUpdated: try !areEqual(old[position + shift], new[position]))
    }
    self = matching.finish(oldCount: old.count, newCount: new.count)
  }

  /// The difference of two collections whose elements are identified by an id, and updated if they are not equal.
  ///
  /// - Complexity: that of `init(from:to:id:areEqual:)`.
  @inlinable @inline(__always)
  public init<Element: Equatable, ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, id: (Element) throws -> ID
  ) rethrows {
    try self.init(from: old, to: new, id: id, areEqual: ==)
  }

  /// The difference of two collections whose elements are their own ids.
  ///
  /// Elements that are `Identifiable` are recognized by `id` instead.
  ///
  /// - Complexity: that of `init(from:to:id:areEqual:)`.
  @_disfavoredOverload @inlinable @inline(__always)
  public init<Element: Hashable>(from old: some Collection<Element>, to new: some Collection<Element>) {
    self.init(from: old, to: new, id: { $0 }, areEqual: { _, _ in true })
  }

  /// Collects survivors in the order after the change, as runs.
  @usableFromInline
  struct Matching {
    private var pieces: [Piece] = []
    private var updates: [Range<Int>] = []
    /// The last run, which may continue.
    @usableFromInline var old = 0
    @usableFromInline var new = 0
    @usableFromInline var count = 0

    @usableFromInline
    init() {}

    /// Appends the survivor that was at `old` before the change and is at `new` after it.
    @inlinable @inline(__always)
    mutating func append(_ old: Int, _ new: Int, isUpdated: Bool) {
      if old == self.old &+ count && new == self.new &+ count {
        count &+= 1
      } else {
        begin(old, new)
      }
      if isUpdated { update(new) }
    }

    /// Appends a run of survivors whose first one was at `old` before the change and is at `new` after it.
    @usableFromInline
    mutating func append(_ old: Int, _ new: Int, count length: Int) {
      if length == 0 { return }
      if old != self.old + count || new != self.new + count {
        begin(old, new)
        count = 0
      }
      count += length
    }

    @usableFromInline @inline(never)
    mutating func begin(_ old: Int, _ new: Int) {
      if count > 0 { pieces.append(Piece(old: self.old, new: self.new, count: count)) }
      (self.old, self.new, count) = (old, new, 1)
    }

    @usableFromInline @inline(never)
    mutating func update(_ position: Int) {
      RangeLists.append(position..<(position + 1), to: &updates)
    }

    /// The delta of the appended survivors; all other elements were removed or inserted.
    @usableFromInline
    consuming func finish(oldCount: Int, newCount: Int) -> Delta {
      begin(oldCount, newCount)
      let delta = Delta(pieces: pieces, oldCount: oldCount, newCount: newCount, updates: updates)
      delta.checkInvariants()
      return delta
    }
  }
}
