/// Sorts elements in steps of any size: a merge sort of their positions.
///
/// Between two steps the domain can do other work.
///
///     pieces      the rows that are in no run yet
///     elements    by position, in chunks
///     runs        positions, sorted     →  merged in pairs, until there is one
///
/// The elements are not moved, and they are released chunk by chunk. So no step copies or releases more elements than
/// its caller allows. The steps are inlinable, so that they are specialized for the element where a client makes a
/// sort.
@usableFromInline
struct StepwiseSort<Element> {
  @usableFromInline
  struct Merge {
    @usableFromInline let first: [Int]
    @usableFromInline let second: [Int]
    @usableFromInline var left = 0
    @usableFromInline var right = 0
    @usableFromInline var result: [Int] = []

    @inlinable
    init(_ first: [Int], _ second: [Int]) {
      (self.first, self.second) = (first, second)
      result.reserveCapacity(first.count + second.count)
    }

    @inlinable var isUndecided: Bool { left < first.count && right < second.count }

    @inlinable
    mutating func take(isFirst: Bool) {
      if isFirst {
        result.append(first[left])
        left &+= 1
      } else {
        result.append(second[right])
        right &+= 1
      }
    }

    /// Takes rows that need no comparison.
    ///
    /// - Returns: whether all rows have been taken.
    mutating func takeRest(atMost count: Int) -> Bool {
      let leftEnd = Swift.min(first.count, left + count)
      result += first[left..<leftEnd]
      left = leftEnd
      let rightEnd = Swift.min(second.count, right + count)
      if left == first.count {
        result += second[right..<rightEnd]
        right = rightEnd
      }
      return left == first.count && right == second.count
    }
  }

  @usableFromInline var pieces: ArraySlice<SourcePiece<Element>>
  /// The rows of the present piece, and how many of them are in runs.
  @usableFromInline var rows: [ElementRow<Element>] = []
  @usableFromInline var next = 0
  @usableFromInline var elements = ChunkedElements()
  /// The number of positions; a position may have no element.
  let count: Int
  /// How many rows there are, and how many of them are in runs.
  @usableFromInline let rowCount: Int
  @usableFromInline var taken = 0
  /// The sorted runs of one level. The runs before `nextRun` are merged into runs of the next level, `merged`.
  @usableFromInline var runs: [[Int]] = []
  private var nextRun = 0
  private var merged: [[Int]] = []
  /// How often each row is merged.
  private var levelCount = 0
  /// How many rows have been merged, or passed to the next level unchanged, on all levels.
  private var mergedCount = 0
  @usableFromInline var merge: Merge?

  init(_ pieces: consuming [SourcePiece<Element>]) {
    count = pieces.last?.range.upperBound ?? 0
    rowCount = pieces.reduce(0) { $0 + $1.rowCount }
    self.pieces = (consume pieces)[...]
  }

  /// The sorted positions, after `step` has returned false.
  var positions: [Int] { runs.first ?? [] }

  /// How many steps are done, of `totalStepCount`.
  var stepCount: Int {
    if taken < rowCount { return taken }
    return taken + (levelCount == 0 ? rowCount : mergedCount / levelCount)
  }

  var totalStepCount: Int { 2 * rowCount }

  /// Does some of the work.
  ///
  /// - Parameters:
  ///   - count: about how many rows to merge; a step that makes a run takes an eighth of that, at least 16 rows.
  ///   - stale: the positions of rows that need no place any more, because they left or changed. They are not compared,
  ///     and get any place. So the other rows are sorted even if a stale row is out of order in its run.
  ///   - areInIncreasingOrder: says whether its first argument precedes its second.
  /// - Returns: whether there is more to do.
  @inlinable
  mutating func step(
    atMost count: Int, passing stale: RangeSet<Int> = RangeSet(), by areInIncreasingOrder: (Element, Element) -> Bool
  ) -> Bool {
    if taken < rowCount {
      takeRun(atMost: Swift.max(16, count / 8), by: areInIncreasingOrder)
      return true
    }
    if merge == nil, !beginMerge() { return runs.count > 1 }
    // With two references to it, the result would be copied.
    var work = merge!
    merge = nil
    for _ in 0..<count where work.isUndecided {
      let (first, second) = (work.first[work.left], work.second[work.right])
      let isPassed = !stale.isEmpty && stale.contains(second)
      let isHeldUp = !isPassed && !stale.isEmpty && stale.contains(first)
      work.take(isFirst: !isPassed && (isHeldUp || !areInIncreasingOrder(elements[second], elements[first])))
    }
    end(work, atMost: count)
    return true
  }

  @inlinable
  mutating func takeRun(atMost count: Int, by areInIncreasingOrder: (Element, Element) -> Bool) {
    while next == rows.count { (rows, next) = (pieces.removeFirst().rows, 0) }
    let end = Swift.min(next + count, rows.count)
    var run = Array(rows[next..<end])
    for row in run { elements.append(row) }
    run.sortRows(by: areInIncreasingOrder)
    runs.append(run.map { $0.position })
    taken += run.count
    next = end
    if taken == rowCount { endTaking() }
  }

  @usableFromInline
  mutating func endTaking() {
    (rows, next) = ([], 0)
    levelCount = Int.bitWidth - (runs.count - 1).leadingZeroBitCount
  }

  /// Begins to merge the next two runs; false where there are none on this level.
  @usableFromInline
  mutating func beginMerge() -> Bool {
    if nextRun + 1 < runs.count {
      merge = Merge(runs[nextRun], runs[nextRun + 1])
      nextRun += 2
      return true
    }
    if runs.count > 1 {
      for run in runs[nextRun...] { mergedCount += run.count }
      runs = merged + runs[nextRun...]
      merged = []
      nextRun = 0
    }
    return false
  }

  /// Keeps a merge that has not ended, or the result of one that has.
  @usableFromInline
  mutating func end(_ work: consuming Merge, atMost count: Int) {
    if work.isUndecided || !work.takeRest(atMost: 16 * count) {
      merge = work
      return
    }
    mergedCount += work.result.count
    merged.append(work.result)
  }

  /// Releases some elements.
  ///
  /// - Returns: whether there are more.
  mutating func releaseSome() -> Bool {
    rows = []
    if pieces.popLast() != nil { return true }
    return elements.removeLastChunk()
  }
}

extension StepwiseSort {
  /// Elements by position, in chunks; a position may have no element.
  @usableFromInline
  struct ChunkedElements {
    @usableFromInline static var chunkBits: Int { 11 }

    @usableFromInline var chunks: [ContiguousArray<Element?>] = []

    @inlinable
    init() {}

    @inlinable
    subscript(position: Int) -> Element {
      chunks[position &>> Self.chunkBits][position & (1 &<< Self.chunkBits &- 1)]!
    }

    /// Adds a row behind the others.
    @inlinable
    mutating func append(_ row: ElementRow<Element>) {
      let (chunk, place) = (row.position &>> Self.chunkBits, row.position & (1 &<< Self.chunkBits &- 1))
      while chunks.count <= chunk {
        chunks.append([])
        chunks[chunks.count - 1].reserveCapacity(1 &<< Self.chunkBits)
      }
      while chunks[chunk].count < place { chunks[chunk].append(nil) }
      chunks[chunk].append(row.element)
    }

    mutating func removeLastChunk() -> Bool { chunks.popLast() != nil }
  }
}
