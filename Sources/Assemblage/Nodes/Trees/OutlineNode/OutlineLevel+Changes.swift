// What becomes of the rows when children come, go and move.
extension OutlineLevel {
  /// Brings the level up to date with the children.
  ///
  /// - Parameter delta: what happened to them.
  /// - Returns: what happened to the rows; and the records of removed children.
  /// - Complexity: O(c · log n) for c ranges, and e log n for e records in them.
  mutating func apply(_ delta: Delta) -> (rows: Delta, removed: [Int]) {
    switch delta.storage {
    case .identity: return (Delta(), [])
    case .insertion(let range):
      insertChildren(range.count, at: range.lowerBound)
      let row = place(ofChild: range.lowerBound).row
      return (.insertion(row..<row + range.count), [])
    case .removal(let range):
      let former = rows(ofChildren: range)
      return (.removal(former), removeChildren(range).map(\.record))
    case .update(let range):
      return (Delta(updates: ownRows(ofChildren: range)), [])
    case .several:
      return applySeveral(delta)
    }
  }

  private mutating func applySeveral(_ delta: Delta) -> (rows: Delta, removed: [Int]) {
    let moves = delta.moves
    let removedRows = delta.removals.map { rows(ofChildren: $0) }
    let sources = moves.map { rows(ofChildren: $0.source) }

    // From the end, so that the positions before stay what they were.
    var removed: [Int] = []
    var carried = [[OutlineLevel.Entry]](repeating: [], count: moves.count)
    let leaving =
      delta.removals.map { (range: $0, move: -1) }
      + moves.enumerated().map { (range: $1.source, move: $0) }
    for (range, move) in leaving.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      let taken = removeChildren(range)
      if move < 0 { removed += taken.map(\.record) } else { carried[move] = taken }
    }

    let arriving =
      delta.insertions.map { (range: $0, move: -1) }
      + moves.enumerated().map { (range: $1.destination, move: $0) }
    for (range, move) in arriving.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      insertChildren(range.count, at: range.lowerBound)
      guard move >= 0 else { continue }
      for var entry in carried[move] {
        entry.position += range.lowerBound - moves[move].source.lowerBound
        insert(entry)
      }
    }

    let change = Delta(
      removals: removedRows,
      insertions: delta.insertions.map { rows(ofChildren: $0) },
      updates: delta.updates.flatMap { ownRows(ofChildren: $0) },
      moves: zip(moves, sources).map { move, source in
        let row = place(ofChild: move.destination.lowerBound).row
        return Delta.Move(from: source, to: row..<row + source.count)
      })
    return (change, removed)
  }
}
