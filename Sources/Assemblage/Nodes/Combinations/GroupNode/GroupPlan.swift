/// What a change of the source does to sections and to rows in them, and what is told of it.
///
/// `GroupTranslation` makes it in three steps: before the rows change (where crossings begin), after that (what became of the
/// rows), and after the sections have got their places.
struct GroupPlan {
  /// What became of one section.
  struct Section {
    /// Where it was shown before; nil where it was not.
    var formerOrdinal: Int?
    /// Where it is shown; nil where it is not.
    var ordinal: Int?
    /// Whether its first row is another one now, so that it may belong to another place among the sections.
    var isTouched = false
    /// What happened to its rows.
    var delta = Delta()
    /// What happened below its rows.
    var children: [(position: Int, change: ChangeSet)] = []
    /// Which of its rows come from other parents, or go there.
    var crossings: [Crossing] = []

    /// What the section tells.
    var change: ChangeSet {
      var change = ChangeSet(delta: delta, children: children)
      change.crossings = crossings
      return change
    }
  }

  /// What the group tells: the change of the tree of sections and rows.
  private(set) var whole = ChangeSet()
  /// How the sections stood that got another first row, or their first one, or lost the last.
  var standings: [GroupTranslation.Standing] = []
  private var changes: [SectionIndex.RowChange] = []
  /// The sections that are concerned, by slot.
  var sections: [Int: Section] = [:]
  /// The ends before the change of what crosses in the source, by position.
  private var ends: [Int: SectionIndex.Place] = [:]
  /// The rows that go from one section to another, and their positions in the source after the change.
  private var transfers: [(crossing: Crossing, position: Int)] = []

  /// Begins a plan, before the rows change.
  init(_ change: ChangeSet, _ rows: SectionIndex) {
    for case .inside(let place) in change.crossings.lazy.map(\.from) {
      let end = rows.place(of: place.first)
      ends[place.first] = end
      sections[end.slot] = Section()
    }
  }

  /// Takes in what became of the rows, and what happened below them.
  mutating func note(_ changes: [SectionIndex.RowChange], _ change: ChangeSet, _ translation: GroupTranslation) {
    self.changes = changes
    noteRows()
    var transferred: [Int: ChangeSet] = [:]
    for change in changes where change.isTransferred {
      transferred[change.position] = ChangeSet(updatesValue: change.isUpdated)
    }
    for child in change.children {
      if transferred[child.position] != nil {
        transferred[child.position] = child.change
      } else {
        let place = translation.rows.place(of: child.position)
        sections[place.slot, default: Section()].children.append((place.row, child.change))
      }
    }
    transfers = changes.compactMap { change in
      guard change.isTransferred, let former = change.former, let place = change.place else { return nil }
      let crossing = Crossing(from: former.end, to: place.end, change: transferred[change.position]!)
      return (crossing, change.position)
    }
    for case .inside(let place) in change.crossings.lazy.map(\.to) {
      let slot = translation.rows.place(of: place.first).slot
      if sections[slot] == nil { sections[slot] = Section() }
    }
    for slot in sections.keys { sections[slot]!.formerOrdinal = translation.ordinal(ofSlot: slot) }
  }

  /// Puts the deltas of the sections together.
  private mutating func noteRows() {
    if changes.count == 1, let only = changes.first { return noteOnly(only) }
    struct Lists {
      var removals: [Range<Int>] = []
      var insertions: [Range<Int>] = []
      var updates: [Range<Int>] = []
      var moves: [Delta.Move] = []
      var isTouched = false
    }
    var lists: [Int: Lists] = [:]
    for change in changes {
      let (former, place) = (change.former, change.place)
      if change.stands {
        if change.isUpdated, let place { lists[place.slot, default: Lists()].updates.append(place.range) }
        continue
      }
      if let former, former.row == 0 { lists[former.slot, default: Lists()].isTouched = true }
      if let place, place.row == 0 { lists[place.slot, default: Lists()].isTouched = true }
      if let former, let place, former.slot == place.slot {
        lists[place.slot, default: Lists()].moves.append(Delta.Move(from: former.range, to: place.range))
        if change.isUpdated { lists[place.slot]!.updates.append(place.range) }
        continue
      }
      if let former { lists[former.slot, default: Lists()].removals.append(former.range) }
      if let place { lists[place.slot, default: Lists()].insertions.append(place.range) }
    }
    for (slot, list) in lists {
      sections[slot, default: Section()].isTouched = list.isTouched
      sections[slot]!.delta = Delta(
        removals: list.removals, insertions: list.insertions, updates: list.updates, moves: list.moves)
    }
  }

  /// The same for one row, which is the usual edit.
  private mutating func noteOnly(_ change: SectionIndex.RowChange) {
    if change.stands {
      if change.isUpdated, let place = change.place {
        sections[place.slot, default: Section()].delta = .update(place.range)
      }
      return
    }
    if let former = change.former, let place = change.place, former.slot == place.slot {
      sections[place.slot, default: Section()].delta = Delta(
        updates: change.isUpdated ? [place.range] : [], moves: [Delta.Move(from: former.range, to: place.range)])
      sections[place.slot]!.isTouched = former.row == 0 || place.row == 0
      return
    }
    if let former = change.former {
      sections[former.slot, default: Section()].delta = .removal(former.range)
      sections[former.slot]!.isTouched = former.row == 0
    }
    if let place = change.place {
      sections[place.slot, default: Section()].delta = .insertion(place.range)
      sections[place.slot]!.isTouched = place.row == 0
    }
  }

