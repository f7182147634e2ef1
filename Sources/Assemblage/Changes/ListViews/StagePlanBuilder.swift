extension StagePlan {
  /// Makes the lists of all parents that `change` touches; stages are given out later.
  ///
  /// - Parameters:
  ///   - change: the net change.
  ///   - view: the kind of view, which says how deep to look.
  ///   - countBefore: the number of children, before the change, of a parent that is removed. Where it is not known, nothing moves
  ///     out of a parent that has to stay for it: it is removed and inserted.
  init(_ change: ChangeSet, for view: ChangeSet.ViewKind, countBefore: (IndexPath) -> Int?) {
    var moved = change.transfers
    if view.endsWithRows { moved.removeAll { $0.source.count != 2 || $0.destination.count != 2 } }
    var builder = StagePlanBuilder(change, moved, for: view)
    // What does not move takes along what would have moved out of it.
    while true {
      let kept = moved.indices.filter { !builder.makesParentsLinger($0) || builder.knowsParents(of: $0, countBefore) }
      if kept.count == moved.count { break }
      moved = kept.map { moved[$0] }
      builder = StagePlanBuilder(change, moved, for: view)
    }
    builder.makeDeltasOfParentsThatLeave(countBefore)
    self = builder.plan()
  }
}

/// Finds the parents that a change touches, before and after it, and what happens to their children.
struct StagePlanBuilder {
  /// A node before its slots are made.
  struct Draft {
    enum Fate { case survives, leaves, comes }

    var fate: Fate
    /// What happens to its children; transfers are removals and insertions.
    var delta: Delta
    /// Its parent and its position there before the change, and after it.
    var before: (parent: Int, position: Int)?
    var after: (parent: Int, position: Int)?
    var childrenBefore: [Int: Int] = [:]
    var childrenAfter: [Int: Int] = [:]
    /// Transfers by position before the change, and after it.
    var departures: [Int: Int] = [:]
    var arrivals: [Int: Int] = [:]
    /// Whether it stays, emptied, until something below it has moved out in a later stage.
    var lingers = false
  }

  let view: ChangeSet.ViewKind
  let moved: [ChangeSet.Transfer]
  var drafts: [Draft] = []
  /// For each transfer: the draft of the child itself, and whether it leaves a parent that is removed, and comes to one
  /// that is inserted, at whatever height.
  var draftOfTransfer: [Int?] = []
  var isFromRemoved: [Bool] = []
  var isToInserted: [Bool] = []

  init(_ change: ChangeSet, _ moved: [ChangeSet.Transfer], for view: ChangeSet.ViewKind) {
    self.view = view
    self.moved = moved
    drafts.append(Draft(fate: .survives, delta: change.delta))
    addChildren(change.children, of: 0)
    for transfer in moved {
      if view.endsWithRows {
        draftOfTransfer.append(nil)
      } else {
        draftOfTransfer.append(drafts.count)
        drafts.append(Draft(fate: .survives, delta: transfer.change.delta))
        addChildren(transfer.change.children, of: drafts.count - 1)
      }
    }
    isFromRemoved = Array(repeating: false, count: moved.count)
    isToInserted = isFromRemoved
    // Paths ascend, so that a child that moved is known before what moved out of it or into it.
    for number in moved.indices.sorted(by: { moved[$0].source < moved[$1].source }) { depart(number) }
    for number in moved.indices.sorted(by: { moved[$0].destination < moved[$1].destination }) {
      arrive(number)
    }
  }

  private mutating func addChildren(_ children: ChangeSet.Children, of parent: Int) {
    var tasks = [(children, parent)]
    while let (children, parent) = tasks.popLast() {
      let before = PositionLookup(drafts[parent].delta)
      for child in children {
        // In a table, what is inside rows is none of its business.
        if view.endsWithRows && child.delta.isEmpty { continue }
        guard let position = before.position(before: child.position) else { continue }
        let index = drafts.count
        drafts.append(
          Draft(
            fate: .survives, delta: child.delta, before: (parent, position),
            after: (parent, child.position)))
        drafts[parent].childrenBefore[position] = index
        drafts[parent].childrenAfter[child.position] = index
        if !view.endsWithRows { tasks.append((child.children, index)) }
      }
    }
  }

