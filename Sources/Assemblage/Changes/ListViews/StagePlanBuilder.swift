extension StagePlan {
  /// Creates the slots of all parents whose children `change` changes; the slots get their stages later.
  ///
  /// - Parameters:
  ///   - change: the net change.
  ///   - view: the kind of view, which decides how many levels of the tree matter.
  ///   - countBefore: returns the number of children, before the change, of a removed parent. If this number is
  ///     unknown, no child moves out of a parent that would have to stay for the move: the child is removed and
  ///     inserted.
  init(_ change: ChangeSet, for view: ChangeSet.ViewKind, countBefore: (IndexPath) -> Int?) {
    var moved = change.transfers
    if view.endsWithRows { moved.removeAll { $0.source.count != 2 || $0.destination.count != 2 } }
    var builder = StagePlanBuilder(change, moved, for: view)
    // A child without its transfer is removed with everything inside it. This affects the transfers out of the child,
    // so the builder starts again until all remaining transfers can be kept.
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

/// Finds the parents whose children change, before and after the change, and the changes of these children.
struct StagePlanBuilder {
  /// A node before its slots are made.
  struct Draft {
    enum Fate { case survives, leaves, comes }

    var fate: Fate
    /// The change of the node's children; transfers are removals and insertions.
    var delta: Delta
    /// The node's parent and the node's position there, before and after the change.
    var before: (parent: Int, position: Int)?
    var after: (parent: Int, position: Int)?
    var childrenBefore: [Int: Int] = [:]
    var childrenAfter: [Int: Int] = [:]
    /// Transfers by the position of the child, before and after the change.
    var departures: [Int: Int] = [:]
    var arrivals: [Int: Int] = [:]
    /// Whether the node stays, without its other children, until something below it has moved out in a later stage.
    var lingers = false
  }

  let view: ChangeSet.ViewKind
  let moved: [ChangeSet.Transfer]
  var drafts: [Draft] = []
  /// For each transfer: the draft of the child itself, whether any parent above the source is removed, and whether any
  /// parent above the destination is inserted.
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
    // In ascending order of paths, a moved child is found before the children that moved out of it or into it.
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
        // A list view ignores everything inside rows.
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

  /// Whether the removed parents of a transfer must stay until a later stage.
  ///
  /// The calls of a sequential view follow each other. There, parents only stay if the transfer has to wait for its
  /// destination.
  func makesParentsLinger(_ number: Int) -> Bool {
    isFromRemoved[number] && (!view.isSequential || isToInserted[number])
  }

  /// Whether the view knows the number of children of all removed parents that a transfer leaves.
  func knowsParents(of number: Int, _ countBefore: (IndexPath) -> Int?) -> Bool {
    var parent = 0
    for position in moved[number].source.dropLast() {
      guard let child = drafts[parent].childrenBefore[position] else { return true }
      if drafts[child].fate == .leaves, countBefore(pathBefore(child)) == nil { return false }
      parent = child
    }
    return true
  }

  /// Makes the deltas of removed and inserted parents.
  ///
  /// Such a delta has only the transfers. But a parent that lingers is emptied, except for the children that linger.
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
            "ChangeSet: a child moves out of the removed parent \(path.sentence), which had \(countedChildren(count)).")
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
