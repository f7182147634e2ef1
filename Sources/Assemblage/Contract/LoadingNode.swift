/// A node whose children may have to be loaded, and which an outline notifies when the outline shows or hides them.
protocol LoadingNode: TreeNode {
  /// Whether the children may have to be loaded; if not, the outline need not notify the node.
  var loadsFromAfar: Bool { get }

  /// Suspends the loads, because an outline has collapsed the node.
  func suspendLoads()

  /// Resumes the loads, because an outline has expanded the node.
  func resumeLoads()
}
