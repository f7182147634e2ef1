extension Delta {
  /// The position after the change of the element that was at `old` before the change; nil for a removed element.
  ///
  /// ```swift
  /// Delta.removal(2..<4).position(after: 5)   // 3
  /// Delta.removal(2..<4).position(after: 2)   // nil
  /// ```
  ///
  /// - Parameter old: a position before the change.
  /// - Returns: the element's position after the change, or nil.
  /// - Precondition: `old` is not negative.
  /// - Complexity: O(p) for p ranges; O(1) for one range. For many positions, use a `PositionMap`.
  public func position(after old: Int) -> Int? {
    require(old >= 0, "Delta: a position is negative: \(old).")
    switch storage {
    case .identity, .update: return old
    case .insertion(let range): return old < range.lowerBound ? old : old + range.count
    case .removal(let range):
      return old < range.lowerBound ? old : old < range.upperBound ? nil : old - range.count
    case .several(let several):
      if !several.moves.isEmpty { return PositionMap(self).position(after: old) }
      return Self.mapped(old, removing: several.removals, inserting: several.insertions)
    }
  }

  /// The position before the change of the element that is at `new` after the change; nil for an inserted element.
  ///
  /// - Parameter new: a position after the change.
  /// - Returns: the element's position before the change, or nil.
  /// - Precondition: `new` is not negative.
  /// - Complexity: O(p) for p ranges; O(1) for one range. For many positions, use a `PositionMap`.
  public func position(before new: Int) -> Int? {
    require(new >= 0, "Delta: a position is negative: \(new).")
    switch storage {
    case .identity, .update: return new
    case .removal(let range): return new < range.lowerBound ? new : new + range.count
    case .insertion(let range):
      return new < range.lowerBound ? new : new < range.upperBound ? nil : new - range.count
    case .several(let several):
      if !several.moves.isEmpty { return PositionMap(self).position(before: new) }
      return Self.mapped(new, removing: several.insertions, inserting: several.removals)
    }
  }

  /// The result of removing and inserting ranges for `position`; nil if `position` is removed.
  ///
  /// The positions of `removals` are in the same coordinates as `position`, and the positions of `insertions` are in
  /// the coordinates of the result.
  private static func mapped(
    _ position: Int, removing removals: [Range<Int>], inserting insertions: [Range<Int>]
  ) -> Int? {
    var result = position
    for range in removals {
      if range.lowerBound > position { break }
      if range.upperBound > position { return nil }
      result -= range.count
    }
    for range in insertions {
      if range.lowerBound > result { break }
      result += range.count
    }
    return result
  }

  /// A delta that is prepared for many look-ups of positions.
  ///
  /// ```swift
  /// let map = Delta.PositionMap(.move(0..<1, to: 2))
  /// map.position(after: 0)    // 2
  /// map.position(before: 0)   // 1
  /// map.ranges(after: 0..<3)  // [0..<3]
  /// ```
  @_spi(NodeAuthors)
  public struct PositionMap: Sendable {
    /// The runs of survivors in both orders; the second list is empty if both orders are the same. The last run is
    /// endless.
    private var byNew: [Piece] = []
    private var byOld: [Piece] = []

    /// Prepares `delta`.
    ///
    /// - Complexity: O(p) for p ranges; O(p · log p) where elements moved.
    public init(_ delta: Delta) {
      // An endless tail: as long as possible without an overflow of either end.
      let oldCount = delta.oldExtent
      byNew = delta.pieces(oldCount: oldCount)
      let tail = Piece(
        old: oldCount, new: oldCount + delta.countChange,
        count: Int.max - max(oldCount, oldCount + delta.countChange))
      if let last = byNew.last, last.oldEnd == tail.old, last.newEnd == tail.new {
        byNew[byNew.count - 1].count += tail.count
      } else {
        byNew.append(tail)
      }
      if delta.hasMoves { byOld = byNew.sorted(byNumber: \.old) }
    }

    /// The position after the change of the element that was at `old` before the change; nil for a removed element.
    ///
    /// - Complexity: O(log p) for p ranges.
    public func position(after old: Int) -> Int? {
      require(old >= 0, "Delta: a position is negative: \(old).")
      let pieces = byOld.isEmpty ? byNew : byOld
      let next = pieces.partitioningIndex { $0.old > old }
      guard next > 0, old < pieces[next - 1].oldEnd else { return nil }
      return pieces[next - 1].new + old - pieces[next - 1].old
    }

    /// The position before the change of the element that is at `new` after the change; nil for an inserted element.
    ///
    /// - Complexity: O(log p) for p ranges.
    public func position(before new: Int) -> Int? {
      require(new >= 0, "Delta: a position is negative: \(new).")
      let next = byNew.partitioningIndex { $0.new > new }
      guard next > 0, new < byNew[next - 1].newEnd else { return nil }
      return byNew[next - 1].old + new - byNew[next - 1].new
    }

    /// Calls `body` with each run of survivors among the elements that were at `range` before the change.
    ///
    /// `body` receives the run's positions before and after the change. The positions before the change ascend.
    ///
    /// - Complexity: O(log p), and one call for each run.
    public func forEachRun(inOld range: Range<Int>, _ body: (_ old: Range<Int>, _ new: Range<Int>) -> Void) {
      require(range.lowerBound >= 0, "Delta: a position is negative: \(range).")
      let pieces = byOld.isEmpty ? byNew : byOld
      var index = max(0, pieces.partitioningIndex { $0.old > range.lowerBound } - 1)
      while index < pieces.count && pieces[index].old < range.upperBound {
        let lower = max(pieces[index].old, range.lowerBound)
        let upper = min(pieces[index].oldEnd, range.upperBound)
        let shift = pieces[index].new - pieces[index].old
        if lower < upper { body(lower..<upper, (lower + shift)..<(upper + shift)) }
        index += 1
      }
    }

    /// Calls `body` with each run of survivors among the elements that are at `range` after the change.
    ///
    /// `body` receives the run's positions before and after the change. The positions after the change ascend.
    ///
    /// - Complexity: O(log p), and one call for each run.
    public func forEachRun(inNew range: Range<Int>, _ body: (_ old: Range<Int>, _ new: Range<Int>) -> Void) {
      require(range.lowerBound >= 0, "Delta: a position is negative: \(range).")
      var index = max(0, byNew.partitioningIndex { $0.new > range.lowerBound } - 1)
      while index < byNew.count && byNew[index].new < range.upperBound {
        let lower = max(byNew[index].new, range.lowerBound)
        let upper = min(byNew[index].newEnd, range.upperBound)
        let shift = byNew[index].old - byNew[index].new
        if lower < upper { body((lower + shift)..<(upper + shift), lower..<upper) }
        index += 1
      }
    }

    /// The positions after the change of the survivors that were at `range` before the change: ascending, coalesced.
    ///
    /// - Complexity: O(log p + r · log r) for r runs.
    public func ranges(after range: Range<Int>) -> [Range<Int>] { ranges(after: CollectionOfOne(range)) }

    /// The positions before the change of the survivors that are at `range` after the change: ascending, coalesced.
    ///
    /// - Complexity: O(log p + r · log r) for r runs.
    public func ranges(before range: Range<Int>) -> [Range<Int>] { ranges(before: CollectionOfOne(range)) }

    /// The positions after the change of the survivors that were at `ranges` before the change: ascending, coalesced.
    func ranges(after ranges: some Sequence<Range<Int>>) -> [Range<Int>] {
      var result: [Range<Int>] = []
      for range in ranges { forEachRun(inOld: range) { result.append($1) } }
      return RangeLists.normalized(result)
    }

    /// The positions before the change of the survivors that are at `ranges` after the change: ascending, coalesced.
    func ranges(before ranges: some Sequence<Range<Int>>) -> [Range<Int>] {
      var result: [Range<Int>] = []
      for range in ranges { forEachRun(inNew: range) { old, _ in result.append(old) } }
      return RangeLists.normalized(result)
    }
  }
}
