import OffsetIndexing

/// The rows that a change moves, hides and shows, as blocks.
///
/// Blocks are noted before the change, and looked up after the change:
///
///     before   a  [b c (d) e]  f          b moves behind f with the rows below it, and c leaves b
///     after    a  f  [b (d) e]  c         blocks: b with the rows below it; c; d was not touched
///
/// Two blocks lie apart, or one lies inside the other, before the change and after it. A row belongs to the innermost
/// block around the row. The rows of a block that belong to no inner block keep their order.
struct RowBlocks {
  typealias Record = OutlineTranslation.Record

  /// The place of a block's rows after the change.
  ///
  /// A place that is hidden then has no rows, and counts as nowhere.
  enum Place {
    /// The block was a run of neighbours, with the rows below them.
    case nowhere
    /// The block was all rows below a record's node.
    case hidden
    /// Neighbours, with the rows below them.
    case children(Range<Int>, of: Record)
    /// The child's own row.
    case child(Int, of: Record)
    /// The rows below a record's node.
    case below(Record)

    /// The order of blocks that have the same rows, from the outermost block.
    ///
    /// The rows below a node can be one child that has no rows below. Then the block of the child's own row has the
    /// same rows.
    fileprivate var rank: Int {
      switch self {
      case .hidden, .below: 0
      case .nowhere, .children: 1
      case .child: 2
      }
    }
  }

  private var blocks: [(rows: Range<Int>, place: Place)] = []
  private var updates: [(children: Range<Int>, parent: Record)] = []
  private let count: Int

  /// Creates a list without blocks.
  ///
  /// - Parameter count: the number of rows before the change.
  init(count: Int) { self.count = count }

  /// Notes rows that are shown.
  mutating func append(_ place: Place) { blocks.append((0..<0, place)) }

  /// Notes rows that move, or are hidden.
  ///
  /// - Parameters:
  ///   - rows: the rows, before the change.
  ///   - place: the place of the rows after the change.
  mutating func append(_ rows: Range<Int>, to place: Place) { blocks.append((rows, place)) }

  /// Notes that the rows below a record are hidden.
  mutating func hide(below record: Record, _ translation: OutlineTranslation) {
    if translation.showsChildren(of: record) { append(translation.rows(below: record), to: .hidden) }
  }

  /// Notes that the values of children are updated; the positions are counted after the change.
  mutating func appendUpdate(_ children: Range<Int>, of parent: Record) { updates.append((children, parent)) }

  /// The change of the rows.
  ///
  /// - Parameter translation: the shape after the change.
  /// - Returns: the delta from the rows before the change to the rows after it.
  /// - Complexity: O(b · log n) for b blocks.
  func delta(_ translation: OutlineTranslation) -> Delta {
    var updated: [Range<Int>] = []
    for (children, parent) in updates where translation.showsChildren(of: parent) {
      updated += translation.ownRows(ofChildren: children, of: parent)
    }
    updated = RangeLists.normalized(updated)
    let shown = blocks.map { rows(at: $0.place, translation) }
    if blocks.count == 1, !blocks[0].rows.isEmpty, !shown[0].isEmpty {
      return .move(blocks[0].rows, to: shown[0].lowerBound, updating: updated)
    }
    if !zip(blocks, shown).contains(where: { !$0.rows.isEmpty && !$1.isEmpty }) {
      return delta(showing: shown, updated)
    }
    let former = runs(blocks.map(\.rows), count: count)
    // The runs before the change as a list for each block. `first` has the first run that has not been found again.
    // `next` has, for each run, the next run of the same block.
    var first = [Int](repeating: -1, count: blocks.count + 1)
    var next = [Int](repeating: -1, count: former.count)
    for index in former.indices.reversed() {
      next[index] = first[former[index].block]
      first[former[index].block] = index
    }
    var offset = [Int](repeating: 0, count: blocks.count + 1)
    var pieces: [Delta.Piece] = []
    for run in runs(shown, count: translation.count) {
      var row = run.rows.lowerBound
      while row < run.rows.upperBound, first[run.block] >= 0 {
        let source = former[first[run.block]].rows.dropFirst(offset[run.block])
        let count = Swift.min(source.count, run.rows.upperBound - row)
        pieces.append(Delta.Piece(old: source.startIndex, new: row, count: count))
        row += count
        offset[run.block] += count
        if count == source.count { (first[run.block], offset[run.block]) = (next[first[run.block]], 0) }
      }
      assert(row == run.rows.upperBound || run.block < blocks.count && blocks[run.block].rows.isEmpty, "a block grew")
    }
    return Delta(pieces: pieces, oldCount: count, newCount: translation.count, updates: updated)
  }

  /// The change of the rows where no block moves: some blocks are shown, and all others are hidden.
  ///
  /// To expand a row takes 1 µs instead of 2 µs this way (release, best of 1,001).
  private func delta(showing shown: [Range<Int>], _ updated: [Range<Int>]) -> Delta {
    let insertions = RangeLists.normalized(shown)
    return Delta(
      canonicalRemovals: RangeLists.normalized(blocks.map(\.rows)), insertions: insertions,
      updates: RangeLists.subtracting(insertions, from: updated))
  }

  /// The rows at a place; none if the place is hidden.
  private func rows(at place: Place, _ translation: OutlineTranslation) -> Range<Int> {
    switch place {
    case .children(let range, let parent) where translation.showsChildren(of: parent):
      return translation.rows(ofChildren: range, of: parent)
    case .child(let position, let parent) where translation.showsChildren(of: parent):
      let row = translation.shape.child(at: position, of: parent).number
      return row..<row + 1
    case .below(let record) where translation.showsChildren(of: record): return translation.rows(below: record)
    case .nowhere, .hidden, .children, .child, .below: return 0..<0
    }
  }

  /// All rows in order, as runs with the innermost block around each run. The runs of rows in no block have the number
  /// of blocks.
  private func runs(_ ranges: [Range<Int>], count: Int) -> [(block: Int, rows: Range<Int>)] {
    let order = ranges.indices.filter { !ranges[$0].isEmpty }.sorted {
      let (left, right) = (ranges[$0], ranges[$1])
      if left.lowerBound != right.lowerBound { return left.lowerBound < right.lowerBound }
      if left.upperBound != right.upperBound { return left.upperBound > right.upperBound }
      return blocks[$0].place.rank < blocks[$1].place.rank
    }
    var runs: [(block: Int, rows: Range<Int>)] = []
    var open = [(block: ranges.count, end: count)]
    var row = 0
    func close(until end: Int) {
      while let last = open.last {
        let limit = Swift.min(last.end, end)
        if row < limit { runs.append((last.block, row..<limit)) }
        row = Swift.max(row, limit)
        if last.end > end { return }
        open.removeLast()
      }
    }
    for block in order {
      close(until: ranges[block].lowerBound)
      open.append((block, ranges[block].upperBound))
    }
    close(until: count)
    return runs
  }
}
