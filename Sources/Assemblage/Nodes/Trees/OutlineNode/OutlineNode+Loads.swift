/// The nodes that are to be told that their children are shown, or hidden, from now on.
struct OutlineLoads {
  /// Whether the tree has such nodes.
  var isWanted = false
  private(set) var shown: [any LoadingNode] = []
  private(set) var hidden: [any LoadingNode] = []

  mutating func note(_ node: (any LoadingNode)?, isShown: Bool) {
    guard let node else { return }
    if isShown { shown.append(node) } else { hidden.append(node) }
  }
}

extension OutlineNode {
  /// A node, where it is to be told whether its children are shown.
  func loadingNode(_ node: SourceBranch) -> (any LoadingNode)? {
    switch node {
    case .object(let object):
      guard let loading = object as? any LoadingNode, loading.loadsFromAfar else { return nil }
      return loading
    case .branch(let branch):
      guard state.value.sources.isHierarchy, let hierarchy = state.value.sources.hierarchy,
        hierarchy.supply.loader != nil
      else { return nil }
      return hierarchy.node(of: branch)
    }
  }
}
