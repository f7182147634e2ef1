/// A node whose elements are in arrays, so that a task elsewhere can share the arrays and need not copy the elements.
///
/// A shared array stays the same: before the node changes such a chunk, the node makes a copy of the chunk.
protocol SharingNode<Element>: TreeNode {
  /// The arrays that hold the elements of a range.
  ///
  /// - Parameter range: positions of children, within 0..<count.
  /// - Returns: slices with all elements of the range, in order; nil if some of the elements are not in arrays.
  /// - Complexity: O(log n + c) for c chunks.
  func sharedSlices(of range: Range<Int>) -> [ArraySlice<Element>]?
}
