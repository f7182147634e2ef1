extension OffsetIndex: RandomAccessCollection, RangeReplaceableCollection {
  /// The index of the first child: zero.
  public var startIndex: Int { 0 }

  /// The index after the last child: `count`.
  public var endIndex: Int { count }

  /// Returns an iterator over the sizes in order.
  ///
  /// - Complexity: O(1); the whole iteration is O(n), where n is `count`.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Iterates over the sizes of an ``OffsetIndex`` in order.
  ///
  /// The iterator keeps the index as it was when the iterator was made.
  public struct Iterator: IteratorProtocol, Sendable {
    private var runs: RunIterator
    private var size = 0
    private var left = 0

    fileprivate init(_ index: OffsetIndex) { runs = RunIterator(index) }

    /// Returns the next size, or nil after the last.
    ///
    /// - Complexity: amortised O(1).
    public mutating func next() -> Int? {
      if left == 0 {
        guard let run = runs.next() else { return nil }
        size = run.size
        left = run.count
      }
      left &-= 1
      return size
    }
  }

  /// Calls `body` with the sizes in order. Sizes that are stored as a run are passed together, in one call.
  ///
  /// Neighbouring runs may be of the same size. The index does not promise that all equal neighbours are in one run.
  ///
  /// - Parameter body: receives the size of each child of a run, and the number of the run's children, which is at
  ///   least 1.
  /// - Complexity: O(n), where n is `count`; O(k) where the sizes are stored as k runs.
  public func forEachRun(_ body: (_ size: Int, _ count: Int) -> Void) {
    var runs = RunIterator(self)
    while let run = runs.next() { body(run.size, run.count) }
  }

  /// Returns the size and the number of children of each run, as ``forEachRun(_:)`` does.
  struct RunIterator: Sendable {
    private let index: OffsetIndex
    /// The number of sizes in the leaves up to this one.
    private var leafEnd = 0
    private var leaf: UInt32 = 0
    /// The next size or the next run of the leaf, and the end of its sizes or runs.
    private var slot = 0
    private var count = 0

    init(_ index: OffsetIndex) { self.index = index }

    mutating func next() -> SizeRun? {
      if slot == count { guard enterLeaf() else { return nil } }
      slot &+= 1
      let block = unsafe index.storage.head.leaves[LeafForm.number(leaf)]
      switch LeafForm(of: leaf) {
      case .small: return unsafe SizeRun(size: DenseLeaf<SmallLayout>(block).size(slot &- 1), count: 1)
      case .large: return unsafe SizeRun(size: DenseLeaf<LargeLayout>(block).size(slot &- 1), count: 1)
      case .runs: return unsafe RunLeaf(block).runs[slot &- 1]
      }
    }

    /// Goes to the next leaf, if there is one.
    @inline(never) private mutating func enterLeaf() -> Bool {
      guard leafEnd < index.count else { return false }
      let header = index.storage.head
      leaf = header.find(leafEnd).leaf
      slot = 0
      let block = unsafe header.leaves[LeafForm.number(leaf)]
      switch LeafForm(of: leaf) {
      case .small: count = unsafe DenseLeaf<SmallLayout>(block).count
      case .large: count = unsafe DenseLeaf<LargeLayout>(block).count
      case .runs:
        let runs = unsafe RunLeaf(block)
        count = runs.count
        for run in 0..<count { unsafe leafEnd += runs.runs[run].count }
        return true
      }
      leafEnd += count
      return true
    }
  }
}

extension OffsetIndex: Equatable, CustomStringConvertible {
  /// Whether both indices hold the same sizes in the same order.
  ///
  /// - Complexity: O(n), where n is `count`; O(k) where the sizes are stored as k runs; O(1) for copies of one another
  ///   that were not changed.
  public static func == (left: OffsetIndex, right: OffsetIndex) -> Bool {
    if left.storage === right.storage { return true }
    guard left.count == right.count, left.total == right.total else { return false }
    var leftRuns = RunIterator(left)
    var rightRuns = RunIterator(right)
    var leftRun = SizeRun(size: 0, count: 0)
    var rightRun = SizeRun(size: 0, count: 0)
    var rest = left.count
    while rest > 0 {
      if leftRun.count == 0, let next = leftRuns.next() { leftRun = next }
      if rightRun.count == 0, let next = rightRuns.next() { rightRun = next }
      guard leftRun.size == rightRun.size else { return false }
      let both = Swift.min(leftRun.count, rightRun.count)
      leftRun.count -= both
      rightRun.count -= both
      rest -= both
    }
    return true
  }

  /// The number of children and the sum of their sizes, for example `OffsetIndex(count: 3, total: 5)`.
  public var description: String { "OffsetIndex(count: \(count), total: \(total))" }
}
