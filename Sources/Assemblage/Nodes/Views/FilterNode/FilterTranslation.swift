public import OffsetIndexing

/// Translates between a source's index space and that of the children that pass a predicate.
///
///     source       a   b   c   d   e   f
///     passes       1   0   0   1   1   0        a BitIndex: rank and select
///     visible      0           1   2
///
/// It is told what the predicate says; it never calls it.
@usableFromInline
struct FilterTranslation {
  /// Which of the source's children pass.
  @usableFromInline var passes: BitIndex

  /// What updates have hidden in the transaction under way; nil outside of one, or where nobody listens.
  var hidden: HiddenRows?

  init(_ verdicts: BitRun) { passes = BitIndex(words: verdicts.allWords, count: verdicts.count) }

  /// The place in the source of a visible child, through a pointer, which counts no references; negative where there
  /// is no such child.
  @usableFromInline
  static func sourcePosition(of position: Int, in translation: UnsafePointer<FilterTranslation>) -> Int {
    let passes = unsafe translation.pointer(to: \.passes)!
    guard position >= 0, unsafe position < passes.setCount else { return -1 }
    return unsafe passes.select(position)
  }

  /// The number of visible children.
  @usableFromInline var count: Int { passes.setCount }
}

// MARK: - The source's changes

extension FilterTranslation {
  /// Translates the insertion of one child in the source.
  ///
  /// - Complexity: O(log n).
  mutating func insert(_ isVisible: Bool, at position: Int) -> Delta {
    hidden?.translate(.insertion(position..<position + 1))
    passes.insert(isVisible, at: position)
    guard isVisible else { return Delta() }
    let rank = passes.rank(position)
    return .insertion(rank..<rank + 1)
  }

  /// Translates a change of the source, and brings the bits up to date.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - inserted: what the predicate says of each range of `change.delta.insertions`.
  ///   - updated: what the predicate says of each range of `change.delta.updates`.
  ///   - isLeaf: whether the source's child at a position, after the change, is no node.
  /// - Returns: the change of the visible children.
  /// - Complexity: O(c · log n) for c ranges, and O(u · log n) for u updated elements.
  mutating func translate(
    _ change: consuming ChangeSet, inserted: [BitRun], updated: [BitRun], isLeaf: (Int) -> Bool = { _ in true }
  ) -> ChangeSet {
    let delta = change.delta
    let moved = change.crossings
    let origins = moved.map { formerEnd($0.from) }
    hidden?.translate(delta)
    let translated: Delta
    var crossings: [Crossing] = []
    if delta.moves.isEmpty, delta.updates.isEmpty {
      translated = translateInsertionsAndRemovals(delta, inserted)
    } else {
      translated = translateAll(delta, inserted, updated, &crossings, isLeaf)
    }
    change.delta = translated
    if change.hasChildren {
      let passes = passes
      change.translate(to: translated, before: { $0 }, after: { passes[$0] ? passes.rank($0) : nil })
    }
    for (crossing, origin) in zip(moved, origins) {
      if let visible = translate(crossing, from: origin, isLeaf) { crossings.append(visible) }
    }
    if !crossings.isEmpty { change.crossings = crossings }
    return change
  }

  private mutating func translateInsertionsAndRemovals(_ delta: Delta, _ inserted: [BitRun]) -> Delta {
    if inserted.isEmpty, delta.removals.count == 1, let range = delta.removals.first {
      let visible = passes.rank(range)
      remove(range)
      return .removal(visible)
    }
    var removals: [Range<Int>] = []
    for range in delta.removals {
      let visible = passes.rank(range)
      if !visible.isEmpty { removals.append(visible) }
    }
    for range in delta.removals.reversed() { remove(range) }
    var insertions: [Range<Int>] = []
    for (range, verdicts) in zip(delta.insertions, inserted) {
      insert(verdicts, at: range.lowerBound)
      let visible = passes.rank(range)
      if !visible.isEmpty { insertions.append(visible) }
    }
    return removals.isEmpty && insertions.isEmpty ? Delta() : Delta(removals: removals, insertions: insertions)
  }

