/// Translates between the paths of a deep tree and the rows that are visible of it.
///
///     tree                    record    rows
///     ├ a                       0       0
///     ├ b  (expanded)           0       1
///     │  ├ c                    1       2
///     │  └ d  (collapsed)       1       3
///     └ e                       0       4
///
/// Each node that is expanded, or has been, has a *record*: the numbers of its children and of the rows they take up. A
/// node that is collapsed keeps its record and those below it, but its parent counts no rows for it. Children without a
/// record cost nothing, so a node of a million leaves costs one record.
///
/// A record below which everything is expanded is *full*. When everything is collapsed at once, full records are *parked*: they
/// count as if they were not there, but follow all changes, so that everything can be expanded again at once.
///
/// It knows no nodes and no elements, only counts. All walks are loops, however deep the tree.
@usableFromInline
struct OutlineTranslation {
  /// An expanded or formerly expanded node.
  struct Record {
    /// The record of the node's parent; -1 for the root, and for a record that is not attached.
    var parent = -1
    var isExpanded = true
    /// Whether every node below has a record, and all are expanded, or parked.
    var isFull = false
    /// Whether the node counts as one without a record. It is collapsed, and was full when it was parked.
    var isParked = false
    /// Whether something below may be parked.
    var hasParked = false
    var level: OutlineLevel
  }

  /// The records by number; number 0 is the root's.
  private(set) var records: [Record]
  private var free: [Int] = []

  /// Parked records whose nodes have got others; to be discarded.
  private var orphans: [Int] = []

  /// Creates the translation of a root with so many children, none of which has been expanded.
  init(count: Int) { records = [Record(level: OutlineLevel(count: count))] }

  /// The number of rows.
  @usableFromInline var count: Int { records[0].level.total }

  // MARK: Look-ups

  /// The child that stands in a row.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: the record of its parent, its position there, and its own record, or -1.
  /// - Complexity: O(d · log n) for a row at depth d.
  @usableFromInline
  func locate(_ row: Int) -> (parent: Int, position: Int, record: Int) {
    var parent = 0
    var row = row
    while true {
      let location = records[parent].level.locate(row)
      if location.inside < 0 { return (parent, location.position, unlessParked(location.record)) }
      parent = location.record
      row = location.inside
    }
  }

  /// The path of the child that stands in a row, `0..<count`.
  ///
  /// - Complexity: O(d · log n) for a row at depth d.
  func path(ofRow row: Int) -> [Int] {
    var path: [Int] = []
    path.reserveCapacity(8)
    var parent = 0
    var row = row
    while true {
      let location = records[parent].level.locate(row)
      path.append(location.position)
      if location.inside < 0 { return path }
      parent = location.record
      row = location.inside
    }
  }

  /// The row of the child at a path; nil where it is hidden, or there is none.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  func row(ofPath path: some Collection<Int>) -> Int? {
    var parent = 0
    var start = 0
    var row: Int?
    for position in path {
      if let above = row {
        guard parent >= 0, records[parent].isExpanded else { return nil }
        start = above + 1
      }
      guard position >= 0, position < records[parent].level.count else { return nil }
      let place = records[parent].level.place(ofChild: position)
      row = start + place.row
      parent = place.record
    }
    return row
  }

  /// The record of the node at a path below another record; nil where it has none.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  func record(at path: some Collection<Int>, below start: Int = 0) -> Int? {
    var record = start
    for position in path {
      guard position >= 0, position < records[record].level.count else { return nil }
      record = self.record(ofChild: position, of: record)
      if record < 0 { return nil }
    }
    return record
  }

  /// The path of a record's node.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  func path(ofRecord record: Int) -> [Int] {
    var path: [Int] = []
    var record = record
    while records[record].parent >= 0 {
      path.append(records[records[record].parent].level.place(ofRecord: record).position)
      record = records[record].parent
    }
    return path.reversed()
  }

  /// The record of a child, or -1.
  func record(ofChild position: Int, of parent: Int) -> Int {
    unlessParked(anyRecord(ofChild: position, of: parent))
  }

  /// The record of a child, parked or not, or -1.
  func anyRecord(ofChild position: Int, of parent: Int) -> Int {
    records[parent].level.place(ofChild: position).record
  }

  private func unlessParked(_ record: Int) -> Int { record >= 0 && records[record].isParked ? -1 : record }

  /// How many rows of a child's descendants are visible when the child is.
  func extra(ofRecord record: Int) -> Int { records[record].isExpanded ? records[record].level.total : 0 }

  /// The number of records above the record of a node: 0 for the root.
  func depth(ofRecord record: Int) -> Int {
    var depth = 0
    var record = records[record].parent
    while record >= 0 {
      depth += 1
      record = records[record].parent
    }
    return depth
  }

  /// Where a record's rows begin.
  enum Origin: Equatable {
    /// In this row of the outline.
    case row(Int)
    /// In this row of a record that is not attached.
    case detached(record: Int, row: Int)
    /// Nowhere: an ancestor is collapsed.
    case hidden
  }

  /// Where the first of a record's rows is.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  func origin(ofRecord record: Int) -> Origin {
    var record = record
    var row = 0
    while true {
      if record == 0 { return .row(row) }
      let parent = records[record].parent
      if parent < 0 { return .detached(record: record, row: row) }
      if !records[record].isExpanded { return .hidden }
      row += records[parent].level.place(ofRecord: record).row + 1
      record = parent
    }
  }
}

