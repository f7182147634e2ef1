import OffsetIndexing

// Children that are shown because of a match above them.
extension TreeFilterFamily {
  /// Finds records that will show all children when those above have turned, so that no child vanishes and then appears
  /// again.
  func foresee(_ work: inout TreeFilterWork) {
    var isBelowMatch: [Record: Bool] = [:]
    for case let first? in work.edit.touches.map(\.record) {
      var open: [Record] = []
      var record: Record? = first
      while let own = record, isBelowMatch[own] == nil {
        open.append(own)
        record = translation.value.parent(of: own)
      }
      var result = record.map { isBelowMatch[$0]! } ?? false
      for record in open.reversed() {
        result = result || translation.value[record].isMatch
        isBelowMatch[record] = result
      }
      if result { work.turning.insert(first) }
    }
  }

  /// Shows all below a node, or only what is to be found, because it, or one above it, begins or ceases to match.
  ///
  /// - Parameter first: the record of the node.
  /// - Returns: what happened in the whole tree; nil where nothing that is shown did.
  func turnInTree(_ first: Record) -> ChangeSet? {
    var change = turn(first)
    if change.isEmpty { return nil }
    var record = first
    while record != TreeIndex.root {
      guard let parent = translation.value.parent(of: record) else { return nil }
      let position = translation.value.position(of: record)
      guard translation.value[parent].shown[position] else { return nil }
      change.wrap(at: translation.value[parent].shown.rank(position))
      if let part = part(parent) { tell(part, copy change) }
      record = parent
    }
    return change
  }

  /// Adds the leaves among a record's children that fail: all come, or go.
  private func addLeaves(to children: inout [TreeFilterTranslation.Decision], of record: Record) {
    let passes = translation.value.passes(in: record)
    let nodes = children
    children = []
    var next = 0
    for position in 0..<passes.count {
      if next < nodes.count, nodes[next].position == position {
        children.append(nodes[next])
        next += 1
      } else if !passes[position], translation.value.record(ofChild: position, of: record) == nil {
        children.append(
          TreeFilterTranslation.Decision(position: position, record: nil, touch: -1, isUpdated: false, verdict: false))
      }
    }
  }

  /// Shows all below a node, or only what is to be found.
  ///
  /// - Parameter first: the record of the node.
  /// - Returns: what happened below the node.
  /// - Complexity: O(s) for the s nodes below that are concerned.
  private func turn(_ first: Record) -> ChangeSet {
    let parent = translation.value.parent(of: first)
    let showsAll = parent.map { self.showsAll(below: $0, isMatch: translation.value[first].isMatch) } ?? false
    guard translation.value[first].showsAll != showsAll else { return ChangeSet() }
    translation.value[first].showsAll = showsAll
    var work = TreeFilterWork()
    work.isFollowing = following.value.hiding != nil
    work.edit.touches.append(TreeFilterEdit.Touch(record: first))
    var next = 0
    while next < work.edit.touches.count {
      let record = work.edit.touches[next].record!
      work.edit.touches[next].verdicts = translation.value.passes(in: record)
      var children: [TreeFilterTranslation.Decision] = []
      for (position, child) in translation.value.children(of: record) {
        let wanted = self.showsAll(below: record, isMatch: translation.value[child].isMatch)
        guard translation.value[child].showsAll != wanted else { continue }
        children.append(
          TreeFilterTranslation.Decision(position: position, record: child, touch: -1, isUpdated: false))
      }
      for index in children.indices {
        translation.value[children[index].record!].showsAll = showsAll
        children[index].touch = work.edit.touches.count
        work.edit.touches.append(TreeFilterEdit.Touch(record: children[index].record))
      }
      if work.isFollowing { addLeaves(to: &children, of: record) }
      work.edit.touches[next].decisions = children
      next += 1
    }
    settle(&work)
    return work.edit.changeWithCrossings(0)
  }
}
