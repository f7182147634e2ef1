/// A walk down through records on which rows come and go at many levels.
///
/// Each level tells what happened in its own rows. Where these are in the outline is known from the level above, and how
/// many more or fewer there are is told to it when the walk comes back; so a level costs O(log n), however deep it is, where
/// looking up to the root would cost O(d · log n) each time.
///
///     while let (record, tag) = walk.next(&translation) {
///       walk.detach(…)                   changes rows of the record
///       walk.visit(child, tag: …)        the walk goes there later, and back
///     }
struct OutlineWalk {
  private struct Stop {
    let record: Int
    /// What the walker wants to know again when it gets there.
    let tag: Int
    /// The stop that it was visited from; -1: the first.
    let parent: Int
    /// The number of stops above it.
    let depth: Int
    var origin = OutlineTranslation.Origin.hidden
    /// The rows that have come, less those that have gone, and of which the record above does not know yet.
    var growth = 0
    var isEntered = false
  }

  /// The stops on the way from the first to the current one, and those still to be visited.
  private var stops: [Stop]
  private var current = -1

  /// Begins a walk at a record.
  init(from record: Int, tag: Int) { stops = [Stop(record: record, tag: tag, parent: -1, depth: 0)] }

  /// The number of records between the first one and the current one, the first included.
  var depth: Int { stops[current].depth }

  /// Goes to the next record, or ends the walk.
  ///
  /// - Complexity: O(log n) for n children; for the first record, O(d · log n) at depth d.
  mutating func next(_ translation: inout OutlineTranslation) -> (record: Int, tag: Int)? {
    while let last = stops.indices.last {
      if !stops[last].isEntered {
        stops[last].isEntered = true
        stops[last].origin = origin(of: stops[last], in: translation)
        current = last
        return (stops[last].record, stops[last].tag)
      }
      leave(stops.removeLast(), &translation)
    }
    return nil
  }

  /// Goes to a child of the current record later; those that are told last are visited first.
  mutating func visit(_ record: Int, tag: Int) {
    stops.append(Stop(record: record, tag: tag, parent: current, depth: depth + 1))
  }

  /// Does not go to children of the current record after all.
  mutating func skip(_ records: Set<Int>) {
    let later = stops[(current + 1)...].filter { !records.contains($0.record) }
    stops.replaceSubrange((current + 1)..., with: later)
  }

  private func origin(of stop: Stop, in translation: borrowing OutlineTranslation) -> OutlineTranslation.Origin {
    guard stop.parent >= 0 else { return translation.origin(ofRecord: stop.record) }
    guard translation.records[stop.record].isExpanded else { return .hidden }
    return stops[stop.parent].origin.advanced {
      translation.records[stops[stop.parent].record].level.place(ofRecord: stop.record).row + 1
    }
  }

  private mutating func leave(_ stop: Stop, _ translation: inout OutlineTranslation) {
    guard stop.growth != 0 else { return }
    guard stop.parent >= 0 else { return translation.grow(stop.record, by: stop.growth) }
    guard translation.records[stop.record].isExpanded else { return }
    translation.addExtra(stop.growth, ofRecord: stop.record)
    stops[stop.parent].growth += stop.growth
  }
}

// MARK: - What happens at a stop

extension OutlineWalk {
  /// Takes in what happened to the rows of the current record.
  private mutating func note(_ rows: Delta, growth: Int, _ edit: inout OutlineEdit) {
    stops[current].growth += growth
    edit.note(rows, at: stops[current].origin)
  }

  /// Takes children of the current record out, moves them and makes room for new ones.
  ///
  /// - Returns: the records of removed children.
  mutating func apply(
    _ delta: Delta, _ edit: inout OutlineEdit, _ translation: inout OutlineTranslation
  ) -> [Int] {
    let record = stops[current].record
    let former = translation.records[record].level.total
    let (rows, removed) = translation.rearrange(delta, in: record)
    note(rows, growth: translation.records[record].level.total - former, &edit)
    return removed
  }

  /// Attaches a record to a child of the current one that has none.
  mutating func attach(
    _ record: Int, at position: Int, _ edit: inout OutlineEdit, _ translation: inout OutlineTranslation
  ) {
    translation.adopt(record, at: position, of: stops[current].record)
    let rows = translation.rows(below: record)
    if !rows.isEmpty { note(.insertion(rows), growth: rows.count, &edit) }
  }

  /// Takes the record of a child of the current one away from it.
  mutating func detach(_ record: Int, _ edit: inout OutlineEdit, _ translation: inout OutlineTranslation) {
    let rows = translation.rows(below: record)
    if !rows.isEmpty { note(.removal(rows), growth: -rows.count, &edit) }
    translation.abandon(record)
  }

  /// Expands or collapses a child of the current record that has a record.
  mutating func setExpanded(
    _ isExpanded: Bool, _ record: Int, _ edit: inout OutlineEdit, _ translation: inout OutlineTranslation
  ) {
    guard translation.records[record].isExpanded != isExpanded else { return }
    if !isExpanded {
      let rows = translation.rows(below: record)
      if !rows.isEmpty { note(.removal(rows), growth: -rows.count, &edit) }
    }
    translation.turn(record, isExpanded)
    if isExpanded {
      let rows = translation.rows(below: record)
      if !rows.isEmpty { note(.insertion(rows), growth: rows.count, &edit) }
    }
  }

  /// Takes the record of a child of the current one back that was parked, with everything below expanded.
  mutating func unpark(_ record: Int, _ edit: inout OutlineEdit, _ translation: inout OutlineTranslation) {
    translation.unpark(record)
    setExpanded(true, record, &edit, &translation)
  }

  /// Parks the record of a child of the current one.
  mutating func park(_ record: Int, _ edit: inout OutlineEdit, _ translation: inout OutlineTranslation) {
    let rows = translation.rows(below: record)
    if !rows.isEmpty { note(.removal(rows), growth: -rows.count, &edit) }
    translation.park(record)
  }
}

extension OutlineTranslation.Origin {
  /// The place so many rows further on.
  fileprivate func advanced(by rows: () -> Int) -> Self {
    switch self {
    case .row(let row): .row(row + rows())
    case .detached(let record, let row): .detached(record: record, row: row + rows())
    case .hidden: .hidden
    }
  }
}
