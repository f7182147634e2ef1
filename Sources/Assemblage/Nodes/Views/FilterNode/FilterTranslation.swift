public import OffsetIndexing

/// Translates between a source's index space and the index space of the children that pass a predicate.
///
///     source       a   b   c   d   e   f
///     passes       1   0   0   1   1   0        a BitIndex: rank and select
///     visible      0           1   2
///
/// The translation receives the verdicts of the predicate. It never calls the predicate.
@usableFromInline
struct FilterTranslation: Sendable {
  /// A bit for each child of the source, set if the child passes.
  @usableFromInline var passes: BitIndex

  init(_ verdicts: BitRun) { passes = BitIndex(words: verdicts.allWords, count: verdicts.count) }

  /// Returns the position in the source of a visible child; negative if there is no such child.
  ///
  /// The translation is read through a pointer, so that no references are counted.
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
  ///   - inserted: the verdicts on each range of `change.delta.insertions`.
  ///   - updated: the verdicts on each range of `change.delta.updates`.
  /// - Returns: the change of the visible children.
  /// - Complexity: O(c · log n) for c ranges, and O(u · log n) for u updated elements.
  mutating func translate(
    _ change: consuming ChangeSet, inserted: [BitRun], updated: [BitRun]
  ) -> ChangeSet {
    let delta = change.delta
    let former = change.formerPositions { passes[$0] ? passes.rank($0) : nil }
    let translated = passes.translate(delta, inserted: inserted, fates(delta, updated))
    let present = passes
    change.translate(to: translated, before: { former[$0] }, after: { present[$0] ? present.rank($0) : nil })
    return change
  }

  /// Finds which updated children are shown before and after the change.
  private func fates(_ delta: Delta, _ updated: [BitRun]) -> ShownFates {
    var fates = ShownFates()
    if delta.updates.isEmpty { return fates }
    // Prepared once if the delta has more than updates: each look-up in the delta itself would pass over its ranges.
    let origins = delta.movesPositions ? Delta.PositionMap(delta) : nil
    for (range, verdicts) in zip(delta.updates, updated) {
      for position in range {
        // Updated elements are never inserted elements, so each has a former position.
        let former = origins.map { $0.position(before: position)! } ?? position
        fates.append(
          position, formerRank: passes[former] ? passes.rank(former) : nil,
          isShown: verdicts[position - range.lowerBound], isUpdated: true)
      }
    }
    return fates
  }
}

// MARK: - Changes of the predicate

extension FilterTranslation {
  /// Adopts new verdicts on a range of the source's children.
  ///
  /// - Parameters:
  ///   - range: the range, in the source's index space.
  ///   - verdicts: the present verdicts on the range.
  /// - Returns: the change of the visible children.
  /// - Complexity: O(log n + r / 64 + c) for r elements with c ranges that arrive or leave.
  mutating func reevaluate(_ range: Range<Int>, _ verdicts: BitRun) -> Delta {
    guard !range.isEmpty else { return Delta() }
    let former = passes.bits(in: range)
    // Ranks before the range are the same before and after.
    let delta = Delta(replacing: former, by: verdicts, start: passes.rank(range.lowerBound))
    if !delta.isEmpty { passes.replace(range, with: verdicts) }
    return delta
  }
}

// MARK: - Verdicts

extension FilterTranslation {
  /// The verdicts of a predicate on the new and the updated children of a change.
  struct Verdicts {
    /// A run for each range of the change's insertions.
    var inserted: [BitRun]

    /// A run for each range of the change's updates.
    var updated: [BitRun]
  }
}
