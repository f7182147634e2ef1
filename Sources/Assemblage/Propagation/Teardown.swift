/// Releases nodes in a loop, those that only they keep alive included.
///
/// Without it, the release of a chain of nodes would nest as deep as the chain is, and overflow the call stack.
///
/// - Parameter references: the nodes to release; empty afterwards.
func release(_ references: inout [any TreeNode]) {
  while var node = references.popLast() {
    if isOnlyReference(&node) { node.surrenderSources(to: &references) }
  }
}

private func isOnlyReference<Node: TreeNode>(_ node: inout Node) -> Bool { isKnownUniquelyReferenced(&node) }
