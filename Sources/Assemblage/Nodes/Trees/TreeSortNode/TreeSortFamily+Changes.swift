import OffsetIndexing

// How a change of the source goes through the tree.
extension TreeSortFamily {
  /// What a change ends, in case that it is taken back.
  struct Memory {
    /// Where children stood before it, by the paths in the source of their parents after it.
    var places: [[Int]: [Int: Int]] = [:]
    /// The paths before it of nodes that it removes, or may make leaves of, and that had been looked at; parents first.
    var loaded: [[Int]] = []

    var isEmpty: Bool { places.isEmpty && loaded.isEmpty }
  }

  /// Brings everything up to date with a change of the root.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - isHeard: whether an observer hears what happens below the children.
  ///   - isRecording: whether it may be taken back.
  ///   - memory: what was remembered of the change that is being taken back.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: what happened to the sorted children, and what to remember of it.
  func translate(
    _ change: ChangeSet, isHeard: Bool, isRecording: Bool, restoring memory: Memory?, _ released: inout [any TreeNode]
  ) -> (change: ChangeSet, memory: Memory) {
    var edit = TreeSortEdit()
    (edit.isHeard, edit.isRecording) = (isHeard, isRecording)
    var remembered = Memory()
    if isRecording { remembered.loaded = loadedPaths(lostBy: change) }
    for (path, places) in memory?.places ?? [:] {
      if let record = translation.value.record(at: path) { edit.knownPlaces[record] = places }
    }
    if !state.value.departed.isEmpty || !change.crossings.isEmpty { beginPassages(change, &edit) }
    let root = apply(change, to: TreeIndex.root, arriving: Array(edit.passages.indices), depth: 0, &edit)
    edit.touches[root].updatesValue = change.updatesValue
    for passage in edit.passages.indices {
      settleIn(passage, &edit)
      applyPassage(passage, &edit)
    }
    tellMembers(edit)
    var result = edit.change(root)
    endPassages(&result, &edit)
    discard(edit.removed, to: &released)
    result.checkInvariants()
    restore(memory?.loaded ?? [])
    for (record, places) in edit.lostPlaces where !places.isEmpty {
      if translation.value.shape.contains(record), let path = translation.value.sourcePath(of: record) {
        remembered.places[path] = places
      }
    }
    return (result, remembered)
  }

  /// The paths of nodes that a change removes, or may make leaves of, and that have been looked at; parents first.
  ///
  /// - Complexity: O((k + r) · log n) for k removed and updated children, and r records in them.
  private func loadedPaths(lostBy change: ChangeSet) -> [[Int]] {
    let nodes = change.nodes
    var result: [[Int]] = []
    var open = [(index: nodes.count, record: TreeIndex.root, path: [Int]())]
    while let (index, record, path) = open.popLast() {
      guard translation.value.isLoaded(record) else { continue }
      let delta = index == nodes.count ? change.level : nodes[index].delta
      let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
      func former(_ position: Int) -> Int { map.map { $0.position(before: position)! } ?? position }
      for position in Array(delta.removals.joined()) + delta.updates.joined().map(former) {
        if let child = translation.value.record(ofChild: position, of: record) {
          appendLoaded(child, path + [position], to: &result)
        }
      }
      ChangeSet.forEachChildBackward(of: index, in: nodes) { child in
        let position = former(nodes[child].position)
        if let next = translation.value.record(ofChild: position, of: record) {
          open.append((child, next, path + [position]))
        }
      }
    }
    return result
  }

  private func appendLoaded(_ record: Record, _ path: [Int], to paths: inout [[Int]]) {
    var open = [(record, path)]
    while let (record, path) = open.popLast() {
      guard translation.value.isLoaded(record) else { continue }
      paths.append(path)
      for (position, child) in translation.value.children(of: record) {
        open.append((child, path + [translation.value.sourcePosition(of: position, in: record)]))
      }
    }
  }

