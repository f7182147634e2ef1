import OffsetIndexing

// MARK: - As a tree of handles

extension TreeFilterNode: BranchTree {
  var topBranch: Branch? {
    let depth = family.state.value.sources.handleDepth
    return state.value.root == nil && Self.lendsHandles(above: depth) ? TreeIndex.root : nil
  }

  var handleDepth: Int { family.state.value.sources.handleDepth + 1 }

  func contains(_ record: Branch) -> Bool { family.translation.value.shape.contains(record) }

  func childCount(of record: Branch) -> Int {
    load(record)
    return family.translation.value.count(of: record)
  }

  func hasChildren(_ record: Branch) -> Bool {
    family.translation.value.isLoaded(record)
      ? family.translation.value.count(of: record) > 0 : family.node(record).hasChildren
  }

  func branch(at position: Int, of record: Branch) -> Branch? {
    load(record)
    let place = family.translation.value.sourcePosition(of: position, in: record)
    return place < 0 ? nil : family.record(ofChild: place, of: record)
  }

  func branches(in range: Range<Int>, of record: Branch) -> [(position: Int, branch: Branch)] {
    load(record)
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

  func object(of record: Branch) -> any TreeNode<Element> { family.node(record, root: self) }

  func livingNode(of record: Branch) -> (any TreeNode<Element>)? {
    record == TreeIndex.root ? self : family.part(record)
  }

  func lendReader(of record: Branch, to body: (NodeReader<Element>) -> Void) {
    load(record)
    family.reading(record) { family.functions.lend(family.translation, record, $0, body) }
  }

  func place(of record: Branch) -> (parent: Branch, position: Int)? {
    let translation = family.translation
    guard let parent = translation.value.parent(of: record) else { return nil }
    return (parent, translation.value.shownPosition(of: translation.value.position(of: record), in: parent)!)
  }

  func add(_ follower: any ShapeFollower) { family.followers.value.add(follower) }

  func removeFollower(_ identity: ObjectIdentifier) { family.followers.value.remove(identity) }

  private func load(_ record: Branch) {
    if family.translation.value.isLoaded(record) { return }
    hub.refusingChanges { family.load(record, family.node(record)) }
  }
}

// MARK: - As one who follows a tree

extension TreeFilterNode: ShapeFollower {
  var followingHub: NodeHub { hub }

  func follow(_ edit: ShapeEdit) { family.progress.value.pending = edit }

  func stopFollowing() {
    // Of a forest of which all is known, no handles are kept.
    if family.state.value.sources.forest == nil { family.state.value.sources.nodes.leaveTree() }
  }

  /// Translates an edit of leaves of one branch.
  ///
  /// - Returns: what to tell by path; nil where something else has to be seen to, and nothing has been changed.
  func translate(_ edit: ShapeEdit) -> ChangeSet? {
    guard edit.isOfLeaves, hub.graph.transaction == nil, !hub.isRecording, let told = family.translateLeaves(edit)
    else { return nil }
    return told.map { family.tell($0, of: self) } ?? ChangeSet()
  }
}
