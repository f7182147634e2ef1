/// A node whose children may take their time to come, and which is told whether an outline shows them.
protocol LoadingNode: TreeNode {
  /// Whether its children may take their time; where not, it need not be told anything.
  var loadsFromAfar: Bool { get }

  /// Takes in that an outline has collapsed the node.
  func suspendLoads()

  /// Takes in that an outline has expanded the node.
  func resumeLoads()
}
