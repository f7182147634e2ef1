extension Delta {
  /// Creates the delta in which the given elements were removed, inserted, updated and moved.
  ///
  /// The ranges may be in any order; empty ranges are ignored, and adjacent ranges are joined. An update of an inserted
  /// element is absorbed by the insertion. The given moves may be more than necessary: the delta holds the fewest.
  ///
  /// ```swift
  /// Delta().isEmpty                                             // true
  /// Delta(removals: [4..<5, 0..<2], insertions: [1..<2])
  /// Delta(moves: [Delta.Move(from: 0..<1, to: 0..<1)]).isEmpty   // true: the element stayed at its position
  /// ```
  ///
  /// - Parameters:
  ///   - removals: positions before the change.
  ///   - insertions: positions after the change.
  ///   - updates: positions after the change; they may overlap.
  ///   - moves: sources before and destinations after the change.
  /// - Precondition: no position is negative; no position before the change is removed or moved twice, or removed and
  ///   moved; no position after the change is inserted or a destination twice, or both.
  /// - Complexity: O(p · log p) for p ranges.
  public init(
    removals: [Range<Int>] = [], insertions: [Range<Int>] = [], updates: [Range<Int>] = [], moves: [Move] = []
  ) {
    let removals = Self.disjoint(removals, "removed")
    let insertions = Self.disjoint(insertions, "inserted")
    let updates = RangeLists.normalized(updates)
    if let first = updates.first, let last = updates.last {
      Self.check(first.lowerBound..<last.upperBound, "an updated")
    }
    let moves = moves.filter { !$0.source.isEmpty }
    if moves.isEmpty {
      self.init(
        canonicalRemovals: removals, insertions: insertions,
        updates: RangeLists.subtracting(insertions, from: updates))
    } else if moves.count == 1 && removals.isEmpty && insertions.isEmpty {
      self = .move(moves[0].source, to: moves[0].destination.lowerBound, updating: updates)
    } else {
      let sources = Self.disjoint(moves.map(\.source), "moved away")
      let destinations = Self.disjoint(moves.map(\.destination), "moved to")
      if let common = RangeLists.intersection(removals, sources).first {
        trap("Delta: the elements at \(common) before the change are both removed and moved.")
      }
      if let common = RangeLists.intersection(insertions, destinations).first {
        trap("Delta: the elements at \(common) after the change are both inserted and moved.")
      }
      let given = Several(
        removals: removals, insertions: insertions, updates: updates,
        moves: moves.sorted(byNumber: \.destination.lowerBound))
      let extent = given.oldExtent
      self.init(
        pieces: given.pieces(oldCount: extent), oldCount: extent, newCount: extent + given.countChange,
        updates: updates)
    }
    checkInvariants()
  }

  /// The insertion of the elements that are at `range` after the change.
  ///
  /// - Precondition: `range` has no negative position.
  public static func insertion(_ range: Range<Int>) -> Delta {
    check(range, "an inserted")
    return range.isEmpty ? Delta() : Delta(storage: .insertion(range))
  }

  /// The removal of the elements that were at `range` before the change.
  ///
  /// - Precondition: `range` has no negative position.
  public static func removal(_ range: Range<Int>) -> Delta {
    check(range, "a removed")
    return range.isEmpty ? Delta() : Delta(storage: .removal(range))
  }

  /// The update of the elements at `range`, which keep their positions.
  ///
  /// - Precondition: `range` has no negative position.
  public static func update(_ range: Range<Int>) -> Delta {
    check(range, "an updated")
    return range.isEmpty ? Delta() : Delta(storage: .update(range))
  }

  /// The move of the elements that were at `range` to the places that start at `destination`.
  ///
  /// ```swift
  /// Delta.move(0..<1, to: 2)   // ["a", "b", "c"] → ["b", "c", "a"]
  /// Delta.move(1..<3, to: 0)   // ["a", "b", "c"] → ["b", "c", "a"], equal to the delta above
  /// ```
  ///
  /// - Parameters:
  ///   - range: positions before the change.
  ///   - destination: the position of the first of them after the change.
  /// - Returns: the move of the elements at `range`, or of the elements that they pass, if these are fewer.
  /// - Precondition: no position is negative.
  public static func move(_ range: Range<Int>, to destination: Int) -> Delta {
    move(range, to: destination, updating: [])
  }

  /// Makes the delta of `move(_:to:)`, with updated elements.
  ///
  /// - Parameters:
  ///   - range: positions before the change.
  ///   - destination: the position of the first of them after the change.
  ///   - updates: positions after the change, in canonical form.
  /// - Returns: the move with the updates.
  static func move(_ range: Range<Int>, to destination: Int, updating updates: [Range<Int>]) -> Delta {
    check(range, "a moved")
    check(destination..<destination, "a moved")
    if range.isEmpty || range.lowerBound == destination {
      return Delta(canonicalRemovals: [], insertions: [], updates: updates)
    }
    // Either the range passes its neighbours, or they pass the range. The smaller group moves.
    let distance = abs(destination - range.lowerBound)
    let forward = destination > range.lowerBound
    let passed =
      forward
      ? Move(from: range.upperBound..<(range.upperBound + distance), to: range.lowerBound..<destination)
      : Move(
        from: destination..<range.lowerBound,
        to: (destination + range.count)..<(range.lowerBound + range.count))
    let moving = Move(from: range, to: destination..<(destination + range.count))
    // If both groups have the same size, the later one in the new order moves: see `fewestMoves`.
    let moved = range.count < distance || (range.count == distance && forward) ? moving : passed
    let delta = Delta(canonicalRemovals: [], insertions: [], updates: updates, moves: [moved])
    delta.checkInvariants()
    return delta
  }

  /// This delta, with the elements at `ranges` also updated.
  ///
  /// - Parameter ranges: positions after the change; positions of inserted elements are ignored.
  /// - Returns: the same delta with more updates.
  /// - Precondition: no position is negative.
  /// - Complexity: O(p) for p ranges, including the given ones.
  package func updating(_ ranges: some Sequence<Range<Int>>) -> Delta {
    let added = RangeLists.normalized(ranges)
    if added.isEmpty { return self }
    Self.check(added[0].lowerBound..<added[added.count - 1].upperBound, "an updated")
    return Delta(
      canonicalRemovals: Array(removals), insertions: Array(insertions),
      updates: RangeLists.union(
        Array(updates), RangeLists.subtracting(Array(insertions), from: added)),
      moves: moves)
  }

  /// The largest position that a delta can touch: 2^62 - 1, so that no sum of two positions overflows.
  static var largestPosition: Int { Int.max / 2 }

  @inline(__always)
  private static func check(_ range: Range<Int>, _ what: @autoclosure () -> String) {
    require(range.lowerBound >= 0, "Delta: \(what()) position is negative: \(range).")
    require(range.upperBound <= largestPosition, "Delta: \(what()) position is beyond 2^62: \(range).")
  }

  /// `ranges`, sorted, and joined if they touch each other.
  private static func disjoint(_ ranges: [Range<Int>], _ what: String) -> [Range<Int>] {
    func check(_ range: Range<Int>) { Self.check(range, what == "inserted" ? "an inserted" : "a \(what)") }
    if RangeLists.isNormalized(ranges) {
      if let first = ranges.first, let last = ranges.last {
        check(first.lowerBound..<last.upperBound)
      }
      return ranges
    }
    let sorted = ranges.filter { !$0.isEmpty }.sorted(byNumber: \.lowerBound)
    var result: [Range<Int>] = []
    for range in sorted {
      check(range)
      if let last = result.last {
        require(
          last.upperBound <= range.lowerBound,
          "Delta: position \(range.lowerBound) is \(what) twice, in \(last) and in \(range).")
      }
      RangeLists.append(range, to: &result)
    }
    return result
  }
}
