/// A node that can report a change of the object to which an element refers.
protocol ElementUpdating<Element>: TreeNode {
  /// Whether the node itself holds the value of a child, or another node that can report an update.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: whether that is so.
  func canAnnounceUpdate(at position: Int) -> Bool

  /// Reports that the value of a child refers to an object that has changed; the caller is inside a transaction.
  ///
  /// - Parameter position: `0..<count`.
  func announceUpdate(ofElementAt position: Int)
}

extension ElementUpdating {
  func canAnnounceUpdate(at position: Int) -> Bool { true }

  func announceUpdate(ofElementAt position: Int) {
    hub.publish(ChangeSet(.update(position..<position + 1)), inverse: {})
  }
}
