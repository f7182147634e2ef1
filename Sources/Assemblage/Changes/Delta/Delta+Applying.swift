extension Delta {
  /// The elements after the change, made from the elements before it.
  ///
  /// ```swift
  /// let delta = Delta(removals: [0..<1], insertions: [2..<3])
  /// delta.applying(to: ["a", "b", "c"]) { _ in "X" }   // ["b", "c", "X"]
  /// ```
  ///
  /// - Parameters:
  ///   - old: the elements before the change.
  ///   - new: returns the inserted or updated element at a position after the change. It is called in ascending
  ///     order.
  /// - Returns: the elements after the change.
  /// - Precondition: `old` reaches at least as far as the delta does.
  /// - Complexity: O(n + p) for n elements after the change and p ranges.
  public func applying<Element>(to old: [Element], new: (Int) throws -> Element) rethrows -> [Element] {
    require(
      oldExtent <= old.count,
      "Delta: a change that reaches to position \(oldExtent) cannot be applied to \(old.count) elements: \(self).")
    var result: [Element] = []
    result.reserveCapacity(old.count + countChange)
    var update = RangeCursor(updates)
    for piece in pieces(oldCount: old.count) {
      while result.count < piece.new { result.append(try new(result.count)) }
      var position = piece.new
      while position < piece.newEnd {
        if update.upper <= position { update.advance() }
        if update.lower <= position {
          result.append(try new(position))
          position += 1
        } else {
          let end = min(piece.newEnd, update.lower)
          let shift = piece.old - piece.new
          result.append(contentsOf: old[(position + shift)..<(end + shift)])
          position = end
        }
      }
    }
    while result.count < old.count + countChange { result.append(try new(result.count)) }
    return result
  }
}
