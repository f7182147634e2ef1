/// The children of one expanded node: which of them have a record of their own, and which rows each takes up.
///
///     children     a   b   c         d   e
///     records              7                       c is, or was, expanded; the others are leaves, or never were
///     rows         0   1   2 (3 4)   5   6         c and the two rows below it
///
/// Every child has a row of its own; those below an expanded child follow it and are its *extra* rows. A child without a
/// record costs nothing: only the children that have one stand in a list, each with the number of children before it that
/// have none. A list of few is searched from its start; many, and those among billions, stand in index structures.
@usableFromInline
struct OutlineLevel {
  /// The number of children.
  private(set) var count: Int

  /// The number of rows: one for each child, and the extra ones.
  @usableFromInline private(set) var total: Int

  /// The children with records, while they are few.
  private var list: OutlineEntryList

  /// The same, once they have been many: one table, or none. In an array, because most levels have none, and should not
  /// keep room for it.
  private var tables: [OutlineEntryTable] = []

  /// How many entries a list may have.
  ///
  /// Searching a list of 24 takes about as long as the three look-ups in a table.
  static let longestList = 24

  /// Creates the level of a node.
  ///
  /// - Parameters:
  ///   - count: the number of children.
  ///   - entries: the children that have records, ascending by position.
  init(count: Int, entries: [Entry] = []) {
    self.count = count
    total = entries.reduce(count) { $0 + $1.extra }
    if entries.count <= Self.longestList, count <= OutlineEntryList.mostChildren {
      list = OutlineEntryList(entries)
    } else {
      list = OutlineEntryList([])
      tables = [OutlineEntryTable(entries)]
    }
  }

  private var isList: Bool { tables.isEmpty }

  private mutating func turnIntoTable() {
    tables = [OutlineEntryTable(entries)]
    list = OutlineEntryList([])
  }

  /// A child that has a record.
  struct Entry: Equatable {
    /// The child's position among its siblings.
    var position: Int
    /// The number of rows below it that are visible when it is.
    var extra: Int
    /// The number of its record.
    var record: Int
  }

  /// What stands in a row.
  @usableFromInline
  struct Location: Equatable {
    /// The child, or the one that the row lies below.
    @usableFromInline var position: Int
    /// The child's record; -1: it has none.
    @usableFromInline var record: Int
    /// The row among those of the record's children; -1: it is the child's own.
    @usableFromInline var inside = -1
  }

  /// Where a child's own row is.
  struct Place: Equatable {
    var row: Int
    /// The child's record; -1: it has none.
    var record: Int
  }
}

// MARK: - Look-ups

extension OutlineLevel {
  /// What stands in a row, `0..<total`.
  ///
  /// - Complexity: O(log k) for k records.
  func locate(_ row: Int) -> Location {
    isList ? list.locate(row) : tables[0].locate(row)
  }

  /// The row of the child at a position, `0...count`; that of `count` is `total`.
  ///
  /// - Complexity: O(log k) for k records.
  func place(ofChild position: Int) -> Place {
    isList ? list.place(ofChild: position) : tables[0].place(ofChild: position)
  }

  /// The position and the row of the child whose record is given.
  ///
  /// - Complexity: O(log k) for k records.
  func place(ofRecord record: Int) -> (position: Int, row: Int) {
    isList ? list.place(ofRecord: record) : tables[0].place(ofRecord: record)
  }

  /// The rows of neighbours, with those below them.
  func rows(ofChildren range: Range<Int>) -> Range<Int> {
    let start = place(ofChild: range.lowerBound).row
    return start..<(range.upperBound == count ? total : place(ofChild: range.upperBound).row)
  }

  /// Calls `body` with the children of a range that have records, in order.
  ///
  /// - Complexity: O((e + 1) · log k) for e of them, of k records.
  func forEachEntry(in range: Range<Int>, _ body: (_ entry: Entry, _ row: Int) -> Void) {
    if isList { list.forEachEntry(in: range, body) } else { tables[0].forEachEntry(in: range, body) }
  }

  /// The first child, at a position or behind, that shows rows below it.
  ///
  /// - Complexity: O(log k) for k records, and O(c) for c collapsed children in between.
  func nextEntry(from position: Int) -> Entry? {
    isList ? list.nextEntry(from: position) : tables[0].nextEntry(from: position)
  }

  /// The children that have records, in order.
  var entries: [Entry] {
    var entries: [Entry] = []
    forEachEntry(in: 0..<count) { entry, _ in entries.append(entry) }
    return entries
  }

  /// The rows of the children of a range, without those below them, as ranges.
  func ownRows(ofChildren range: Range<Int>) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    var position = range.lowerBound
    var row = place(ofChild: position).row
    forEachEntry(in: range) { entry, entryRow in
      RangeLists.append(row..<entryRow + 1, to: &rows)
      position = entry.position + 1
      row = entryRow + 1 + entry.extra
    }
    if position < range.upperBound { RangeLists.append(row..<row + (range.upperBound - position), to: &rows) }
    return rows
  }
}

// MARK: - Changes

extension OutlineLevel {
  /// Makes room for children without records.
  ///
  /// - Complexity: O(log k) for k records.
  mutating func insertChildren(_ added: Int, at position: Int) {
    if isList, count > OutlineEntryList.mostChildren - added { turnIntoTable() }
    count += added
    total += added
    if isList { list.insertChildren(added, at: position) } else { tables[0].insertChildren(added, at: position) }
  }

  /// Takes children out.
  ///
  /// - Returns: those that had records, by their positions before.
  /// - Complexity: O((e + 1) · log k) for e of them, of k records.
  mutating func removeChildren(_ range: Range<Int>) -> [Entry] {
    let taken = isList ? list.removeChildren(range) : tables[0].removeChildren(range)
    count -= range.count
    total -= taken.reduce(range.count) { $0 + $1.extra }
    return taken
  }

  /// Gives a child that has none a record.
  ///
  /// - Complexity: amortised O(log k) for k records.
  mutating func insert(_ entry: Entry) {
    total += entry.extra
    if isList, list.count == Self.longestList { turnIntoTable() }
    if isList { list.insert(entry) } else { tables[0].insert(entry) }
  }

  /// Takes a child's record away; its extra rows go with it.
  ///
  /// - Complexity: O(log k) for k records.
  mutating func remove(record: Int) {
    total -= isList ? list.remove(record: record) : tables[0].remove(record: record)
  }

  /// Changes the number of a child's extra rows.
  ///
  /// - Complexity: O(log k) for k records.
  mutating func addExtra(_ growth: Int, ofRecord record: Int) {
    total += growth
    if isList { list.addExtra(growth, ofRecord: record) } else { tables[0].addExtra(growth, ofRecord: record) }
  }
}
