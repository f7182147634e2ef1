import OffsetIndexing

// The most frequent edits: of children of one node that have no records and get none. They take one search in the outline's
// shape, and none of the lists that the other changes are worked off in.
extension OutlineNode {
  /// Whether nothing of an earlier change, or for a rollback, has to be seen to with the next change.
  var hasNoHistory: Bool {
    guard state.value.departed.isEmpty, !hub.isRecording else { return false }
    state.value.hiding.begin(hub.listenedTransaction)
    return state.value.hiding.children.isEmpty
  }

  /// Translates a change of children of one node that are leaves.
  ///
  /// - Returns: what happened to the rows; nil where there is more to be done, and nothing has been changed.
  func translateLeaves(_ change: ChangeSet) -> Delta? {
    guard change.crossings.isEmpty, !change.updatesValue, hasNoHistory else { return nil }
    var record = TreeIndex.root
    var delta = change.level
    // One node below the other, the deepest first.
    var index = change.nodes.count
    while index > 0 {
      index -= 1
      guard delta.isEmpty, change.nodes[index].size == index + 1 else { return nil }
      guard let child = state.value.translation.shape.branch(at: change.nodes[index].position, of: record) else {
        // Nothing of what happened is, or has been, visible.
        return Delta()
      }
      record = child
      delta = change.nodes[index].delta
    }
    switch delta.storage {
    case .insertion(let range):
      return hasNoNodes(range, of: record) ? rearrangeLeaves(.inserted(range), of: record) : nil
    case .removal(let range): return rearrangeLeaves(.removed(range), of: record)
    case .update(let range):
      return hasNoNodes(range, of: record) ? rearrangeLeaves(.updated(range), of: record) : nil
    case .identity, .several: return nil
    }
  }

  /// Whether none of a record's children in a range is a node that might be expanded; false where that is not known soon.
  private func hasNoNodes(_ range: Range<Int>, of record: Record) -> Bool {
    if state.value.expansion.policy == .collapsed, !state.value.expansion.hasChoices { return true }
    let node = state.value.node(record)
    return range.count == 1 && state.value.sources.child(at: range.lowerBound, of: node) == nil
  }

  /// Takes out children that have no records, or makes room for such.
  func rearrangeLeaves(_ kind: ShapeEdit.Kind, of record: Record) -> Delta? {
    guard let rows = state.value.translation.rearrangeLeaves(kind, of: record) else { return nil }
    // A tree that is followed says of itself what was done.
    if state.value.sources.holdsObjects { checkCount(of: record) }
    if case .removed = kind { return rows }
    if !state.value.expansion.isAll { state.value.translation.noLongerFull(record) }
    return rows
  }

  /// Traps where a node has other children than what it told leads to.
  func checkCount(of record: Record) {
    let count = state.value.translation.shape.childCount(of: record)
    let present = state.value.sources.childCount(of: record)
    require(
      count == present,
      """
      OutlineNode: a \(type(of: state.value.object(record))) has \(present) children, but according to what it told it has \
      \(count).
      """)
  }
}
