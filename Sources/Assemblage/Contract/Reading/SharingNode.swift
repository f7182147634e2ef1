/// A node whose elements stand in arrays, which tasks elsewhere can share instead of copying the elements out.
///
/// A shared array stays as it is; should the node change it, it makes a copy of that chunk first.
protocol SharingNode<Element>: TreeNode {
  /// The arrays in which the elements of a range stand.
  ///
  /// - Parameter range: positions of children, within 0..<count.
  /// - Returns: slices with all elements of the range, in order; nil where some of them do not stand in arrays.
  /// - Complexity: O(log n + c) for c chunks.
  func sharedSlices(of range: Range<Int>) -> [ArraySlice<Element>]?
}
