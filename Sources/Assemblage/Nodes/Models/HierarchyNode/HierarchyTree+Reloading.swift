import OffsetIndexing

// Children that are loaded again.
extension HierarchyTree {
  typealias ReloadScope = HierarchyNode<Element>.ReloadScope

  /// Loads the children of a branch again; depending on the scope, also the children of all loaded branches below it.
  func reload(_ branch: Branch, _ scope: ReloadScope) {
    switch supply.source {
    case .atHand(let children): reload(branch, scope, children)
    case .afar(let loader, _): reload(branch, scope, loader)
    }
  }

  private func reload(_ branch: Branch, _ scope: ReloadScope, _ children: (Element?) -> [Element]) {
    var open = [branch]
    while let branch = open.popLast() {
      guard supply.loads.value.isLoaded(branch) else { continue }
      let value = value(of: branch)
      replaceElements(forest.hub.refusingChanges { children(value) }, of: branch, scope)
      if scope == .loaded { open += branches(of: branch) }
    }
  }

  /// Parents begin their loads before their children.
  private func reload(_ branch: Branch, _ scope: ReloadScope, _ loader: HierarchySupply<Element>.Loader) {
    var asked = [branch]
    var next = 0
    while next < asked.count {
      askAgain(asked[next], loader)
      if scope == .loaded { asked += branches(of: asked[next]) }
      next += 1
    }
  }

  /// The children of a branch that are branches now.
  private func branches(of branch: Branch) -> [Branch] {
    forest.shape.branches(in: 0..<forest.shape.childCount(of: branch), of: branch).map(\.branch)
  }

  /// Adopts new children: first inserts, removes and moves them, then updates the changed ones.
  ///
  /// - Parameters:
  ///   - new: the new children.
  ///   - branch: their parent.
  ///   - scope: `.loaded` if the caller loads the children of all children afterwards.
  func replaceElements(_ new: [Element], of branch: Branch, _ scope: ReloadScope = .children) {
    let old = forest.children(of: branch)
    let delta = forest.hub.refusingChanges { supply.difference(old, new) }
    guard !delta.isEmpty else { return }
    let wereLeaves = supply.loads.value.hasOnlyLeaves(branch) ?? false
    // Until all children are replaced, a reader may find former ones, so `hasOnlyLeaves` must not be true.
    supply.loads.value.setHasOnlyLeaves(false, of: branch)
    defer { supply.loads.value.setHasOnlyLeaves(nil, of: branch) }
    if delta.movesPositions { rearrange(delta, new, of: branch) }
    for range in delta.updates {
      for position in range { update(position, of: branch, new[position], wasLeaf: wereLeaves, scope) }
    }
  }

  /// Applies a delta without its updates; children that stay keep their values for now.
  private func rearrange(_ delta: Delta, _ new: [Element], of branch: Branch) {
    forest.rearrange(delta, to: new, of: branch) { detached in
      if detached.isEmpty { return }
      // A branch that has been removed is only loaded further if its own node is held.
      let tops = Set(detached.map { $0.state.value.tree.top })
      let shape = forest.shape
      for open in supply.loader?.keys ?? []
      where shape.parent(of: open) != nil && tops.contains(shape.forest(of: open)) && forest.arena.member(open) == nil {
        dropLoad(open)
      }
    }
  }

  /// Updates a child.
  ///
  /// - Parameters:
  ///   - position: the child's position.
  ///   - branch: its parent.
  ///   - element: its new value.
  ///   - wasLeaf: whether the child is known to have been a leaf. An object that has changed in place does not show this.
  ///   - scope: `.loaded` if the caller loads the children of the child afterwards.
  private func update(
    _ position: Int, of branch: Branch, _ element: Element, wasLeaf: Bool, _ scope: ReloadScope
  ) {
    guard let former = forest.element(at: position, of: branch) else { return }
    let (wasNode, isNode) = forest.hub.refusingChanges {
      (!wasLeaf && supply.mayHaveChildren(former), supply.mayHaveChildren(element))
    }
    // An object had its children before it changed, so `wasNode` alone does not show this.
    let isLeaf = !wasNode && !isNode && forest.shape.branch(at: position, of: branch) == nil
    func replace() { forest.replaceForGood(at: position, of: branch, with: element, ofLeaf: isLeaf) }
    if !wasNode, isNode, supply.loader == nil {
      // The former leaf is a node without children at first.
      let child = forest.shape.branch(at: position, of: branch) ?? open(position, of: branch)
      supply.loads.value.setLoaded(child)
      replace()
      if scope == .children { reload(child, .children) }
      return
    }
    guard let child = forest.shape.branch(at: position, of: branch) else { return replace() }
    if !isNode, forest.shape.childCount(of: child) > 0 { replaceElements([], of: child) }
    valueHasChanged(of: child)
    replace()
    if !isNode { makeLeaf(child, at: position, of: branch) }
  }

  /// Makes a leaf of a branch without children; where its node is held, the node becomes the root of an empty tree.
  private func makeLeaf(_ child: Branch, at position: Int, of branch: Branch) {
    let isLoaded = supply.loads.value.isLoaded(child)
    supply.forget(child)
    if let node = forest.makeLeaf(child, at: position, of: branch), isLoaded {
      supply.loads.value.setLoaded(node.branch)
    }
  }
}
