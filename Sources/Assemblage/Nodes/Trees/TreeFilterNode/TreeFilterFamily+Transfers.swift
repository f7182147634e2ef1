import OffsetIndexing

// How a change of the source goes through the tree, with children that move between parents.
extension TreeFilterFamily {
  /// Brings everything up to date with a change of the root.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - isHeard: whether an observer hears what happens below the children.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: what happened to those that are shown.
  func translate(
    _ change: ChangeSet, isHeard: Bool, _ released: inout [any TreeNode]
  ) -> ChangeSet {
    var work = TreeFilterWork()
    work.isFollowing = following.value.hiding != nil
    work.isHeard = isHeard
    following.value.hiding?.remember(lostBy: change, in: translation.value)
    if !progress.value.departed.isEmpty || !change.crossings.isEmpty {
      beginPassages(change, &work)
      // What left earlier and does not come back now may do so later.
      work.formerDepartures = progress.value.departed.count
    }
    let root = apply(
      change, to: TreeIndex.root, arriving: Array(work.passages.indices), depth: 0, &work)
    if !work.passages.isEmpty {
      settlePassages(&work)
      if state.value.sources.forest == nil {
        for passage in work.passages where passage.isAttached && passage.isFromOutside {
          state.value.sources.nodes.findAgain(below: passage.record!, in: translation.value)
        }
      }
    }
    if !work.turned.isEmpty { foresee(&work) }
    settle(&work)
    var result = work.edit.changeWithCrossings(root)
    if !work.passages.isEmpty { endPassages(&result, &work) }
    for record in work.turned {
      if let turned = turnInTree(record) { result = result.composed(with: turned) }
    }
    if !work.removed.isEmpty { discard(work.removed, to: &released) }
    if !work.fresh.isEmpty {
      giveUpWhatCameAgain(work)
      giveUpLeaving(to: &released)
      findMembers(below: work.fresh)
    }
    restoreHidden()
    restoreLosses()
    forgetAway()
    released += work.exchanged
    result.checkInvariants()
    return result
  }

  /// Forgets the nodes of branches of a forest that are in the tree again.
  private func forgetAway() {
    if state.value.sources.away.isEmpty { return }
    state.value.sources.forgetAway { record in
      !translation.value.shape.contains(record) || translation.value.sourcePath(of: record) != nil
    }
  }

  /// Gives up what left earlier and has come again as another child: the nodes that showed it show that.
  private func giveUpWhatCameAgain(_ work: TreeFilterWork) {
    if work.formerDepartures == 0 { return }
    let former = progress.value.departed.prefix(work.formerDepartures)
    progress.value.departed.removeFirst(work.formerDepartures)
    var fresh: Set<ObjectIdentifier> = []
    if state.value.sources.forest == nil {
      for record in translation.value.records(below: work.fresh) {
        if let node = state.value.sources.kept(record)?.living { fresh.insert(ObjectIdentifier(node)) }
      }
    }
    let cameAgain = former.filter { departure in
      guard let record = departure.record else { return false }
      if case .object(let node)? = state.value.sources.kept(record) { return fresh.contains(ObjectIdentifier(node)) }
      return translation.value.records(below: [record]).contains { record in
        part(record).map { fresh.contains(ObjectIdentifier($0.source)) || state.value.sources.contains($0.source) }
          ?? false
      }
    }
    following.value.leaving += translation.value.pieces(of: cameAgain.map(\.record))
    progress.value.departed += former.filter { departure in !cameAgain.contains { $0.token == departure.token } }
  }

  /// Frees what has left and did not come back.
  func giveUpLeaving(to released: inout [any TreeNode]) {
    if following.value.leaving.isEmpty { return }
    let pieces = following.value.leaving
    following.value.leaving = []
    discard(pieces, to: &released)
  }

  /// Gives up what has left as well, which cannot come back by itself any longer.
  func giveUpDeparted(to released: inout [any TreeNode]) {
    following.value.leaving += translation.value.pieces(of: progress.value.departed.map(\.record))
    progress.value.departed = []
    giveUpLeaving(to: &released)
  }

  // MARK: What a tree filter does with children on their way

  func hasNode(at position: Int, of parent: Record) -> Bool { node(parent).child(at: position) != nil }

  func openRecord(ofChild position: Int, of parent: Record, _ work: inout TreeFilterWork) -> Record? {
    if let known = translation.value.record(ofChild: position, of: parent) {
      if !translation.value.isLoaded(known) { load(known, node(known)) }
      return known
    }
    let parentNode = node(parent)
    guard let node = parentNode.child(at: position) else { return nil }
    let isMatch = ask(parentNode, position..<position + 1)[0]
    return makeFresh(node, at: position, of: parent, isMatch: isMatch, &work)
  }

  func attach(_ passage: Int, at position: Int, of parent: Record, _ work: inout TreeFilterWork) {
    // Asked before: without its record the child would pass wherever it is shown, as an ancestor is.
    let isMatch = translation.value.passes(position, in: parent)
    if let fresh = translation.value.record(ofChild: position, of: parent) {
      // It was made with its parent, and counts the same as what comes.
      work.removed.append(translation.value.cutOut(fresh))
    }
    attach(passage, at: position, of: parent, isMatch: isMatch, &work)
  }

