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
  /// - Returns: the change of the visible children.
  /// - Complexity: O(c · log n) for c ranges, and O(u · log n) for u updated elements.
  mutating func translate(
    _ change: consuming ChangeSet, inserted: [BitRun], updated: [BitRun]
  ) -> ChangeSet {
    let delta = change.delta
    let former = change.formerPositions { passes[$0] ? passes.rank($0) : nil }
    let translated =
      delta.moves.isEmpty && delta.updates.isEmpty
      ? translateInsertionsAndRemovals(delta, inserted) : translateAll(delta, inserted, updated)
    let present = passes
    change.translate(to: translated, before: { former[$0] }, after: { present[$0] ? present.rank($0) : nil })
    return change
  }

  private mutating func translateInsertionsAndRemovals(_ delta: Delta, _ inserted: [BitRun]) -> Delta {
    if inserted.isEmpty, delta.removals.count == 1, let range = delta.removals.first {
      let visible = passes.rank(range)
      passes.remove(range)
      return .removal(visible)
    }
    var removals: [Range<Int>] = []
    for range in delta.removals {
      let visible = passes.rank(range)
      if !visible.isEmpty { removals.append(visible) }
    }
    for range in delta.removals.reversed() { passes.remove(range) }
    var insertions: [Range<Int>] = []
    for (range, verdicts) in zip(delta.insertions, inserted) {
      passes.insert(verdicts, at: range.lowerBound)
      let visible = passes.rank(range)
      if !visible.isEmpty { insertions.append(visible) }
    }
    return removals.isEmpty && insertions.isEmpty ? Delta() : Delta(removals: removals, insertions: insertions)
  }

  private mutating func translateAll(_ delta: Delta, _ inserted: [BitRun], _ updated: [BitRun]) -> Delta {
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
    passes.follow(delta, inserted: inserted)
    for position in appeared { passes[position] = true }
    for position in vanished { passes[position] = false }

    // In the present bits: what came, and where the rest stands now.
    var insertions = delta.insertions.map { passes.rank($0) }.filter { !$0.isEmpty }
    for position in appeared { insertions.append(passes.rank(position..<position + 1)) }
    let updates = stayed.map { passes.rank($0..<$0 + 1) }
    let moves = blocks.map { block in
      let start = passes.rank(block.destination)
      return Delta.Move(from: block.source, to: start..<start + block.source.count)
    }
    return Delta(removals: removals, insertions: insertions, updates: updates, moves: moves)
  }
}

// MARK: - Changes of the predicate

extension FilterTranslation {
  /// Takes new verdicts on a range of the source's children.
  ///
  /// - Parameters:
  ///   - range: the range, in the source's index space.
  ///   - verdicts: what the predicate says of it now.
  /// - Returns: the change of the visible children.
  /// - Complexity: O(log n + r / 64 + c) for r elements with c ranges that come or go.
  mutating func reevaluate(_ range: Range<Int>, _ verdicts: BitRun) -> Delta {
    guard !range.isEmpty else { return Delta() }
    let former = passes.bits(in: range)
    // Ranks before the range are the same before and after.
    let delta = Self.difference(from: former, to: verdicts, start: passes.rank(range.lowerBound))
    if !delta.isEmpty { passes.replace(range, with: verdicts) }
    return delta
  }

  /// What comes and goes where other elements are visible.
  ///
  /// - Parameters:
  ///   - former: which elements of a range were visible.
  ///   - present: which are.
  ///   - start: the number of elements before the range that were visible.
  ///   - startAfter: the number of those that are; nil where it is the same.
  /// - Returns: the change of the visible elements.
  /// - Complexity: O(r / 64 + c) for r elements with c ranges that come or go.
  static func difference(
    from former: BitRun, to present: BitRun, start: Int = 0, startAfter: Int? = nil
  ) -> Delta {
    var removals = RankedRuns(start: start)
    var insertions = RankedRuns(start: startAfter ?? start)
    for index in 0..<(former.count + 63) / 64 {
      let before = former.word(index)
      let after = present.word(index)
      removals.append(before & ~after, among: before)
      insertions.append(after & ~before, among: after)
    }
    return removals.runs.isEmpty && insertions.runs.isEmpty
      ? Delta() : Delta(removals: removals.runs, insertions: insertions.runs)
  }
}

// MARK: - Verdicts

extension FilterTranslation {
  /// What a predicate says of the new and the updated children of a change.
  struct Verdicts {
    /// A run for each range of the change's insertions.
    var inserted: [BitRun]

    /// A run for each range of the change's updates.
    var updated: [BitRun]
  }
}
