extension OutlineTranslation {
  /// Calls `body` with the rows of a range in order, as runs of siblings.
  ///
  /// - Parameters:
  ///   - range: within `0..<count`.
  ///   - body: receives the record of a parent, the positions of neighbours among its children, and the row of the first.
  /// - Complexity: O(d · log n), and O(log n) a run.
  @usableFromInline
  func forEachRun(in range: Range<Int>, _ body: (_ parent: Int, _ children: Range<Int>, _ row: Int) -> Void) {
    guard !range.isEmpty else { return }
    // Where to go on in the levels above.
    var above: [(record: Int, position: Int)] = []
    var record = 0
    var position = 0
    var local = range.lowerBound
    while true {
      let location = records[record].level.locate(local)
      position = location.position
      if location.inside < 0 { break }
      above.append((record, position + 1))
      record = location.record
      local = location.inside
    }
    var row = range.lowerBound
    while row < range.upperBound {
      let level = records[record].level
      if position == level.count {
        (record, position) = above.removeLast()
        continue
      }
      // A run ends with a child that shows rows below it.
      let next = level.nextEntry(from: position)
      let end = min(next.map { $0.position + 1 } ?? level.count, position + (range.upperBound - row))
      body(record, position..<end, row)
      row += end - position
      position = end
      if let next, position == next.position + 1 {
        above.append((record, position))
        record = next.record
        position = 0
      }
    }
  }
}
