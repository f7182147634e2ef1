public import OffsetIndexing

/// Translates between the places of a tree and the places of the part that a filter shows.
///
///     tree              record   passes   shown   matches below
///     ├ a                          1        1
///     ├ b                  1       0        1        2           shown for the matches below
///     │  ├ c                       1        1
///     │  ├ d               2       0        0        0
///     │  │  └ e                    0        0
///     │  └ f                       1        1
///     └ g                          0        0
///
/// Each known node is a branch of a `TreeIndex`, the shape of the known part of the source. This branch is the node's
/// *record*. The rest is kept by the record's number: which children of the node are shown, and how many matches are
/// below it. All other children are leaves of the shape, and cost a bit each. The record of a child says whether the
/// child itself matches. For a leaf, its shown bit says this. If descendants are kept, a leaf may also be shown because
/// of a match above. Then a second row of bits says which children match.
///
/// The translation knows no nodes and no elements, and receives the verdicts of the predicate. All walks are loops, so
/// that a deep tree needs no more stack.
@usableFromInline
struct TreeFilterTranslation: TreeTranslation, TreeViewTranslation {
  @usableFromInline typealias Record = TreeIndex.Branch

  /// The facts of a record.
  struct Facts {
    /// The children that are shown.
    var shown = ChildBits()
    /// The number of matches below the node.
    var matchCount = 0
    /// Whether the node itself passes, as a child of its parent.
    var isMatch = false
    /// Whether all children are shown, because the node or an ancestor matches.
    var showsAll = false
    /// Whether the children have been looked at.
    var isLoaded = false
    /// Whether everything below is known, so that the matches below are counted.
    var isWhole = false
  }

  let policy: TreeFilterPolicy

  /// The known part of the source; a detached record is the only child of a piece that was cut out.
  var shape = TreeIndex()

  /// The facts by the records' numbers; number 0 is the root's.
  private var facts: [Facts]

  /// The children that pass, by record; kept only if the policy keeps descendants of matches.
  private var passing: [ChildBits] = []

  init(policy: TreeFilterPolicy) {
    self.policy = policy
    facts = [Facts(isWhole: policy != .hidingSubtrees)]
    if policy == .keepingDescendants { passing = [ChildBits()] }
  }

  /// Whether a record is made for each node of the tree, not only for the nodes that are looked at.
  var isEager: Bool { policy != .hidingSubtrees }

  // MARK: Look-ups

  subscript(record: Record) -> Facts {
    _read { yield facts[record.number] }
    _modify { yield &facts[record.number] }
  }

  @usableFromInline
  func isLoaded(_ record: Record) -> Bool { self[record].isLoaded }

  @usableFromInline
  func count(of record: Record) -> Int { self[record].shown.setCount }

  /// The position in the source of a child that is shown; -1 if there is no such child.
  ///
  /// - Complexity: O(log n) for n children.
  @usableFromInline
  func sourcePosition(of position: Int, in record: Record) -> Int {
    guard position >= 0, position < self[record].shown.setCount else { return -1 }
    return self[record].shown.select(position)
  }

