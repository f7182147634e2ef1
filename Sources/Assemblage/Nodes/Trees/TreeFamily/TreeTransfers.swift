import OffsetIndexing

// Children that move between parents of the source. The deltas of the parents report them as removed and inserted.

/// A child that moves from one parent to another parent.
struct TreeTransfer {
  let crossing: Crossing
  /// The path in the source at which the move ends.
  let destination: [Int]
  /// The places where the child was shown, by the records of the nodes that report its move: see `places(of:)`.
  var origins: [TreeIndex.Branch: Crossing.Place] = [:]
  /// The child's record; nil for a leaf, and if nobody has looked at the child.
  var record: TreeIndex.Branch?
  /// The touch of the child; nil if no change is known.
  var touch: Int?
  /// Whether the child was a leaf and is a node now.
  var isNew = false
  /// Whether the record lies where the child is now.
  var isAttached = false

  init(_ crossing: Crossing, to destination: [Int]) {
    self.crossing = crossing
    self.destination = destination
  }
}

extension [TreeTransfer] {
  /// The transfers that end below a child, out of the transfers that end below its parent.
  ///
  /// - Parameters:
  ///   - position: the child's position after the change.
  ///   - depth: the length of the parent's path.
  ///   - range: the transfers that end below the parent.
  /// - Returns: the transfers, as a part of `range`.
  /// - Complexity: O(log t) for t transfers.
  func arriving(below position: Int, at depth: Int, in range: Range<Int>) -> Range<Int> {
    if range.isEmpty { return range }
    let start = self[range].partitioningIndex { $0.destination[depth] >= position }
    return start..<self[start..<range.upperBound].partitioningIndex { $0.destination[depth] > position }
  }

  /// The transfers that end inside the child of another transfer.
  ///
  /// - Complexity: O(d log t) for t transfers and paths of length d.
  func arriving(inside number: Int) -> Range<Int> {
    let rest = self[(number + 1)...]
    return rest.startIndex..<rest.partitioningIndex { !$0.destination.starts(with: self[number].destination) }
  }
}

extension TreeFamily {
  /// Finds the records of moved children by their paths before the change, and takes these records out before anything
  /// is changed.
  func beginTransfers(_ crossings: [Crossing], _ work: inout Work) {
    var transfers: [TreeTransfer] = []
    transfers.reserveCapacity(crossings.count)
    for crossing in crossings {
      guard let (source, destination) = crossing.places else { continue }
      var transfer = TreeTransfer(crossing, to: destination.components)
      let path = source.components
      if let parent = translation.value.record(at: path.dropLast()),
        source.position < translation.value.childCount(of: parent)
      {
        transfer.record = translation.value.record(ofChild: source.position, of: parent)
        transfer.origins = places(of: path)
      }
      transfers.append(transfer)
    }
    for case let record? in transfers.map(\.record) { translation.value.detach(record) }
    // The children that arrive inside a moved child follow this child directly.
    transfers.sort { $0.destination.lexicographicallyPrecedes($1.destination) }
    work.transfers = transfers
  }

  /// The places where a child is shown, by its path in the source: one below the root, and one below each record whose
  /// node reports its changes.
  ///
  /// - Returns: the places, by records; none if the child is hidden.
  /// - Complexity: O(d · log n) for a path of length d; O(d) more for each node that reports changes.
  private func places(of path: [Int]) -> [Record: Crossing.Place] {
    var parents = [TreeIndex.root]
    parents.reserveCapacity(path.count)
    for position in path.dropLast() {
      let parent = parents[parents.count - 1]
      guard position < translation.value.childCount(of: parent),
        let next = translation.value.record(ofChild: position, of: parent)
      else { return [:] }
      parents.append(next)
    }
    var places: [Record: Crossing.Place] = [:]
    var place: Crossing.Place?
    for (parent, position) in zip(parents, path).reversed() {
      guard position < translation.value.childCount(of: parent),
        let shown = translation.value.shownPosition(of: position, in: parent)
      else { break }
      if place == nil { place = Crossing.Place(shown) } else { place!.wrap(at: shown) }
      if parent == TreeIndex.root || observedPart(parent) != nil { places[parent] = place }
    }
    return places
  }

  /// Puts the records of moved children where the children are now, and brings them up to date.
  func settleTransfers(_ work: inout Work) {
    for number in work.transfers.indices {
      openDestination(number, &work)
      applyTransfer(number, &work)
    }
  }

