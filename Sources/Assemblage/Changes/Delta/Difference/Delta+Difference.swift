extension Delta {
  /// The difference of two collections whose elements are told apart by an id.
  ///
  /// An element survives where its id is in both; where an id stands several times, as many survive as can, and they keep
  /// their order. Survivors that `areEqual` tells apart are updated; the fewest possible are moved.
  ///
  /// ```swift
  /// Delta(from: ["a", "b", "c"], to: ["c", "a", "X"], id: { $0 })   // [-1, +2, 0→1]
  /// ```
  ///
  /// What both begin and end with is compared in place. Of what is in between, the ids before the change go into a hash
  /// table; after it, an id is looked up only where it is not the one that followed its predecessor before.
  ///
  /// - Parameters:
  ///   - old: the elements before the change.
  ///   - new: the elements after it.
  ///   - id: what tells one element from another. It is called at most three times for each element.
  ///   - areEqual: whether a survivor is as it was: (before, after). It is called once for each survivor.
  /// - Precondition: there are fewer than 2^31 elements in each.
  /// - Complexity: expected O(n) for n elements in both, and O(p · log p) where p runs of survivors changed their order.
  @inlinable
  public init<Element, ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, id: (Element) throws -> ID,
    areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows {
    let old = Array(old)
    let new = Array(new)
    var matching = Matching()

    // What both begin and end with is most of it, as a rule, and needs no table.
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
      // Where survivors go on: behind the last one, or before it where they are reversed; or where they would have gone on
      // if the last one had not come from elsewhere.
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

  /// The difference of two collections whose elements are told apart by an id and updated where they are not equal.
  ///
  /// - Complexity: as `init(from:to:id:areEqual:)`.
  @inlinable @inline(__always)
  public init<Element: Equatable, ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, id: (Element) throws -> ID
  ) rethrows {
    try self.init(from: old, to: new, id: id, areEqual: ==)
  }

  /// The difference of two collections of elements that are their own ids.
  ///
  /// - Complexity: as `init(from:to:id:areEqual:)`.
  @inlinable @inline(__always)
  public init<Element: Hashable>(from old: some Collection<Element>, to new: some Collection<Element>) {
    self.init(from: old, to: new, id: { $0 }, areEqual: { _, _ in true })
  }

  /// Collects survivors in the order after the change, as runs.
  @usableFromInline
  struct Matching {
    private var pieces: [Piece] = []
    private var updates: [Range<Int>] = []
    /// The last run, which may go on.
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

    /// Appends a run of survivors that were from `old` on before the change and are from `new` on after it.
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

    /// The delta of the survivors appended; everything else left or came.
    @usableFromInline
    consuming func finish(oldCount: Int, newCount: Int) -> Delta {
      begin(oldCount, newCount)
      let delta = Delta(pieces: pieces, oldCount: oldCount, newCount: newCount, updates: updates)
      delta.checkInvariants()
      return delta
    }
  }
}
