/// The effect of a change of the source on sections and on rows in them, and the change that the group reports.
///
/// `GroupTranslation` makes a plan in three steps. The first step notes the starts of crossings, before the rows
/// change. The second step notes the new places of the rows. The third step makes the change, after the sections have
/// got their places.
struct GroupPlan {
  /// The change of one section.
  struct Section {
    /// The section's ordinal before the change; nil where it was not shown.
    var formerOrdinal: Int?
    /// The section's ordinal after the change; nil where it is not shown.
    var ordinal: Int?
    /// Whether the section has another first row now, so that it may get another place among the sections.
    var isTouched = false
    /// The change of the section's rows: first as lists that grow, then as the delta.
    fileprivate var lists = Delta.Lists()
    fileprivate(set) var delta = Delta()
    /// The changes below its rows.
    var children: [(position: Int, change: ChangeSet)] = []
    /// The moves of its rows to other parents, or from them.
    var crossings: [Crossing] = []

    /// The change that the section reports.
    var change: ChangeSet {
      var change = ChangeSet(delta: delta, children: children)
      change.crossings = crossings
      return change
    }
  }

  /// A crossing whose paths begin with a row of a section, and the slots of the sections at both ends.
  private struct Passage {
    var crossing: Crossing
    var from: Int?
    var to: Int?
  }

  /// The change of the tree of sections and rows, which the group reports.
  private(set) var whole = ChangeSet()
  /// The sections that change, by slot.
  var sections: [Int: Section] = [:]
  /// The crossings of the source.
  ///
  /// Until the rows have changed, the ends after the change are still places in the source.
  private var passages: [Passage] = []

  /// Begins a plan, before the rows change.
  init(_ change: ChangeSet, _ rows: SectionIndex) {
    for var crossing in change.crossings {
      var slot: Int?
      if let from = crossing.from {
        let place = rows.place(of: from.first)
        crossing.from!.first = place.row
        slot = place.slot
        sections[place.slot] = Section()
      }
      passages.append(Passage(crossing: crossing, from: slot))
    }
  }

  /// Notes the new places of the rows, and the changes below the rows.
  mutating func note(_ changes: [SectionIndex.RowChange], _ change: ChangeSet, _ translation: GroupTranslation) {
    noteRows(changes)
    for index in passages.indices {
      guard let to = passages[index].crossing.to else { continue }
      let place = translation.rows.place(of: to.first)
      passages[index].crossing.to!.first = place.row
      passages[index].to = place.slot
      if sections[place.slot] == nil { sections[place.slot] = Section() }
    }
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
    for change in changes where change.isTransferred {
      let (former, place) = (change.former!, change.place!)
      passages.append(
        Passage(
          crossing: Crossing(
            from: Crossing.Place(former.row), to: Crossing.Place(place.row), change: transferred[change.position]!),
          from: former.slot, to: place.slot))
    }
    forEachSection { slot, section in section.formerOrdinal = translation.ordinal(ofSlot: slot) }
  }

  /// Changes the sections in place, because a loop over the dictionary would copy it.
  private mutating func forEachSection(_ body: (_ slot: Int, _ section: inout Section) -> Void) {
    var index = sections.startIndex
    while index != sections.endIndex {
      let slot = sections[index].key
      body(slot, &sections.values[index])
      sections.formIndex(after: &index)
    }
  }

  /// Collects the deltas of the sections.
  private mutating func noteRows(_ changes: [SectionIndex.RowChange]) {
    for change in changes {
      if !change.stays {
        for case let end? in [change.former, change.place] {
          if end.row == 0 { sections[end.slot, default: Section()].isTouched = true }
        }
      }
      guard let former = change.former, let place = change.place, former.slot == place.slot else {
        if let former = change.former { sections[former.slot, default: Section()].lists.append(former.row, nil) }
        if let place = change.place { sections[place.slot, default: Section()].lists.append(nil, place.row) }
        continue
      }
      if !change.stays { sections[place.slot, default: Section()].lists.append(former.row, place.row) }
      if change.isUpdated { sections[place.slot, default: Section()].lists.updates.append(place.row..<place.row + 1) }
    }
    forEachSection { $1.delta = $1.lists.delta }
  }

  /// Makes the change of the group, when the sections have got their places.
  ///
  /// - Parameters:
  ///   - updatesValue: whether the source's own value has changed.
  ///   - translation: the sections and rows after the change.
  mutating func finish(updatesValue: Bool, _ translation: GroupTranslation) {
    var delta = Delta.Lists()
    var children: [(position: Int, change: ChangeSet)] = []
    forEachSection { slot, section in
      section.ordinal = translation.ordinal(ofSlot: slot)
      if section.isTouched { delta.append(section.formerOrdinal, section.ordinal) }
      if section.formerOrdinal != nil, let ordinal = section.ordinal {
        children.append((ordinal, ChangeSet(delta: section.delta, children: section.children)))
      }
    }
    whole = ChangeSet(delta: delta.delta, updatesValue: updatesValue, children: children)
    whole.crossings = passages.map { passage in
      share(passage)
      var crossing = passage.crossing
      if let slot = passage.from { crossing.from!.wrap(at: sections[slot]!.formerOrdinal!) }
      if let slot = passage.to { crossing.to!.wrap(at: sections[slot]!.ordinal!) }
      return crossing
    }
  }

  /// Gives the sections their ends of a crossing.
  ///
  /// Where two sections take part, the section at which the child arrives reports the change of the child itself.
  private mutating func share(_ passage: Passage) {
    if let slot = passage.from, slot != passage.to {
      var departure = passage.crossing
      departure.to = nil
      if passage.to != nil { departure.change = ChangeSet() }
      sections[slot]!.crossings.append(departure)
    }
    if let slot = passage.to {
      var crossing = passage.crossing
      if slot != passage.from { crossing.from = nil }
      sections[slot]!.crossings.append(crossing)
    }
  }
}
