// Changes of the tree. Most change rows, and the sections stay in their places. For any other change, the sections are
// found again, and each of them is looked up in the tree before the change.
extension SectionsNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    var change = changes.takeOnlyChange(of: self)
    // A child that arrives from outside the tree is new here.
    change.dropOpenCrossings()
    return translateRows(change) ?? translateSections(change)
  }

  // MARK: Rows

  /// Translates a change that leaves all sections in their places.
  ///
  /// - Returns: the change; nil if sections may have arrived, left or moved.
  /// - Complexity: O(c · d) for c changed nodes at depth d.
  private func translateRows(_ change: ChangeSet) -> ChangeSet? {
    let places = state.value.places
    var updates: [Range<Int>] = []
    var nested: [(position: Int, change: ChangeSet)] = []
    /// Whether the children of a node stay what they are.
    func keepsChildren(_ delta: Delta, of number: Int) -> Bool {
      if delta.movesPositions { return false }
      let node = state.value.parents[number].node
      return delta.updates.joined().allSatisfy { position in
        let child = node.child(at: position)
        switch places.child(at: position, of: number) {
        case .item(let item):
          updates.append(item..<item + 1)
          return places.items[item].isLeaf ? child == nil : child.map { Self.isSection($0) } ?? false
        case .node(let number):
          guard let child, child === state.value.parents[number].node else { return false }
          // An empty branch with another rule may be a section now.
          return !child.isEmpty || !Self.isSection(child)
        case nil: return false
        }
      }
    }
    guard keepsChildren(change.delta, of: 0) else { return nil }
    var open = [(number: 0, children: change.children)]
    while let (number, children) = open.popLast() {
      for child in children {
        switch places.child(at: child.position, of: number) {
        case .item(let item):
          let node = state.value.parents[number].node.child(at: child.position)
          guard let node, Self.staysSection(node, after: child.delta) else { return nil }
          nested.append((item, child.change))
        case .node(let number):
          guard keepsChildren(child.delta, of: number) else { return nil }
          open.append((number, child.children))
        case nil: return nil
        }
      }
    }
    var result = ChangeSet(delta: Delta(updates: updates), updatesValue: change.updatesValue, children: nested)
    result.crossings = change.crossings.compactMap { crossing in
      guard let (source, destination) = crossing.places, let from = places.place(source.components),
        let to = places.place(destination.components)
      else { return nil }
      return Crossing(crossing.name, from: from, to: to, change: crossing.change)
    }
    result.foldCrossings()
    return result
  }

  /// Whether a section is still a section after a change of its children.
  private static func staysSection(_ node: any TreeNode<Element>, after delta: Delta) -> Bool {
    // An empty branch may have a rule.
    node.count == 0 ? isSection(node) : hasOnlyLeaves(node, Array(delta.insertions) + Array(delta.updates))
  }

  // MARK: Sections

  /// Translates any change.
  ///
  /// - Complexity: O(s · d) for s sections at depth d, and that of finding the sections.
  private func translateSections(_ change: ChangeSet) -> ChangeSet {
    let former = state.value.places
    let map = ChangeSetMap(change)
    let found = Self.sections(of: root) { node, path in
      guard let before = map.find(before: path()), !before.updatesValue, let known = former.item(at: before.path),
        known.depth == before.path.count, !former.items[known.item].isLeaf
      else { return Self.isSection(node) }
      return before.node == nil || Self.staysSection(node, after: map.change(of: before).level)
    }
    let places = found.places
    let released = state.value.parents
    (state.value.places, state.value.parents) = found
    defer { withExtendedLifetime(released) {} }

    var insertions: [Range<Int>] = []
    var moves: [Delta.Move] = []
    var hasSurvived = [Bool](repeating: false, count: former.items.count)
    var nested: [(position: Int, change: ChangeSet)] = []
    var crossings: [Crossing] = []
    for (position, item) in places.items.enumerated() {
      let path = places.path(of: position)
      let before = map.find(before: path)
      let known = before.flatMap { former.item(at: $0.path) }
      guard let before, let known, known.depth == before.path.count else {
        insertions.append(position..<position + 1)
        if let before, known != nil {
          // A row became a leaf beside sections.
          let from = former.place(before.path)
          crossings.append(Crossing(from: from, to: Crossing.Place(position), change: map.change(of: before)))
        } else if before != nil, !item.isLeaf {
          // The leaves beside the last sections of this node are its rows now.
          for row in 0..<state.value.parents[item.parent].node.count(at: [item.position])! {
            guard let before = map.find(before: path + [row]), let from = former.place(before.path) else { continue }
            let to = Crossing.Place([position, row])
            crossings.append(Crossing(from: from, to: to, change: map.change(of: before)))
          }
        }
        continue
      }
      hasSurvived[known.item] = true
      moves.append(Delta.Move(from: known.item..<known.item + 1, to: position..<position + 1))
      nested.append((position, map.change(of: before)))
    }
    let removals = hasSurvived.indices.filter { !hasSurvived[$0] }.map { $0..<$0 + 1 }
    var result = ChangeSet(
      delta: Delta(removals: removals, insertions: insertions, moves: moves), updatesValue: change.updatesValue,
      children: nested.filter { !$0.change.isEmpty })
    let arrived = Set(crossings.lazy.compactMap(\.to))
    for crossing in change.crossings {
      guard let (source, destination) = crossing.places, let from = former.place(source.components),
        let to = places.place(destination.components), to.depth > 1, !arrived.contains(to)
      else { continue }
      crossings.append(Crossing(crossing.name, from: from, to: to, change: crossing.change))
    }
    result.crossings = crossings
    result.foldCrossings()
    return result
  }
}
