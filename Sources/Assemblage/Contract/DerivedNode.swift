/// A node whose children come from other nodes.
///
/// It links its sources through its hub, keeps them alive, and translates what they report.
public protocol DerivedNode<Element>: TreeNode {
  /// Brings the node up to date with its sources, and says what that changes.
  ///
  /// The hub calls this once for each settling of the graph in which a source changed, after all sources have been
  /// settled, and delivers what it returns to the node's own dependents and observers. It must not change any node.
  /// A change that only concerns what is below a source's children, and leaves its delta empty, arrives only while an
  /// observer listens to this node or to one that derives from it.
  ///
  /// - Parameter changes: one entry for each link to a source that changed, in no particular order, in the
  ///   sources' index spaces.
  /// - Returns: the change of this node's own index space.
  func translate(_ changes: consuming SourceChanges) -> ChangeSet
}