  /// Calls a closure with the runs of children that are shown, ascending, for a range of the positions `0..<count` of a
  /// record's node.
  @usableFromInline
  func forEachRun(
    in range: Range<Int>, of record: Record, _ body: (_ source: Range<Int>, _ start: Int) -> Void
  ) {
    guard !range.isEmpty else { return }
    let shown = self[record].shown
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

  func place(of record: Record) -> (parent: Record, position: Int)? {
    guard let parent = parent(of: record) else { return nil }
    return shownPosition(of: position(of: record), in: parent).map { (parent, $0) }
  }

  @inlinable
  static func forEachSpan<Element>(
    in range: Range<Int>, of record: Record, _ translation: Cell<Self>, _ reader: NodeReader<Element>,
    _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    let translation = translation.value
    translation.forEachRun(in: range, of: record) { source, start in
      reader.forEachSpan(in: source) { body($0 &- source.lowerBound &+ start, $1) }
    }
  }

  func record(ofChild position: Int, of parent: Record) -> Record? { shape.branch(at: position, of: parent) }

  @usableFromInline
  func shownPosition(of position: Int, in record: Record) -> Int? {
    guard position >= 0, position < self[record].shown.count, self[record].shown[position] else { return nil }
    return self[record].shown.rank(position)
  }

  /// Whether a child of a record's node passes.
  func passes(_ position: Int, in record: Record) -> Bool {
    if !passing.isEmpty { return passing[record.number][position] }
    let child = isEager ? self.record(ofChild: position, of: record) : nil
    return child.map { self[$0].isMatch } ?? self[record].shown[position]
  }

  /// Which children of a record's node pass.
  func passes(in record: Record) -> BitRun {
    let range = 0..<self[record].shown.count
    if !passing.isEmpty { return passing[record.number].bits(in: range) }
    var run = self[record].shown.bits(in: range)
    if isEager {
      for child in children(of: record) { run.set(child.position, to: self[child.branch].isMatch) }
    }
    return run
  }

  /// A bit for each child of a record's node: whether the child passes, if it is a leaf. The bit of a node says
  /// nothing.
  func verdicts(ofLeavesIn record: Record) -> ChildBits {
    passing.isEmpty ? self[record].shown : passing[record.number]
  }

  /// Stores whether a child passes, if the bits of passing children are kept.
  mutating func setPasses(_ passes: Bool, _ position: Int, in record: Record) {
    if !passing.isEmpty { passing[record.number][position] = passes }
  }

  /// Stores which children pass, if the bits of passing children are kept.
  mutating func setPasses(_ verdicts: BitRun, in record: Record) {
    if !passing.isEmpty { passing[record.number] = ChildBits(verdicts) }
  }

  /// The number of matches that a child with a record adds to the matches below its parent.
  func contribution(of record: Record, isShown: Bool) -> Int {
    if isEager { return (self[record].isMatch ? 1 : 0) + self[record].matchCount }
    return isShown ? 1 + self[record].matchCount : 0
  }
}

// MARK: - Records

extension TreeFilterTranslation {
  /// Makes the records of a whole tree, before anything is known. A sweep then finds the shown children.
  ///
  /// - Parameters:
  ///   - other: the shape of the tree.
  ///   - branch: the branch above everything that is copied: the root of the other shape, or a piece.
  mutating func copyShape(of other: TreeIndex, childrenOf branch: TreeIndex.Branch) {
    var last = 0
    shape.insert(other, childrenOf: branch, into: TreeIndex.root, at: 0) { last = max(last, $1.number) }
    facts = Array(repeating: Facts(isLoaded: true, isWhole: true), count: last + 1)
    if !passing.isEmpty { passing = Array(repeating: ChildBits(), count: last + 1) }
  }

  /// Makes the record of a child that has none, and whose children have not been looked at.
  mutating func makeRecord(at position: Int, of parent: Record, isMatch: Bool, showsAll: Bool) -> Record {
    let record = shape.makeBranch(at: position, of: parent)
    while facts.count <= record.number { facts.append(Facts()) }
    self[record] = Facts(isMatch: isMatch, showsAll: showsAll, isWhole: self[parent].isWhole)
    if policy == .keepingDescendants { while passing.count <= record.number { passing.append(ChildBits()) } }
    return record
  }

  /// Stores the verdicts on the children of a record's node.
  mutating func fill(_ record: Record, _ verdicts: BitRun) {
    shape.insertLeaves(verdicts.count, into: record, at: 0)
    self[record].isLoaded = true
    setPasses(verdicts, in: record)
    self[record].shown =
      self[record].showsAll ? ChildBits(BitRun(repeating: true, count: verdicts.count)) : ChildBits(verdicts)
  }

  /// Counts the matches below a record's node, and shows the children that have matches below.
  ///
  /// The matches below these children have been counted before.
  mutating func sumUp(_ record: Record) {
    var count = passing.isEmpty ? self[record].shown.setCount : passing[record.number].setCount
    for child in children(of: record) {
      let (matchCount, isMatch) = (self[child.branch].matchCount, self[child.branch].isMatch)
      if isEager || self[record].shown[child.position] { count += matchCount }
      if isEager, matchCount > 0, !isMatch { self[record].shown[child.position] = true }
    }
    self[record].matchCount = count
  }

  /// Detaches the record of a child.
  ///
  /// The child is a leaf from then on, and stays shown or hidden until it is removed.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  @usableFromInline
  mutating func detach(_ record: Record) {
    let parent = parent(of: record)!
    let isShown = self[parent].shown[position(of: record)]
    cutOut(record)
    // The child counts as a leaf now. If descendants are kept, a leaf may be shown and yet be no match.
    let counts = policy == .keepingDescendants ? self[record].isMatch : isShown
    grow(parent, by: (counts ? 1 : 0) - contribution(of: record, isShown: isShown))
  }

  /// Adds a number of matches to the count of a record's node, and to the counts of the node's ancestors.
  mutating func grow(_ record: Record, by growth: Int) {
    guard growth != 0 else { return }
    var next: Record? = record
    while let record = next {
      self[record].matchCount += growth
      next = parent(of: record)
      if !isEager, let parent = next, !self[parent].shown[position(of: record)] { return }
    }
  }

  /// Applies a change of the children to the bits of the children that pass.
  mutating func followPasses(_ delta: Delta, inserted: [BitRun], in record: Record) {
    if !passing.isEmpty { passing[record.number].follow(delta, inserted: inserted) }
  }

  mutating func forget(_ record: Record) {
    self[record] = Facts()
    if !passing.isEmpty { passing[record.number] = ChildBits() }
  }
}