  /// Goes through a change of a record's node.
  ///
  /// - Parameters:
  ///   - change: what happened to the node, without crossings.
  ///   - record: the node's record.
  ///   - arriving: the passages that end below the node.
  ///   - depth: the length of the node's path after the change.
  ///   - edit: receives the touches.
  /// - Returns: the touch of the node.
  private func apply(
    _ change: ChangeSet, to record: Record, arriving: [Int], depth: Int, _ edit: inout TreeSortEdit
  ) -> Int {
    let first = edit.touch(record)
    // Where nothing has been read, there is nothing to bring up to date.
    guard translation.value.isLoaded(record) else { return first }
    let nodes = change.nodes
    var open = [(index: nodes.count, touch: first, arriving: arriving, depth: depth)]
    while let (index, touch, arriving, depth) = open.popLast() {
      let delta = index == nodes.count ? change.level : nodes[index].delta
      var updated: [Int: Int?] = [:]
      if !delta.isEmpty { updated = applyLevel(delta, touch, arriving, depth: depth, &edit) }
      ChangeSet.forEachChildBackward(of: index, in: nodes) { child in
        let position = nodes[child].position
        // What has come or gone with an update has been told.
        if let known = updated[position], known.flatMap({ edit.touches[$0].record }) == nil { return }
        guard let next = updated[position] ?? self.touch(inside: position, of: touch, &edit) else { return }
        let inner =
          arriving.isEmpty ? [] : arriving.filter { edit.passages[$0].destination.map { $0[depth] } == position }
        open.append((child, next, inner, depth + 1))
      }
    }
    return first
  }

  /// The touch of a child inside which something happened; nil where that need not be looked at.
  private func touch(inside position: Int, of parent: Int, _ edit: inout TreeSortEdit) -> Int? {
    let record = edit.touches[parent].record!
    let place = translation.value.sortedPosition(of: position, in: record)
    if let child = translation.value.shape.branch(at: place, of: record), translation.value.isLoaded(child) {
      let touch = edit.touch(child)
      edit.touches[parent].children.append((place, touch))
      return touch
    }
    // The child's children have not been read: it may have been a leaf when it was shown.
    guard edit.isHeard, let child = makeRecord(ofChild: position, of: record) else { return nil }
    load(child)
    let count = translation.value.count(of: child)
    if count > 0 { edit.touches[parent].children.append((place, edit.touch(nil, .insertion(0..<count)))) }
    return nil
  }

  /// Brings the order of a node's children up to date, and looks at those that were updated.
  ///
  /// - Returns: the touches of updated children that are nodes or were, by their positions in the source; nil for those that
  ///   are nodes no longer.
  private func applyLevel(
    _ delta: Delta, _ touch: Int, _ arriving: [Int], depth: Int, _ edit: inout TreeSortEdit
  ) -> [Int: Int?] {
    let record = edit.touches[touch].record!
    let plan = plan(delta, of: record, places: edit.knownPlaces[record])
    if edit.isRecording, plan != nil {
      edit.lostPlaces.append((record, translation.value.order(of: record).places(lostBy: delta)))
    }
    edit.touches[touch].delta = translation.value.rearrange(delta, plan, in: record, &edit.removed)
    let node = node(record)
    require(
      translation.value.count(of: record) == node.count,
      """
      TreeSortNode: a \(type(of: node)) has \(node.count) children, but according to what it told it has \
      \(translation.value.count(of: record)).
      """)
    for passage in arriving where edit.passages[passage].destination?.count == depth + 1 {
      let position = edit.passages[passage].destination![depth]
      if delta.insertions.contains(position: position) { attach(passage, at: position, of: record, &edit) }
    }
    var updated: [Int: Int?] = [:]
    for position in delta.updates.joined() {
      let place = translation.value.sortedPosition(of: position, in: record)
      guard let own = translation.value.shape.branch(at: place, of: record) else { continue }
      if let child = node.child(at: position) {
        replaceNode(of: own, by: child)
        let member = state.value.members[own.number]
        member?.node.show(child)
        guard translation.value.isLoaded(own) else {
          if let member { tell(member, ChangeSet(updatesValue: true)) }
          continue
        }
        let inner = edit.touch(own)
        edit.touches[inner].updatesValue = true
        edit.touches[touch].children.append((place, inner))
        updated[position] = inner
      } else {
        // It is a leaf now: what was below it has gone.
        let count = translation.value.count(of: own)
        translation.value.detach(own)
        edit.removed.append(translation.value.shape.parent(of: own)!)
        if count > 0 { edit.touches[touch].children.append((place, edit.touch(nil, .removal(0..<count)))) }
        updated[position] = .some(nil)
      }
    }
    return updated
  }

