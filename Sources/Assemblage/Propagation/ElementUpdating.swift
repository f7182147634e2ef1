/// A node that can tell that what an element refers to has changed.
protocol ElementUpdating<Element>: TreeNode {
  /// Says what is to be told of a child whose value refers to something that has changed, and by whom.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the hub of the node that has the value, and its change; nil where the node cannot tell that.
  func elementUpdate(at position: Int) -> (hub: NodeHub, change: ChangeSet)?
}
