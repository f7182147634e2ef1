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
/// Each node that is known is a branch of a `TreeIndex`, the shape of what is known of the source; the branch's number is its
/// *record*, by which the rest is kept: which of its children are shown, and how many matches are below it. All other
/// children are leaves of the shape, and cost a bit. Whether a child that has a record matches itself stands in that record; of
/// leaves, the shown bit says it, except where all is shown because of a match above: there a second row of bits does.
///
/// It knows no nodes and no elements, and is told what the predicate says. All walks are loops, however deep the tree.
@usableFromInline
struct TreeFilterTranslation {
  struct Record {
    /// The children that are shown.
    var shown = ChildBits()
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

  /// The known part of the source; a detached record is the only child of a piece that was cut out.
  private(set) var shape = TreeIndex()

  /// The records by number; number 0 is the root's.
  var records: [Record]

  /// The children that pass, by record; only where descendants of matches are kept.
  private var passing: [ChildBits] = []

  init(policy: TreeFilterPolicy) {
    self.policy = policy
    records = [Record(isWhole: policy != .hidingSubtrees)]
    if policy == .keepingDescendants { passing = [ChildBits()] }
  }

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

  /// The branch of a record.
  private func branch(_ record: Int) -> TreeIndex.Branch { TreeIndex.Branch(number: record) }

  /// The number of children of a record's node, as far as they have been looked at.
  func childCount(of record: Int) -> Int { shape.childCount(of: branch(record)) }

  /// The record of a child, or -1.
  func record(ofChild position: Int, of parent: Int) -> Int {
    shape.branch(at: position, of: branch(parent))?.number ?? -1
  }

  /// The children of a record's node that have records, in order.
  func children(of record: Int) -> [(position: Int, record: Int)] {
    children(of: record, in: 0..<childCount(of: record))
  }

  func children(of record: Int, in range: Range<Int>) -> [(position: Int, record: Int)] {
    shape.branches(in: range, of: branch(record)).map { ($0.position, $0.branch.number) }
  }

  /// The record of a node's parent; -1 for the root, and for a record that is not attached.
  func parent(of record: Int) -> Int {
    guard let parent = shape.parent(of: branch(record)), !shape.isPiece(parent) else { return -1 }
    return parent.number
  }

  /// The position of a record's node in its parent, in the source.
  func position(ofRecord record: Int) -> Int { shape.position(of: branch(record)) }

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
      guard position >= 0, position < childCount(of: record) else { return nil }
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
    while case let parent = parent(of: record), parent >= 0 {
      path.append(position(ofRecord: record))
      record = parent
    }
    return path.reversed()
  }

  /// Whether a child of a record's node passes.
  func passes(_ position: Int, in record: Int) -> Bool {
    if !passing.isEmpty { return passing[record][position] }
    let child = isEager ? self.record(ofChild: position, of: record) : -1
    return child >= 0 ? records[child].isMatch : records[record].shown[position]
  }

  /// Which children of a record's node pass.
  func passes(in record: Int) -> BitRun {
    let range = 0..<records[record].shown.count
    if !passing.isEmpty { return passing[record].bits(in: range) }
    var run = records[record].shown.bits(in: range)
    if isEager {
      for child in children(of: record) { run.set(child.position, to: records[child.record].isMatch) }
    }
    return run
  }

  /// What is known of the leaves among a record's children: which pass; of others it says nothing.
  func verdicts(ofLeavesIn record: Int) -> ChildBits { passing.isEmpty ? records[record].shown : passing[record] }

  /// Takes down whether a child passes, where that is kept.
  mutating func setPasses(_ passes: Bool, _ position: Int, in record: Int) {
    if !passing.isEmpty { passing[record][position] = passes }
  }

  /// Takes down which children pass, where that is kept.
  mutating func setPasses(_ verdicts: BitRun, in record: Int) {
    if !passing.isEmpty { passing[record] = ChildBits(verdicts) }
  }

  /// What a child that has a record adds to the matches below its parent.
  func contribution(of record: Int, isShown: Bool) -> Int {
    if isEager { return (records[record].isMatch ? 1 : 0) + records[record].matchCount }
    return isShown ? 1 + records[record].matchCount : 0
  }
}

// MARK: - Records

extension TreeFilterTranslation {
  /// Makes the records of a whole tree, of which nothing is known yet; what is shown is found by a sweep.
  ///
  /// - Parameters:
  ///   - other: the shape of the tree.
  ///   - branch: the branch above all of it: the root of the other shape, or a piece.
  mutating func copyShape(of other: TreeIndex, childrenOf branch: TreeIndex.Branch) {
    var last = 0
    shape.insert(other, childrenOf: branch, into: TreeIndex.root, at: 0) { last = max(last, $1.number) }
    records = Array(repeating: Record(isLoaded: true, isWhole: true), count: last + 1)
    if !passing.isEmpty { passing = Array(repeating: ChildBits(), count: last + 1) }
  }

