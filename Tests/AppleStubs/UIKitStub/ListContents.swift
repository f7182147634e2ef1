import Foundation

/// What a table or a collection view of this stub shows: how many rows each section has, and which are selected.
///
/// A batch is collected and carried out at its end, as real views do: deletions and the sources of moves first, by places before the
/// batch, then what comes, by places after it. What does not add up traps, as there.
struct ListContents {
  /// For each section, for each row whether it is selected.
  var sections: [[Bool]] = []
  private var batch: Batch?

  private struct Batch {
    var deletedSections = IndexSet()
    var deletedRows: [IndexPath] = []
    var insertedSections = IndexSet()
    var insertedRows: [IndexPath] = []
    var movedSections: [(source: Int, destination: Int)] = []
    var movedRows: [(source: IndexPath, destination: IndexPath)] = []
    var reloadedSections = IndexSet()
    var reloadedRows: [IndexPath] = []
  }

  mutating func reload(_ counts: [Int]) { sections = counts.map { Array(repeating: false, count: $0) } }

  mutating func begin() { batch = Batch() }

  mutating func deleteSections(_ sections: IndexSet) { batch!.deletedSections.formUnion(sections) }
  mutating func deleteRows(_ rows: [IndexPath]) { batch!.deletedRows += rows }
  mutating func insertSections(_ sections: IndexSet) { batch!.insertedSections.formUnion(sections) }
  mutating func insertRows(_ rows: [IndexPath]) { batch!.insertedRows += rows }
  mutating func moveSection(_ source: Int, _ destination: Int) { batch!.movedSections.append((source, destination)) }
  mutating func moveRow(_ source: IndexPath, _ destination: IndexPath) {
    batch!.movedRows.append((source, destination))
  }
  mutating func reloadSections(_ sections: IndexSet) { batch!.reloadedSections.formUnion(sections) }
  mutating func reloadRows(_ rows: [IndexPath]) { batch!.reloadedRows += rows }

  /// Carries the batch out.
  ///
  /// - Parameter count: how many rows a section has afterwards, and at nil, how many sections there are.
  mutating func end(_ count: (Int?) -> Int) {
    let batch = batch!
    self.batch = nil
    // What is reloaded forgets that it was selected.
    for path in batch.reloadedRows { sections[path[0]][path[1]] = false }
    let movedRows = batch.movedRows.map { ($0.destination, sections[$0.source[0]][$0.source[1]]) }
    for path in (batch.deletedRows + batch.movedRows.map(\.source)).sorted(by: >) {
      sections[path[0]].remove(at: path[1])
    }
    let movedSections = batch.movedSections.map { ($0.destination, sections[$0.source]) }
    let leaving = batch.deletedSections.union(IndexSet(batch.movedSections.map(\.source)))
    for section in leaving.sorted(by: >) { sections.remove(at: section) }
    let coming = movedSections + batch.insertedSections.map { ($0, Array(repeating: false, count: count($0))) }
    for (position, rows) in coming.sorted(by: { $0.0 < $1.0 }) { sections.insert(rows, at: position) }
    for (path, isSelected) in (movedRows + batch.insertedRows.map { ($0, false) }).sorted(by: { $0.0 < $1.0 }) {
      sections[path[0]].insert(isSelected, at: path[1])
    }
    for section in batch.reloadedSections { sections[section] = Array(repeating: false, count: count(section)) }
    precondition(sections.count == count(nil), "invalid number of sections")
    for section in sections.indices {
      precondition(sections[section].count == count(section), "invalid number of rows in section \(section)")
    }
  }

  var paths: [IndexPath] {
    sections.indices.flatMap { section in sections[section].indices.map { [section, $0] } }
  }

  var selectedPaths: [IndexPath] { paths.filter { sections[$0[0]][$0[1]] } }

  /// Where the rows begin, each 10 high.
  func top(of path: IndexPath) -> CGFloat {
    CGFloat(10 * (sections[..<path[0]].reduce(0) { $0 + $1.count } + path[1]))
  }
}
