/// A node that can tell that what an element refers to has changed.
protocol ElementUpdating<Element>: TreeNode {
  /// Tells an update of a child's value.
  ///
  /// - Parameter position: `0..<count`.
  func update(at position: Int)
}
