extension Array {
  /// Removes the element at a position, `0..<count`, and moves the last element to this position.
  ///
  /// - Returns: the element that is now at the position; nil if the removed element was the last one.
  /// - Complexity: O(1).
  mutating func removeBySwap(at position: Int) -> Element? {
    let last = removeLast()
    guard position < count else { return nil }
    self[position] = last
    return last
  }
}
