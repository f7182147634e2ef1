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
    var isExpanded = true
    /// The items of the node's own children, which come later.
    var children: Range<Int> = 0..<0
  }

  /// Level by level.
  fileprivate(set) var items: [Item]

  /// Whether it has all that the state says is expanded, and not what a memory knows.
  private(set) var isComplete = true

  /// The position of the first node in its parent.
  var position: Int { items[0].position }

  init(_ node: any TreeNode<Element>, at position: Int) { items = [Item(node, at: position)] }

  /// Plans what a memory knows of a node, and of all below it that is there.
  init(_ node: any TreeNode<Element>, as child: OutlineMemory.Child, in memory: OutlineMemory) {
    self.init(node, at: child.position)
    isComplete = false
    items[0].isExpanded = child.isExpanded
    var levels = [child.level]
    var index = 0
    while index < items.count {
      let item = items[index]
      let start = items.count
      for child in memory.levels[levels[index]] where child.position < item.count {
        guard let node = item.node.child(at: child.position) else { continue }
        items.append(Item(node, at: child.position, isExpanded: child.isExpanded))
        levels.append(child.level)
      }
      items[index].children = start..<items.count
      index += 1
    }
  }
}

extension OutlinePlan.Item {
  fileprivate init(_ node: any TreeNode<Element>, at position: Int, isExpanded: Bool = true) {
    self.init(node: node, reader: node.reader, count: node.count, position: position, isExpanded: isExpanded)
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
  /// - Parameters:
  ///   - node: the node to expand.
  ///   - position: its position in its parent.
  ///   - depth: its depth.
  ///   - way: the path from the node of one below it, to be expanded with all on the way whatever the state says.
  /// - Returns: the plan.
  /// - Complexity: O(n) for the n children of all these nodes.
  func plan(
    _ node: any TreeNode<Element>, at position: Int, depth: Int, way: ArraySlice<Int> = []
  ) -> OutlinePlan<Element> {
    var plan = OutlinePlan(node, at: position)
    var depth = depth
    var levelEnd = 1
    var index = 0
    // The item that the way has led to.
    var way = way
    var wayItem = 0
    while index < plan.items.count {
      if index == levelEnd {
        depth += 1
        levelEnd = plan.items.count
      }
      let item = plan.items[index]
      let start = plan.items.count
      var children = expandedChildren(in: 0..<item.count, of: item.node, item.reader, depth: depth + 1)
      if index == wayItem, let position = way.popFirst() {
        let place = children.partitioningIndex { $0.position >= position }
        if place == children.count || children[place].position != position, let child = item.node.child(at: position) {
          children.insert((position, child), at: place)
        }
        wayItem = start + place
      }
      for child in children { plan.items.append(OutlinePlan.Item(child.node, at: child.position)) }
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
