import Foundation

/// What a table or a collection view of this stub shows: the cells of each section, and which of them are selected.
///
/// As the real views do, it counts late: a reload only forgets the counts, and they are asked for when they are next needed, at
/// the begin of a batch at the latest. A batch is collected and carried out at its end: deletions and the sources of moves
/// first, by places before the batch, then what comes, by places after it. What does not add up traps, as there.
struct ListContents {
  /// A row, and the cell that was made for it.
  struct Row {
    var isSelected = false
    /// nil: it is not displayed yet.
    var cell: UIView?
  }

  private(set) var sections: [[Row]] = []
  /// Whether the counts are to be asked for again.
  private(set) var isInvalid = true
  private var batch: Batch?

  private struct Batch {
    var deletedSections = IndexSet()
    var deletedRows: [IndexPath] = []
    var insertedSections = IndexSet()
    var insertedRows: [IndexPath] = []
    var movedSections: [(source: Int, destination: Int)] = []
    var movedRows: [(source: IndexPath, destination: IndexPath)] = []
  }

  var isUpdating: Bool { batch != nil }

  subscript(path: IndexPath) -> Row {
    get { sections[path[0]][path[1]] }
    set { sections[path[0]][path[1]] = newValue }
  }

  func contains(_ path: IndexPath) -> Bool {
    path.count == 2 && sections.indices.contains(path[0]) && sections[path[0]].indices.contains(path[1])
  }

  /// Forgets everything; nothing is asked for yet.
  mutating func invalidate() {
    precondition(batch == nil, "reloadData in the middle of a batch")
    isInvalid = true
    sections = []
  }

  /// Takes the counts that were asked for.
  mutating func load(_ counts: [Int]) {
    isInvalid = false
    sections = counts.map { Array(repeating: Row(), count: $0) }
  }

  mutating func begin() {
    precondition(batch == nil && !isInvalid)
    batch = Batch()
  }

  /// A single change outside of a batch is one.
  private mutating func change(_ body: (inout Batch) -> Void) {
    guard var batch else { preconditionFailure("rows change outside of a batch") }
    body(&batch)
    self.batch = batch
  }

  mutating func deleteSections(_ sections: IndexSet) { change { $0.deletedSections.formUnion(sections) } }
  mutating func deleteRows(_ rows: [IndexPath]) { change { $0.deletedRows += rows } }
  mutating func insertSections(_ sections: IndexSet) { change { $0.insertedSections.formUnion(sections) } }
  mutating func insertRows(_ rows: [IndexPath]) { change { $0.insertedRows += rows } }
  mutating func moveSection(_ source: Int, _ destination: Int) {
    change { $0.movedSections.append((source, destination)) }
  }
  mutating func moveRow(_ source: IndexPath, _ destination: IndexPath) {
    change { $0.movedRows.append((source, destination)) }
  }

  /// Moves a row at once, as the user does with a finger.
  mutating func move(_ source: IndexPath, to destination: IndexPath) {
    precondition(batch == nil)
    let row = sections[source[0]].remove(at: source[1])
    sections[destination[0]].insert(row, at: destination[1])
  }

  /// Forgets the cells of sections. In a batch, real views make deletions and insertions of it that clash with others.
  mutating func reloadSections(_ sections: IndexSet, _ count: (Int?) -> Int) {
    if sections.isEmpty { return }
    precondition(batch == nil, "sections are reloaded in the middle of a batch")
    for section in sections {
      precondition(self.sections[section].count == count(section), "invalid number of rows in section \(section)")
      self.sections[section] = Array(repeating: Row(), count: self.sections[section].count)
    }
  }

  /// Forgets the cells of rows.
  mutating func reloadRows(_ rows: [IndexPath]) {
    if rows.isEmpty { return }
    precondition(batch == nil, "rows are reloaded in the middle of a batch")
    for path in rows { self[path] = Row() }
  }

  /// Carries the batch out.
  ///
  /// - Parameter count: how many rows a section has afterwards, and at nil, how many sections there are.
  mutating func end(_ count: (Int?) -> Int) {
    let batch = batch!
    self.batch = nil
    let movedRows = batch.movedRows.map { ($0.destination, self[$0.source]) }
    for path in (batch.deletedRows + batch.movedRows.map(\.source)).sorted(by: >) {
      sections[path[0]].remove(at: path[1])
    }
    let movedSections = batch.movedSections.map { ($0.destination, sections[$0.source]) }
    let leaving = batch.deletedSections.union(IndexSet(batch.movedSections.map(\.source)))
    for section in leaving.sorted(by: >) { sections.remove(at: section) }
    let coming = movedSections + batch.insertedSections.map { ($0, Array(repeating: Row(), count: count($0))) }
    for (position, rows) in coming.sorted(by: { $0.0 < $1.0 }) { sections.insert(rows, at: position) }
    for (path, row) in (movedRows + batch.insertedRows.map { ($0, Row()) }).sorted(by: { $0.0 < $1.0 }) {
      sections[path[0]].insert(row, at: path[1])
    }
    precondition(sections.count == count(nil), "invalid number of sections")
    for section in sections.indices {
      precondition(sections[section].count == count(section), "invalid number of rows in section \(section)")
    }
  }

  var paths: [IndexPath] {
    sections.indices.flatMap { section in sections[section].indices.map { [section, $0] } }
  }

  var selectedPaths: [IndexPath] { paths.filter { self[$0].isSelected } }

  /// Where the rows begin, each 10 high.
  func top(of path: IndexPath) -> CGFloat {
    CGFloat(10 * (sections[..<path[0]].reduce(0) { $0 + $1.count } + path[1]))
  }
}
