public import OffsetIndexing

extension ForestNode {
  /// Replaces everything below this node, keeping the elements whose identity both have.
  ///
  /// An element survives where its identity is in both trees, wherever it went, with the node of its branch: observers hear
  /// of it as moved, to another parent as transferred, and as updated where the elements differ, or where a leaf became a
  /// branch or the other way round. The rest is told as removed and inserted. It is one change, with the fewest moves.
  ///
  /// ```swift
  /// let tree = try ForestNode(rows: [(0, "a"), (1, "x"), (0, "b")])
  /// try tree.replaceAll(with: TreeSnapshot(children: [TreeSnapshot(leaf: "a"), TreeSnapshot(value: "b", leaves: ["x"])]))
  /// // a and b are updated, x is transferred from [0, 0] to [1, 0]
  /// ```
  ///
  /// - Parameters:
  ///   - snapshot: what this node is to hold; its own value is not taken over.
  ///   - identity: what makes an element the same in both; it must not change any node. Equal identities are matched in
  ///     order, with those below the same parent first.
  ///   - areEqual: whether an element whose identity is kept is unchanged.
  /// - Throws: `ForestError.missingValue` where a place other than the root has no value; the tree is as it was then.
  /// - Complexity: expected O(s · log n) for the s elements of both trees, O(c) for each child that moves or comes, c its
  ///   siblings before and after, and the propagation.
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

  /// Replaces everything below this node, keeping the elements whose identity both have; those that are not equal are
  /// updated.
  ///
  /// - Parameters:
  ///   - snapshot: what this node is to hold; its own value is not taken over.
  ///   - identity: what makes an element the same in both; it must not change any node.
  /// - Throws: `ForestError.missingValue` where a place other than the root has no value; the tree is as it was then.
  /// - Complexity: that of `replaceAll(with:id:areEqual:)`.
  @inlinable @inline(__always)
  public func replaceAll<Identity: Hashable>(
    with snapshot: TreeSnapshot<Element>, id identity: (Element) -> Identity
  ) throws(ForestError) where Element: Equatable {
    try replaceAll(with: snapshot, id: identity, areEqual: ==)
  }

  /// Replaces everything below this node, keeping the elements that both have.
  ///
  /// - Parameter snapshot: what this node is to hold; its own value is not taken over.
  /// - Throws: `ForestError.missingValue` where a place other than the root has no value; the tree is as it was then.
  /// - Complexity: that of `replaceAll(with:id:areEqual:)`.
  @inlinable
  public func replaceAll(with snapshot: TreeSnapshot<Element>) throws(ForestError) where Element: Hashable {
    try replaceAll(with: snapshot, id: { $0 }, areEqual: { _, _ in true })
  }

  /// What there is, level by level, and the branch of each place.
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

/// Turns one tree into another by edits, given which of their places are the same.
///
/// The places of the new tree are visited level by level. Each visit gives one branch its children: survivors come from where
/// they are, new ones are inserted, and what is not to stay waits, because something that is below it may survive. When a
/// branch is visited all that is above it is where it is to be; so nothing ever moves below itself. In the end what waited
/// is removed, and values are replaced.
@usableFromInline
struct ForestReplacement<Element> {
  private let new: SnapshotLevels<Element>
  private let origins: [Int]
  private let isUpdated: [Bool]
  private let old: SnapshotLevels<Element>
  /// For each old place, the new one; -1: it goes.
  private var destinations: [Int]
  /// The parents of the places of the new tree.
  private var parents: [Int]
  /// For each old place, the branch whose child it is now.
  private var homes: [TreeIndex.Branch]
  /// The branches of the new places, as far as they have been visited.
  private var branches: [TreeIndex.Branch?]
  /// The present children of branches that have changed: old places, and new ones as -1 - place.
  private var children: [TreeIndex.Branch: [Int]] = [:]
  /// The children of branches that have not, as a range of old places.
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
    // Branches that go themselves take along what is left in them.
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

  /// Gives the branch of a place its children, but for the removal of those that go.
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
    // Behind the last child that has found its place.
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

  /// The children that stay where they are: a longest run of those of which the order is right.
  private func fixedChildren(of branch: TreeIndex.Branch, _ goal: Range<Int>, _ list: [Int]) -> Set<Int> {
    var positions: [Int: Int] = [:]
    for (position, child) in list.enumerated() { positions[child] = position }
    let staying = goal.compactMap { child in
      origins[child] >= 0 && homes[origins[child]] == branch ? origins[child] : nil
    }
    var ranks = [Int](repeating: 0, count: staying.count)
    let order = staying.indices.sorted { positions[staying[$0]]! < positions[staying[$1]]! }
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    let stands = Delta.heaviestIncreasing(weights: ranks.map { _ in 1 }, ranks: ranks)
    return Set(zip(staying, stands).lazy.filter(\.1).map(\.0))
  }

  /// Removes the children that are not to stay.
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