  /// Puts together what is told.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - translation: where everything stands now.
  ///   - transaction: what left in the transaction under way; it notes what leaves, and forgets what comes back.
  mutating func finish(
    _ change: ChangeSet, _ translation: GroupTranslation, _ transaction: inout GroupTranslation.Transaction?
  ) {
    var delta = DeltaLists()
    var crossings: [Crossing] = []
    var children: [(position: Int, change: ChangeSet)] = []
    for (slot, section) in sections {
      let ordinal = translation.ordinal(ofSlot: slot)
      sections[slot]!.ordinal = ordinal
      if section.isTouched { delta.append(section.formerOrdinal, ordinal) }
      switch (section.formerOrdinal, ordinal) {
      case (let former?, nil):
        guard transaction != nil else { continue }
        let token = Crossing.Token()
        transaction!.vanished[slot] = token
        crossings.append(
          Crossing(from: .inside(Crossing.Place([former])), to: .outside(token), change: ChangeSet(section.delta)))
      case (nil, let ordinal?):
        guard let token = transaction?.vanished.removeValue(forKey: slot) else { continue }
        crossings.append(Crossing(arrivalOf: token, at: ordinal, ChangeSet(section.delta)))
      case (_?, let ordinal?):
        children.append((ordinal, ChangeSet(delta: section.delta, children: section.children)))
      case (nil, nil): break
      }
    }
    whole = ChangeSet(delta: delta.delta, updatesValue: change.updatesValue, children: children)
    func tell(_ crossing: Crossing) {
      var crossing = crossing
      crossing.from = crossing.from.wrapped { sections[$0]!.formerOrdinal! }
      crossing.to = crossing.to.wrapped { sections[$0]!.ordinal! }
      crossings.append(crossing)
    }
    for (crossing, position) in transfers {
      tell(crossing)
      // A row that comes back to a section must have the token with which it left.
      let token = transaction?.rows.token(at: position) ?? Crossing.Token()
      transaction?.rows.insert(token, at: position)
      share(crossing, token)
    }
    for crossing in change.crossings.map({ translate($0, translation) }) {
      tell(crossing)
      share(crossing, Crossing.Token())
    }
    whole.crossings = crossings
  }

  /// A crossing of the source with ends in slots and rows.
  private func translate(_ crossing: Crossing, _ translation: GroupTranslation) -> Crossing {
    var result = crossing
    if case .inside(let place) = crossing.from {
      let end = ends[place.first]!
      result.from = .inside(place.replacingFirst(by: end.slot, end.row))
    }
    if case .inside(let place) = crossing.to {
      let end = translation.rows.place(of: place.first)
      result.to = .inside(place.replacingFirst(by: end.slot, end.row))
    }
    return result
  }

  /// Gives the sections their ends of a crossing: both, or each one of them with a common token.
  private mutating func share(_ crossing: Crossing, _ token: Crossing.Token) {
    switch (crossing.from, crossing.to) {
    case (.inside(let source), .inside(let destination)):
      let ends = (Crossing.End.inside(source.droppingFirst), Crossing.End.inside(destination.droppingFirst))
      if source.first == destination.first {
        sections[source.first]!.crossings.append(Crossing(from: ends.0, to: ends.1, change: crossing.change))
        return
      }
      sections[source.first]!.crossings.append(Crossing(from: ends.0, to: .outside(token), change: ChangeSet()))
      sections[destination.first]!.crossings.append(
        Crossing(from: .outside(token), to: ends.1, change: crossing.change))
    case (.inside(let source), .outside):
      sections[source.first]!.crossings.append(
        Crossing(from: .inside(source.droppingFirst), to: crossing.to, change: crossing.change))
    case (.outside, .inside(let destination)):
      sections[destination.first]!.crossings.append(
        Crossing(from: crossing.from, to: .inside(destination.droppingFirst), change: crossing.change))
    case (.outside, .outside): break
    }
  }
}

/// Gathers who came, left and moved.
private struct DeltaLists {
  private var removals: [Range<Int>] = []
  private var insertions: [Range<Int>] = []
  private var moves: [Delta.Move] = []

  mutating func append(_ former: Int?, _ present: Int?) {
    switch (former, present) {
    case (let former?, let present?):
      moves.append(Delta.Move(from: former..<former + 1, to: present..<present + 1))
    case (let former?, nil): removals.append(former..<former + 1)
    case (nil, let present?): insertions.append(present..<present + 1)
    case (nil, nil): break
    }
  }

  var delta: Delta {
    let staysPut = removals.isEmpty && insertions.isEmpty && moves.allSatisfy { $0.source == $0.destination }
    // One that moved to where it was: nothing happened. Of several the same holds only where none passed another.
    if staysPut { return Delta() }
    return Delta(removals: removals, insertions: insertions, moves: moves)
  }
}

extension SectionIndex.Place {
  /// The row as a range.
  var range: Range<Int> { row..<row + 1 }

  /// The place as an end of a crossing: a path of slot and row.
  fileprivate var end: Crossing.End { .inside(Crossing.Place([slot, row])) }
}

extension Crossing.Place {
  fileprivate func replacingFirst(by slot: Int, _ row: Int) -> Self {
    var place = self
    place.first = row
    place.wrap(at: slot)
    return place
  }

  /// The path in the child that the first component leads to.
  fileprivate var droppingFirst: Self { Self(components.dropFirst()) }
}

extension Crossing.End {
  /// The end with its first component, a slot, replaced.
  fileprivate func wrapped(_ ordinal: (Int) -> Int) -> Self {
    guard case .inside(var place) = self else { return self }
    place.first = ordinal(place.first)
    return .inside(place)
  }
}
