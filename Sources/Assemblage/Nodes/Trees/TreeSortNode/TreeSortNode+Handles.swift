import OffsetIndexing

// MARK: - As a tree of handles

extension TreeSortNode: BranchTree {
  var topBranch: Branch? {
    state.value.root == nil && Self.lendsHandles(above: family.sources.handleDepth) ? TreeIndex.root : nil
  }

  var handleDepth: Int { family.sources.handleDepth + 1 }

  func contains(_ record: Branch) -> Bool { family.translation.value.shape.contains(record) }

  func childCount(of record: Branch) -> Int {
    load(record)
    return family.translation.value.count(of: record)
  }

  func hasChildren(_ record: Branch) -> Bool { family.sources.hasChildren(record) }

  func branch(at position: Int, of record: Branch) -> Branch? {
    position >= 0 && position < childCount(of: record) ? family.record(at: position, of: record) : nil
  }

  func branches(in range: Range<Int>, of record: Branch) -> [(position: Int, branch: Branch)] {
    load(record)
    return family.records(in: range, of: record)
  }

  func object(of record: Branch) -> any TreeNode<Element> { family.node(record, root: self) }

  func livingNode(of record: Branch) -> (any TreeNode<Element>)? {
    record == TreeIndex.root ? self : family.part(record)
  }

  func lendReader(of record: Branch, to body: (NodeReader<Element>) -> Void) {
    load(record)
    family.sources.reading(record) { family.functions.lend(family.translation, record, $0, body) }
  }

  func place(of record: Branch) -> (parent: Branch, position: Int)? {
    let shape = family.translation.value.shape
    return shape.parent(of: record).map { ($0, shape.position(of: record)) }
  }

  func add(_ follower: any ShapeFollower) { family.followers.value.add(follower) }

  func removeFollower(_ identity: ObjectIdentifier) { family.followers.value.remove(identity) }

  private func load(_ record: Branch) {
    if family.translation.value.isLoaded(record) { return }
    hub.refusingChanges { family.load(record) }
  }
}

// MARK: - As one who follows a tree

extension TreeSortNode: ShapeFollower {
  var followingHub: NodeHub { hub }

  func follow(_ edit: ShapeEdit) { family.progress.value.pending = edit }

  func stopFollowing() { family.sources.leaveTree() }

  /// Translates an edit of one branch, where nothing of an earlier change, or for a rollback, has to be seen to with it.
  ///
  /// - Returns: what to tell by path; nil where there is more to be done, and nothing has been changed.
  func translate(_ edit: ShapeEdit, _ released: inout [any TreeNode]) -> ChangeSet? {
    let progress = family.progress
    guard !hub.isRecording, !progress.value.hasMembers, progress.value.departed.isEmpty,
      family.parts.value.lost.isEmpty, let record = family.sources.record(of: edit.branch),
      family.translation.value.isLoaded(record)
    else { return nil }
    var work = TreeSortEdit()
    work.isHeard = hub.hasOtherListeners
    let touch = family.apply(ChangeSet(edit.delta), to: record, arriving: [], depth: 0, &work)
    if !work.removed.isEmpty { family.discard(work.removed, to: &released) }
    if work.touches.count == 1 {
      let told = ShapeEdit(record, work.touches[touch].delta, ofLeaves: edit.isOfLeaves)
      return told.map { family.tell($0, of: self) } ?? ChangeSet()
    }
    return wrapped(work.change(touch), of: record)
  }
}