  /// Looks at the place where a transfer ends, if nobody has looked at that place yet.
  private func openDestination(_ number: Int, _ work: inout Work) {
    let transfer = work.transfers[number]
    // A child that has become a leaf has a touch, and no record.
    if transfer.isAttached || transfer.touch != nil { return }
    guard work.hasListeners && !transfer.origins.isEmpty || transfer.record.map(hasPart) ?? false else { return }
    var parent = TreeIndex.root
    for position in transfer.destination.dropLast() {
      guard position < translation.value.childCount(of: parent),
        let next = openRecord(ofChild: position, of: parent, &work)
      else { return }
      parent = next
    }
    guard transfer.record != nil, translation.value.isLoaded(parent) else { return }
    attach(number, at: transfer.destination[transfer.destination.count - 1], of: parent, &work)
  }

  /// Whether a node shows a record, or a record below it.
  private func hasPart(_ record: Record) -> Bool {
    guard progress.value.hasMembers else { return false }
    return part(record) != nil || translation.value.records(below: record).contains { part($0) != nil }
  }

  /// Brings the record of a moved child up to date with the change inside the child.
  private func applyTransfer(_ number: Int, _ work: inout Work) {
    let (transfer, change) = (work.transfers[number], work.transfers[number].crossing.change)
    let path = transfer.destination
    if let record = transfer.record {
      // If the parent is not known, the records of its children are made anew.
      guard transfer.isAttached else { return }
      let arriving = work.transfers.arriving(inside: number)
      work.transfers[number].touch = apply(change, to: record, arriving: arriving, depth: path.count, &work)
    } else if transfer.touch == nil, work.hasListeners, let parent = translation.value.record(at: path.dropLast()),
      translation.value.isLoaded(parent), let touch = lookAtNew(change, at: path[path.count - 1], of: parent, &work)
    {
      (work.transfers[number].touch, work.transfers[number].isNew) = (touch, true)
    }
  }

  /// Gives up the record of a moved child, because the child has become a leaf while it moved.
  func becomeLeaf(_ number: Int, _ work: inout Work) {
    let record = work.transfers[number].record!
    work.transfers[number].touch = vanish(record, work.transfers[number].crossing.change.updatesValue, &work)
    work.transfers[number].record = nil
    work.removed.append(translation.value.shape.parent(of: record)!)
  }

  /// Adds the touch of a record whose children have all left.
  func vanish(_ record: Record, _ updatesValue: Bool, _ work: inout Work) -> Int {
    let count = translation.value.count(of: record)
    return work.touch(count > 0 ? .removal(0..<count) : Delta(), updatesValue: updatesValue)
  }

  /// Finds the moves of children that were shown and are still shown, after the view has decided which children are
  /// shown.
  ///
  /// The root reports moves inside the tree. The node of a child also reports a move that begins or ends below the
  /// child.
  ///
  /// - Returns: the moves, by the records of the nodes that report them.
  func endTransfers(_ work: inout Work) -> [Record: [Crossing]] {
    var crossings: [Record: [Crossing]] = [:]
    for transfer in work.transfers {
      if let record = transfer.record, !transfer.isAttached {
        work.removed.append(translation.value.shape.parent(of: record)!)
      }
      let goals = transfer.origins.isEmpty || !isKept(transfer) ? [:] : places(of: transfer.destination)
      if goals.isEmpty { continue }
      let change =
        transfer.touch.map(work.change) ?? ChangeSet(updatesValue: transfer.crossing.change.updatesValue)
      let isShown = transfer.origins[TreeIndex.root] != nil && goals[TreeIndex.root] != nil
      // The number belongs to this view: other views of the same tree show the child with other children below, or in
      // another order.
      let name = SerialNumber.next()
      func report(_ from: Crossing.Place?, _ to: Crossing.Place?, _ record: Record) {
        if !isShown, from == nil || to == nil { return }
        // If the two ends are in different nodes, the arrival carries the change inside the child.
        crossings[record, default: []].append(
          Crossing(name, from: from, to: to, change: to == nil ? ChangeSet() : change))
      }
      for (record, from) in transfer.origins { report(from, goals[record], record) }
      for (record, to) in goals where transfer.origins[record] == nil { report(nil, to, record) }
    }
    return crossings
  }

  /// Whether the place where a transfer ends is known and shows the same child.
  private func isKept(_ transfer: TreeTransfer) -> Bool {
    let path = transfer.destination
    let position = path[path.count - 1]
    guard let parent = translation.value.record(at: path.dropLast()),
      position < translation.value.childCount(of: parent)
    else { return false }
    if transfer.isNew { return true }
    let record = translation.value.record(ofChild: position, of: parent)
    // A leaf may have become a branch without children.
    return record == transfer.record || transfer.record == nil && translation.value.count(of: record!) == 0
  }
}
