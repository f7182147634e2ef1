import OffsetIndexing

/// A tree of a hierarchy: the hierarchy itself, or a tree that was removed from it.
///
/// Nodes do all their work with this type, by the handles of branches. So a branch needs no node.
///
/// A leaf of the forest may have children that have not been looked for. Such a leaf becomes a branch of the forest
/// when a caller asks for its node, or when the leaf is expanded.
struct HierarchyTree<Element> {
  typealias Branch = TreeIndex.Branch

  let supply: HierarchySupply<Element>
  /// Any node of the forest that belongs to the tree.
  let forest: ForestNode<Element>

  init(_ supply: HierarchySupply<Element>, _ forest: ForestNode<Element>) {
    self.supply = supply
    self.forest = forest
  }

  // MARK: Children

  func value(of branch: Branch) -> Element? { forest.value(of: branch) }

  /// The number of children; where they are not loaded yet, they are loaded now, or their load begins.
  func count(of branch: Branch) -> Int {
    look(branch)
    return forest.shape.childCount(of: branch)
  }

  /// See `TreeNode.hasChildren`.
  func hasChildren(_ branch: Branch) -> Bool {
    if supply.loads.value.isLoaded(branch) { return forest.shape.childCount(of: branch) > 0 }
    if let hasChildren = supply.hasChildren, let value = value(of: branch) {
      return forest.hub.refusingChanges { hasChildren(value) }
    }
    return supply.loader != nil || count(of: branch) > 0
  }

  /// Whether a child of a branch has children; the child is only made a branch where the answer needs one.
  func hasChildren(at position: Int, of branch: Branch) -> Bool {
    guard position >= 0, position < count(of: branch), !hasOnlyLeaves(branch) else { return false }
    if let child = forest.shape.branch(at: position, of: branch) { return hasChildren(child) }
    guard mayHaveChildren(at: position, of: branch) else { return false }
    return supply.hasChildren != nil || supply.loader != nil || count(of: open(position, of: branch)) > 0
  }

  /// A child that is a branch, or may be one; nil for a leaf, or where there is no such child.
  func branch(at position: Int, of branch: Branch) -> Branch? {
    guard position >= 0, position < count(of: branch), !hasOnlyLeaves(branch) else { return nil }
    if let child = forest.shape.branch(at: position, of: branch) { return child }
    return mayHaveChildren(at: position, of: branch) ? open(position, of: branch) : nil
  }

  /// The children in a range that are branches, or may be, and whose elements are wanted; ascending.
  func branches(
    in range: Range<Int>, of branch: Branch, where isWanted: (Element) -> Bool
  ) -> [(position: Int, branch: Branch)] {
    if hasOnlyLeaves(branch) { return [] }
    let known = forest.shape.branches(in: range, of: branch)
    var found: [(position: Int, branch: Branch?)] = []
    var next = 0
    func look(at element: Element, at position: Int) {
      if next < known.count, known[next].position == position {
        if isWanted(element) { found.append(known[next]) }
        next += 1
      } else if isWanted(element), supply.mayHaveChildren(element) {
        found.append((position, nil))
      }
    }
    // Branches are only made after all elements have been read.
    forest.hub.refusingChanges {
      forest.forEachSpan(in: range, of: branch) { start, span in
        for index in span.indices { look(at: span[index], at: start + index) }
      }
    }
    return found.map { ($0.position, $0.branch ?? open($0.position, of: branch)) }
  }

  /// The largest number of children that are all examined when a caller asks about one of them.
  ///
  /// Examining one child alone needs a search in the forest. But where there are more children, examining all of them
  /// may not be worth the calls of `hasChildren`.
  private static var mostExamined: Int { 64 }

  /// Whether none of a branch's children may have children, as far as that is known.
  ///
  /// Where there are few children, all of them are examined now.
  private func hasOnlyLeaves(_ branch: Branch) -> Bool {
    if let known = supply.loads.value.hasOnlyLeaves(branch) { return known }
    let count = forest.shape.childCount(of: branch)
    guard supply.hasChildren != nil, count <= Self.mostExamined, supply.loads.value.isLoaded(branch) else {
      return false
    }
    var mayHaveChildren = !forest.shape.branches(in: 0..<count, of: branch).isEmpty
    func look(at element: Element) {
      if !mayHaveChildren { mayHaveChildren = supply.mayHaveChildren(element) }
    }
    if !mayHaveChildren {
      forest.hub.refusingChanges {
        forest.forEachSpan(in: 0..<count, of: branch) { _, span in
          for index in span.indices { look(at: span[index]) }
        }
      }
    }
    supply.loads.value.setHasOnlyLeaves(!mayHaveChildren, of: branch)
    return !mayHaveChildren
  }

  private func mayHaveChildren(at position: Int, of branch: Branch) -> Bool {
    guard let element = forest.element(at: position, of: branch) else { return false }
    return forest.hub.refusingChanges { supply.mayHaveChildren(element) }
  }

  /// Makes a branch of a child that is not a branch yet.
  func open(_ position: Int, of branch: Branch) -> Branch { forest.openBranch(at: position, of: branch) }

  /// The node of a branch.
  func node(of branch: Branch) -> HierarchyNode<Element> {
    let node = forest.node(of: branch)
    return node.hub.owner as? HierarchyNode<Element> ?? HierarchyNode(node, supply)
  }

  // MARK: Looking

  /// Loads the children if they have not been looked at yet, or begins their load.
  func look(_ branch: Branch) {
    if supply.loads.value.isLoaded(branch) { return }
    switch supply.source {
    case .afar(let loader, _): beginWithLook(branch, loader)
    case .atHand(let children): load(branch, children)
    }
  }

  private func load(_ branch: Branch, _ children: (Element?) -> [Element]) {
    if case .underWay = supply.loads.value.outcome(of: branch) {
      trap("HierarchyNode: the closure that was asked for a node's children asks that node.")
    }
    supply.loads.value.setOutcome(.underWay, of: branch)
    let value = value(of: branch)
    forest.fill(branch, with: forest.hub.refusingChanges { children(value) })
    supply.loads.value.setLoaded(branch)
  }
}
