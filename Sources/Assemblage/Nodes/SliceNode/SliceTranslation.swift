/// Translates between a source's index space and that of a window of it.
///
///     source       a   b   c   d   e
///     window           |-------|           1 ..< 3: positions of the source, whoever stands there
///     slice            0   1
@usableFromInline
struct SliceTranslation {
  /// The positions that are shown, as far as the source reaches.
  private(set) var window: Range<Int>
  /// The number of the source's children.
  private(set) var sourceCount: Int

  init(window: Range<Int>, sourceCount: Int) {
    self.window = window
    self.sourceCount = sourceCount
    visible = window.clamped(to: 0..<sourceCount)
  }

  /// The part of the window in which there are children.
  @usableFromInline private(set) var visible: Range<Int>

  /// The position in the slice of a child of the source, or nil where it is outside of the window.
  func position(of source: Int) -> Int? { visible.contains(source) ? source - visible.lowerBound : nil }

  /// Translates a change of the source.
  ///
  /// - Complexity: O(c) for c ranges; O(c log c) where children moved.
  mutating func translate(_ change: consuming ChangeSet) -> ChangeSet {
    let former = self
    self = SliceTranslation(window: window, sourceCount: sourceCount + change.delta.countChange)
    let present = self
    let delta = former.delta(to: present, change.delta)
    change.translate(
      to: delta, before: { former.position(of: $0) }, after: { present.position(of: $0) })
    return change
  }

  /// Moves the window.
  ///
  /// - Returns: which rows came and went.
  mutating func move(to window: Range<Int>) -> Delta {
    let former = self
    self = SliceTranslation(window: window, sourceCount: sourceCount)
    return former.delta(to: self, Delta())
  }

  /// What leads from this slice to one of the source after a change.
  private func delta(to present: SliceTranslation, _ change: Delta) -> Delta {
    var pieces: [Delta.Piece] = []
    func append(_ old: Range<Int>, _ new: Range<Int>) {
      let shown = old.clamped(to: visible)
      if shown.isEmpty { return }
      pieces.append(
        Delta.Piece(
          old: shown.lowerBound - visible.lowerBound,
          new: new.lowerBound + shown.lowerBound - old.lowerBound - present.visible.lowerBound, count: shown.count))
    }
    if change.movesPositions {
      Delta.PositionMap(change).forEachRun(inNew: present.visible, append)
    } else {
      append(present.visible, present.visible)
    }
    let updates = change.updates.compactMap { range in
      let shown = range.clamped(to: present.visible)
      return shown.isEmpty ? nil : shown.shifted(by: -present.visible.lowerBound)
    }
    return Delta(
      pieces: pieces, oldCount: visible.count, newCount: present.visible.count, updates: updates)
  }
}