  private func attach(_ passage: Int, at position: Int, of parent: Record, _ edit: inout TreeSortEdit) {
    guard let record = edit.passages[passage].record else { return }
    let place = translation.value.sortedPosition(of: position, in: parent)
    if let fresh = translation.value.attach(record, to: parent, at: place) {
      // It was made with its parent, and shows the same as what comes.
      edit.removed.append(translation.value.shape.parent(of: fresh)!)
    }
    edit.passages[passage].isAttached = true
  }

  /// Tells the nodes of children what happened in them.
  func tellMembers(_ edit: TreeSortEdit) {
    if state.value.members.isEmpty { return }
    for (number, touch) in edit.touches.enumerated().reversed() {
      guard let record = touch.record, record != TreeIndex.root, let member = state.value.members[record.number],
        member.node.hub.isObserved
      else { continue }
      let change = edit.change(number)
      if !change.isSilent { tell(member, change) }
    }
  }

  // MARK: Children that move between parents of the source; the parents' deltas tell them as removed and inserted.

  /// Finds what crossings take along, before anything has changed, and takes it out.
  private func beginPassages(_ change: ChangeSet, _ edit: inout TreeSortEdit) {
    var departed = state.value.departed
    // What is in a child that comes back with this very change may come by itself.
    let former = departed
    let parts = returningParts(change.crossings)
    state.value.departed = []
    for crossing in change.crossings + parts {
      var passage = TreeSortEdit.Passage(crossing)
      switch crossing.from {
      case .inside(let place):
        guard let path = translation.value.sortedPath(place.components) else { break }
        passage.origin = .inside(Crossing.Place(path))
        passage.record = translation.value.record(at: place.components)
      case .outside(let token):
        if let index = departed.firstIndex(where: { $0.token == token }) {
          let departure = departed.remove(at: index)
          passage.record = departure.record
          if departure.wasShown { passage.origin = seen(crossing.from, passage.record) }
        } else if !locatePart(token, former, in: &passage) {
          passage.origin = crossing.from
          passage.isKnown = false
        }
      }
      edit.passages.append(passage)
    }
    edit.removed += departed.compactMap { $0.record.flatMap(translation.value.shape.parent) }
    for case let record? in edit.passages.map(\.record) where !translation.value.isDetached(record) {
      translation.value.detach(record)
    }
    // The outermost first: what comes into a child on its way is settled before the child is.
    edit.passages.sort { $0.crossing.to.depth < $1.crossing.to.depth }
  }

  /// The crossings of children that left alone and come back with others, below them.
  ///
  /// - Complexity: O(x · (k + s)) for x crossings with s changes inside, and k children that left with the last change.
  private func returningParts(_ crossings: [Crossing]) -> [Crossing] {
    if state.value.departed.isEmpty { return [] }
    let coming = Set(crossings.lazy.map(\.from))
    return crossings.flatMap { crossing -> [Crossing] in
      guard case (.outside(let whole), .inside(let place)) = (crossing.from, crossing.to) else { return [] }
      let map = ChangeSetMap(crossing.change)
      return state.value.departed.compactMap { departure in
        guard !coming.contains(.outside(departure.token)),
          let path = departure.token.ancestors.first(where: { $0.token == whole })?.path,
          let finding = map.find(after: path)
        else { return nil }
        return Crossing(
          from: .outside(departure.token), to: .inside(Crossing.Place(place.components + finding.path)),
          change: map.change(of: finding))
      }
    }
  }

  /// Finds a child that left with another one, below it, and comes back alone.
  private func locatePart(
    _ token: Crossing.Token, _ departed: [Departure], in passage: inout TreeSortEdit.Passage
  ) -> Bool {
    for (whole, path) in token.ancestors.reversed() {
      guard let departure = departed.first(where: { $0.token == whole }), let record = departure.record,
        let place = translation.value.sortedPath(path, below: record)
      else { continue }
      passage.record = translation.value.record(at: path, below: record)
      passage.origin = departure.wasShown ? .outside(whole.seen(inView: number).descendant(place)) : nil
      return true
    }
    return false
  }

