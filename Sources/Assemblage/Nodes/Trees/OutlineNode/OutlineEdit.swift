import OffsetIndexing

/// What has become of the rows since a change began to be translated.
///
/// Each step changes the translation, and composes what that does to the rows.
struct OutlineEdit {
  typealias Record = OutlineTranslation.Record

  /// The outline's rows.
  var rows = DeltaComposer()

  /// The rows below records that are on their way from one parent to another, by record.
  var detached: [Record: DeltaComposer] = [:]

  /// Takes in what happened to the numbers of a forest.
  private mutating func note(_ delta: Delta, in forest: OutlineTranslation.Forest) {
    guard !delta.isEmpty else { return }
    switch forest {
    case .outline: rows.append(delta)
    // The rows below a detached record count from the one behind its own.
    case .detached(let record): detached[record, default: DeltaComposer()].append(delta.shifted(by: -1))
    case .hidden: break
    }
  }

  /// Takes children of a record's node out, moves them and makes room for new ones.
  ///
  /// - Returns: the records of removed children and of all below them, which are free now.
  mutating func rearrange(
    _ delta: Delta, in record: Record, of translation: inout OutlineTranslation
  ) -> [Record] {
    let (rows, freed) = translation.rearrange(delta, in: record)
    note(rows, in: translation.forest(ofChildrenOf: record))
    return freed
  }

  /// Attaches a detached record to a child, and takes in the rows that come with it.
  mutating func attach(
    _ record: Record, to parent: Record, at position: Int, of translation: inout OutlineTranslation
  ) {
    translation.attach(record, to: parent, at: position)
    noteRows(below: record, areExpanded: true, of: translation)
  }

  /// Takes a record from its child, and takes in the rows that go with it.
  mutating func detach(_ record: Record, of translation: inout OutlineTranslation) {
    noteRows(below: record, areExpanded: false, of: translation)
    translation.detach(record)
  }

  /// Expands or collapses a node that has a record, and takes in the rows that come or go.
  mutating func setExpanded(_ isExpanded: Bool, _ record: Record, of translation: inout OutlineTranslation) {
    guard translation.isExpanded(record) != isExpanded else { return }
    if !isExpanded { noteRows(below: record, areExpanded: false, of: translation) }
    translation.setExpanded(isExpanded, record)
    if isExpanded { noteRows(below: record, areExpanded: true, of: translation) }
  }

  /// Takes records back that were parked, children of one node in order, with everything below expanded.
  mutating func unpark(_ records: [Record], of translation: inout OutlineTranslation) {
    guard let first = records.first else { return }
    let rows = RangeLists.normalized(translation.unpark(records))
    note(
      Delta(canonicalRemovals: [], insertions: rows, updates: []), in: translation.forest(ofChildrenOf: first))
  }

  /// Parks a record, and takes in the rows that go.
  mutating func park(_ record: Record, of translation: inout OutlineTranslation) {
    noteRows(below: record, areExpanded: false, of: translation)
    translation.park(record)
  }

  /// Takes in that all rows below a record, if any are visible, have come or go now.
  mutating func noteRows(below record: Record, areExpanded: Bool, of translation: borrowing OutlineTranslation) {
    let rows = translation.rows(below: record)
    guard !rows.isEmpty else { return }
    note(areExpanded ? .insertion(rows) : .removal(rows), in: translation.forest(ofChildrenOf: record))
  }
}
