import Assemblage

/// Checks that a batch keeps all rules of a list view, and finds the origin of each section and row.
struct ListBatchCheck {
  /// For each section after the batch, its position before the batch; nil: inserted.
  private(set) var origins: [Int?] = []
  /// For each section after the batch whose rows change, the path of each row before the batch; nil: inserted.
  private(set) var rowOrigins: [Int: [IndexPath?]] = [:]
  /// The reloaded sections and rows, by their places before the batch.
  private(set) var reloadedSections: Set<Int> = []
  private(set) var reloadedRows: Set<IndexPath> = []

  private var deleted: Set<IndexPath> = []
  private var inserted: Set<IndexPath> = []
  private var sources: Set<IndexPath> = []
  /// The sources by destination.
  private var arrivals: [IndexPath: IndexPath] = [:]

  /// Checks a batch.
  ///
  /// - Parameters:
  ///   - batch: the batch.
  ///   - rowCounts: the number of rows in each section before the batch.
  ///   - countAfter: returns the number of children at a path after the batch.
  /// - Throws: the first rule that the batch breaks.
  init(_ batch: ListBatch, rowCounts: [Int], countAfter: (IndexPath) -> Int) throws(ListViewError) {
    try collect(batch)
    let sectionCount = countAfter([])
    try checkRanges(batch.deletions, .delete, sections: rowCounts.count) { rowCounts[$0] }
    try checkRanges(batch.reloads, .reload, sections: rowCounts.count) { rowCounts[$0] }
    try checkRanges(batch.moves.map(\.source), .moveFrom, sections: rowCounts.count) { rowCounts[$0] }
    try checkRanges(batch.insertions, .insert, sections: sectionCount) { countAfter([$0]) }
    try checkRanges(batch.moves.map(\.destination), .moveTo, sections: sectionCount) { countAfter([$0]) }
    try checkSections(batch)
    try placeSections(rowCounts.count, sectionCount)
    for path in batch.insertions { try checkReload(of: path, .insert) }
    for move in batch.moves { try checkReload(of: move.destination, .moveTo) }
    try placeRows(rowCounts, countAfter)
  }

  /// Checks that no place is used twice.
  private mutating func collect(_ batch: ListBatch) throws(ListViewError) {
    for path in batch.deletions where !deleted.insert(path).inserted { throw .twice(.delete, path) }
    for path in batch.insertions where !inserted.insert(path).inserted { throw .twice(.insert, path) }
    for move in batch.moves {
      if !sources.insert(move.source).inserted { throw .twice(.moveFrom, move.source) }
      if arrivals.updateValue(move.source, forKey: move.destination) != nil {
        throw .twice(.moveTo, move.destination)
      }
      if deleted.contains(move.source) { throw .collision(.delete, .moveFrom, move.source) }
      if inserted.contains(move.destination) { throw .collision(.insert, .moveTo, move.destination) }
    }
    for path in batch.reloads {
      let isNew = path.count == 1 ? reloadedSections.insert(path[0]).inserted : reloadedRows.insert(path).inserted
      if !isNew { throw .twice(.reload, path) }
      if deleted.contains(path) { throw .collision(.delete, .reload, path) }
      if sources.contains(path) { throw .collision(.moveFrom, .reload, path) }
    }
  }

  private func checkRanges(
    _ paths: [IndexPath], _ operation: ListViewError.Operation, sections: Int, rows: (Int) -> Int
  ) throws(ListViewError) {
    for path in paths {
      if path.isEmpty || path[0] >= sections { throw .outOfRange(operation, path, count: sections) }
      if path.count > 2 { throw .outOfRange(operation, path, count: 0) }
      if path.count == 2, path[1] >= rows(path[0]) {
        throw .outOfRange(operation, path, count: rows(path[0]))
      }
    }
  }

