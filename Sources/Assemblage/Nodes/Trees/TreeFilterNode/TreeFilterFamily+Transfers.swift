// Children that move between parents of the source; the parents' deltas tell them as removed and inserted.
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
    work.isFollowing = state.value.hiding != nil
    work.isHeard = isHeard
    state.value.hiding?.remember(lostBy: change, in: translation.value)
    if !state.value.departed.isEmpty || !change.crossings.isEmpty { beginPassages(change, &work) }
    let root = apply(change, to: 0, arriving: Array(work.passages.indices), depth: 0, &work)
    work.edit.touches[root].updatesValue = change.updatesValue
    for passage in work.passages.indices {
      settleIn(passage, &work)
      applyPassage(passage, &work)
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
    restoreLoaded()
    released += work.exchanged
    result.checkInvariants()
    return result
  }

  /// Gives up what left earlier and has come again as another child: the nodes that showed it show that.
  private func giveUpWhatCameAgain(_ work: TreeFilterWork) {
    if work.formerDepartures == 0 { return }
    let former = state.value.departed.prefix(work.formerDepartures)
    state.value.departed.removeFirst(work.formerDepartures)
    var fresh: Set<ObjectIdentifier> = []
    if state.value.sources.forest == nil {
      for record in records(below: work.fresh) { fresh.insert(ObjectIdentifier(state.value.sources.object(record)!)) }
    }
    let cameAgain = former.filter { departure in
      guard departure.record >= 0 else { return false }
      if let node = state.value.sources.object(departure.record) { return fresh.contains(ObjectIdentifier(node)) }
      return records(below: [departure.record]).contains { record in
        state.value.members[record].map { state.value.sources.contains($0.node.source) } ?? false
      }
    }
    state.value.leaving += cameAgain.map(\.record)
    state.value.departed += former.filter { departure in !cameAgain.contains { $0.token == departure.token } }
  }

  /// Records, and those below them.
  private func records(below records: [Int]) -> [Int] {
    var records = records
    var next = 0
    while next < records.count {
      for child in translation.value.children(of: records[next]) { records.append(child.record) }
      next += 1
    }
    return records
  }

  /// Frees what has left and did not come back.
  func giveUpLeaving(to released: inout [any TreeNode]) {
    if state.value.leaving.isEmpty { return }
    let records = state.value.leaving
    state.value.leaving = []
    discard(records, to: &released)
  }

  /// Gives up what has left as well, which cannot come back by itself any longer.
  func giveUpDeparted(to released: inout [any TreeNode]) {
    state.value.leaving += state.value.departed.map(\.record).filter { $0 >= 0 }
    state.value.departed = []
    giveUpLeaving(to: &released)
  }

  /// Finds what crossings take along, before anything has changed, and takes it out.
  private func beginPassages(_ change: ChangeSet, _ work: inout TreeFilterWork) {
    var departed = state.value.departed
    // What is in a child that comes back with this very change may come by itself.
    var taken: [TreeFilterDeparture] = []
    for crossing in change.crossings + returningParts(change.crossings) {
      var passage = TreeFilterPassage(crossing)
      switch crossing.from {
      case .inside(let place):
        let path = place.components
        guard let parent = translation.value.record(at: path.dropLast()) else { break }
        let position = path[path.count - 1]
        passage.record = translation.value.record(ofChild: position, of: parent)
        if let shown = translation.value.shownPath(path) {
          passage.origin = .inside(Crossing.Place(shown))
        } else {
          // Hidden in this transaction: it left those that are shown then.
          passage.origin = state.value.hiding?.token(at: position, in: parent, record: passage.record).map {
            .outside($0)
          }
        }
      case .outside(let token):
        if let index = departed.firstIndex(where: { $0.token == token }) {
          let departure = departed.remove(at: index)
          taken.append(departure)
          passage.record = departure.record
          passage.origin = departure.wasShown ? crossing.from : nil
        } else if !locatePart(token, departed + taken, in: &passage) {
          passage.origin = crossing.from
          passage.isKnown = false
        }
      }
      work.passages.append(passage)
    }
    // What left earlier and does not come back now may do so later.
    state.value.departed = departed
    work.formerDepartures = departed.count
    for passage in work.passages where passage.record >= 0 && translation.value.parent(of: passage.record) >= 0 {
      translation.value.detach(passage.record)
    }
    // The outermost first: what comes into a child on its way is settled before the child is.
    work.passages.sort { $0.crossing.to.depth < $1.crossing.to.depth }
  }

  /// The crossings of children that left alone and come back with others, below them.
  ///
  /// - Complexity: O(x · (k + s)) for x crossings with s changes inside, and k children that have left.
  private func returningParts(_ crossings: [Crossing]) -> [Crossing] {
    if state.value.departed.isEmpty { return [] }
    let coming = Set(crossings.lazy.map(\.from))
    return crossings.flatMap { crossing -> [Crossing] in
      guard case (.outside(let whole), .inside(let place)) = (crossing.from, crossing.to) else { return [] }
      return state.value.departed.compactMap { departure in
        guard !coming.contains(.outside(departure.token)),
          let path = departure.token.ancestors.first(where: { $0.token == whole })?.path
        else { return nil }
        let map = ChangeSetMap(crossing.change)
        guard let finding = map.find(after: path) else { return nil }
        return Crossing(
          from: .outside(departure.token), to: .inside(Crossing.Place(place.components + finding.path)),
          change: map.change(of: finding))
      }
    }
  }

  /// Finds a child that left with another one, below it, and comes back, or goes on, alone.
  private func locatePart(
    _ token: Crossing.Token, _ departed: [TreeFilterDeparture], in passage: inout TreeFilterPassage
  ) -> Bool {
    for (whole, path) in token.ancestors.reversed() {
      guard let departure = departed.first(where: { $0.token == whole }), departure.record >= 0,
        let parent = translation.value.record(at: path.dropLast(), below: departure.record)
      else { continue }
      let position = path[path.count - 1]
      guard position < translation.value.childCount(of: parent) else { return false }
      passage.record = translation.value.record(ofChild: position, of: parent)
      if departure.wasShown, let shown = translation.value.shownPath(path, below: departure.record) {
        passage.origin = .outside(whole.seen(inView: number).descendant(shown))
      } else {
        passage.origin = state.value.hiding?.token(at: position, in: parent, record: passage.record).map {
          .outside($0)
        }
      }
      return true
    }
    return false
  }

  /// Makes the place where a passage ends known, where it has not been read yet, and takes in there what is on its way.
  private func settleIn(_ number: Int, _ work: inout TreeFilterWork) {
    let passage = work.passages[number]
    guard let path = passage.destination, work.isHeard, passage.origin != nil, !passage.isAttached,
      let parent = makeRecord(at: path.dropLast(), &work), passage.record >= 0
    else { return }
    let position = path[path.count - 1]
    // Asked before: without its record the child would pass wherever it is shown, as an ancestor is.
    let isMatch = translation.value.passes(position, in: parent)
    let fresh = translation.value.record(ofChild: position, of: parent)
    if fresh >= 0 {
      // It was made with its parent, and counts the same as what comes.
      translation.value.detachUncounted(fresh)
      work.removed.append(fresh)
    }
    attach(number, at: position, of: parent, isMatch: isMatch, &work)
  }

  /// The record of the node at a path in the source, which is made where there is none; nil where there is no node.
  private func makeRecord(at path: some Collection<Int>, _ work: inout TreeFilterWork) -> Int? {
    var record = 0
    for position in path {
      guard position < translation.value.childCount(of: record) else { return nil }
      var child = translation.value.record(ofChild: position, of: record)
      if child < 0 {
        let parent = node(record)
        guard let node = parent.child(at: position) else { return nil }
        let isMatch = ask(parent, position..<position + 1)[0]
        child = makeFresh(node, at: position, of: record, isMatch: isMatch, &work)
      } else if !translation.value.records[child].isLoaded {
        load(child, node(child))
      }
      record = child
    }
    return record
  }

  /// Brings what is on its way up to date with what happened inside.
  private func applyPassage(_ number: Int, _ work: inout TreeFilterWork) {
    let passage = work.passages[number]
    guard passage.record >= 0 else { return lookAtNew(number, &work) }
    var depth = 0
    var arriving: [Int] = []
    if let path = passage.destination {
      // Where the parent was not there before, what is found in it has been made anew.
      guard passage.isAttached else { return }
      depth = path.count
      arriving = work.passages.indices.filter {
        $0 != number && (work.passages[$0].destination?.starts(with: path) ?? false)
      }
    }
    let touch = apply(passage.crossing.change, to: passage.record, arriving: arriving, depth: depth, &work)
    work.edit.touches[touch].updatesValue = passage.crossing.change.updatesValue
    work.passages[number].touch = touch
  }

  /// Looks at the children of a leaf that became a branch on its way: it had none before, so all have come.
  private func lookAtNew(_ number: Int, _ work: inout TreeFilterWork) {
    let passage = work.passages[number]
    guard work.isHeard, passage.isKnown, let path = passage.destination,
      let parent = translation.value.record(at: path.dropLast()), translation.value.records[parent].isLoaded
    else { return }
    let position = path[path.count - 1]
    let isMatch = translation.value.passes(position, in: parent)
    guard isMatch || translation.value.isEager, let node = node(parent).child(at: position), node.count > 0,
      passage.crossing.change.level.countChange == node.count
    else { return }
    var record = translation.value.record(ofChild: position, of: parent)
    if record < 0 { record = makeFresh(node, at: position, of: parent, isMatch: isMatch, &work) }
    work.passages[number].touch = appear(record, &work)
    work.edit.touches[work.passages[number].touch].updatesValue = passage.crossing.change.updatesValue
    work.passages[number].isNew = true
  }

  /// Says which of those that are shown have crossed.
  private func endPassages(_ result: inout ChangeSet, _ work: inout TreeFilterWork) {
    for passage in work.passages {
      if let crossing = shownCrossing(passage, work, &result.crossings) { result.crossings.append(crossing) }
      if case .outside(let token) = passage.crossing.to {
        state.value.departed.append(
          TreeFilterDeparture(token: token, record: passage.record, wasShown: passage.origin != nil))
      } else if passage.record >= 0, !passage.isAttached {
        work.removed.append(passage.record)
      }
    }
  }

  /// The crossing of a child that was shown, or has been hidden in this transaction.
  private func shownCrossing(
    _ passage: TreeFilterPassage, _ work: TreeFilterWork, _ crossings: inout [Crossing]
  ) -> Crossing? {
    guard var origin = passage.origin else { return nil }
    var crossing = passage.crossing
    if passage.record >= 0 {
      // A filtered node is not the one that another view shows of the same child. Tokens of its own are seen nowhere else.
      if case .outside = crossing.from { origin.see(inView: number) }
      crossing.to.see(inView: number)
    }
    crossing.from = origin
    crossing.change =
      passage.touch >= 0 ? work.edit.change(passage.touch) : ChangeSet(updatesValue: crossing.change.updatesValue)
    var hiddenAs: Crossing.Token?
    if case .inside = passage.crossing.from, case .outside(let token) = origin {
      hiddenAs = token
      // What happened in a node that has a record has been noted with that.
      if passage.touch < 0 { state.value.hiding?.note(crossing.change, of: token) }
    }
    guard let path = passage.destination else {
      var inside: [Crossing] = []
      if let hiddenAs, let change = state.value.hiding?.takeChange(of: hiddenAs, at: [], &inside) {
        crossing.change = change
      }
      return crossing
    }
    let position = path[path.count - 1]
    guard let parent = translation.value.record(at: path.dropLast()) else { return nil }
    let record = translation.value.record(ofChild: position, of: parent)
    // A node that was made anew, or is going to be, may show other things than the one that left.
    guard record == passage.record || passage.isNew else { return nil }
    if !passage.isKnown, node(parent).child(at: position) != nil { return nil }
    if let shown = translation.value.shownPath(path) {
      crossing.to = .inside(Crossing.Place(shown))
      if let hiddenAs, let change = state.value.hiding?.takeChange(of: hiddenAs, at: shown, &crossings) {
        crossing.change = change
        state.value.hiding?.find(hiddenAs, at: position, in: parent, record: record)
      }
      return crossing
    }
    guard work.isFollowing else { return nil }
    switch origin {
    case .outside(let token):
      if hiddenAs == nil { state.value.hiding?.note(crossing.change, of: token) }
      state.value.hiding?.hide(token, at: position, in: parent, record: record)
      return nil
    case .inside:
      let token = Crossing.Token()
      state.value.hiding?.hide(token, at: position, in: parent, record: record)
      crossing.to = .outside(token)
      return crossing
    }
  }
}
