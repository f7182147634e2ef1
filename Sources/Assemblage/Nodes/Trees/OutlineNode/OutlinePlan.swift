import OffsetIndexing

/// Nodes that are to be expanded, with all below them that are: read before anything is changed.
///
/// Asking nodes runs closures of users; they must find the outline as it was.
struct OutlinePlan {
  /// A node that is to have a record.
  struct Child<Tag> {
    /// The node's position in its parent.
    let position: Int
    let node: SourceBranch
    var isExpanded = true
    /// What the planner wants to know again when it gets there.
    let tag: Tag
  }

  /// A node whose children are being told.
  private struct Stop<Tag> {
    let children: [Child<Tag>]
    let count: Int
    var next = 0
    /// The number of children that have been told.
    var position = 0

    init(_ children: [Child<Tag>], count: Int) {
      self.children = children
      self.count = count
    }
  }

  /// What stands below a node, with a branch for each that is to have a record.
  let shape: TreeIndex

  /// The nodes of the branches, in the order of the shape, and the branches.
  private(set) var nodes: [SourceBranch] = []
  private(set) var records: [TreeIndex.Branch] = []

  /// The nodes that are not expanded, by their place among `nodes`.
  private(set) var collapsed: [Int] = []

  /// Whether it has all that the state says is expanded, and not what a memory knows.
  let isComplete: Bool

  /// Plans children of a node, and all below them.
  ///
  /// - Parameters:
  ///   - children: those that are to have records, ascending by position.
  ///   - count: the number of all children of the node.
  ///   - isComplete: whether the state says what is expanded.
  ///   - childCount: the number of a node's children.
  ///   - below: the same of a child's own node, of which the count of its children and the tag are given.
  /// - Complexity: O(r) for r records, and r calls of `below`.
  init<Tag>(
    _ children: [Child<Tag>], count: Int, isComplete: Bool = true, childCount: (SourceBranch) -> Int,
    _ below: (_ node: SourceBranch, _ count: Int, _ tag: Tag) -> [Child<Tag>]
  ) {
    var builder = TreeIndex.Builder()
    var stops = [Stop(children, count: count)]
    while var stop = stops.popLast() {
      if stop.next == stop.children.count {
        builder.appendLeaves(stop.count - stop.position)
        if !stops.isEmpty { builder.closeBranch() }
        continue
      }
      let child = stop.children[stop.next]
      builder.appendLeaves(child.position - stop.position)
      stop.next += 1
      stop.position = child.position + 1
      stops.append(stop)
      records.append(builder.openBranch())
      if !child.isExpanded { collapsed.append(nodes.count) }
      let count = childCount(child.node)
      nodes.append(child.node)
      stops.append(Stop(below(child.node, count, child.tag), count: count))
    }
    shape = builder.finish()
    self.isComplete = isComplete
  }
}

/// What the planner of an outline wants to know of a node.
struct OutlinePlanTag {
  let depth: Int
  /// The path from the node of one below it, which is to be expanded with all on the way whatever the state says.
  var way: ArraySlice<Int> = []
}

extension OutlineNode {
  typealias Planned = OutlinePlan.Child<OutlinePlanTag>

