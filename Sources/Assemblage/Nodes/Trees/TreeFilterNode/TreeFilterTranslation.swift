import OffsetIndexing

/// Translates between the places of a tree and those of the part of it that a filter shows.
///
///     tree              record   passes   shown   matches below
///     ├ a                          1        1
///     ├ b                  1       0        1        2           shown for what is below it
///     │  ├ c                       1        1
///     │  ├ d               2       0        0        0
///     │  │  └ e                    0        0
///     │  └ f                       1        1
///     └ g                          0        0
///
/// Each node that is known has a *record*: which of its children are shown, how many matches are below it, and which of
/// its children have records too (in an `OutlineLevel`, of which only the entries are used; nothing has extra rows).
/// Leaves cost a bit. Whether a child that has a record matches itself stands in that record; of leaves, the shown bit says
/// it, except where all is shown because of a match above: there a second row of bits does.
///
/// It knows no nodes and no elements, and is told what the predicate says. All walks are loops, however deep the tree.
@usableFromInline
struct TreeFilterTranslation {
  struct Record {
    /// The record of the node's parent; -1 for the root, and for a record that is not attached.
    var parent = -1
    /// The children that have records.
    var level = OutlineLevel(count: 0)
    /// The children that are shown.
    var shown = ChildBits()
    /// The children that pass; only where descendants of matches are kept.
    var passes: ChildBits?
    /// The number of matches below the node.
    var matchCount = 0
    /// Whether the node itself passes, as a child of its parent.
    var isMatch = false
    /// Whether all children are shown, because the node matches or one above it.
    var showsAll = false
    /// Whether the children have been looked at.
    var isLoaded = false
    /// Whether everything below is known, so that its matches are counted.
    var isWhole = false
  }

  let policy: TreeFilterPolicy

  /// The records by number; number 0 is the root's.
  var records: [Record] = []
  private var free: [Int] = []

  init(policy: TreeFilterPolicy) { self.policy = policy }

  /// Whether a record is made for each node of the tree, not only for those that are looked at.
  var isEager: Bool { policy != .hidingSubtrees }

  // MARK: Look-ups

  /// The number of children of a record's node that are shown; -1 is the record of nothing.
  @usableFromInline
  func count(ofRecord record: Int) -> Int { record < 0 ? 0 : records[record].shown.setCount }

  /// The position in the source of a child that is shown; -1 where there is none.
  ///
  /// - Complexity: O(log n) for n children.
  @usableFromInline
  func sourcePosition(of position: Int, in record: Int) -> Int {
    guard record >= 0, position >= 0, position < records[record].shown.setCount else { return -1 }
    return records[record].shown.select(position)
  }

  /// The runs of children that are shown, ascending, for positions `0..<count` of a record's node.
  @usableFromInline
  func forEachRun(
    in range: Range<Int>, of record: Int, _ body: (_ source: Range<Int>, _ start: Int) -> Void
  ) {
    guard record >= 0, !range.isEmpty else { return }
    let shown = records[record].shown
    var rank = range.lowerBound
    var start = shown.select(rank)
    var end = start + 1
    while rank + (end - start) < range.upperBound {
      let next = shown.select(rank + (end - start))
      if next == end {
        end += 1
      } else {
        body(start..<end, rank)
        rank += end - start
        start = next
        end = next + 1
      }
    }
    body(start..<end, rank)
  }

  /// The record of a child, or -1.
  func record(ofChild position: Int, of parent: Int) -> Int { records[parent].level.place(ofChild: position).record }

  /// The position of a record's node in its parent, in the source.
  func position(ofRecord record: Int) -> Int {
    records[records[record].parent].level.place(ofRecord: record).position
  }

