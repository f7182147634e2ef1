/// The requirements of the graph on a node whose children belong to other nodes.
///
/// The node links its sources through its hub, keeps them alive, and translates the changes that they report.
protocol DerivedNode: AnyObject {
  /// Brings the node up to date with its sources, and returns the change of the node.
  ///
  /// The hub calls this method once for each settlement of the graph in which a source changed, after all sources have
  /// been settled. The hub then delivers the returned change to the node's own dependents and observers. The method
  /// must not change any node. A change below a source's children may leave the source's delta empty. Such a change
  /// arrives only while an observer observes this node, or a node that derives from this node.
  ///
  /// The default is for nodes whose sources are their children: it reports the same changes one level deeper.
  ///
  /// - Parameter changes: one entry for each link to a source that changed, in no particular order, in the sources'
  ///   index spaces.
  /// - Returns: the change of this node's own index space.
  func translate(_ changes: consuming SourceChanges) -> ChangeSet

  /// The position of a source among the node's children, for a node that only reports a change of the source one level
  /// deeper.
  ///
  /// The graph need not call such a node for each change below it: a change climbs through the node, see
  /// `NodeHub.climb`.
  ///
  /// - Parameter slot: the slot of the link to the source.
  /// - Returns: the position; nil, the default, for a node that translates the changes of its sources.
  func position(ofChildInSlot slot: Int) -> Int?

  /// Moves the node's references to other nodes out of the node, because the node is about to be released.
  ///
  /// So a chain of many thousand nodes is released in a loop, and not by recursion. The default does nothing.
  ///
  /// - Parameter references: receives the references.
  func surrenderSources(to references: inout [any TreeNode])
}

extension DerivedNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    changes.wrapped { requirePosition(ofChildInSlot: $0) }
  }

  /// The position of a source among the children of a node whose children are its sources.
  func requirePosition(ofChildInSlot slot: Int) -> Int {
    guard let position = position(ofChildInSlot: slot) else {
      trap("A \(Self.self) has received a change, but does not translate changes.")
    }
    return position
  }

  func position(ofChildInSlot slot: Int) -> Int? { nil }

  func surrenderSources(to references: inout [any TreeNode]) {}
}
