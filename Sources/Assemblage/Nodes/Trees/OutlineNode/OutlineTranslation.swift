public import OffsetIndexing

/// Translates between the places of a deep tree and its visible rows.
///
///     tree                      shape                         rows
///     ├ a                       a leaf                          0
///     ├ b  (expanded)           an open branch                  1
///     │  ├ c                    a leaf                          2
///     │  └ d  (collapsed)       a collapsed branch              3
///     └ e                       a leaf                          4
///
/// The rows are the elements of a `TreeIndex`. Each node that is or was expanded is a branch of this index, its
/// *record*. A collapsed record keeps everything below it in a forest of its own. Children without a record are leaves,
/// so a node of a million leaves costs one record. Every look-up takes O(log n) for n records, in a tree of any depth.
///
/// A record below which everything is expanded is *full*. When everything is collapsed at once, full records are
/// *parked*. The outline treats a parked record as missing, but the record follows all changes. So everything can be
/// expanded again at once. Decision 11 states the time that this took before;
/// `benchmark --suite outline --operation expand-all` measures it.
///
/// The translation knows no nodes and no elements, only counts.
@usableFromInline
struct OutlineTranslation: TreeTranslation {
  /// The record of a node that is or was expanded, or of the root.
  @usableFromInline
  typealias Record = TreeIndex.Branch

  /// The state of a record besides its place.
  struct Marks: OptionSet {
    let rawValue: UInt8

    /// Every node below has a record, and all these records are expanded or parked.
    static let full = Marks(rawValue: 1)
    /// The node counts as a node without a record. The record is collapsed, and was full when it was parked.
    static let parked = Marks(rawValue: 2)
    /// Something below may be parked.
    static let hasParked = Marks(rawValue: 4)
  }

  var shape: TreeIndex
  /// The marks by the records' numbers.
  private var marks: [Marks]

  /// Parked records whose nodes have got other records. These parked records are to be discarded.
  private var orphans: [Record] = []

  /// Creates the translation of a root.
  ///
  /// - Parameters:
  ///   - shape: the rows, with a branch for each node that is expanded.
  ///   - recordCount: the number of branches, the root included.
  ///   - isFull: whether all nodes are expanded.
  init(_ shape: TreeIndex, recordCount: Int, isFull: Bool) {
    self.shape = shape
    marks = Array(repeating: isFull ? .full : [], count: recordCount)
  }

  /// The number of rows.
  @usableFromInline var count: Int { shape.count }

  // MARK: Look-ups

  /// The child in a row.
  ///
  /// - Parameter row: `0..<count`.
  /// - Returns: the record of the child's parent, the child's position there, and the child's own record, if there is
  ///   one.
  /// - Complexity: O(log n).
  @usableFromInline
  func locate(_ row: Int) -> (parent: Record, position: Int, record: Record?) {
    let place = shape.locate(row)
    return (place.parent, place.position, unlessParked(place.branch))
  }

  /// The record of a child; nil if the child has none, or has a parked one.
  func record(ofChild position: Int, of parent: Record) -> Record? {
    unlessParked(shape.branch(at: position, of: parent))
  }

  /// The record itself; nil for a parked record.
  func unlessParked(_ record: Record?) -> Record? {
    record.flatMap { marks(of: $0).contains(.parked) ? nil : $0 }
  }

  /// Whether the node of a record is expanded.
  func isExpanded(_ record: Record) -> Bool { !shape.isCollapsed(record) }

  /// The marks of a record; none for a piece, which is no element.
  func marks(of record: Record) -> Marks { record.number < marks.count ? marks[record.number] : [] }

  /// The numbers, in their forest, of the rows below a record's node; none if the node is collapsed.
  func rows(below record: Record) -> Range<Int> {
    isExpanded(record) ? shape.descendants(of: record) : 0..<0
  }

  /// Whether a record is in a piece: neither in the outline nor below a collapsed node of the outline.
  func isDetached(_ record: Record) -> Bool { shape.parent(of: record).map(shape.isPiece) ?? false }

  /// The number of records above the record of a node: 0 for the root.
  ///
  /// - Complexity: O(log n), and O(log n) for each collapsed node above.
  func depth(ofRecord record: Record) -> Int {
    if record == TreeIndex.root { return 0 }
    var depth = shape.depth(of: record) + 1
    var forest = shape.forest(of: record)
    while forest != TreeIndex.root {
      depth += shape.depth(of: forest) + 1
      forest = shape.forest(of: forest)
    }
    return depth
  }