  /// Checks that no row changes in a section that is itself deleted, inserted, moved or reloaded.
  private func checkSections(_ batch: ListBatch) throws(ListViewError) {
    func before(_ path: IndexPath, _ operation: ListViewError.Operation) throws(ListViewError) {
      guard path.count == 2 else { return }
      let section = path.dropLast()
      if deleted.contains(section) {
        throw operation == .moveFrom
          ? .moveFromDeletedSection(path[0]) : .changeInSection(operation, .delete, path)
      }
      if sources.contains(section) || reloadedSections.contains(path[0]) {
        throw .changeInMovedSection(operation, path)
      }
    }
    func after(_ path: IndexPath, _ operation: ListViewError.Operation) throws(ListViewError) {
      guard path.count == 2 else { return }
      let section = path.dropLast()
      if inserted.contains(section) {
        throw operation == .moveTo
          ? .moveIntoInsertedSection(path[0]) : .changeInSection(operation, .insert, path)
      }
      if arrivals[section] != nil { throw .changeInMovedSection(operation, path) }
    }
    for path in batch.deletions { try before(path, .delete) }
    for path in batch.reloads { try before(path, .reload) }
    for path in batch.insertions { try after(path, .insert) }
    for move in batch.moves {
      try before(move.source, .moveFrom)
      try after(move.destination, .moveTo)
    }
  }

  /// Finds the origins of the sections. Sections that stay fill, in order, the places that are left.
  private mutating func placeSections(_ before: Int, _ after: Int) throws(ListViewError) {
    let insertions = inserted.count { $0.count == 1 }
    let deletions = deleted.count { $0.count == 1 }
    guard after == before + insertions - deletions else {
      throw .invalidSectionCount(before: before, after: after, inserted: insertions, deleted: deletions)
    }
    var next = 0
    for section in 0..<after {
      if inserted.contains([section]) {
        origins.append(nil)
      } else if let source = arrivals[[section]] {
        origins.append(source[0])
      } else {
        while deleted.contains([next]) || sources.contains([next]) { next += 1 }
        origins.append(next)
        next += 1
      }
    }
    for (section, origin) in origins.enumerated() {
      if let origin, origin != section, reloadedSections.contains(origin) {
        throw .displacedReload(section: origin, after: section)
      }
    }
  }

  /// Checks that no row is inserted into a reloaded section, or moved there.
  private func checkReload(of path: IndexPath, _ operation: ListViewError.Operation) throws(ListViewError) {
    if path.count == 2, let origin = origins[path[0]], reloadedSections.contains(origin) {
      throw .changeInMovedSection(operation, path)
    }
  }

  private mutating func placeRows(_ before: [Int], _ countAfter: (IndexPath) -> Int) throws(ListViewError) {
    func counts(_ paths: some Sequence<IndexPath>) -> [Int: Int] {
      var counts: [Int: Int] = [:]
      for path in paths where path.count == 2 { counts[path[0], default: 0] += 1 }
      return counts
    }
    let deletions = counts(deleted)
    let insertions = counts(inserted)
    let departures = counts(sources)
    let movedIn = counts(arrivals.keys)
    let reloads = counts(reloadedRows)
    for (section, origin) in origins.enumerated() {
      guard let origin else { continue }
      let after = countAfter([section])
      if reloadedSections.contains(origin) { continue }
      let removed = deletions[origin, default: 0]
      let added = insertions[section, default: 0]
      let left = departures[origin, default: 0]
      let came = movedIn[section, default: 0]
      guard after == before[origin] + added - removed + came - left else {
        throw .invalidRowCount(
          section: section, before: before[origin], after: after, inserted: added, deleted: removed,
          movedIn: came, movedOut: left)
      }
      if removed + added + left + came + reloads[origin, default: 0] == 0 { continue }
      var next = 0
      rowOrigins[section] = (0..<after).map { row in
        let path: IndexPath = [section, row]
        if inserted.contains(path) { return nil }
        if let source = arrivals[path] { return source }
        while deleted.contains([origin, next]) || sources.contains([origin, next]) { next += 1 }
        defer { next += 1 }
        return [origin, next]
      }
    }
  }
}
