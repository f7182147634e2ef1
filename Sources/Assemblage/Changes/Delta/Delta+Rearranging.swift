extension Delta {
  /// Applies this change to a structure that is kept in the order of the elements.
  ///
  /// First, all removed ranges and all sources of moves are lifted, from the end to the start. So each of these ranges
  /// is still where it was before the change. Then all inserted ranges and all destinations of moves are put, from the
  /// start to the end. So each of these ranges is already where it is after the change. The caller carries the moved
  /// elements from the first step to the second. Updates are left to the caller.
  ///
  /// ```swift
  /// // An array of the elements, with nil for the inserted ones:
  /// delta.rearrange(
  ///   carrying: { Array(array[$0]) }, lifting: { array.removeSubrange($0) },
  ///   putting: { array.insert(contentsOf: $1 ?? Array(repeating: nil, count: $0.count), at: $0.lowerBound) })
  /// ```
  ///
  /// - Parameters:
  ///   - carry: returns the contents of a range that moves, just before the range is lifted.
  ///   - lift: removes a range.
  ///   - put: inserts a range, with the carried contents, or with nil for an inserted range. The inserted ranges are
  ///     in the order of `insertions`.
  /// - Complexity: one call of `lift` and `put` for each range, and O(c · log c) for c ranges if elements moved.
  package func rearrange<Carried>(
    carrying carry: (Range<Int>) -> Carried, lifting lift: (Range<Int>) -> Void,
    putting put: (_ range: Range<Int>, _ carried: Carried?) -> Void
  ) {
    if !hasMoves {
      for range in removals.reversed() { lift(range) }
      for range in insertions { put(range, nil) }
      return
    }
    var leaving: [(range: Range<Int>, destination: Range<Int>?)] = removals.map { ($0, nil) }
    var arriving: [(range: Range<Int>, carried: Carried?)] = insertions.map { ($0, nil) }
    for move in moves { leaving.append((move.source, move.destination)) }
    leaving.sort(byNumber: \.range.lowerBound)
    for (range, destination) in leaving.reversed() {
      if let destination { arriving.append((destination, carry(range))) }
      lift(range)
    }
    arriving.sort(byNumber: \.range.lowerBound)
    for (range, carried) in arriving { put(range, carried) }
  }
}