  // `crossings` receives the departures of rows that an update hides in a transaction, and the arrivals of those among
  // them that another one shows again; `isLeaf` says whether the source's child at a position is no node.
  private mutating func translateAll(
    _ delta: Delta, _ inserted: [BitRun], _ updated: [BitRun], _ crossings: inout [Crossing],
    _ isLeaf: (Int) -> Bool
  ) -> Delta {
    // In the former bits: what goes, and which updated elements stay, come or go.
    var removals = delta.removals.map { passes.rank($0) }.filter { !$0.isEmpty }
    var stayed: [Int] = []
    var appeared: [Int] = []
    var vanished: [Int] = []
    // Prepared once where the delta is more than updates: a look-up in the delta itself takes a pass over its ranges.
    let origins = delta.movesPositions && !delta.updates.isEmpty ? Delta.PositionMap(delta) : nil
    for (range, verdicts) in zip(delta.updates, updated) {
      for position in range {
        // Updated elements are never inserted ones, so each has a former position.
        let former = origins.map { $0.position(before: position)! } ?? position
        switch (passes[former], verdicts[position - range.lowerBound]) {
        case (true, true): stayed.append(position)
        case (false, true): appeared.append(position)
        case (true, false):
          vanished.append(position)
          let rank = passes.rank(former)
          removals.append(rank..<rank + 1)
          if let token = hide(position, isLeaf) { crossings.append(Crossing(departureOf: token, from: rank)) }
        case (false, false): break
        }
      }
    }

    // Moved elements that are visible before and after, as blocks without a gap on either side.
    let changed = Set(appeared + vanished)
    var blocks: [(source: Range<Int>, destination: Int)] = []
    for move in delta.moves {
      var start = 0
      for offset in 0...move.source.count {
        let ends = offset == move.source.count || changed.contains(move.destination.lowerBound + offset)
        guard ends else { continue }
        let visible = passes.rank(move.source.lowerBound + start..<move.source.lowerBound + offset)
        if !visible.isEmpty { blocks.append((visible, move.destination.lowerBound + start)) }
        start = offset + 1
      }
    }

    // From the former bits to the present ones.
    let moved = delta.moves.map { move in (range: move.destination, bits: bits(in: move.source)) }
    let leaving = (Array(delta.removals) + delta.moves.map(\.source)).sorted { $0.lowerBound > $1.lowerBound }
    for range in leaving { remove(range) }
    let arriving = zip(delta.insertions, inserted).map { (range: $0, bits: $1) } + moved
    for (range, bits) in arriving.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      insert(bits, at: range.lowerBound)
    }
    for position in appeared { passes[position] = true }
    for position in vanished { passes[position] = false }

    // In the present bits: what came, and where the rest stands now.
    var insertions = delta.insertions.map { passes.rank($0) }.filter { !$0.isEmpty }
    for position in appeared {
      let visible = passes.rank(position..<position + 1)
      insertions.append(visible)
      if let token = hidden?.token(at: position) {
        crossings.append(Crossing(arrivalOf: token, at: visible.lowerBound, ChangeSet(updatesValue: true)))
      }
    }
    let updates = stayed.map { passes.rank($0..<$0 + 1) }
    let moves = blocks.map { block in
      let start = passes.rank(block.destination)
      return Delta.Move(from: block.source, to: start..<start + block.source.count)
    }
    return Delta(removals: removals, insertions: insertions, updates: updates, moves: moves)
  }

  private mutating func remove(_ range: Range<Int>) {
    if range.count == 1 { passes.remove(at: range.lowerBound) } else { passes.removeSubrange(range) }
  }

  private mutating func insert(_ bits: BitRun, at position: Int) {
    if bits.count == 1 {
      passes.insert(bits.first == 1, at: position)
    } else {
      passes.insert(words: bits.allWords, count: bits.count, at: position)
    }
  }

  /// The bits of a range.
  @usableFromInline
  func bits(in range: Range<Int>) -> BitRun {
    if range.count == 1 { return BitRun(word: passes[range.lowerBound] ? 1 : 0, count: 1) }
    var words = [UInt64](repeating: 0, count: (range.count + 63) / 64)
    passes.forEachWord(in: range) { position, word, count in
      let offset = position - range.lowerBound
      let shift = offset & 63
      words[offset >> 6] |= word << shift
      if shift + count > 64 { words[offset >> 6 + 1] |= word >> (64 - shift) }
    }
    return BitRun(words: words, count: range.count)
  }
}

extension ChangeSet {
  /// The inserted range, where nothing else happened.
  var onlyInsertion: Range<Int>? {
    guard !hasChildren, crossings.isEmpty, !updatesValue, delta.countChange > 0, delta.removals.isEmpty,
      delta.updates.isEmpty, !delta.hasMoves, delta.insertions.count == 1
    else { return nil }
    return delta.insertions.first
  }
}

// MARK: - Children that come and go

