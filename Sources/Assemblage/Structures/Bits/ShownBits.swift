import OffsetIndexing

/// A bit for each child of a source: whether a view shows the child. The rank of a shown child is its position in the
/// view.
protocol ShownBits {
  subscript(position: Int) -> Bool { get set }

  /// The ranks of the shown children in a range.
  func rank(_ range: Range<Int>) -> Range<Int>

  /// The number of shown children before a position.
  func rank(_ position: Int) -> Int

  func bits(in range: Range<Int>) -> BitRun

  mutating func insert(_ bits: BitRun, at position: Int)

  mutating func remove(_ range: Range<Int>)
}

extension BitIndex: ShownBits {}

/// Children that stay in a source, and that a view reports as shown, hidden or updated.
struct ShownFates {
  /// The children that are shown from now on, by their positions after the change.
  var appearing: [Int] = []
  /// The children that are hidden from now on, by their positions after the change, with their ranks before the change.
  var vanishing: [(position: Int, rank: Int)] = []
  /// The children that were shown, still are, and have other values, by their positions after the change.
  var updated: [Int] = []

  var isEmpty: Bool { appearing.isEmpty && vanishing.isEmpty && updated.isEmpty }

  /// Adds a child.
  ///
  /// - Parameters:
  ///   - position: its position in the source after the change.
  ///   - formerRank: its rank before the change; nil where it was hidden.
  ///   - isShown: whether it is shown after the change.
  ///   - isUpdated: whether it has another value.
  mutating func append(_ position: Int, formerRank: Int?, isShown: Bool, isUpdated: Bool) {
    switch (formerRank, isShown) {
    case (nil, true): appearing.append(position)
    case (let rank?, false): vanishing.append((position, rank))
    case (_?, true): if isUpdated { updated.append(position) }
    case (nil, false): break
    }
  }
}

extension ShownBits {
  /// Moves the bits with the children of the source; updated children keep their bits.
  ///
  /// - Parameters:
  ///   - delta: the change of the children.
  ///   - inserted: the bits of each range of `delta.insertions`.
  /// - Complexity: O(c · log n + k / 64) for c ranges of k children.
  mutating func follow(_ delta: Delta, inserted: [BitRun]) {
    var arriving = inserted.makeIterator()
    delta.rearrange(
      carrying: { bits(in: $0) }, lifting: { remove($0) },
      putting: { insert($1 ?? arriving.next()!, at: $0.lowerBound) })
  }

  /// Applies a change of the source to the bits.
  ///
  /// - Parameters:
  ///   - delta: the change.
  ///   - inserted: for each range of `delta.insertions`, which children are shown.
  ///   - fates: children that stay in the source, and are shown, hidden or updated.
  /// - Returns: the change of the children that are shown.
  /// - Complexity: O((c + f) · log n + k / 64) for c ranges of k children, and f fates.
  mutating func translate(_ delta: Delta, inserted: [BitRun], _ fates: ShownFates) -> Delta {
    if fates.isEmpty, !delta.hasMoves { return translateInsertionsAndRemovals(delta, inserted) }
    // With the former bits: the children that leave, and the children that move.
    var removals = delta.removals.map { rank($0) }.filter { !$0.isEmpty }
    for (_, rank) in fates.vanishing { removals.append(rank..<rank + 1) }
    let blocks = delta.hasMoves ? shownBlocks(delta.moves, fates) : []

    follow(delta, inserted: inserted)
    for position in fates.appearing { self[position] = true }
    for (position, _) in fates.vanishing { self[position] = false }

    // With the present bits: the children that have arrived, and the places of the children that stay.
    var insertions = delta.insertions.map { rank($0) }.filter { !$0.isEmpty }
    for position in fates.appearing { insertions.append(rank(position..<position + 1)) }
    let updates = fates.updated.map { rank($0..<$0 + 1) }
    let moves = blocks.map { block in
      let start = rank(block.destination)
      return Delta.Move(from: block.source, to: start..<start + block.source.count)
    }
    return Delta(removals: removals, insertions: insertions, updates: updates, moves: moves)
  }

  /// The moved children that are shown both before and after a change, as blocks without gaps before or after.
  ///
  /// The source of a block is its ranks before the change; its destination is the source position of its first child
  /// after the change.
  private func shownBlocks(
    _ moves: some Sequence<Delta.Move>, _ fates: ShownFates
  ) -> [(source: Range<Int>, destination: Int)] {
    let changed = Set(fates.appearing + fates.vanishing.map(\.position))
    var blocks: [(source: Range<Int>, destination: Int)] = []
    for move in moves {
      var start = 0
      for offset in 0...move.source.count {
        let isEnd = offset == move.source.count || changed.contains(move.destination.lowerBound + offset)
        guard isEnd else { continue }
        let shown = rank(move.source.lowerBound + start..<move.source.lowerBound + offset)
        if !shown.isEmpty { blocks.append((shown, move.destination.lowerBound + start)) }
        start = offset + 1
      }
    }
    return blocks
  }

  private mutating func translateInsertionsAndRemovals(_ delta: Delta, _ inserted: [BitRun]) -> Delta {
    if inserted.isEmpty, delta.removals.count == 1, let range = delta.removals.first {
      let shown = rank(range)
      remove(range)
      return .removal(shown)
    }
    var removals: [Range<Int>] = []
    for range in delta.removals {
      let shown = rank(range)
      if !shown.isEmpty { removals.append(shown) }
    }
    for range in delta.removals.reversed() { remove(range) }
    var insertions: [Range<Int>] = []
    for (range, bits) in zip(delta.insertions, inserted) {
      insert(bits, at: range.lowerBound)
      let shown = rank(range)
      if !shown.isEmpty { insertions.append(shown) }
    }
    if removals.isEmpty {
      if insertions.isEmpty { return Delta() }
      if insertions.count == 1 { return .insertion(insertions[0]) }
    }
    return Delta(removals: removals, insertions: insertions)
  }
}

extension Delta {
  /// Creates the change from the set bits of one run to the set bits of another, by their ranks.
  ///
  /// - Parameters:
  ///   - former: the bits before.
  ///   - present: the same number of bits now.
  ///   - start: the number of set bits before the run.
  ///   - startAfter: the number of set bits before the run now; nil where it equals `start`.
  /// - Complexity: O(r / 64 + c) for r bits with c ranges that arrive or leave.
  init(replacing former: BitRun, by present: BitRun, start: Int = 0, startAfter: Int? = nil) {
    var removals = RankedRuns(start: start)
    var insertions = RankedRuns(start: startAfter ?? start)
    for index in 0..<(former.count + 63) / 64 {
      let (before, after) = (former.word(index), present.word(index))
      removals.append(before & ~after, among: before)
      insertions.append(after & ~before, among: after)
    }
    let changes = !removals.runs.isEmpty || !insertions.runs.isEmpty
    self = changes ? Delta(removals: removals.runs, insertions: insertions.runs) : Delta()
  }
}
