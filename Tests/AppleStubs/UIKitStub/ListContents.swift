import Foundation

/// The contents of a table or a collection view of this stub: the cells of each section, and the selected rows.
///
/// Like the real views, a view of this stub counts late. A reload only forgets the counts. The view asks for the counts
/// when it next needs them, at the latest at the start of a batch.
///
/// The changes of a batch are collected, and are applied at the end of the batch. Deletions and the sources of moves
/// are applied first, by places before the batch. Then insertions and the destinations of moves are applied, by places
/// after the batch. Inconsistent counts trap, like in the real views.
struct ListContents {
  /// A row, and the cell that was made for it.
  struct Row {
    var isSelected = false
    /// nil: the row is not displayed yet.
    var cell: UIView?
  }

  private(set) var sections: [[Row]] = []
  /// Whether the view has to ask for the counts again.
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

  /// Forgets all rows and counts. The view does not ask for new counts yet.
  mutating func invalidate() {
    precondition(batch == nil, "reloadData in the middle of a batch")
    isInvalid = true
    sections = []
  }

  /// Stores the counts that the data source has yielded.
  mutating func load(_ counts: [Int]) {
    isInvalid = false
    sections = counts.map { Array(repeating: Row(), count: $0) }
  }

  mutating func begin() {
    precondition(batch == nil && !isInvalid)
    batch = Batch()
  }

  /// Adds a change to the batch; traps outside of a batch.
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

  /// Moves a row at once, like the user with a finger.
  mutating func move(_ source: IndexPath, to destination: IndexPath) {
    precondition(batch == nil)
    let row = sections[source[0]].remove(at: source[1])
    sections[destination[0]].insert(row, at: destination[1])
  }

  /// Forgets the cells of sections. In a batch, this traps: real views make a deletion and an insertion of each reload,
  /// which clash with other changes.
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

  /// Applies the batch.
  ///
  /// - Parameter count: yields the number of rows of a section after the batch; for nil, the number of sections.
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

  /// The upper edge of a row. Each row has a height of 10.
  func top(of path: IndexPath) -> CGFloat {
    CGFloat(10 * (sections[..<path[0]].reduce(0) { $0 + $1.count } + path[1]))
  }
}
