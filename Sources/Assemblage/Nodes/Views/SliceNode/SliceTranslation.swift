/// Translates between a source's index space and the index space of a window.
///
///     source       a   b   c   d   e
///     window           |-------|           1..<3: positions of the source, whichever children lie there
///     slice            0   1
@usableFromInline
struct SliceTranslation {
  /// The shown positions, as far as the source reaches.
  private(set) var window: Range<Int>
  /// The number of the source's children.
  private(set) var sourceCount: Int
  /// The part of the window that contains children.
  @usableFromInline private(set) var visible: Range<Int>

  init(window: Range<Int>, sourceCount: Int) {
    self.window = window
    self.sourceCount = sourceCount
    visible = window.clamped(to: 0..<sourceCount)
  }

  /// Returns the position in the slice of a child of the source, or nil if the child is outside the window.
  func position(of source: Int) -> Int? { visible.contains(source) ? source - visible.lowerBound : nil }

  /// Translates a change of the source.
  ///
  /// - Complexity: O(c) for c ranges; O(c · log c) if children moved.
  mutating func translate(_ change: consuming ChangeSet) -> ChangeSet {
    if let range = change.onlyInsertion { return ChangeSet(shift(from: range.lowerBound, by: range.count)) }
    if let range = change.onlyRemoval { return ChangeSet(shift(from: range.lowerBound, by: -range.count)) }
    return translate(change, to: window)
  }

  /// Translates the only insertion or removal in the source.
  ///
  /// The children behind the change shift. An insertion before the window's end shows children at its position, or at
  /// the window's start. It hides the children that no longer fit at the window's end. A removal does the reverse.
  ///
  /// - Parameters:
  ///   - position: the start of the insertion or removal.
  ///   - distance: the number of inserted children or, as a negative number, of removed children.
  /// - Returns: the change of the slice.
  /// - Complexity: O(1).
  private mutating func shift(from position: Int, by distance: Int) -> Delta {
    let former = visible
    sourceCount += distance
    visible = window.clamped(to: 0..<sourceCount)
    let start = max(position, window.lowerBound)
    let (shorter, longer) = distance > 0 ? (former, visible) : (visible, former)
    func shown(_ start: Int, _ end: Int) -> Range<Int> {
      start < end ? start - window.lowerBound..<end - window.lowerBound : 0..<0
    }
    let atStart = shown(start, start + min(abs(distance), longer.upperBound - start))
    let atEnd = shown(max(start, longer.upperBound - abs(distance)), shorter.upperBound)
    let (removed, inserted) = distance > 0 ? (atEnd, atStart) : (atStart, atEnd)
    if removed.isEmpty { return .insertion(inserted) }
    if inserted.isEmpty { return .removal(removed) }
    return Delta(canonicalRemovals: [removed], insertions: [inserted], updates: [])
  }

  /// Moves the window.
  ///
  /// - Returns: the change of the slice: the rows that arrive and leave.
  mutating func move(to window: Range<Int>) -> ChangeSet { translate(ChangeSet(), to: window) }

  private mutating func translate(_ change: consuming ChangeSet, to window: Range<Int>) -> ChangeSet {
    let former = self
    self.window = window
    sourceCount += change.delta.countChange
    visible = window.clamped(to: 0..<sourceCount)
    let present = visible
    let delta = former.delta(to: present, change.delta)
    change.translate(
      to: delta, before: { former.position(of: $0) }, after: { present.contains($0) ? $0 - present.lowerBound : nil })
    return change
  }

  /// Returns the change from this slice to the slice of another range, after a change of the source.
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