  /// Makes the place where a passage ends known, where it has not been read yet, and takes in there what is on its way.
  private func settleIn(_ number: Int, _ edit: inout TreeSortEdit) {
    let passage = edit.passages[number]
    guard let path = passage.destination, edit.isHeard, passage.origin != nil, !passage.isAttached else { return }
    var parent = TreeIndex.root
    for position in path.dropLast() {
      guard translation.value.isLoaded(parent), position < translation.value.count(of: parent),
        let next = makeRecord(ofChild: position, of: parent)
      else { return }
      load(next)
      parent = next
    }
    guard translation.value.isLoaded(parent) else { return }
    attach(number, at: path[path.count - 1], of: parent, &edit)
  }

  /// Brings what is on its way up to date with what happened inside.
  private func applyPassage(_ number: Int, _ edit: inout TreeSortEdit) {
    let passage = edit.passages[number]
    guard let record = passage.record else { return lookAtNew(number, &edit) }
    var depth = 0
    var arriving: [Int] = []
    if let path = passage.destination {
      // Where the parent is not known, what is found in it is made anew.
      guard passage.isAttached else { return }
      depth = path.count
      arriving = edit.passages.indices.filter {
        $0 != number && (edit.passages[$0].destination?.starts(with: path) ?? false)
      }
    }
    let touch = apply(passage.crossing.change, to: record, arriving: arriving, depth: depth, &edit)
    edit.touches[touch].updatesValue = passage.crossing.change.updatesValue
    edit.passages[number].touch = touch
  }

  /// Looks at the children of a leaf that became a branch on its way: it had none before, so all have come.
  private func lookAtNew(_ number: Int, _ edit: inout TreeSortEdit) {
    let passage = edit.passages[number]
    guard edit.isHeard, let path = passage.destination, let parent = translation.value.record(at: path.dropLast()),
      translation.value.isLoaded(parent), let count = node(parent).child(at: path[path.count - 1])?.count, count > 0,
      passage.crossing.change.level.countChange == count,
      let child = makeRecord(ofChild: path[path.count - 1], of: parent)
    else { return }
    load(child)
    let touch = edit.touch(nil, .insertion(0..<count))
    edit.touches[touch].updatesValue = passage.crossing.change.updatesValue
    edit.passages[number].touch = touch
  }

  /// Says which of the sorted have crossed.
  private func endPassages(_ result: inout ChangeSet, _ edit: inout TreeSortEdit) {
    for passage in edit.passages {
      if let crossing = crossing(of: passage, edit) { result.crossings.append(crossing) }
      if case .outside(let token) = passage.crossing.to {
        state.value.departed.append(
          Departure(token: token, record: passage.record, wasShown: passage.origin != nil))
      } else if let record = passage.record, !passage.isAttached {
        edit.removed.append(translation.value.shape.parent(of: record)!)
      }
    }
  }

  /// The token of a child that has a record as this tree tells it: a sorted node is not the one that another view shows of the
  /// same child.
  private func seen(_ end: Crossing.End, _ record: Record?) -> Crossing.End {
    var end = end
    if record != nil { end.see(inView: number) }
    return end
  }

  private func crossing(of passage: TreeSortEdit.Passage, _ edit: TreeSortEdit) -> Crossing? {
    guard let origin = passage.origin else { return nil }
    var crossing = passage.crossing
    crossing.from = origin
    crossing.to = seen(crossing.to, passage.record)
    crossing.change = passage.touch.map { edit.change($0) } ?? ChangeSet(updatesValue: crossing.change.updatesValue)
    guard let path = passage.destination else { return crossing }
    guard let place = translation.value.sortedPath(path), let parent = translation.value.record(at: path.dropLast()),
      translation.value.record(at: path) == passage.record || passage.record == nil && passage.touch != nil
    else { return nil }
    // A node that is going to be made anew may show other things than the one that left.
    if !passage.isKnown, node(parent).child(at: path[path.count - 1]) != nil { return nil }
    crossing.to = .inside(Crossing.Place(place))
    return crossing
  }
}
