extension Delta {
  /// Takes this change to something that is kept in the order of the elements.
  ///
  /// First everything that leaves its place is lifted, from the end, so that each range is where it was before the change;
  /// then everything that comes to one is put there, from the start, so that each range is where it is after the change.
  /// What moves is carried in between. Updates are left to the caller.
  ///
  /// ```swift
  /// // An array of the elements, with nil for those that came:
  /// delta.rearrange(
  ///   carrying: { Array(array[$0]) }, lifting: { array.removeSubrange($0) },
  ///   putting: { array.insert(contentsOf: $1 ?? Array(repeating: nil, count: $0.count), at: $0.lowerBound) })
  /// ```
  ///
  /// - Parameters:
  ///   - carry: gives what is at a range that moves, just before that is lifted.
  ///   - lift: takes a range out.
  ///   - put: puts a range in: with what was carried, or nil for a range that is inserted; these come in the order of
  ///     `insertions`.
  /// - Complexity: one call of `lift` and `put` for each range, and O(c · log c) for c ranges where elements moved.
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
