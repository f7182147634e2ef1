public import OffsetIndexing

extension ForestNode {
  /// Replaces everything below this node, keeping the elements whose identity is in both trees.
  ///
  /// An element whose identity is in both trees survives at any position, together with the node of its branch.
  /// Observers are notified that the element was moved, or transferred to another parent. They are notified of an
  /// update if the elements differ, or if a leaf became a branch or a branch became a leaf. All other elements are
  /// reported as removed or inserted. All this is one change, with the fewest moves where identities are unique.
  ///
  /// ```swift
  /// let tree = try ForestNode(rows: [(0, "a"), (1, "x"), (0, "b")])
  /// try tree.replaceAll(with: TreeSnapshot(children: [TreeSnapshot(leaf: "a"), TreeSnapshot(value: "b", leaves: ["x"])]))
  /// // a and b are updated, x is transferred from [0, 0] to [1, 0]
  /// ```
  ///
  /// - Parameters:
  ///   - snapshot: the new contents of this node; the snapshot's own value is not adopted.
  ///   - identity: returns the identity by which an element is the same in both trees; it must not change any node.
  ///     Equal identities are matched in order; elements below the same parent are matched first.
  ///   - areEqual: whether an element that keeps its identity is unchanged.
  /// - Throws: `ForestError.missingValue` if a place other than the root has no value; the tree is unchanged then.
  /// - Complexity: expected O(s · log n) for the s elements of both trees, O(c) for each child that moves or arrives,
  ///   with c siblings before and after; and the propagation.
  @inlinable
  public func replaceAll<Identity: Hashable>(
    with snapshot: TreeSnapshot<Element>, id identity: (Element) -> Identity, areEqual: (Element, Element) -> Bool
  ) throws(ForestError) {
    if let place = snapshot.firstWithoutValue { throw .missingValue(place: place) }
    let (former, branches) = levels
    let new = snapshot.levels
    var matcher = hub.refusingChanges { SnapshotMatcher(former, new, by: identity) }
    hub.refusingChanges {
      for (place, origin) in matcher.origins.enumerated().dropFirst() where origin >= 0 {
        guard let before = former.values[origin], let after = new.values[place] else { continue }
        if !areEqual(before, after) { matcher.isUpdated[place] = true }
      }
    }
    take(ForestReplacement(matcher, from: former, branches, to: new))
  }

  /// Replaces everything below this node, keeping the elements whose identity is in both trees; unequal ones are
  /// updated.
  ///
  /// - Parameters:
  ///   - snapshot: the new contents of this node; the snapshot's own value is not adopted.
  ///   - identity: returns the identity by which an element is the same in both trees; it must not change any node.
  /// - Throws: `ForestError.missingValue` if a place other than the root has no value; the tree is unchanged then.
  /// - Complexity: that of `replaceAll(with:id:areEqual:)`.
  @inlinable @inline(__always)
  public func replaceAll<Identity: Hashable>(
    with snapshot: TreeSnapshot<Element>, id identity: (Element) -> Identity
  ) throws(ForestError) where Element: Equatable {
    try replaceAll(with: snapshot, id: identity, areEqual: ==)
  }

  /// Replaces everything below this node, keeping the elements that are in both trees.
  ///
  /// Elements that are `Identifiable` are recognized by `id` instead.
  ///
  /// - Parameter snapshot: the new contents of this node; the snapshot's own value is not adopted.
  /// - Throws: `ForestError.missingValue` if a place other than the root has no value; the tree is unchanged then.
  /// - Complexity: that of `replaceAll(with:id:areEqual:)`.
  @_disfavoredOverload @inlinable
  public func replaceAll(with snapshot: TreeSnapshot<Element>) throws(ForestError) where Element: Hashable {
    try replaceAll(with: snapshot, id: { $0 }, areEqual: { _, _ in true })
  }

  /// The present tree, level by level, and the branch of each place.
  @usableFromInline
  var levels: (levels: SnapshotLevels<Element>, branches: [TreeIndex.Branch?]) { snapshot().levelsAndBranches }

  @usableFromInline
  func take(_ replacement: consuming ForestReplacement<Element>) {
    hub.prepareForChange()
    performUpdates { replacement.run(on: self) }
  }
}

extension TreeSnapshot {
  /// The position in document order of the first place below the root that has no value.
  @usableFromInline
  var firstWithoutValue: Int? {
    if case .elements = contents { return nil }
    return numbers.first { contents.element(at: $0) == nil }.map { $0 - numbers.lowerBound + 1 }
  }
}

/// Turns one tree into another by edits, if the places are known that are the same in both trees.
///
/// The places of the new tree are visited level by level. Each visit gives one branch its children: surviving children
/// move there from their present parents, and new children are inserted. A child that leaves stays until the end,
/// because an element below it may survive. When a branch is visited, all branches above it have their final positions
/// already. So no child ever moves below itself. In the end the leaving children are removed, and values are replaced.
@usableFromInline
struct ForestReplacement<Element> {
  private let new: SnapshotLevels<Element>
  private let origins: [Int]
  private let isUpdated: [Bool]
  private let old: SnapshotLevels<Element>
  /// For each old place, the new place; -1: the old place leaves.
  private var destinations: [Int]
  /// The parents of the places of the new tree.
  private var parents: [Int]
  /// For each old place, the branch that is its parent now.
  private var homes: [TreeIndex.Branch]
  /// The branches of the new places, as far as they have been visited.
  private var branches: [TreeIndex.Branch?]
  /// The present children of changed branches: an old place, or a new place as -1 - place.
  private var children: [TreeIndex.Branch: [Int]] = [:]
  /// The children of unchanged branches, as a range of old places.
  private var former: [TreeIndex.Branch: Range<Int>] = [:]