  /// The shown path of a child, for its path in the source from a record's node; nil where it or one on the way is hidden.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  func shownPath(_ path: some Collection<Int>, below start: Int = 0) -> [Int]? {
    var result: [Int] = []
    result.reserveCapacity(path.count)
    var record = start
    for position in path {
      guard record >= 0, records[record].isLoaded, position >= 0, position < records[record].shown.count,
        records[record].shown[position]
      else { return nil }
      result.append(records[record].shown.rank(position))
      record = self.record(ofChild: position, of: record)
    }
    return result
  }

  /// The record of the node at a path in the source from a record's node; nil where it has none.
  func record(at path: some Collection<Int>, below start: Int = 0) -> Int? {
    var record = start
    for position in path {
      guard position >= 0, position < records[record].level.count else { return nil }
      record = self.record(ofChild: position, of: record)
      if record < 0 { return nil }
    }
    return record
  }

  /// The path in the source of a record's node.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  func path(ofRecord record: Int) -> [Int] {
    var path: [Int] = []
    var record = record
    while records[record].parent >= 0 {
      path.append(position(ofRecord: record))
      record = records[record].parent
    }
    return path.reversed()
  }

  /// Whether a child of a record's node passes.
  func passes(_ position: Int, in record: Int) -> Bool {
    if let passes = records[record].passes { return passes[position] }
    let child = isEager ? self.record(ofChild: position, of: record) : -1
    return child >= 0 ? records[child].isMatch : records[record].shown[position]
  }

  /// Which children of a record's node pass.
  func passes(in record: Int) -> BitRun {
    let range = 0..<records[record].shown.count
    if let passes = records[record].passes { return passes.bits(in: range) }
    var run = records[record].shown.bits(in: range)
    if isEager {
      records[record].level.forEachEntry(in: range) { entry, _ in
        run.set(entry.position, to: records[entry.record].isMatch)
      }
    }
    return run
  }

  /// What a child that has a record adds to the matches below its parent.
  func contribution(of record: Int, isShown: Bool) -> Int {
    if isEager { return (records[record].isMatch ? 1 : 0) + records[record].matchCount }
    return isShown ? 1 + records[record].matchCount : 0
  }
}

// MARK: - Records

extension TreeFilterTranslation {
  /// Makes a record that is not attached, and not loaded.
  mutating func makeRecord(isMatch: Bool, showsAll: Bool, isWhole: Bool) -> Int {
    let record = Record(isMatch: isMatch, showsAll: showsAll, isWhole: isWhole)
    if let last = free.popLast() {
      records[last] = record
      return last
    }
    records.append(record)
    return records.count - 1
  }

  /// Makes a record that of a child, which must have none; nothing is counted.
  mutating func attach(_ record: Int, to parent: Int, at position: Int) {
    records[parent].level.insert(OutlineLevel.Entry(position: position, extra: 0, record: record))
    records[record].parent = parent
  }

  /// Takes down which children of a record's node pass.
  mutating func fill(_ record: Int, _ verdicts: BitRun) {
    records[record].level = OutlineLevel(count: verdicts.count)
    records[record].isLoaded = true
    if policy == .keepingDescendants { records[record].passes = ChildBits(verdicts) }
    records[record].shown =
      records[record].showsAll ? ChildBits(BitRun(repeating: true, count: verdicts.count)) : ChildBits(verdicts)
  }

  /// Gives children their records, where none has one yet; ascending by position.
  mutating func adopt(_ children: [(position: Int, record: Int)], in record: Int) {
    guard !children.isEmpty else { return }
    records[record].level = OutlineLevel(
      count: records[record].level.count,
      entries: children.map { OutlineLevel.Entry(position: $0.position, extra: 0, record: $0.record) })
    for child in children { records[child.record].parent = record }
  }

  /// Counts the matches below a record's node, whose children have been counted, and shows their ancestors.
  mutating func sumUp(_ record: Int) {
    var count = records[record].passes?.setCount ?? records[record].shown.setCount
    var found: [Int] = []
    records[record].level.forEachEntry(in: 0..<records[record].level.count) { entry, _ in
      let child = records[entry.record]
      if isEager || records[record].shown[entry.position] { count += child.matchCount }
      if isEager, child.matchCount > 0, !child.isMatch { found.append(entry.position) }
    }
    records[record].matchCount = count
    for position in found { records[record].shown[position] = true }
  }

  /// Takes a record from its child, which counts as a leaf from then on; it stays shown or hidden until it is removed.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  mutating func detach(_ record: Int) {
    let parent = records[record].parent
    let isShown = records[parent].shown[position(ofRecord: record)]
    records[parent].level.remove(record: record)
    records[record].parent = -1
    // What a leaf would count: where descendants are kept, not what is only shown.
    let counts = policy == .keepingDescendants ? records[record].isMatch : isShown
    grow(parent, by: (counts ? 1 : 0) - contribution(of: record, isShown: isShown))
  }

  /// Counts so many more matches below a record's node, and below those above it.
  mutating func grow(_ record: Int, by growth: Int) {
    guard growth != 0 else { return }
    var record = record
    while record >= 0 {
      records[record].matchCount += growth
      let parent = records[record].parent
      if !isEager, parent >= 0, !records[parent].shown[position(ofRecord: record)] { return }
      record = parent
    }
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
      records[freed[next]] = Record()
      next += 1
    }
    free.append(contentsOf: freed)
    return freed
  }
}
