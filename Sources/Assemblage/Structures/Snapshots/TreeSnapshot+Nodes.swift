extension TreeSnapshot {
  /// Takes a snapshot of a node and everything below it.
  ///
  /// A node that stands in several places is written out in each. Children that are loaded when first asked for are loaded.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["Dad", "Mum"]), ArrayNode(["Bo"])])
  /// TreeSnapshot(of: sections)   // [[Dad, Mum], [Bo]]
  /// ```
  ///
  /// - Parameter node: the root; it is only read.
  /// - Complexity: O(p · log n) for p places.
  public init(of node: some TreeNode<Element>) {
    var writer = LevelWriter(value: node.value, isNode: true)
    // The places that are nodes, in the order in which their children are written; those behind them are leaves.
    var nodes: [(place: Int, node: any TreeNode<Element>)] = [(0, node)]
    var head = 0
    while writer.next < writer.count {
      guard head < nodes.count, nodes[head].place == writer.next else {
        writer.closeNext()
        continue
      }
      let node = nodes[head].node
      head += 1
      let reader = node.reader
      for position in 0..<node.count {
        let child = node.child(at: position)
        if let child { nodes.append((writer.count, child)) }
        writer.append(value: reader.element(at: position), isNode: child != nil)
      }
      writer.closeNext()
      withExtendedLifetime(node) {}
    }
    self = writer.finish()
  }
}
