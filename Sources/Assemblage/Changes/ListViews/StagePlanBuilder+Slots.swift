extension StagePlanBuilder {
  private typealias Slot = StagePlan.Slot
  private typealias Place = StagePlan.Place

  func plan() -> StagePlan {
    var plan = StagePlan()
    plan.nodes = drafts.indices.map { StagePlan.Node(slots: slots(of: $0)) }
    let starts = plan.nodes.map { node in
      (before: positions(of: node.slots, \.isBefore), after: positions(of: node.slots, \.isAfter))
    }
    func place(_ spot: (parent: Int, position: Int), before: Bool) -> Place {
      let positions = before ? starts[spot.parent].before : starts[spot.parent].after
      let slot = positions.partitioningIndex { $0 > spot.position } - 1
      return Place(node: spot.parent, slot: slot, offset: spot.position - positions[slot])
    }
    for (index, draft) in drafts.enumerated() {
      plan.nodes[index].before = draft.before.map { place($0, before: true) }
      plan.nodes[index].after = draft.after.map { place($0, before: false) }
      for parent in Set([draft.before, draft.after].compactMap { $0?.parent }) {
        plan.nodes[parent].children.append(index)
      }
    }
    var sources = [Place?](repeating: nil, count: moved.count)
    var destinations = sources
    for (index, draft) in drafts.enumerated() {
      for (position, number) in draft.departures { sources[number] = place((index, position), before: true) }
      for (position, number) in draft.arrivals {
        destinations[number] = place((index, position), before: false)
      }
    }
    for (number, transfer) in moved.enumerated() {
      guard let source = sources[number], let destination = destinations[number] else { continue }
      plan.transfers.append(
        StagePlan.Transfer(
          source: source, destination: destination, updatesValue: transfer.change.updatesValue,
          node: draftOfTransfer[number], stage: isToInserted[number] ? 2 : 1))
    }
    return plan
  }

  /// For each slot, the number of children in the slots before it; only slots for which `isCounted` is true count.
  private func positions(of slots: [Slot], _ isCounted: (Slot) -> Bool) -> [Int] {
    var position = 0
    return slots.map { slot in
      defer { if isCounted(slot) { position += slot.count } }
      return position
    }
  }

  private func slots(of index: Int) -> [Slot] {
    let draft = drafts[index]
    let extent = max(
      draft.delta.oldExtent, (draft.childrenBefore.keys.max() ?? -1) + 1,
      (draft.departures.keys.max() ?? -1) + 1,
      (draft.childrenAfter.keys.max() ?? -1) + 1 - draft.delta.countChange)
    let pieces = cut(draft.delta.pieces(oldCount: extent), at: draft.childrenAfter.keys.sorted())
    let order = ascendingOrder(of: pieces.map(\.old))
    let stays = staying(of: pieces, order: order, draft)

    var slots: [Slot] = []
    var slotOfPiece = [Int](repeating: -1, count: pieces.count)
    var old = 0
    var new = 0
    var oldIndex = 0  // in `order`
    var newIndex = 0
    let newCount = extent + draft.delta.countChange
    var update = RangeCursor(draft.delta.updates)
    let cutsBefore = Set(draft.departures.keys).union(draft.childrenBefore.keys).sorted()
    let cutsAfter = draft.arrivals.keys.sorted()
    func append(_ piece: Int, _ kind: Slot.Kind) {
      var slot = Slot(kind: kind, count: pieces[piece].count)
      slot.node = pieces[piece].count == 1 ? draft.childrenAfter[pieces[piece].new] : nil
      if slot.isAfter {
        let start = pieces[piece].new
        let end = pieces[piece].newEnd
        while update.upper <= start { update.advance() }
        while update.lower < end {
          let lower = max(update.lower, start)
          slot.updates.append((lower - start)..<(min(update.upper, end) - start))
          if update.upper > end { break }
          update.advance()
        }
      }
      slots.append(slot)
    }
    while true {
      // First append the slots that leave before the next slot that stays.
      while true {
        let end = oldIndex < order.count ? pieces[order[oldIndex]].old : extent
        appendRange(old..<end, .removed, cutAt: cutsBefore, to: &slots) { position in
          let kind = draft.departures[position].map(Slot.Kind.leaves) ?? .removed
          return Slot(kind: kind, count: 1, node: draft.childrenBefore[position])
        }
        old = end
        guard oldIndex < order.count, !stays[order[oldIndex]] else { break }
        let piece = order[oldIndex]
        slotOfPiece[piece] = slots.count
        append(piece, .source(-1))
        old = pieces[piece].oldEnd
        oldIndex += 1
      }
      // Then append the slots that arrive.
      while true {
        let end = newIndex < pieces.count ? pieces[newIndex].new : newCount
        appendRange(new..<end, .inserted, cutAt: cutsAfter, to: &slots) { position in
          Slot(kind: .arrives(draft.arrivals[position]!), count: 1, node: draft.childrenAfter[position])
        }
        new = end
        guard newIndex < pieces.count, !stays[newIndex] else { break }
        append(newIndex, .destination(newIndex))
        new = pieces[newIndex].newEnd
        newIndex += 1
      }
      guard newIndex < pieces.count else { break }
      append(newIndex, .stays)
      old = pieces[newIndex].oldEnd
      new = pieces[newIndex].newEnd
      newIndex += 1
      oldIndex += 1
    }
    for index in slots.indices {
      if case .destination(let piece) = slots[index].kind {
        slots[index].kind = .destination(slotOfPiece[piece])
        slots[slotOfPiece[piece]].kind = .source(index)
      }
      if case .arrives(let number) = slots[index].kind, moved[number].change.updatesValue {
        slots[index].updates = [0..<1]
      }
    }
    return slots
  }

  /// The pieces, divided so that each child at one of the `positions` after the change has its own piece.
  private func cut(_ pieces: [Delta.Piece], at positions: [Int]) -> [Delta.Piece] {
    if positions.isEmpty { return pieces }
    var result: [Delta.Piece] = []
    var next = 0
    for var piece in pieces {
      while next < positions.count && positions[next] < piece.new { next += 1 }
      while next < positions.count && positions[next] < piece.newEnd {
        let before = positions[next] - piece.new
        if before > 0 { result.append(Delta.Piece(old: piece.old, new: piece.new, count: before)) }
        result.append(Delta.Piece(old: piece.old + before, new: piece.new + before, count: 1))
        piece = Delta.Piece(
          old: piece.old + before + 1, new: piece.new + before + 1, count: piece.count - before - 1)
        next += 1
      }
      if piece.count > 0 { result.append(piece) }
    }
    return result
  }

  /// Finds the pieces that stay: as many children as possible.
  ///
  /// Among all such choices, the one with the most changed children is used. The reason is that a list view cannot move
  /// and reload a child in the same stage.
  private func staying(of pieces: [Delta.Piece], order: [Int], _ draft: Draft) -> [Bool] {
    var changed = [Int](repeating: 0, count: pieces.count)
    if view == .list {
      let updates = RangeLists.union(
        Array(draft.delta.updates),
        RangeLists.normalized(draft.childrenAfter.keys.map { $0..<($0 + 1) }))
      for range in updates {
        let first = pieces.partitioningIndex { $0.newEnd > range.lowerBound }
        for index in first..<pieces.count {
          let (new, end) = (pieces[index].new, pieces[index].newEnd)
          if new >= range.upperBound { break }
          changed[index] += range.clamped(to: new..<end).count
        }
      }
    }
    // One more child that stays outweighs all changed children. If the weights overflow, changed children do not count.
    var weight = changed.reduce(1, +)
    if weight.multipliedReportingOverflow(by: pieces.reduce(1) { $0 + $1.count }).overflow {
      weight = 1
      changed = [Int](repeating: 0, count: pieces.count)
    }
    var ranks = [Int](repeating: 0, count: pieces.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    return Delta.heaviestIncreasing(
      weights: pieces.indices.map { pieces[$0].count * weight + changed[$0] }, ranks: ranks)
  }

  /// Appends the slots of a range; each of the positions `cuts`, which ascend, has its own slot.
  private func appendRange(
    _ range: Range<Int>, _ kind: Slot.Kind, cutAt cuts: [Int], to slots: inout [Slot], single: (Int) -> Slot
  ) {
    var start = range.lowerBound
    for position in cuts[cuts.partitioningIndex { $0 >= start }...].prefix(while: { $0 < range.upperBound }) {
      if position > start { slots.append(Slot(kind: kind, count: position - start)) }
      slots.append(single(position))
      start = position + 1
    }
    if range.upperBound > start { slots.append(Slot(kind: kind, count: range.upperBound - start)) }
  }
}
