/// What has become of the rows since a change began to be translated.
///
/// Each step tells its delta in the rows of one record; the edit finds out where these are, and composes.
struct OutlineEdit {
  /// The outline's rows.
  var rows = DeltaComposer()

  /// Those of records that are on their way from one parent to another, by record.
  var detached: [Int: DeltaComposer] = [:]

  /// Takes in what happened to the rows of a record, which count from its first.
  ///
  /// - Complexity: O(d · log n) for a record at depth d.
  mutating func note(_ delta: Delta, in record: Int, of translation: borrowing OutlineTranslation) {
    if !delta.isEmpty { note(delta, at: translation.origin(ofRecord: record)) }
  }

  /// Takes in what happened to the rows of a record, which count from its first, which is known.
  mutating func note(_ delta: Delta, at origin: OutlineTranslation.Origin) {
    guard !delta.isEmpty else { return }
    switch origin {
    case .row(let row): rows.append(row == 0 ? delta : delta.shifted(by: row))
    case .detached(let record, let row):
      detached[record, default: DeltaComposer()].append(row == 0 ? delta : delta.shifted(by: row))
    case .hidden: break
    }
  }

  /// Attaches a record to a child that has none, and takes in the rows that come with it.
  mutating func attach(
    _ record: Int, to parent: Int, at position: Int, of translation: inout OutlineTranslation
  ) {
    translation.attach(record, to: parent, at: position)
    noteRows(below: record, areExpanded: true, of: translation)
  }

  /// Takes a record from its child, and takes in the rows that go with it.
  mutating func detach(_ record: Int, of translation: inout OutlineTranslation) {
    noteRows(below: record, areExpanded: false, of: translation)
    translation.detach(record)
  }

  /// Expands or collapses a node that has a record, and takes in the rows that come or go.
  mutating func setExpanded(_ isExpanded: Bool, record: Int, of translation: inout OutlineTranslation) {
    guard translation.records[record].isExpanded != isExpanded else { return }
    if !isExpanded { noteRows(below: record, areExpanded: false, of: translation) }
    translation.setExpanded(isExpanded, record: record)
    if isExpanded { noteRows(below: record, areExpanded: true, of: translation) }
  }

  private mutating func noteRows(below record: Int, areExpanded: Bool, of translation: borrowing OutlineTranslation) {
    let rows = translation.rows(below: record)
    guard !rows.isEmpty else { return }
    note(
      areExpanded ? .insertion(rows) : .removal(rows), in: translation.records[record].parent, of: translation)
  }
}
