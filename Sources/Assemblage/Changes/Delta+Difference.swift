extension Delta {
  /// The difference of two collections whose elements are told apart by an id.
  ///
  /// An element survives where its id is in both; where an id stands several times, equal ones are matched in order.
  /// Survivors that `areEqual` tells apart are updated; the fewest possible are moved.
  ///
  /// ```swift
  /// Delta(from: ["a", "b", "c"], to: ["c", "a", "X"], by: { $0 })   // [-1, +2, 0→1]
  /// ```
  ///
  /// - Parameters:
  ///   - old: the elements before the change.
  ///   - new: the elements after it.
  ///   - id: what tells one element from another. It is called at most three times for each element.
  ///   - areEqual: whether a survivor is as it was: (before, after).
  /// - Complexity: expected O(n) for n elements in both, and O(p log p) where p runs of survivors changed their order.
  @inlinable
  public init<Element, ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, by id: (Element) throws -> ID,
    areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows {
    let old = Array(old)
    let new = Array(new)

    // What both begin and end with is most of it, as a rule, and needs no table.
    var start = 0
    var oldEnd = old.count
    var newEnd = new.count
    while start < oldEnd, start < newEnd, try id(old[start]) == id(new[start]) { start += 1 }
    while oldEnd > start, newEnd > start, try id(old[oldEnd - 1]) == id(new[newEnd - 1]) {
      oldEnd -= 1
      newEnd -= 1
    }

    // In between: the first position of each id, and for each position the next one of the same id; -1: none.
    var first: [ID: Int] = [:]
    if newEnd > start { first.reserveCapacity(oldEnd - start) }
    var next = [Int](repeating: -1, count: oldEnd - start)
    if newEnd > start {
      for position in (start..<oldEnd).reversed() {
        if let following = first.updateValue(position - start, forKey: try id(old[position])) {
          next[position - start] = following
        }
      }
    }
    // For each id, at its first position, the position to be matched next.
    var unmatched = first.isEmpty ? [] : Array(0..<(oldEnd - start))
    var origins = [Int](repeating: -1, count: newEnd - start)
    if !first.isEmpty {
      for position in start..<newEnd {
        guard let head = first[try id(new[position])] else { continue }
        let source = unmatched[head]
        if source < 0 { continue }
        unmatched[head] = next[source]
        origins[position - start] = source
      }
    }

    var updates: [Range<Int>] = []
    func compare(_ oldPosition: Int, _ newPosition: Int) throws {
      if try areEqual(old[oldPosition], new[newPosition]) { return }
      if let last = updates.last, last.upperBound == newPosition {
        updates[updates.count - 1] = last.lowerBound..<(newPosition + 1)
      } else {
        updates.append(newPosition..<(newPosition + 1))
      }
    }
    for position in 0..<start { try compare(position, position) }
    for (place, origin) in origins.enumerated() where origin >= 0 {
      try compare(start + origin, start + place)
    }
    for position in newEnd..<new.count { try compare(position - newEnd + oldEnd, position) }
    self.init(
      origins: origins, prefix: start, suffix: old.count - oldEnd, oldCount: old.count, updates: updates)
  }

  /// Creates the delta of a matching.
  ///
  /// - Parameters:
  ///   - origins: for each position between prefix and suffix, after the change, the one before it, counted from the
  ///     prefix's end; -1: inserted.
  ///   - prefix: the number of survivors in front.
  ///   - suffix: the number of survivors at the end.
  ///   - oldCount: the number of elements before the change.
  ///   - updates: positions after the change; a canonical list.
  @usableFromInline
  init(origins: [Int], prefix: Int, suffix: Int, oldCount: Int, updates: [Range<Int>]) {
    var pieces: [Piece] = []
    if prefix > 0 { pieces.append(Piece(old: 0, new: 0, count: prefix)) }
    var place = 0
    while place < origins.count {
      let origin = origins[place]
      let start = place
      place += 1
      if origin < 0 { continue }
      while place < origins.count && origins[place] == origin + (place - start) { place += 1 }
      pieces.append(Piece(old: prefix + origin, new: prefix + start, count: place - start))
    }
    let newCount = prefix + origins.count + suffix
    if suffix > 0 { pieces.append(Piece(old: oldCount - suffix, new: newCount - suffix, count: suffix)) }
    self.init(pieces: pieces, oldCount: oldCount, newCount: newCount, updates: updates)
    checkInvariants()
  }

  /// The difference of two collections whose elements are told apart by an id and updated where they are not equal.
  ///
  /// - Complexity: as `init(from:to:by:areEqual:)`.
  @inlinable
  public init<Element: Equatable, ID: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>, by id: (Element) throws -> ID
  ) rethrows {
    try self.init(from: old, to: new, by: id, areEqual: ==)
  }

  /// The difference of two collections of elements that are their own ids.
  ///
  /// - Complexity: as `init(from:to:by:areEqual:)`.
  @inlinable
  public init<Element: Hashable>(from old: some Collection<Element>, to new: some Collection<Element>) {
    self.init(from: old, to: new, by: { $0 }, areEqual: { _, _ in true })
  }
}