// MARK: - Records

extension OutlineTranslation {
  /// Makes a record that is not attached.
  ///
  /// - Parameters:
  ///   - count: the number of the node's children.
  ///   - isExpanded: whether the node is expanded.
  ///   - isFull: whether every node below has a record and is expanded.
  ///   - children: those that have records, ascending by position; their extra rows are counted here.
  /// - Returns: the number of the new record.
  mutating func makeRecord(
    count: Int, isExpanded: Bool = true, isFull: Bool = false, children: [(position: Int, record: Int)]
  ) -> Int {
    let level = OutlineLevel(
      count: count,
      entries: children.map {
        OutlineLevel.Entry(position: $0.position, extra: extra(ofRecord: $0.record), record: $0.record)
      })
    let number: Int
    if let last = free.popLast() {
      number = last
      records[number] = Record(isExpanded: isExpanded, isFull: isFull, level: level)
    } else {
      number = records.count
      records.append(Record(isExpanded: isExpanded, isFull: isFull, level: level))
    }
    for child in children { records[child.record].parent = number }
    return number
  }

  /// Gives the root's children their records, where none has one yet; ascending by position.
  ///
  /// - Complexity: O(k) for k records.
  mutating func adopt(_ children: [(position: Int, record: Int)], isFull: Bool) {
    records[0].isFull = isFull
    records[0].level = OutlineLevel(
      count: records[0].level.count,
      entries: children.map {
        OutlineLevel.Entry(position: $0.position, extra: extra(ofRecord: $0.record), record: $0.record)
      })
    for child in children { records[child.record].parent = 0 }
  }

  /// Makes a record that of a child, which must have none.
  ///
  /// - Complexity: O(d · log n) for a child at depth d.
  mutating func attach(_ record: Int, to parent: Int, at position: Int) {
    adopt(record, at: position, of: parent)
    grow(parent, by: extra(ofRecord: record))
  }

  /// The same for a parent of which no other knows yet how many rows it has.
  ///
  /// - Complexity: O(log n).
  mutating func adopt(_ record: Int, at position: Int, of parent: Int) {
    let parked = anyRecord(ofChild: position, of: parent)
    if parked >= 0 {
      records[parent].level.remove(record: parked)
      records[parked].parent = -1
      records[parked].isParked = false
      orphans.append(parked)
    }
    if !records[record].isFull || !records[record].isExpanded { noLongerFull(parent) }
    if records[record].hasParked { noteParked(below: parent) }
    let extra = extra(ofRecord: record)
    records[parent].level.insert(OutlineLevel.Entry(position: position, extra: extra, record: record))
    records[record].parent = parent
  }

  /// Takes a child's record away from it, with all below; the child then counts as a leaf.
  ///
  /// - Complexity: O(d · log n) for a child at depth d.
  mutating func detach(_ record: Int) {
    let parent = records[record].parent
    abandon(record)
    grow(parent, by: -extra(ofRecord: record))
  }

  /// The same for a parent of which no other knows yet how many rows it has.
  ///
  /// - Complexity: O(log n).
  mutating func abandon(_ record: Int) {
    noLongerFull(records[record].parent)
    records[records[record].parent].level.remove(record: record)
    records[record].parent = -1
  }

  /// Frees records that are not attached, with all below them.
  ///
  /// - Returns: the numbers that are free now.
  /// - Complexity: O(r) for r records.
  mutating func discard(_ detached: [Int]) -> [Int] {
    var freed = detached
    var next = 0
    while next < freed.count {
      for entry in records[freed[next]].level.entries { freed.append(entry.record) }
      records[freed[next]] = Record(level: OutlineLevel(count: 0))
      next += 1
    }
    free.append(contentsOf: freed)
    return freed
  }