  /// Makes the record of a child, which has none; its children have not been looked at.
  mutating func makeRecord(
    at position: Int, of parent: Int, isMatch: Bool, showsAll: Bool, isWhole: Bool
  ) -> Int {
    let number = shape.makeBranch(at: position, of: branch(parent)).number
    while records.count <= number { records.append(Record()) }
    records[number] = Record(isMatch: isMatch, showsAll: showsAll, isWhole: isWhole)
    if policy == .keepingDescendants { while passing.count <= number { passing.append(ChildBits()) } }
    return number
  }

  /// Makes a detached record that of a child, which has none; nothing is counted.
  mutating func attach(_ record: Int, to parent: Int, at position: Int) {
    let piece = shape.parent(of: branch(record))!
    shape.removeChildren(position..<position + 1, of: branch(parent))
    shape.paste(piece, into: branch(parent), at: position)
  }

  /// Takes down which children of a record's node pass.
  mutating func fill(_ record: Int, _ verdicts: BitRun) {
    shape.insertLeaves(verdicts.count, into: branch(record), at: 0)
    records[record].isLoaded = true
    setPasses(verdicts, in: record)
    records[record].shown =
      records[record].showsAll ? ChildBits(BitRun(repeating: true, count: verdicts.count)) : ChildBits(verdicts)
  }

  /// Counts the matches below a record's node, whose children have been counted, and shows their ancestors.
  mutating func sumUp(_ record: Int) {
    var count = passing.isEmpty ? records[record].shown.setCount : passing[record].setCount
    for child in children(of: record) {
      let (matchCount, isMatch) = (records[child.record].matchCount, records[child.record].isMatch)
      if isEager || records[record].shown[child.position] { count += matchCount }
      if isEager, matchCount > 0, !isMatch { records[record].shown[child.position] = true }
    }
    records[record].matchCount = count
  }

  /// Takes a record from its child, which counts as a leaf from then on; it stays shown or hidden until it is removed.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  mutating func detach(_ record: Int) {
    let parent = parent(of: record)
    let isShown = records[parent].shown[position(ofRecord: record)]
    detachUncounted(record)
    // What a leaf would count: where descendants are kept, not what is only shown.
    let counts = policy == .keepingDescendants ? records[record].isMatch : isShown
    grow(parent, by: (counts ? 1 : 0) - contribution(of: record, isShown: isShown))
  }

  /// Takes a record from its child, and leaves the matches to the family to count.
  mutating func detachUncounted(_ record: Int) {
    let (parent, position) = (shape.parent(of: branch(record))!, position(ofRecord: record))
    _ = shape.cutChildren(position..<position + 1, of: parent)
    shape.insertLeaves(1, into: parent, at: position)
  }

  /// Counts so many more matches below a record's node, and below those above it.
  mutating func grow(_ record: Int, by growth: Int) {
    guard growth != 0 else { return }
    var record = record
    while record >= 0 {
      records[record].matchCount += growth
      let parent = parent(of: record)
      if !isEager, parent >= 0, !records[parent].shown[position(ofRecord: record)] { return }
      record = parent
    }
  }

  /// Follows a change of the children with what is kept of which pass.
  mutating func followPasses(_ delta: Delta, inserted: [BitRun], in record: Int) {
    if !passing.isEmpty { passing[record].apply(delta, inserted: inserted) }
  }

  /// Frees records that are not attached, with all below them, and passes the numbers that are free now.
  ///
  /// - Complexity: O(r) for r records, and the runs of leaves between them.
  mutating func discard(_ detached: [Int], _ body: (Int) -> Void) {
    // Siblings that were removed together are in one piece.
    for record in detached where shape.contains(branch(record)) {
      var freed: [Int] = []
      shape.removePiece(shape.parent(of: branch(record))!) { freed.append($0.number) }
      for record in freed {
        records[record] = Record()
        if !passing.isEmpty { passing[record] = ChildBits() }
        body(record)
      }
    }
  }

  /// Rearranges the shape of a record's children; those that are removed are detached, and what is inserted are leaves.
  ///
  /// - Parameters:
  ///   - delta: what happened to the children.
  ///   - record: their parent's record.
  ///   - removed: receives the records among removed children, with their positions before.
  mutating func rearrangeShape(
    _ delta: Delta, in record: Int, _ removed: inout [(position: Int, record: Int)]
  ) {
    let parent = branch(record)
    var pieces: [Int: TreeIndex.Branch] = [:]
    let moves = delta.moves
    let leaving =
      delta.removals.map { (range: $0, move: -1) } + moves.enumerated().map { (range: $1.source, move: $0) }
    // From the end, so that the positions before stay what they were.
    for (range, move) in leaving.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      let branches = children(of: record, in: range)
      if branches.isEmpty {
        shape.removeChildren(range, of: parent)
        continue
      }
      let piece = shape.cutChildren(range, of: parent)
      if move < 0 { removed += branches } else { pieces[move] = piece }
    }
    let arriving =
      delta.insertions.map { (range: $0, move: -1) } + moves.enumerated().map { (range: $1.destination, move: $0) }
    for (range, move) in arriving.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if let piece = pieces[move] {
        shape.paste(piece, into: parent, at: range.lowerBound)
      } else {
        shape.insertLeaves(range.count, into: parent, at: range.lowerBound)
      }
    }
  }
}
