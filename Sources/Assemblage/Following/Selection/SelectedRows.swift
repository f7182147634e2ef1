import OffsetIndexing

/// The selected rows of a flat list, and their ids, where ids are kept.
///
/// The pure half of a `SelectionModel`:
///
///     rows     a  b  c  d  e
///     bits     0  1  1  0  1
///     ids         b  c     e       one for each set bit, in order
///     absent   {x}                 selected, but not in the list
struct SelectedRows<ID: Hashable> {
  /// Which rows are selected.
  private(set) var bits: BitIndex

  /// The ids of the selected rows, in order; nil where a row has no value.
  ///
  /// The array is empty where ids are not kept.
  private(set) var ids = ChunkedArray<ID?>([])

  /// The ids of selected rows that have left.
  var absent: Set<ID> = []

  let keepsIDs: Bool

  /// Creates a selection for `count` rows, with no row selected.
  init(count: Int, keepsIDs: Bool) {
    bits = BitIndex(repeating: false, count: count)
    self.keepsIDs = keepsIDs
  }

  /// Creates the selection of the rows whose bits are set, without ids.
  init(bits: BitIndex) {
    self.bits = bits
    keepsIDs = false
  }

  /// The selected rows, as ranges that do not touch.
  var ranges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    bits.forEachSetRange(in: 0..<bits.count) { ranges.append($0) }
    return ranges
  }

  // MARK: Edits

  /// Selects the rows of a range.
  ///
  /// - Parameters:
  ///   - range: the rows.
  ///   - named: the ids of the rows, where ids are kept.
  /// - Returns: whether anything changed.
  /// - Complexity: O(log n + k / 64) for k rows; O(log n + k) where ids are kept.
  mutating func select(_ range: Range<Int>, _ named: [ID?]) -> Bool {
    let selected = bits.rank(range)
    if selected.count == range.count { return false }
    if keepsIDs {
      ids.replaceSubrange(selected, with: named)
      if !absent.isEmpty { absent.subtract(named.lazy.compactMap { $0 }) }
    }
    bits.set(range, to: true)
    return true
  }

  /// Deselects the rows of a range.
  ///
  /// - Returns: whether anything changed.
  /// - Complexity: O(log n + k / 64) for k rows.
  mutating func deselect(_ range: Range<Int>) -> Bool {
    let selected = bits.rank(range)
    if selected.isEmpty { return false }
    if keepsIDs { ids.replaceSubrange(selected, with: EmptyCollection()) }
    bits.set(range, to: false)
    return true
  }

  /// Deselects all rows, and forgets the absent ids.
  ///
  /// - Returns: whether anything changed in the rows.
  mutating func deselectAll() -> Bool {
    absent = []
    return deselect(0..<bits.count)
  }

  /// Selects a row and no other, and forgets the absent ids.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - named: the row's id, where ids are kept.
  /// - Returns: whether anything changed in the rows.
  mutating func replaceAll(by row: Int, _ named: [ID?]) -> Bool {
    absent = []
    let before = deselect(0..<row)
    let after = deselect(row + 1..<bits.count)
    return select(row..<row + 1, named) || before || after
  }

  // MARK: Following

  /// The selection of rows that move; positions count from the first of these rows.
  private struct Passage {
    var selected: [Range<Int>] = []
    var ids: [ID?] = []
  }

  /// Follows a change of the rows; new rows are not selected, and selected rows that leave become absent.
  ///
  /// - Returns: whether selected rows left.
  /// - Complexity: O(p · log n + m / 64) for p ranges and m moved rows.
  mutating func translate(_ delta: Delta) -> Bool {
    if !delta.movesPositions { return false }
    var hasLost = false
    for range in delta.removals where !bits.rank(range).isEmpty {
      hasLost = true
      if keepsIDs { absent.formUnion(ids.elements(in: bits.rank(range)).lazy.compactMap { $0 }) }
    }

    delta.rearrange(
      carrying: { range in
        var passage = Passage()
        bits.forEachSetRange(in: range) { passage.selected.append($0.shifted(by: -range.lowerBound)) }
        if keepsIDs { passage.ids = ids.elements(in: bits.rank(range)) }
        return passage
      },
      lifting: { range in
        if keepsIDs { ids.replaceSubrange(bits.rank(range), with: EmptyCollection()) }
        bits.removeSubrange(range)
      },
      putting: { range, passage in
        bits.insert(repeating: false, count: range.count, at: range.lowerBound)
        guard let passage, !passage.selected.isEmpty else { return }
        if keepsIDs {
          let rank = bits.rank(range.lowerBound)
          ids.replaceSubrange(rank..<rank, with: passage.ids)
        }
        for selected in passage.selected { bits.set(selected.shifted(by: range.lowerBound), to: true) }
      })
    return hasLost
  }

  /// Finds the updated and inserted rows whose ids have to be compared: see `recognize(_:)`.
  ///
  /// - Complexity: O(p · log n + k / 64) for k rows in p ranges.
  func strangers(in delta: Delta) -> [Range<Int>] {
    if !keepsIDs { return [] }
    if !absent.isEmpty { return RangeLists.union(Array(delta.updates), Array(delta.insertions)) }
    var rows: [Range<Int>] = []
    for range in delta.updates { bits.forEachSetRange(in: range) { rows.append($0) } }
    return rows
  }

  /// Selects rows that were absent, and adopts new ids of selected rows.
  ///
  /// - Parameter rows: rows with their ids.
  /// - Returns: whether rows returned, and whether selected rows have other ids than before.
  /// - Complexity: O(log n) a row.
  mutating func recognize(_ rows: [(row: Int, id: ID?)]) -> (returned: Bool, renamed: Bool) {
    var result = (returned: false, renamed: false)
    for (row, id) in rows {
      if bits[row] {
        let place = bits.rank(row)
        if ids[place] == id { continue }
        ids[place] = id
        result.renamed = true
      } else if let id, absent.remove(id) != nil, select(row..<row + 1, [id]) {
        result.returned = true
      }
    }
    return result
  }
}
