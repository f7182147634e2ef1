import OffsetIndexing

// Children by handles.
extension TreeFilterNode {
  func hasChildren(_ record: Branch) -> Bool {
    let family = family
    return family.translation.value.isLoaded(record)
      ? family.translation.value.count(of: record) > 0 : family.sources.value.hasChildren(family.node(record))
  }

  func branch(at position: Int, of record: Branch) -> Branch? {
    let family = family(loading: record)
    let place = family.translation.value.sourcePosition(of: position, in: record)
    return place < 0 ? nil : family.record(ofChild: place, of: record)
  }

  func branches(in range: Range<Int>, of record: Branch) -> [(position: Int, branch: Branch)] {
    let family = family(loading: record)
    guard family.translation.value.isEager else {
      return range.compactMap { position in branch(at: position, of: record).map { (position, $0) } }
    }
    return family.translation.value.children(of: record).compactMap { place, _ in
      guard let position = family.translation.value.shownPosition(of: place, in: record), range.contains(position),
        let child = family.record(ofChild: place, of: record)
      else { return nil }
      return (position, child)
    }
  }
}

// MARK: - Edits of leaves

// The most frequent edits concern leaves of one branch, in a tree that is known by handles. Such an edit takes one
// search in the filter's shape and a step for each level. The lists for other changes are not needed.
extension TreeFilterFamily {
  func translate(_ edit: ShapeEdit, of root: TreeFilterNode<Element>, _ released: inout [any TreeNode]) -> ChangeSet? {
    guard let reported = translateLeaves(edit) else { return nil }
    return reported.map { notify($0, of: root) } ?? ChangeSet()
  }

  /// Brings everything up to date with an edit of leaves of one branch.
  ///
  /// - Parameter edit: the edit, by a handle of the tree.
  /// - Returns: the edit of the children that are shown, which may show or hide a branch above; the inner nil if no
  ///   shown child is concerned. The outer nil means that the edit needs other work, and that nothing has been changed.
  /// - Complexity: O(log n + d) at depth d, and a call of the predicate for each new or updated leaf.
  private func translateLeaves(_ edit: ShapeEdit) -> ShapeEdit?? {
    guard edit.isOfLeaves, policy == .keepingAncestors, !progress.value.hasMembers,
      let record = record(of: edit.branch), translation.value.isLoaded(record)
    else { return nil }
    func ask(_ range: Range<Int>) -> BitRun { self.ask(.branch(edit.branch), range) }
    var (delta, inserted) = (edit.delta, [BitRun]())
    var decisions: [TreeFilterTranslation.Decision] = []
    var growth = 0
    switch edit.kind {
    case .inserted(let range):
      inserted = [ask(range)]
      growth = inserted[0].setCount
    case .removed(let range):
      growth = -translation.value[record].shown.rank(range).count
    case .updated(let range) where range.count == 1:
      let isMatch = ask(range)[0]
      growth = (isMatch ? 1 : 0) - (translation.value[record].shown[range.lowerBound] ? 1 : 0)
      delta = Delta()
      decisions = [
        TreeFilterTranslation.Decision(
          position: range.lowerBound, record: nil, touch: -1, isUpdated: true, verdict: isMatch, isShown: isMatch)
      ]
    default: return nil
    }
    translation.value.rearrangeLeaves(delta, in: record)
    let shown = translation.value.show(delta, inserted: inserted, &decisions, in: record)
    if let branch = translation.value.growShowing(record, by: growth) { return branch }
    return .some(ShapeEdit(record, shown, ofLeaves: true))
  }

  /// The record of a branch, before an edit among its children is translated; nil if the branch has none.
  ///
  /// Up to this branch, the shapes of the forest and of the filter are the same, so that a number leads to the record.
  private func record(of branch: TreeIndex.Branch) -> Record? {
    guard let forest else { return sources.value.record(of: branch) }
    if branch == forest.branch { return TreeIndex.root }
    let isWhole = forest.branch == forest.state.value.tree.top
    let start = isWhole ? 0 : forest.shape.descendants(of: forest.branch).lowerBound
    let number = forest.shape.number(of: branch) - start
    guard let record = translation.value.shape.depth(ofNumber: number).branch else {
      trap("TreeFilterNode: a ForestNode has a branch where according to its changes it has a leaf.")
    }
    return record
  }
}

extension TreeFilterTranslation {
  /// Removes leaves among a record's children, and inserts new leaves.
  fileprivate mutating func rearrangeLeaves(_ delta: Delta, in record: Record) {
    for range in delta.removals { shape.removeChildren(range, of: record) }
    for range in delta.insertions { shape.insertLeaves(range.count, into: record, at: range.lowerBound) }
  }

  /// Adds a number of matches to the counts of a record's node and its ancestors, and shows or hides these nodes.
  ///
  /// - Returns: the edit of the highest branch that was shown or hidden; nil if there is none.
  /// - Complexity: O(d) at depth d, and O(log n) for each branch that is shown or hidden.
  fileprivate mutating func growShowing(_ record: Record, by growth: Int) -> ShapeEdit? {
    guard growth != 0 else { return nil }
    var result: ShapeEdit?
    var record = record
    while true {
      let former = self[record].matchCount
      self[record].matchCount = former + growth
      guard let parent = shape.parent(of: record) else { return result }
      if !self[record].isMatch, (former > 0) != (former + growth > 0) {
        let position = position(of: record)
        self[parent].shown[position] = former == 0
        let rank = self[parent].shown.rank(position)
        result = ShapeEdit(parent, former == 0 ? .inserted(rank..<rank + 1) : .removed(rank..<rank + 1))
      }
      record = parent
    }
  }
}
