import OffsetIndexing

// The edits that a keeper makes in its forest. None of them can be reverted.
extension ForestNode {
  /// Puts the first children into a branch of this tree, as leaves. No change is reported, because nobody has read the
  /// children.
  func fill(_ branch: TreeIndex.Branch, with elements: [Element]) {
    guard !elements.isEmpty else { return }
    state.value.storage.value.insertLeaves(elements, at: 0, of: branch, in: state.value.tree.index)
  }

  /// Makes a branch of a leaf. No change is reported, because every reader of the forest has seen a branch there all
  /// along.
  func openBranch(at position: Int, of branch: TreeIndex.Branch) -> TreeIndex.Branch {
    state.value.storage.value.makeBranch(at: position, of: branch)
  }

  /// Returns the value of a branch of this tree.
  func value(of branch: TreeIndex.Branch) -> Element? {
    branch == state.value.tree.top
      ? root.state.value.value : state.value.storage.value.element(of: branch, in: state.value.tree.index)
  }

  /// Replaces the value of a child of a branch of this tree.
  ///
  /// - Parameters:
  ///   - position: the child's position.
  ///   - branch: the branch.
  ///   - element: the value.
  ///   - isOfLeaf: whether the child is known to be a leaf, before and after.
  func replaceForGood(
    at position: Int, of branch: TreeIndex.Branch, with element: Element, ofLeaf isOfLeaf: Bool
  ) {
    let (former, _) = state.value.storage.value.replace(
      at: position, of: branch, in: state.value.tree.index, with: element)
    publish(ShapeEdit(branch, .updated(position..<position + 1), ofLeaves: isOfLeaf), inverse: {})
    withExtendedLifetime(former) {}
  }

  /// Replaces the value of this root.
  func setValueForGood(_ value: Element) {
    var former: Element? = value
    if isElement {
      former =
        state.value.storage.value.replace(
          at: 0, of: state.value.tree.top, in: state.value.tree.index, with: value
        ).former
    } else {
      swap(&former, &state.value.value)
    }
    announceValue(of: branch)
    withExtendedLifetime(former) {}
  }

  /// Reports that the value of a branch of this tree must be read again.
  func announceValue(of branch: TreeIndex.Branch) {
    guard branch != root.branch, let parent = shape.parent(of: branch) else {
      return root.publishValue(inverse: {})
    }
    let position = shape.position(of: branch)
    publish(ShapeEdit(parent, .updated(position..<position + 1)), inverse: {})
  }

  /// Returns the children of a branch of this tree.
  func children(of branch: TreeIndex.Branch) -> [Element] {
    var elements: [Element] = []
    let count = shape.childCount(of: branch)
    elements.reserveCapacity(count)
    forEachSpan(in: 0..<count, of: branch) { _, span in
      for index in span.indices { elements.append(span[index]) }
    }
    return elements
  }

  /// Removes, moves and inserts children of a branch of this tree, as a delta describes; updates are ignored.
  ///
  /// A removed child gets a tree of its own if its node, or a node below it, is held.
  ///
  /// - Parameters:
  ///   - delta: the change of the branch's children.
  ///   - elements: all children of the branch after the change.
  ///   - branch: the branch.
  ///   - detached: receives the nodes that have become roots.
  func rearrange(
    _ delta: Delta, to elements: [Element], of branch: TreeIndex.Branch, _ detached: ([ForestNode]) -> Void
  ) {
    let tree = state.value.tree.index
    let leaving = delta.removals.flatMap { leavingBranches(in: $0, of: branch) }
    let (nodes, trees) = takeOut(delta, of: branch)
    detached(nodes)
    // In ascending order: all children before each position are in place already.
    let insertions = Array(delta.insertions)
    var next = 0
    for (piece, position) in trees.moved {
      while next < insertions.count, insertions[next].lowerBound < position {
        state.value.storage.value.insertLeaves(
          Array(elements[insertions[next]]), at: insertions[next].lowerBound, of: branch, in: tree)
        next += 1
      }
      state.value.storage.value.paste(piece, at: position, of: branch, in: tree)
    }
    for range in insertions[next...] {
      state.value.storage.value.insertLeaves(Array(elements[range]), at: range.lowerBound, of: branch, in: tree)
    }
    publish(
      ShapeEdit(
        branch,
        .rearranged(Delta(removals: Array(delta.removals), insertions: insertions, moves: delta.moves))),
      leaving: leaving, inverse: {})
    // The handles end when no view refers to them. The elements are released when no change is under way.
    let (arena, storage) = (arena, state.value.storage)
    hub.graph.whenSettled {
      var released: [ChunkedArray<Element>] = []
      for tree in trees.removed {
        if arena.members(below: tree.top).isEmpty {
          released.append(storage.value.removeTree(tree) { arena.keeper?.forget($0) })
        } else {
          // A view asked for the node of a branch before it received the removal of that branch. The node keeps the
          // tree.
          ForestNode(arena, tree: tree).adoptParts()
        }
      }
      withExtendedLifetime((nodes, released)) {}
    }
  }

  /// Cuts out the children that leave or move. It begins at the end, so that the positions before a cut stay the same.
  private func takeOut(
    _ delta: Delta, of branch: TreeIndex.Branch
  ) -> (detached: [ForestNode], trees: (removed: [ForestTree], moved: [(tree: ForestTree, position: Int)])) {
    let tree = state.value.tree.index
    let held = positionsOfHeldChildren(in: delta.removals, of: branch)
    var leaving: [(range: Range<Int>, destination: Int?)] = delta.removals.map { ($0, nil) }
    leaving += delta.moves.map { ($0.source, $0.destination.lowerBound) }
    leaving.sort(byNumber: { -$0.range.lowerBound })
    var detached: [ForestNode] = []
    var removed: [ForestTree] = []
    var moved: [(tree: ForestTree, position: Int)] = []
    for (range, destination) in leaving {
      if let destination {
        moved.append((state.value.storage.value.cut(range, of: branch, in: tree), destination))
        continue
      }
      var end = range.upperBound
      let first = held.partitioningIndex { $0 >= range.lowerBound }
      for position in held[first...].prefix(while: { $0 < range.upperBound }).reversed() {
        if position + 1 < end {
          removed.append(state.value.storage.value.cut(position + 1..<end, of: branch, in: tree))
        }
        let node = node(of: shape.branch(at: position, of: branch)!)
        noteDetaching(node)
        node.becomeRoot(of: state.value.storage.value.cut(position..<position + 1, of: branch, in: tree))
        detached.append(node)
        end = position
      }
      if range.lowerBound < end {
        removed.append(state.value.storage.value.cut(range.lowerBound..<end, of: branch, in: tree))
      }
    }
    moved.sort(byNumber: \.position)
    return (detached, (removed, moved))
  }

  /// Returns the positions, in some ranges, of children whose node, or a node below them, is held; ascending.
  private func positionsOfHeldChildren(in ranges: Delta.Ranges, of branch: TreeIndex.Branch) -> [Int] {
    guard !ranges.isEmpty, arena.memberCount > 0 else { return [] }
    let numbers = arena.members(below: branch).map { shape.number(of: $0.branch) }.sorted()
    guard !numbers.isEmpty else { return [] }
    var positions: [Int] = []
    for range in ranges {
      for (position, child) in shape.branches(in: range, of: branch) {
        let first = shape.number(of: child)
        let place = numbers.partitioningIndex { $0 >= first }
        let last = first + shape.descendants(of: child).count
        if place < numbers.count, numbers[place] <= last { positions.append(position) }
      }
    }
    return positions
  }
}