  /// The children of a node that are to be expanded, ascending by position.
  ///
  /// - Parameters:
  ///   - range: the children to look at.
  ///   - node: their parent.
  ///   - depth: that of the children.
  /// - Returns: the children's positions, and the nodes that they are.
  /// - Complexity: O(r) for r children where the policy expands or something has been chosen, O(1) otherwise, and where it is
  ///   known that none of them is a node; in a forest, only those that are branches count.
  func expandedChildren(
    in range: Range<Int>, of node: SourceBranch, depth: Int
  ) -> [Planned] {
    let expansion = state.value.expansion
    let expands = expansion.policy.expands(depth: depth)
    let tag = OutlinePlanTag(depth: depth)
    var found: [Planned] = []
    guard expands || expansion.hasChoices else { return found }
    switch node {
    case .branch(let branch):
      if state.value.sources.isHierarchy, let hierarchy = state.value.sources.hierarchy {
        let children = hierarchy.branches(in: range, of: branch) { element in
          expansion.hasChoices ? expansion.choice(for: functions.id(element)) ?? expands : expands
        }
        return children.map { Planned(position: $0.position, node: .branch($0.branch), tag: tag) }
      }
      if let tree = state.value.sources.tree { return expandedChildren(in: range, of: branch, in: tree, tag) }
      let forest = state.value.sources.forest!
      for child in forest.shape.branches(in: range, of: branch) {
        if expansion.hasChoices, let id = forest.element(at: child.position, of: branch).map(functions.id) {
          guard expansion.choice(for: id) ?? expands else { continue }
        }
        found.append(Planned(position: child.position, node: .branch(child.branch), tag: tag))
      }
    case .object(let object):
      if object.hub.hasOnlyLeavesNow { return found }
      let object = state.value.sources.typed(object)
      let chosen = expansion.hasChoices ? functions.chosen(object.reader, range, expansion, !expands) : []
      guard expands else {
        for position in chosen {
          guard let child = object.child(at: position) else { continue }
          found.append(Planned(position: position, node: .object(child), tag: tag))
        }
        return found
      }
      var exceptions = chosen[...]
      for position in range {
        if exceptions.first == position {
          exceptions.removeFirst()
        } else if let child = object.child(at: position) {
          found.append(Planned(position: position, node: .object(child), tag: tag))
        }
      }
    }
    return found
  }

  /// The same in a tree that is known by handles.
  private func expandedChildren(
    in range: Range<Int>, of branch: TreeIndex.Branch, in tree: any BranchTree<Element>, _ tag: OutlinePlanTag
  ) -> [Planned] {
    let expansion = state.value.expansion
    let expands = expansion.policy.expands(depth: tag.depth)
    let chosen = expansion.hasChoices ? tree.reading(branch) { functions.chosen($0, range, expansion, !expands) } : []
    guard expands else {
      return chosen.compactMap { position in
        tree.branch(at: position, of: branch).map { Planned(position: position, node: .branch($0), tag: tag) }
      }
    }
    let exceptions = Set(chosen)
    return tree.branches(in: range, of: branch).compactMap { child in
      exceptions.contains(child.position)
        ? nil : Planned(position: child.position, node: .branch(child.branch), tag: tag)
    }
  }

  /// What has to be made in order to expand a node, with all below it that is expanded.
  ///
  /// - Parameters:
  ///   - node: the node to expand.
  ///   - depth: its depth.
  ///   - way: the path from the node of one below it, to be expanded with all on the way whatever the state says.
  /// - Returns: the plan.
  /// - Complexity: O(n) for the n children of all these nodes.
  func plan(_ node: SourceBranch, depth: Int, way: ArraySlice<Int> = []) -> OutlinePlan {
    plan([Planned(position: 0, node: node, tag: OutlinePlanTag(depth: depth, way: way))], count: 1)
  }

  /// The same for some children of a node that has so many.
  func plan(_ children: [Planned], count: Int) -> OutlinePlan {
    let sources = state.value.sources
    return OutlinePlan(children, count: count, childCount: sources.count) { node, count, tag in
      let depth = tag.depth + 1
      var children = expandedChildren(in: 0..<count, of: node, depth: depth)
      var way = tag.way
      if let position = way.popFirst() {
        let place = children.partitioningIndex { $0.position >= position }
        let isExpanded = place < children.count && children[place].position == position
        if let child = isExpanded ? children.remove(at: place).node : sources.child(at: position, of: node) {
          let tag = OutlinePlanTag(depth: depth, way: way)
          children.insert(Planned(position: position, node: child, tag: tag), at: place)
        }
      }
      return children
    }
  }
}