extension FilterTranslation {
  /// Notes that the row at a place of the source is hidden, and may be shown again in this transaction.
  ///
  /// Not where it is a node: what happens inside it meanwhile is told to nobody.
  ///
  /// - Parameters:
  ///   - position: the row's place, in the source's index space.
  ///   - isLeaf: whether the source's child at a position is no node.
  ///   - token: what its departure was told with, if it was.
  /// - Returns: the token that it will come back with, or nil where it will not.
  private mutating func hide(
    _ position: Int, _ isLeaf: (Int) -> Bool, _ token: @autoclosure () -> Crossing.Token = Crossing.Token()
  ) -> Crossing.Token? {
    guard hidden != nil, isLeaf(position) else { return nil }
    let token = token()
    hidden?.insert(token, at: position)
    return token
  }

  /// Where a child that leaves its parent was among the visible ones, in the former bits; nil: nowhere.
  private func formerEnd(_ end: Crossing.End) -> Crossing.End? {
    guard case .inside(var place) = end else { return end }
    if passes[place.first] {
      place.first = passes.rank(place.first)
      return .inside(place)
    }
    // Hidden in this transaction: it left the visible ones then.
    return place.depth == 1 ? hidden?.token(at: place.first).map { .outside($0) } : nil
  }

  /// Translates what crosses between parents in the source, with the present bits.
  private mutating func translate(
    _ crossing: Crossing, from origin: Crossing.End?, _ isLeaf: (Int) -> Bool
  ) -> Crossing? {
    guard let origin else {
      // It was hidden, and so nothing of the visible ones moves.
      return nil
    }
    var result = crossing
    result.from = origin
    // What it became while it was hidden has not been told.
    if case .inside = crossing.from, case .outside = origin { result.change.updatesValue = true }
    guard case .inside(var place) = crossing.to else { return result }
    if passes[place.first] {
      place.first = passes.rank(place.first)
      result.to = .inside(place)
      return result
    }
    guard place.depth == 1 else { return nil }
    switch origin {
    case .outside(let token):
      _ = hide(place.first, isLeaf, token)
      return nil
    case .inside:
      guard let token = hide(place.first, isLeaf) else { return nil }
      return Crossing(from: origin, to: .outside(token), change: ChangeSet())
    }
  }
}

// MARK: - Changes of the predicate

extension FilterTranslation {
  /// Takes new verdicts on a range of the source's children.
  ///
  /// - Parameters:
  ///   - range: the range, in the source's index space.
  ///   - verdicts: what the predicate says of it now.
  ///   - reportsUpdates: whether children that stay visible are reported as updated, because they changed.
  /// - Returns: the change of the visible children.
  /// - Complexity: O(log n + r / 64 + c) for r elements with c ranges that come, go or are updated.
  @usableFromInline
  mutating func reevaluate(_ range: Range<Int>, _ verdicts: BitRun, reportsUpdates: Bool) -> Delta {
    guard !range.isEmpty else { return Delta() }
    let former = bits(in: range).allWords
    let present = verdicts.allWords
    // Ranks before the range are the same before and after.
    let start = passes.rank(range.lowerBound)
    var removals = RankedRuns(start: start)
    var insertions = RankedRuns(start: start)
    var updates = RankedRuns(start: start)
    for index in former.indices {
      let before = former[index]
      let after = present[index]
      removals.append(before & ~after, among: before)
      insertions.append(after & ~before, among: after)
      if reportsUpdates { updates.append(after & before, among: after) }
    }
    if !removals.runs.isEmpty || !insertions.runs.isEmpty {
      if range.count == passes.count {
        passes = BitIndex(words: present, count: range.count)
      } else {
        passes.removeSubrange(range)
        passes.insert(words: present, count: range.count, at: range.lowerBound)
      }
    }
    guard !removals.runs.isEmpty || !insertions.runs.isEmpty || !updates.runs.isEmpty else { return Delta() }
    return Delta(removals: removals.runs, insertions: insertions.runs, updates: updates.runs)
  }
}

/// Collects the ranks of chosen bits among all set bits, word by word, as maximal ranges.
struct RankedRuns {
  private(set) var runs: [Range<Int>] = []
  private var rank: Int

  init(start: Int) { rank = start }

  /// Adds the bits of `chosen`, a subset of `all`, by their rank among the bits of `all`.
  mutating func append(_ chosen: UInt64, among all: UInt64) {
    defer { rank += all.nonzeroBitCount }
    guard chosen != 0 else { return }
    if chosen == all { return add(rank..<rank + all.nonzeroBitCount) }
    var rest = chosen
    while rest != 0 {
      let bit = rest & (0 &- rest)
      let position = rank + (all & (bit - 1)).nonzeroBitCount
      add(position..<position + 1)
      rest ^= bit
    }
  }

  private mutating func add(_ range: Range<Int>) {
    if let last = runs.last, last.upperBound == range.lowerBound {
      runs[runs.count - 1] = last.lowerBound..<range.upperBound
    } else {
      runs.append(range)
    }
  }
}
