extension Array {
  /// Removes the element at a position, `0..<count`; the last element takes its place.
  ///
  /// - Returns: the element that has taken the place; nil where the last one was removed.
  /// - Complexity: O(1).
  mutating func removeBySwap(at position: Int) -> Element? {
    let last = removeLast()
    guard position < count else { return nil }
    self[position] = last
    return last
  }
}
