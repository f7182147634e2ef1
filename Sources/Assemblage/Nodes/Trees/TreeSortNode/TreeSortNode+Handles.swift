import OffsetIndexing

// Children by handles.
extension TreeSortNode {
  func hasChildren(_ record: Branch) -> Bool {
    let family = family
    return family.sources.value.hasChildren(family.node(record))
  }

  func branch(at position: Int, of record: Branch) -> Branch? {
    position >= 0 && position < childCount(of: record) ? family.record(at: position, of: record) : nil
  }

  func branches(in range: Range<Int>, of record: Branch) -> [(position: Int, branch: Branch)] {
    family(loading: record).records(in: range, of: record)
  }
}

extension TreeSortFamily {
  // Where a part has to receive the edit, more is done.
  func translate(_ edit: ShapeEdit, of root: TreeSortNode<Element>, _ released: inout [any TreeNode]) -> ChangeSet? {
    guard !progress.value.hasMembers, let record = sources.value.record(of: edit.branch),
      translation.value.isLoaded(record)
    else { return nil }
    var work = TreeSortEdit()
    work.isHeard = root.hub.hasOtherListeners
    let touch = apply(ChangeSet(edit.delta), to: record, arriving: 0..<0, depth: 0, &work)
    if !work.renewed.isEmpty { renewChildren(&work) }
    if !work.removed.isEmpty { finish(&work, in: root.hub, &released) }
    if work.touches.count > 1 { return root.wrapped(work.change(touch), of: record) }
    let told = ShapeEdit(record, work.touches[touch].delta, ofLeaves: edit.isOfLeaves)
    return told.map { tell($0, of: root) } ?? ChangeSet()
  }
}
