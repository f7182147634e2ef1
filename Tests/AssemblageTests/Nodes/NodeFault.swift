import Assemblage
import AssemblageTesting
import TestSupport

/// Reports that the contents of a node are not as expected.
struct NodeFault: Error, CustomStringConvertible {
  let description: String
}

/// Checks laws 1, 2, 3 and 8 of a node, and compares its contents with the expected ones.
func checkNode(_ node: any TreeNode<Row>, shows expected: [NaiveTree<Row>]) throws {
  try NodeChecker<Row>(id: \.id).check(node)
  let contents = NaiveTree(of: node).children
  if contents != expected { throw NodeFault(description: "\(node) shows \(contents), not \(expected)") }
}
