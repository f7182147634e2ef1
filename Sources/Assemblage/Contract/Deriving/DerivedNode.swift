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
  /// The default is for nodes whose sources are their children: it tells the same changes one level deeper.
  ///
  /// - Parameter changes: one entry for each link to a source that changed, in no particular order, in the
  ///   sources' index spaces.
  /// - Returns: the change of this node's own index space.
  func translate(_ changes: consuming SourceChanges) -> ChangeSet

  /// Where a source stands among the node's children, if all that the node does with a change of it is to tell it one level
  /// deeper.
  ///
  /// Such nodes need not be called for each change below them: a change climbs through them, see `NodeHub.climb`.
  ///
  /// - Parameter slot: the slot of the link to the source.
  /// - Returns: the position; nil, the default, where the node translates what it is told.
  func position(ofChildInSlot slot: Int) -> Int?

  /// Gives up the node's references to other nodes, because the node is about to be released.
  ///
  /// It makes the release of a chain of many thousand nodes a loop rather than a recursion. The default does nothing.
  ///
  /// - Parameter references: receives the references.
  func surrenderSources(to references: inout [any TreeNode])
}

extension DerivedNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    changes.wrapped { requirePosition(ofChildInSlot: $0) }
  }

  /// Where a source stands among the children of a node that holds its sources as children.
  func requirePosition(ofChildInSlot slot: Int) -> Int {
    guard let position = position(ofChildInSlot: slot) else {
      trap("A \(Self.self) has received a change, and does not say what that means for its children.")
    }
    return position
  }

  func position(ofChildInSlot slot: Int) -> Int? { nil }

  func surrenderSources(to references: inout [any TreeNode]) {}
}
