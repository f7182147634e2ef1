extension Delta {
  /// The difference of two collections whose elements are told apart by an id.
  ///
  /// An element survives where its id is in both; where an id stands several times, equal ones are matched in order.
  /// Survivors that `areEqual` tells apart are updated; the fewest possible are moved.
  ///
  /// ```swift
  /// Delta(from: ["a", "b", "c"], to: ["c", "a", "X"], by: { $0 })   // [-1, +2, 2→0]
  /// ```
  ///
  /// - Parameters:
  ///   - old: the elements before the change.
  ///   - new: the elements after it.
  ///   - id: what tells one element from another. It is called once or twice for each element.
  ///   - areEqual: whether a survivor is as it was: (before, after).
  /// - Complexity: expected O(n) for n elements in both, and O(p log p) where p runs of survivors changed their order.
  public init<Element, ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, by id: (Element) throws -> ID,
    areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows {
    let old = Array(old)
    let new = Array(new)
    var updates: [Range<Int>] = []
    var pieces: [Piece] = []
    func match(_ oldPosition: Int, _ newPosition: Int) throws {
      if let last = pieces.last, last.oldEnd == oldPosition, last.newEnd == newPosition {
        pieces[pieces.count - 1].count += 1
      } else {
        pieces.append(Piece(old: oldPosition, new: newPosition, count: 1))
      }
      if try !areEqual(old[oldPosition], new[newPosition]) {
        RangeLists.append(newPosition..<(newPosition + 1), to: &updates)
      }
    }

    // What both begin and end with is most of it, as a rule, and needs no table.
    var start = 0
    while start < min(old.count, new.count), try id(old[start]) == id(new[start]) {
      try match(start, start)
      start += 1
    }
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > start, newEnd > start, try id(old[oldEnd - 1]) == id(new[newEnd - 1]) {
      oldEnd -= 1
      newEnd -= 1
    }

    // In between, the first unmatched position of each id, and for each position the next one of the same id.
    var first: [ID: Int] = [:]
    first.reserveCapacity(oldEnd - start)
    var next = [Int](repeating: -1, count: oldEnd - start)
    for position in (start..<oldEnd).reversed() {
      if let following = first.updateValue(position, forKey: try id(old[position])) {
        next[position - start] = following
      }
    }
    for position in start..<newEnd {
      let key = try id(new[position])
      guard let source = first[key], source >= 0 else { continue }
      first[key] = next[source - start]
      try match(source, position)
    }
    for position in newEnd..<new.count { try match(oldEnd + position - newEnd, position) }
    self.init(pieces: pieces, oldCount: old.count, newCount: new.count, updates: updates)
    checkInvariants()
  }

  /// The difference of two collections whose elements are told apart by an id and updated where they are not equal.
  ///
  /// - Complexity: as `init(from:to:by:areEqual:)`.
  public init<Element: Equatable, ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, by id: (Element) throws -> ID
  ) rethrows {
    try self.init(from: old, to: new, by: id, areEqual: ==)
  }

  /// The difference of two collections of elements that are their own ids.
  ///
  /// - Complexity: as `init(from:to:by:areEqual:)`.
  public init<Element: Hashable>(from old: some Collection<Element>, to new: some Collection<Element>) {
    self.init(from: old, to: new, by: { $0 }, areEqual: { _, _ in true })
  }
}
