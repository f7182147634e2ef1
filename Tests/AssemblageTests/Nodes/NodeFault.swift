import Assemblage
import AssemblageTesting
import TestSupport

/// Says that a node shows something else than it should.
struct NodeFault: Error, CustomStringConvertible {
  let description: String
}

/// Checks laws 1, 2, 3 and 8 of a node, and its contents against what they should be.
func checkNode(_ node: any TreeNode<Row>, shows expected: [NaiveTree<Row>]) throws {
  try NodeChecker<Row>(id: \.id).check(node)
  let contents = NaiveTree(of: node).children
  if contents != expected { throw NodeFault(description: "\(node) shows \(contents), not \(expected)") }
}
