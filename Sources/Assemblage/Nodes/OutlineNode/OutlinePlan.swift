/// A node that is to be expanded, with all below it that is: read before anything is changed.
///
/// Asking nodes runs closures of users; they must find the outline as it was.
struct OutlinePlan<Element> {
  struct Item {
    let node: any TreeNode<Element>
    let reader: NodeReader<Element>
    let count: Int
    /// The node's position in its parent.
    let position: Int
    /// The items of the node's own children, which come later.
    var children: Range<Int> = 0..<0
  }

  /// Level by level.
  fileprivate(set) var items: [Item]

  /// The position of the first node in its parent.
  var position: Int { items[0].position }

  init(_ node: any TreeNode<Element>, at position: Int) {
    items = [Item(node: node, reader: node.reader, count: node.count, position: position)]
  }
}

extension OutlineNode {
  /// The children of a node that are to be expanded, ascending by position.
  ///
  /// - Parameters:
  ///   - range: the children to look at.
  ///   - node: their parent.
  ///   - reader: reads the parent.
  ///   - depth: that of the children.
  /// - Returns: the children's positions, and the nodes that they are.
  /// - Complexity: O(r) for r children where the policy expands or something has been chosen, O(1) otherwise.
  func expandedChildren(
    in range: Range<Int>, of node: any TreeNode<Element>, _ reader: NodeReader<Element>, depth: Int
  ) -> [(position: Int, node: any TreeNode<Element>)] {
    let expansion = state.value.expansion
    var found: [(position: Int, node: any TreeNode<Element>)] = []
    if expansion.policy.expands(depth: depth) {
      var exceptions = (expansion.hasChoices ? functions.chosen(reader, range, expansion, false) : [])[...]
      for position in range {
        if exceptions.first == position {
          exceptions.removeFirst()
        } else if let child = node.child(at: position) {
          found.append((position, child))
        }
      }
    } else if expansion.hasChoices {
      for position in functions.chosen(reader, range, expansion, true) {
        if let child = node.child(at: position) { found.append((position, child)) }
      }
    }
    return found
  }

  /// What has to be made in order to expand a node, with all below it that is expanded.
  ///
  /// - Complexity: O(n) for the n children of all these nodes.
  func plan(_ node: any TreeNode<Element>, at position: Int, depth: Int) -> OutlinePlan<Element> {
    var plan = OutlinePlan(node, at: position)
    var depth = depth
    var levelEnd = 1
    var index = 0
    while index < plan.items.count {
      if index == levelEnd {
        depth += 1
        levelEnd = plan.items.count
      }
      let item = plan.items[index]
      let start = plan.items.count
      for child in expandedChildren(in: 0..<item.count, of: item.node, item.reader, depth: depth + 1) {
        plan.items.append(
          OutlinePlan.Item(
            node: child.node, reader: child.node.reader, count: child.node.count, position: child.position))
      }
      plan.items[index].children = start..<plan.items.count
      index += 1
    }
    return plan
  }

  /// The plans of all children in a range that are to be expanded.
  func plans(
    ofChildren range: Range<Int>, of node: any TreeNode<Element>, _ reader: NodeReader<Element>, depth: Int
  ) -> [OutlinePlan<Element>] {
    expandedChildren(in: range, of: node, reader, depth: depth).map { plan($0.node, at: $0.position, depth: depth) }
  }
}