  @usableFromInline
  init(
    _ matcher: consuming SnapshotMatcher, from old: SnapshotLevels<Element>, _ branches: [TreeIndex.Branch?],
    to new: SnapshotLevels<Element>
  ) {
    self.old = old
    self.new = new
    origins = matcher.origins
    isUpdated = matcher.isUpdated
    destinations = [Int](repeating: -1, count: branches.count)
    for (place, origin) in origins.enumerated() where origin >= 0 { destinations[origin] = place }
    homes = [TreeIndex.Branch](repeating: TreeIndex.root, count: branches.count)
    for (place, branch) in branches.enumerated() {
      guard let branch else { continue }
      let range = old.children(of: place)
      former[branch] = range
      for child in range { homes[child] = branch }
    }
    self.branches = origins.map { $0 < 0 ? nil : branches[$0] }
    parents = [Int](repeating: 0, count: origins.count)
    for place in origins.indices {
      for child in new.children(of: place) { parents[child] = place }
    }
  }

  mutating func run(on node: ForestNode<Element>) {
    for place in origins.indices { visit(place, node) }
    // A branch that leaves is removed together with its remaining children, so only the new tree's branches are
    // visited.
    for case .some(let branch) in branches {
      if let list = children[branch] { removeRest(list, of: branch, node) }
    }
    for place in origins.indices.dropFirst() where origins[place] >= 0 {
      let (parent, position) = (branches[parents[place]]!, place - new.starts[parents[place]])
      if !new.isNode[place], branches[place] != nil { node.node(of: parent).turnIntoLeaf(at: position) }
      if isUpdated[place] { node.replaceElement(at: position, of: parent, with: new.values[place]!) }
    }
  }

  private func list(of branch: TreeIndex.Branch) -> [Int] {
    children[branch] ?? former[branch].map { Array($0) } ?? []
  }

  /// Gives the branch of a place its children, but does not yet remove the children that leave.
  private mutating func visit(_ place: Int, _ node: ForestNode<Element>) {
    let goal = new.children(of: place)
    if branches[place] == nil, new.isNode[place] {
      let parent = branches[parents[place]]!
      let position = list(of: parent).firstIndex(of: origins[place] < 0 ? -1 - place : origins[place])!
      branches[place] = node.makeBranch(at: position, of: parent)
    }
    guard let branch = branches[place] else { return }
    if let range = former[branch], children[branch] == nil, range.count == goal.count,
      zip(range, goal).allSatisfy({ origins[$1] == $0 })
    {
      return
    }
    var list = list(of: branch)
    let fixed = fixedChildren(of: branch, goal, list)
    // The position behind the last child that is in place.
    var next = 0
    var child = goal.lowerBound
    while child < goal.upperBound {
      let origin = origins[child]
      if origin < 0 {
        let end = goal[child...].firstIndex { origins[$0] >= 0 } ?? goal.upperBound
        let elements = (child..<end).map { new.values[$0]! }
        node.insertLeaves(elements, at: next, of: branch)
        list.insert(contentsOf: (child..<end).map { -1 - $0 }, at: next)
        next += end - child
        child = end
        continue
      }
      let home = homes[origin]
      if home == branch {
        let position = fixed.contains(origin) && list[next] == origin ? next : list.firstIndex(of: origin)!
        if fixed.contains(origin) {
          next = position + 1
        } else {
          let destination = position < next ? next - 1 : next
          node.move(from: position, to: destination, of: branch)
          list.remove(at: position)
          list.insert(origin, at: destination)
          next = destination + 1
        }
      } else {
        var others = self.list(of: home)
        let position = others.firstIndex(of: origin)!
        node.relocate(position, of: home, to: next, of: branch)
        others.remove(at: position)
        children[home] = others
        list.insert(origin, at: next)
        homes[origin] = branch
        next += 1
      }
      child += 1
    }
    children[branch] = list
  }

  /// Returns the children that need not move: a longest run of staying children whose order is right.
  private func fixedChildren(of branch: TreeIndex.Branch, _ goal: Range<Int>, _ list: [Int]) -> Set<Int> {
    var positions: [Int: Int] = [:]
    for (position, child) in list.enumerated() { positions[child] = position }
    let staying = goal.compactMap { child in
      origins[child] >= 0 && homes[origins[child]] == branch ? origins[child] : nil
    }
    var ranks = [Int](repeating: 0, count: staying.count)
    let order = staying.indices.sorted { positions[staying[$0]]! < positions[staying[$1]]! }
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    let stays = Delta.heaviestIncreasing(weights: ranks.map { _ in 1 }, ranks: ranks)
    return Set(zip(staying, stays).lazy.filter(\.1).map(\.0))
  }

  /// Removes the children that do not stay.
  private func removeRest(_ list: [Int], of branch: TreeIndex.Branch, _ node: ForestNode<Element>) {
    var end = list.count
    while end > 0 {
      guard goes(list[end - 1]) else {
        end -= 1
        continue
      }
      var start = end - 1
      while start > 0, goes(list[start - 1]) { start -= 1 }
      node.node(of: branch).removeSubrange(start..<end)
      end = start
    }
  }

  private func goes(_ child: Int) -> Bool { child >= 0 && destinations[child] < 0 }
}