  func lookAtNew(
    _ change: ChangeSet, at position: Int, of parent: Record, _ work: inout TreeFilterWork
  ) -> Int? {
    let parentNode = node(parent)
    guard let node = parentNode.child(at: position), node.count > 0, change.level.countChange == node.count else {
      return nil
    }
    // Which leaves are shown is settled later: those bits stand for the children as they were.
    let isMatch =
      translation.value.isEager
      ? translation.value.passes(position, in: parent) : ask(parentNode, position..<position + 1)[0]
    guard isMatch || translation.value.isEager else { return nil }
    let record =
      translation.value.record(ofChild: position, of: parent)
      ?? makeFresh(node, at: position, of: parent, isMatch: isMatch, &work)
    let touch = appear(record, &work)
    work.edit.touches[touch].updatesValue = change.updatesValue
    return touch
  }

  func hiddenOrigin(at position: Int, of parent: Record, _ record: Record?) -> Crossing.End? {
    // Hidden in this transaction: it left those that are shown then, or what is told of a hidden branch.
    if let token = following.value.hiding?.token(at: position, in: parent, record: record) {
      guard let own = splitOff(token, below: parent) else { return .outside(token) }
      following.value.hiding?.hide(own, at: position, in: parent, record: record)
      return .outside(own)
    }
    // With a branch above it, which it leaves now: from here on it is followed by itself.
    guard following.value.hiding?.isEmpty == false, let hidden = hidingBranch(above: position, of: parent),
      let token = following.value.hiding?.splitOff(hidden.path, from: hidden.branch)
    else { return nil }
    following.value.hiding?.hide(token, at: position, in: parent, record: record)
    return .outside(token)
  }

  /// Tells of a child that its parent hides by itself, where only what is told of a hidden branch above said so.
  ///
  /// - Returns: the token to tell of the child with; nil where it left those that are shown with the one that it has.
  private func splitOff(_ token: Crossing.Token, below parent: Record) -> Crossing.Token? {
    var branch: Record? = parent
    while let next = branch {
      if let own = following.value.hiding?.splitOff(token, from: next) { return own }
      branch = translation.value.parent(of: next)
    }
    return nil
  }

  /// The branch with which a child is hidden that its parent shows, and the path from there, of those that are shown; nil where
  /// the parent hides it, or nothing does.
  private func hidingBranch(above position: Int, of parent: Record) -> (branch: Record, path: [Int])? {
    var path: [Int] = []
    var (position, branch) = (position, parent)
    while let place = translation.value.shownPosition(of: position, in: branch) {
      path.append(place)
      guard let next = translation.value.parent(of: branch) else { return nil }
      position = translation.value.position(of: branch)
      if translation.value.shownPosition(of: position, in: next) == nil { return (branch, path.reversed()) }
      branch = next
    }
    return nil
  }

  func complete(
    _ crossing: Crossing, of passage: TreePassage, at shown: [Int]?, _ work: TreeFilterWork,
    _ crossings: inout [Crossing]
  ) -> Crossing? {
    var crossing = crossing
    var hiddenAs: Crossing.Token?
    if case .inside = passage.crossing.from, case .outside(let token) = crossing.from {
      hiddenAs = token
      // What happened in a node that has a record has been noted with that.
      if passage.touch == nil { following.value.hiding?.note(crossing.change, of: token) }
    }
    if let hiddenAs, let record = passage.record { following.value.hiding?.release(record, from: hiddenAs) }
    // What vanished and appeared inside; of what was hidden, it has been noted.
    let inner = hiddenAs == nil ? passage.touch.map { work.edit.touches[$0].crossings } ?? [] : []
    guard let path = passage.destination, shown == nil else {
      crossings += inner.map { $0.inside(crossing) }
      if let hiddenAs, let change = following.value.hiding?.takeChange(of: hiddenAs, at: crossing.to, &crossings) {
        crossing.change = change
      }
      return crossing
    }
    guard work.isFollowing else { return nil }
    switch crossing.from {
    case .outside(let token):
      if hiddenAs == nil {
        crossing.change.crossings = inner
        following.value.hiding?.note(crossing.change, of: token)
      }
      hide(token, at: path)
      return nil
    case .inside:
      let token = Crossing.Token()
      hide(token, at: path)
      crossing.to = .outside(token)
      crossings += inner.map { $0.inside(crossing) }
      return crossing
    }
  }

  /// Follows a child that has come to a place, by its path in the source, where it is hidden.
  private func hide(_ token: Crossing.Token, at path: [Int]) {
    let position = path[path.count - 1]
    let parent = translation.value.record(at: path.dropLast())!
    guard let hidden = hidingBranch(above: position, of: parent) else {
      let record = translation.value.record(ofChild: position, of: parent)
      following.value.hiding?.hide(token, at: position, in: parent, record: record)
      return
    }
    // It is shown again with that branch, which is followed from now on, as are those above that hide it.
    var branch = hidden.branch
    while let next = translation.value.parent(of: branch) {
      let position = translation.value.position(of: branch)
      if translation.value.shownPosition(of: position, in: next) == nil {
        following.value.hiding?.hide(at: position, in: next, record: branch)
      }
      branch = next
    }
    following.value.hiding?.enter(token, at: hidden.path, of: hidden.branch)
  }
}

extension Crossing {
  /// A crossing in a child as those see it that see the child cross.
  fileprivate func inside(_ child: Crossing) -> Crossing {
    var crossing = self
    if case .inside(let place) = from { crossing.from = child.from.descendant(place.components) }
    if case .inside(let place) = to { crossing.to = child.to.descendant(place.components) }
    return crossing
  }
}