  /// Whether the children of a record's node have rows.
  ///
  /// - Complexity: O(log n).
  func showsChildren(of record: Record) -> Bool {
    record == TreeIndex.root || isExpanded(record) && shape.forest(of: record) == TreeIndex.root
  }

  /// Calls `body` with the rows of a range in order, as runs of siblings.
  ///
  /// - Parameters:
  ///   - range: within `0..<count`.
  ///   - body: receives the record of a parent, the positions of neighbours among its children, and the row of the
  ///     first neighbour.
  /// - Complexity: O(log n), and O(1) a run, amortised.
  @usableFromInline
  func forEachRun(in range: Range<Int>, _ body: (_ parent: Record, _ children: Range<Int>, _ row: Int) -> Void) {
    guard !range.isEmpty else { return }
    var runs = shape.runs(in: range)
    var run = runs.next()!
    var children = run.positions
    var row = run.numbers.lowerBound
    while let next = runs.next() {
      if next.parent == run.parent, next.positions.lowerBound == children.upperBound {
        children = children.lowerBound..<next.positions.upperBound
        continue
      }
      body(run.parent, children, row)
      run = next
      children = run.positions
      row = run.numbers.lowerBound
    }
    body(run.parent, children, row)
  }
}

// MARK: - Records

extension OutlineTranslation {
  /// Makes the records of a node and of nodes below it.
  ///
  /// - Parameters:
  ///   - shape: the node, as the only child of the root, with everything below it.
  ///   - isFull: whether all nodes below have records.
  ///   - position: the node's position. The node has no record, or a parked one, which becomes an orphan.
  ///   - parent: the record of the node's parent.
  /// - Returns: the new records, in the order of `shape`.
  /// - Complexity: O(log n), and O(r) for r records in `shape`.
  mutating func install(_ shape: TreeIndex, isFull: Bool, at position: Int, of parent: Record) -> [Record] {
    clear(position, of: parent)
    var records: [Record] = []
    self.shape.insert(shape, into: parent, at: position) { records.append($1) }
    for record in records {
      while marks.count <= record.number { marks.append([]) }
      marks[record.number] = isFull ? .full : []
    }
    if !isFull { noLongerFull(parent) }
    return records
  }

  /// Makes a detached record the record of a child that has none.
  ///
  /// - Complexity: O(log n).
  mutating func attach(_ record: Record, to parent: Record, at position: Int) {
    let piece = shape.parent(of: record)!
    clear(position, of: parent)
    shape.paste(piece, into: parent, at: position)
    let marks = marks(of: record)
    if !marks.contains(.full) || !marks.contains(.parked) && !isExpanded(record) { noLongerFull(parent) }
    if !marks.isDisjoint(with: [.parked, .hasParked]) { noteParked(below: parent) }
  }

  /// Removes a child from its place, which the caller fills at once.
  private mutating func clear(_ position: Int, of parent: Record) {
    if let parked = shape.branch(at: position, of: parent) {
      _ = shape.cutChildren(position..<position + 1, of: parent)
      marks[parked.number].remove(.parked)
      orphans.append(parked)
    } else {
      shape.removeChildren(position..<position + 1, of: parent)
    }
  }

  mutating func forget(_ record: Record) { marks[record.number] = [] }

  /// Expands or collapses a node that has a record.
  ///
  /// - Complexity: O(log n).
  mutating func setExpanded(_ isExpanded: Bool, _ record: Record) {
    if isExpanded {
      shape.expand(record)
    } else {
      if let parent = shape.parent(of: record) { noLongerFull(parent) }
      shape.collapse(record)
    }
  }
}

// MARK: - Parking

extension OutlineTranslation {
  /// Notes that something below a record may have no record, or be collapsed.
  ///
  /// - Complexity: O(1) amortised: no record above a record that is not full is full.
  mutating func noLongerFull(_ record: Record) {
    var next: Record? = record
    while let record = next, marks(of: record).contains(.full) {
      marks[record.number].remove(.full)
      next = shape.parent(of: record)
    }
  }

  /// Notes that everything below some records is expanded.
  mutating func setFull(_ full: [Record]) {
    for record in full { marks[record.number].insert(.full) }
  }

