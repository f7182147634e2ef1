/// Translates between a source's index space and that of a window of it.
///
///     source       a   b   c   d   e
///     window           |-------|           1..<3: positions of the source, whatever stands there
///     slice            0   1
@usableFromInline
struct SliceTranslation {
  /// The positions that are shown, as far as the source reaches.
  private(set) var window: Range<Int>
  /// The number of the source's children.
  private(set) var sourceCount: Int
  /// The part of the window in which there are children.
  @usableFromInline private(set) var visible: Range<Int>
  /// What left the window in the transaction under way.
  var disappearances = Disappearances()

  init(window: Range<Int>, sourceCount: Int) {
    self.window = window
    self.sourceCount = sourceCount
    visible = window.clamped(to: 0..<sourceCount)
  }

  /// The position in the slice of a child of the source, or nil where it is outside of the window.
  func position(of source: Int) -> Int? { visible.contains(source) ? source - visible.lowerBound : nil }

  /// Translates a change of the source.
  ///
  /// - Complexity: O(c) for c ranges; O(c · log c) where children moved, and O(r · log r) for r children that left the window
  ///   while they are followed.
  mutating func translate(_ change: consuming ChangeSet) -> ChangeSet {
    translate(change, to: window)
  }

  /// Moves the window.
  ///
  /// - Returns: which rows came and went.
  mutating func move(to window: Range<Int>) -> ChangeSet { translate(ChangeSet(), to: window) }

  private mutating func translate(_ change: consuming ChangeSet, to window: Range<Int>) -> ChangeSet {
    // Without what has left, which would be copied otherwise.
    let former = SliceTranslation(window: self.window, sourceCount: sourceCount)
    self.window = window
    sourceCount += change.delta.countChange
    visible = window.clamped(to: 0..<sourceCount)
    let present = visible
    let delta = former.delta(to: present, change.delta)
    let crossings = follow(change, from: former)
    change.delta = delta
    change.translate(to: delta, before: { $0 }, after: { present.contains($0) ? $0 - present.lowerBound : nil })
    change.crossings = crossings
    return change
  }

  /// What leads from this slice to that of another range of the source, after a change.
  private func delta(to present: Range<Int>, _ change: Delta) -> Delta {
    var pieces: [Delta.Piece] = []
    func append(_ old: Range<Int>, _ new: Range<Int>) {
      let shown = old.clamped(to: visible)
      if shown.isEmpty { return }
      pieces.append(
        Delta.Piece(
          old: shown.lowerBound - visible.lowerBound,
          new: new.lowerBound + shown.lowerBound - old.lowerBound - present.lowerBound, count: shown.count))
    }
    if change.movesPositions {
      Delta.PositionMap(change).forEachRun(inNew: present, append)
    } else {
      append(present, present)
    }
    let updates = change.updates.compactMap { range in
      let shown = range.clamped(to: present)
      return shown.isEmpty ? nil : shown.shifted(by: -present.lowerBound)
    }
    return Delta(pieces: pieces, oldCount: visible.count, newCount: present.count, updates: updates)
  }
}