  /// Expands or collapses a node that has a record, and is not as it is to be.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  mutating func setExpanded(_ isExpanded: Bool, record: Int) {
    turn(record, isExpanded)
    let growth = isExpanded ? records[record].level.total : -records[record].level.total
    if records[record].parent >= 0 { grow(records[record].parent, by: growth) }
  }

  /// The same for a parent of which no other knows yet how many rows it has.
  ///
  /// - Complexity: O(log n).
  mutating func turn(_ record: Int, _ isExpanded: Bool) {
    if !isExpanded { noLongerFull(records[record].parent) }
    turnKeepingFull(record, isExpanded)
  }

  private mutating func turnKeepingFull(_ record: Int, _ isExpanded: Bool) {
    records[record].isExpanded = isExpanded
    guard records[record].parent >= 0 else { return }
    addExtra(isExpanded ? records[record].level.total : -records[record].level.total, ofRecord: record)
  }

  /// The rows below a record's node among those of its parent, if they are visible when the node is.
  func rows(below record: Int) -> Range<Int> {
    let start = records[records[record].parent].level.place(ofRecord: record).row + 1
    return start..<start + extra(ofRecord: record)
  }

  /// Tells the parent of a record that there are so many more rows below that.
  mutating func addExtra(_ growth: Int, ofRecord record: Int) {
    records[records[record].parent].level.addExtra(growth, ofRecord: record)
  }

  /// Tells the ancestors of a record, as far as they are expanded, that it has so many more rows.
  mutating func grow(_ record: Int, by growth: Int) {
    guard growth != 0 else { return }
    var record = record
    while records[record].isExpanded, records[record].parent >= 0 {
      addExtra(growth, ofRecord: record)
      record = records[record].parent
    }
  }
}

// MARK: - Parking

extension OutlineTranslation {
  /// Says that something below a record may have no record, or be collapsed.
  ///
  /// - Complexity: O(1) amortised: above a record that is not full there is none that is.
  mutating func noLongerFull(_ record: Int) {
    var record = record
    while record >= 0, records[record].isFull {
      records[record].isFull = false
      record = records[record].parent
    }
  }

  /// Says that everything below some records is expanded.
  mutating func setFull(_ full: [Int]) {
    for record in full { records[record].isFull = true }
  }

  /// Parks a full record, collapsing it, for a parent of which no other knows yet how many rows it has.
  ///
  /// - Complexity: O(log n), and O(d) the first time at depth d.
  mutating func park(_ record: Int) {
    if records[record].isExpanded { turnKeepingFull(record, false) }
    records[record].isParked = true
    noteParked(below: records[record].parent)
  }

  private mutating func noteParked(below record: Int) {
    var record = record
    while record >= 0, !records[record].hasParked {
      records[record].hasParked = true
      record = records[record].parent
    }
  }

  /// Notes that nothing is parked below a record any longer: the caller takes all of it back.
  mutating func clearParked(below record: Int) { records[record].hasParked = false }

  /// Takes a record back that was parked, with everything below expanded; it is collapsed still.
  mutating func unpark(_ record: Int) { records[record].isParked = false }

  /// Takes a record back that was parked, and parks those below instead: nothing below is expanded.
  ///
  /// - Complexity: O(k · log k) for k children with records.
  mutating func unparkAlone(_ record: Int) {
    unpark(record)
    for entry in records[record].level.entries { park(entry.record) }
  }

  /// The parked records that have been replaced since this was asked last.
  mutating func takeOrphans() -> [Int] {
    defer { orphans = [] }
    return orphans
  }
}

// MARK: - Changes

extension OutlineTranslation {
  /// Brings a record up to date with its node's children. New children have no records at first; those that move keep
  /// theirs. No other record knows yet how many rows there are.
  ///
  /// - Parameters:
  ///   - delta: what happened to the children.
  ///   - record: the node's record.
  /// - Returns: what happened to the record's rows, counted from its first; and the records of removed children, which
  ///   are detached now.
  /// - Complexity: O(c · log n) for c ranges, and e log n for e records in them.
  mutating func rearrange(_ delta: Delta, in record: Int) -> (rows: Delta, removed: [Int]) {
    let result = records[record].level.apply(delta)
    for removed in result.removed { records[removed].parent = -1 }
    return result
  }
}