  /// Collapses and parks a full record.
  ///
  /// - Complexity: O(log n), and O(d) the first time at depth d.
  mutating func park(_ record: Record) {
    shape.collapse(record)
    marks[record.number].insert(.parked)
    if let parent = shape.parent(of: record) { noteParked(below: parent) }
  }

  private mutating func noteParked(below record: Record) {
    var next: Record? = record
    while let record = next, record.number < marks.count, !marks[record.number].contains(.hasParked),
      !shape.isPiece(record)
    {
      marks[record.number].insert(.hasParked)
      next = shape.parent(of: record)
    }
  }

  /// Notes that nothing below a record is parked any longer, because the caller unparks everything.
  mutating func clearParked(below record: Record) { marks[record.number].remove(.hasParked) }

  /// Unparks and expands records, which are children of one node, in order.
  ///
  /// - Complexity: O(k · log n) for k records.
  mutating func unpark(_ records: [Record]) {
    for record in records { marks[record.number].remove(.parked) }
    shape.expand(records)
  }

  /// Unparks a record, and parks the records of its children instead, so that nothing below is expanded.
  ///
  /// - Complexity: O(k · log n) for k children with records.
  mutating func unparkAlone(_ record: Record) {
    marks[record.number].remove(.parked)
    for child in children(of: record) { park(child.branch) }
  }

  /// Returns and forgets the parked records that have been replaced since the last call.
  mutating func takeOrphans() -> [Record] {
    defer { orphans = [] }
    return orphans
  }
}

// MARK: - Changes of one node's children

extension OutlineTranslation {
  /// Brings a record up to date with its node's children.
  ///
  /// New children have no records at first. Children that move keep their records.
  ///
  /// - Parameters:
  ///   - delta: the change of the children.
  ///   - record: the node's record.
  /// - Returns: the records of removed children and of everything below them, which are free now.
  /// - Complexity: O(c · log n) for c ranges, and O(r) for r removed records.
  mutating func rearrange(_ delta: Delta, in record: Record) -> [Record] {
    var removed: [Record] = []
    rearrangeShape(delta, in: record, &removed)
    return removed.flatMap { discard($0) }
  }

  /// Brings a record up to date with an edit of children that have no records.
  ///
  /// - Parameters:
  ///   - kind: the edit.
  ///   - record: the record of the children's parent.
  /// - Returns: the change of the rows; nil if the edit takes more than one search, or if one of the children has a
  ///   record. In that case nothing has been changed.
  /// - Complexity: O(log n).
  mutating func rearrangeLeaves(_ kind: ShapeEdit.Kind, of record: Record) -> Delta? {
    switch kind {
    case .inserted(let range):
      let (row, forest) = shape.insertNumberedLeaves(range.count, into: record, at: range.lowerBound)
      return forest == TreeIndex.root ? .insertion(row..<row + range.count) : Delta()
    case .removed(let range):
      guard let (row, forest) = shape.removeRun(range, of: record) else { return nil }
      return forest == TreeIndex.root ? .removal(row..<row + range.count) : Delta()
    case .updated(let range):
      guard range.count == 1 else { return nil }
      let (row, branch) = shape.child(at: range.lowerBound, of: record)
      guard branch == nil else { return nil }
      return showsChildren(of: record) ? .update(row..<row + 1) : Delta()
    case .moved, .turned, .rearranged: return nil
    }
  }

  /// The numbers of neighbours and of everything below them.
  func rows(ofChildren range: Range<Int>, of record: Record) -> Range<Int> {
    let start = shape.child(at: range.lowerBound, of: record).number
    if range.upperBound < shape.childCount(of: record) {
      return start..<shape.child(at: range.upperBound, of: record).number
    }
    return start..<shape.descendants(of: record).upperBound
  }

  /// The numbers of the children in a range, without the numbers of everything below, as ranges.
  func ownRows(ofChildren range: Range<Int>, of record: Record) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    var position = range.lowerBound
    var row = shape.child(at: position, of: record).number
    for child in shape.branches(in: range, of: record) {
      let own = row + child.position - position
      RangeLists.append(row..<own + 1, to: &rows)
      position = child.position + 1
      row = own + 1 + self.rows(below: child.branch).count
    }
    if position < range.upperBound { RangeLists.append(row..<row + (range.upperBound - position), to: &rows) }
    return rows
  }
}
