/// Releases nodes in a loop, together with the nodes that only they keep alive.
///
/// Without this function, the release of a chain of nodes would nest as deep as the chain is, and overflow the call
/// stack.
///
/// - Parameter references: the nodes to release; empty afterwards.
func release(_ references: inout [any TreeNode]) {
  var surrendered: [any TreeNode] = []
  swap(&surrendered, &references)
  // In an array, because a local variable would be a second reference. Optional objects, because an existential would
  // be opened for the call, which makes a copy in a debug build.
  var objects: [AnyObject?] = []
  while true {
    for node in surrendered { objects.append(node) }
    surrendered.removeAll(keepingCapacity: true)
    guard let last = objects.indices.last else { return }
    if isKnownUniquelyReferenced(&objects[last]) {
      (objects[last] as? any TreeNode)?.hub.state.value.translator?.surrenderSources(to: &surrendered)
    }
    objects.removeLast()
  }
}

extension DerivedNode where Self: TreeNode {
  /// Ends the node's part in the graph, and releases its sources in a loop; its `deinit` calls this.
  func releaseSources() {
    hub.detach()
    var references: [any TreeNode] = []
    surrenderSources(to: &references)
    release(&references)
  }
}
