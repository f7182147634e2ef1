import Assemblage

/// The behaviors that nodes were given from outside.
struct GivenBehaviors {
  /// By the node, which is kept alive so that no other node gets its identifier.
  private var ofNodes: [ObjectIdentifier: (node: any TreeNode, behaviors: [any Behavior])] = [:]
  /// Yields further behaviors for any node.
  var provider: ((any TreeNode) -> [any Behavior])?

  mutating func give(_ behavior: any Behavior, to node: any TreeNode) {
    ofNodes[ObjectIdentifier(node), default: (node, [])].behaviors.append(behavior)
  }

  mutating func takeAll(from node: any TreeNode) { ofNodes[ObjectIdentifier(node)] = nil }

  /// The behaviors of a node. The behavior that was added last is the first; the node itself is the last.
  func behaviors(of node: any TreeNode) -> [any Behavior] {
    let given = ofNodes[ObjectIdentifier(node)]?.behaviors.reversed() ?? []
    return given + (provider?(node) ?? []) + ((node as? any Behavior).map { [$0] } ?? [])
  }
}
