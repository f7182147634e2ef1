/// What the graph asks of a node whose children come from other nodes.
///
/// The node links its sources through its hub, keeps them alive, and translates what they report.
protocol DerivedNode: AnyObject {
  /// Brings the node up to date with its sources, and says what that changes.
  ///
  /// The hub calls this once for each settling of the graph in which a source changed, after all sources have been
  /// settled, and delivers what it returns to the node's own dependents and observers. It must not change any node.
  /// A change that only concerns what is below a source's children, and leaves its delta empty, arrives only while an
  /// observer listens to this node or to one that derives from it.
  ///
  /// The default is for nodes that their source tells what concerns them: it reports nothing.
  ///
  /// - Parameter changes: one entry for each link to a source that changed, in no particular order, in the
  ///   sources' index spaces.
  /// - Returns: the change of this node's own index space.
  func translate(_ changes: consuming SourceChanges) -> ChangeSet

  /// Gives up the node's references to other nodes, because the node is about to be released.
  ///
  /// It makes the release of a chain of many thousand nodes a loop rather than a recursion. The default does nothing.
  ///
  /// - Parameter references: receives the references.
  func surrenderSources(to references: inout [any TreeNode])
}

extension DerivedNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet { ChangeSet() }

  func surrenderSources(to references: inout [any TreeNode]) {}
}
