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
    /// What happened to its rows: as it is put together, and then.
    fileprivate var lists = Delta.Lists()
    fileprivate(set) var delta = Delta()
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
  /// The sections that are concerned, by slot.
  var sections: [Int: Section] = [:]
  /// The ends before the change of what crosses in the source, by position.
  private var ends: [Int: SectionIndex.Place] = [:]
  /// The rows that go from one section to another, and their positions in the source after the change.
  private var transfers: [(crossing: Crossing, position: Int)] = []

  /// What the rows were told with in which crossings of the source begin.
  private let origins: [Crossing.Token?]

  /// Begins a plan, before the rows change.
  init(_ change: ChangeSet, _ rows: SectionIndex, origins: [Crossing.Token?] = []) {
    self.origins = origins
    for case .inside(let place) in change.crossings.lazy.map(\.from) {
      let end = rows.place(of: place.first)
      ends[place.first] = end
      sections[end.slot] = Section()
    }
  }

  /// Takes in what became of the rows, and what happened below them.
  mutating func note(_ changes: [SectionIndex.RowChange], _ change: ChangeSet, _ translation: GroupTranslation) {
    noteRows(changes)
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
    forEachSection { slot, section in section.formerOrdinal = translation.ordinal(ofSlot: slot) }
  }

  /// Changes the sections in their places: a loop over the dictionary would copy it.
  private mutating func forEachSection(_ body: (_ slot: Int, _ section: inout Section) -> Void) {
    var index = sections.startIndex
    while index != sections.endIndex {
      let slot = sections[index].key
      body(slot, &sections.values[index])
      sections.formIndex(after: &index)
    }
  }

  /// Puts the deltas of the sections together.
  private mutating func noteRows(_ changes: [SectionIndex.RowChange]) {
    for change in changes {
      if !change.stands {
        for case let end? in [change.former, change.place] {
          if end.row == 0 { sections[end.slot, default: Section()].isTouched = true }
        }
      }
      guard let former = change.former, let place = change.place, former.slot == place.slot else {
        if let former = change.former { sections[former.slot, default: Section()].lists.append(former.row, nil) }
        if let place = change.place { sections[place.slot, default: Section()].lists.append(nil, place.row) }
        continue
      }
      if !change.stands { sections[place.slot, default: Section()].lists.append(former.row, place.row) }
      if change.isUpdated { sections[place.slot, default: Section()].lists.updates.append(place.row..<place.row + 1) }
    }
    forEachSection { $1.delta = $1.lists.delta }
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
    var delta = Delta.Lists()
    var crossings: [Crossing] = []
    var children: [(position: Int, change: ChangeSet)] = []
    forEachSection { slot, section in
      let ordinal = translation.ordinal(ofSlot: slot)
      section.ordinal = ordinal
      if section.isTouched { delta.append(section.formerOrdinal, ordinal) }
      switch (section.formerOrdinal, ordinal) {
      case (let former?, nil):
        guard transaction != nil else { return }
        let token = Crossing.Token()
        transaction!.vanished[slot] = token
        crossings.append(
          Crossing(from: .inside(Crossing.Place([former])), to: .outside(token), change: ChangeSet(section.delta)))
      case (nil, let ordinal?):
        guard let token = transaction?.vanished.removeValue(forKey: slot) else { return }
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
      share(crossing, transaction?.pass(position) ?? Crossing.Token())
    }
    let tokens = change.crossings.indices.map { index in
      let source = change.crossings[index]
      let crossing = translate(source, translation)
      tell(crossing)
      let origin = transaction == nil ? nil : origins[index]
      let token = crossing.token ?? origin.flatMap { transaction?.pass(source.from, in: $0) } ?? Crossing.Token()
      share(crossing, token)
      return token
    }
    transaction?.note(change, tokens: tokens, origins: origins)
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
  ///
  /// - Parameters:
  ///   - crossing: the crossing, with ends in slots and rows.
  ///   - token: what both are told with where they are different ones.
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

extension SectionIndex.Place {
  /// The place as an end of a crossing: a path of slot and row.
  fileprivate var end: Crossing.End { .inside(Crossing.Place([slot, row])) }
}

extension Crossing {
  /// What the child is told with by an end that is outside; nil where both are inside.
  fileprivate var token: Token? {
    switch (from, to) {
    case (_, .outside(let token)), (.outside(let token), _): token
    case (.inside, .inside): nil
    }
  }
}

extension Crossing.Place {
  fileprivate func replacingFirst(by slot: Int, _ row: Int) -> Self {
    var place = self
    place.first = row
    place.wrap(at: slot)
    return place
  }

  /// The path in the child that the first component leads to.
  var droppingFirst: Self { Self(components.dropFirst()) }
}

extension Crossing.End {
  /// The end with its first component, a slot, replaced.
  fileprivate func wrapped(_ ordinal: (Int) -> Int) -> Self {
    guard case .inside(var place) = self else { return self }
    place.first = ordinal(place.first)
    return .inside(place)
  }
}