  private mutating func depart(_ number: Int) {
    var parent = 0
    for position in moved[number].source.dropLast() {
      if let child = drafts[parent].childrenBefore[position] {
        parent = child
      } else {
        drafts.append(Draft(fate: .leaves, delta: Delta(), before: (parent, position)))
        drafts[parent].childrenBefore[position] = drafts.count - 1
        parent = drafts.count - 1
      }
      if drafts[parent].fate == .leaves { isFromRemoved[number] = true }
    }
    let position = moved[number].source.last ?? 0
    drafts[parent].departures[position] = number
    if let draft = draftOfTransfer[number] {
      drafts[draft].before = (parent, position)
      drafts[parent].childrenBefore[position] = draft
    }
  }

  private mutating func arrive(_ number: Int) {
    var parent = 0
    for position in moved[number].destination.dropLast() {
      if let child = drafts[parent].childrenAfter[position] {
        parent = child
      } else {
        drafts.append(Draft(fate: .comes, delta: Delta(), after: (parent, position)))
        drafts[parent].childrenAfter[position] = drafts.count - 1
        parent = drafts.count - 1
      }
      if drafts[parent].fate == .comes { isToInserted[number] = true }
    }
    let position = moved[number].destination.last ?? 0
    drafts[parent].arrivals[position] = number
    if let draft = draftOfTransfer[number] {
      drafts[draft].after = (parent, position)
      drafts[parent].childrenAfter[position] = draft
    }
  }

  /// Whether a parent that leaves must stay for the sake of a transfer: in an outline, whose calls follow each other, only
  /// where the transfer has to wait for its destination.
  func makesParentsLinger(_ number: Int) -> Bool {
    isFromRemoved[number] && (!view.isSequential || isToInserted[number])
  }

  /// Whether the view knows how many children all parents have that leave and out of which a transfer goes.
  func knowsParents(of number: Int, _ countBefore: (IndexPath) -> Int?) -> Bool {
    var parent = 0
    for position in moved[number].source.dropLast() {
      guard let child = drafts[parent].childrenBefore[position] else { return true }
      if drafts[child].fate == .leaves, countBefore(pathBefore(child)) == nil { return false }
      parent = child
    }
    return true
  }

  /// Says what happens in parents that leave or come: only the transfers, but those that linger are emptied.
  mutating func makeDeltasOfParentsThatLeave(_ countBefore: (IndexPath) -> Int?) {
    func single(_ position: Int) -> Range<Int> { position..<(position + 1) }
    for index in drafts.indices.reversed() {
      switch drafts[index].fate {
      case .survives: continue
      case .comes:
        drafts[index].delta = Delta(insertions: drafts[index].arrivals.keys.map(single))
      case .leaves:
        let departures = drafts[index].departures
        let lingering = drafts[index].childrenBefore.filter { drafts[$0.value].lingers }
        drafts[index].lingers =
          !lingering.isEmpty || departures.values.contains { makesParentsLinger($0) }
        let path = pathBefore(index)
        if drafts[index].lingers, let count = countBefore(path) {
          let furthest = drafts[index].childrenBefore.keys.max() ?? 0
          require(
            count > max(furthest, departures.keys.max() ?? 0),
            "ChangeSet: a child moves out of the removed parent \(path.sentence), which had \(count) children.")
          drafts[index].delta = Delta(
            removals: RangeLists.subtracting(
              RangeLists.normalized(lingering.keys.map(single)), from: [0..<count]))
        } else {
          drafts[index].delta = Delta(removals: departures.keys.map(single))
        }
      }
    }
  }

  private func pathBefore(_ draft: Int) -> IndexPath {
    IndexPath(climbingFrom: draft) { draft in drafts[draft].before.map { ($0.position, $0.parent) } }
  }
}
