import Foundation

/// A change of one index space as three sets of single positions, which are shifted at each edit. This is the form that
/// a developer writes first.
struct IndexSets: Equatable {
  /// Positions before all edits.
  private(set) var removals = IndexSet()
  /// Positions after all edits.
  private(set) var insertions = IndexSet()
  /// Positions after all edits.
  private(set) var updates = IndexSet()

  mutating func insert(at position: Int) {
    insertions.shift(startingAt: position, by: 1)
    updates.shift(startingAt: position, by: 1)
    insertions.insert(position)
  }

  mutating func remove(at position: Int) {
    if insertions.contains(position) {
      insertions.remove(position)
    } else {
      removals.insert(originalPosition(of: position))
      updates.remove(position)
    }
    insertions.shift(startingAt: position + 1, by: -1)
    updates.shift(startingAt: position + 1, by: -1)
  }

  mutating func update(at position: Int) {
    if !insertions.contains(position) { updates.insert(position) }
  }

  /// The position of a surviving element before all edits.
  private func originalPosition(of position: Int) -> Int {
    var original = position - insertions.count(in: 0..<position)
    for range in removals.rangeView {
      if range.lowerBound > original { break }
      original += range.count
    }
    return original
  }
}
