// Children that are shown because of a match above them.
extension TreeFilterFamily {
  /// Finds records that will show all children when those above have turned, so that no child vanishes and then appears
  /// again.
  func foresee(_ work: inout TreeFilterWork) {
    var isBelowMatch: [Int: Bool] = [:]
    for touch in work.edit.touches where touch.record >= 0 {
      var open: [Int] = []
      var record = touch.record
      while record >= 0, isBelowMatch[record] == nil {
        open.append(record)
        record = translation.value.parent(of: record)
      }
      var result = record >= 0 && isBelowMatch[record]!
      for record in open.reversed() {
        result = result || translation.value.records[record].isMatch
        isBelowMatch[record] = result
      }
      if result { work.turning.insert(touch.record) }
    }
  }

  /// Shows all below a node, or only what is to be found, because it, or one above it, begins or ceases to match.
  ///
  /// - Parameter first: the record of the node.
  /// - Returns: what happened in the whole tree; nil where nothing that is shown did.
  func turnInTree(_ first: Int) -> ChangeSet? {
    var change = turn(first)
    if change.isEmpty { return nil }
    var record = first
    while record != 0 {
      let parent = translation.value.parent(of: record)
      guard parent >= 0 else { return nil }
      let position = translation.value.position(ofRecord: record)
      guard translation.value.records[parent].shown[position] else { return nil }
      change.wrap(at: translation.value.records[parent].shown.rank(position))
      if let member = state.value.members[parent] { tell(member, copy change) }
      record = parent
    }
    return change
  }

  /// Adds the leaves among a record's children that fail: all come, or go.
  private func addLeaves(to children: inout [TreeFilterTranslation.Decision], of record: Int) {
    let passes = translation.value.passes(in: record)
    let nodes = children
    children = []
    var next = 0
    for position in 0..<passes.count {
      if next < nodes.count, nodes[next].position == position {
        children.append(nodes[next])
        next += 1
      } else if !passes[position], translation.value.record(ofChild: position, of: record) < 0 {
        children.append(
          TreeFilterTranslation.Decision(position: position, record: -1, touch: -1, isUpdated: false, verdict: false))
      }
    }
  }

  /// Shows all below a node, or only what is to be found.
  ///
  /// - Parameter first: the record of the node.
  /// - Returns: what happened below the node.
  /// - Complexity: O(s) for the s nodes below that are concerned.
  private func turn(_ first: Int) -> ChangeSet {
    let parent = translation.value.parent(of: first)
    let showsAll = parent >= 0 && showsAll(below: parent, isMatch: translation.value.records[first].isMatch)
    guard translation.value.records[first].showsAll != showsAll else { return ChangeSet() }
    translation.value.records[first].showsAll = showsAll
    var work = TreeFilterWork()
    work.isFollowing = state.value.hiding != nil
    work.edit.touches.append(TreeFilterEdit.Touch(record: first))
    var next = 0
    while next < work.edit.touches.count {
      let record = work.edit.touches[next].record
      work.edit.touches[next].verdicts = translation.value.passes(in: record)
      var children: [TreeFilterTranslation.Decision] = []
      for (position, child) in translation.value.children(of: record) {
        let wanted = self.showsAll(below: record, isMatch: translation.value.records[child].isMatch)
        guard translation.value.records[child].showsAll != wanted else { continue }
        children.append(
          TreeFilterTranslation.Decision(position: position, record: child, touch: -1, isUpdated: false))
      }
      for index in children.indices {
        translation.value.records[children[index].record].showsAll = showsAll
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
