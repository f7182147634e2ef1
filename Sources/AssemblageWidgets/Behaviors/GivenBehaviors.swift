import Assemblage

/// The behaviors that nodes were given from outside.
struct GivenBehaviors {
  /// By the node, which is kept alive so that no other one takes its name.
  private var ofNodes: [ObjectIdentifier: (node: any TreeNode, behaviors: [any Behavior])] = [:]
  /// For all nodes that are asked for.
  var provider: ((any TreeNode) -> [any Behavior])?

  mutating func give(_ behavior: any Behavior, to node: any TreeNode) {
    ofNodes[ObjectIdentifier(node), default: (node, [])].behaviors.append(behavior)
  }

  mutating func takeAll(from node: any TreeNode) { ofNodes[ObjectIdentifier(node)] = nil }

  /// What a node has: what it was given last comes first, what it is itself last.
  func behaviors(of node: any TreeNode) -> [any Behavior] {
    let given = ofNodes[ObjectIdentifier(node)]?.behaviors.reversed() ?? []
    return given + (provider?(node) ?? []) + ((node as? any Behavior).map { [$0] } ?? [])
  }
}
