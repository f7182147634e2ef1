import OffsetIndexing

// MARK: - As a tree of handles

extension TreeSortNode: BranchTree {
  var topBranch: Branch? {
    state.value.root == nil && Self.lendsHandles(above: family.sources.value.handleDepth) ? TreeIndex.root : nil
  }

  var rootBranch: Branch { TreeIndex.root }

  var handleDepth: Int { family.sources.value.handleDepth + 1 }

  func contains(_ record: Branch) -> Bool { family.translation.value.contains(record) }

  func childCount(of record: Branch) -> Int {
    load(record)
    return family.translation.value.count(of: record)
  }

  func hasChildren(_ record: Branch) -> Bool {
    let family = family
    return family.sources.value.hasChildren(family.node(record))
  }

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
    let family = family
    family.sources.value.reading(family.node(record)) { family.functions.lend(family.translation, record, $0, body) }
  }

  func place(of record: Branch) -> (parent: Branch, position: Int)? {
    let shape = family.translation.value.shape
    return shape.parent(of: record).map { ($0, shape.position(of: record)) }
  }

  func add(_ follower: any ShapeFollower) { family.followers.value.add(follower) }

  func removeFollower(_ identity: ObjectIdentifier) { storedFamily.followers.value.remove(identity) }

  private func load(_ record: Branch) {
    if family.translation.value.isLoaded(record) { return }
    hub.refusingChanges { family.load(record) }
  }
}

// MARK: - As a follower of a tree

extension TreeSortNode: ShapeFollower {
  var followingHub: NodeHub { hub }

  func follow(_ edit: ShapeEdit) { storedFamily.progress.value.pending = edit }

  func renewHandles() { if storedFamily.sources.value.isKept { storedFamily.progress.value.hasOtherHandles = true } }

  func stopFollowing() { storedFamily.sources.value.leaveTree() }

  /// Translates an edit of one branch, where no part has to receive it.
  ///
  /// - Parameters:
  ///   - edit: the edit, by a handle of the tree.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: the change by path, for nodes that do not follow this one; nil where there is more to be done, and nothing has
  ///   been changed.
  func translate(_ edit: ShapeEdit, _ released: inout [any TreeNode]) -> ChangeSet? {
    let family = storedFamily
    guard !family.progress.value.hasMembers, !family.progress.value.hasOtherHandles,
      let record = family.sources.value.record(of: edit.branch), family.translation.value.isLoaded(record)
    else { return nil }
    var work = TreeSortEdit()
    work.isHeard = hub.hasOtherListeners
    let touch = family.apply(ChangeSet(edit.delta), to: record, arriving: 0..<0, depth: 0, &work)
    if !work.renewed.isEmpty { family.renewChildren(&work) }
    if !work.removed.isEmpty { family.finish(&work, in: hub, &released) }
    if work.touches.count > 1 { return wrapped(work.change(touch), of: record) }
    let told = ShapeEdit(record, work.touches[touch].delta, ofLeaves: edit.isOfLeaves)
    return told.map { family.tell($0, of: self) } ?? ChangeSet()
  }
}
