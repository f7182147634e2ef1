/// Sorts rows in steps of any size, between which others have their turns: a merge sort.
struct StepwiseSort<Element> {
  typealias Rows = [ElementRow<Element>]

  private let rows: Rows
  /// How many of the rows are in runs.
  private var taken = 0
  /// The sorted runs of one level, from `next` on, and those of the next one.
  private var runs: [Rows] = []
  private var next = 0
  private var merged: [Rows] = []
  /// How often each row is merged.
  private var levelCount = 0
  /// How many rows have been merged, or went on as they were, on all levels.
  private var mergedCount = 0
  /// Two runs that are being merged, and how far.
  private var merge: (first: Rows, second: Rows, left: Int, right: Int, result: Rows)?

  init(_ rows: Rows) { self.rows = rows }

  /// All rows, once `step` has said that it is done.
  var sorted: Rows { runs.first ?? [] }

  /// How far the sorting has come, of `totalStepCount`.
  var stepCount: Int {
    if taken < rows.count { return taken }
    return taken + (levelCount == 0 ? rows.count : mergedCount / levelCount)
  }

  var totalStepCount: Int { 2 * rows.count }

  /// Does some of the work.
  ///
  /// - Parameters:
  ///   - count: how many rows to take in or to merge, about.
  ///   - stale: the positions of rows that need no place any more, because they have gone, or changed: they come out anywhere,
  ///     and are not compared, so that the others are sorted also where these do not stand as they did.
  ///   - areInIncreasingOrder: says whether its first argument comes before its second.
  /// - Returns: whether there is more to do.
  mutating func step(
    atMost count: Int, passing stale: RangeSet<Int> = RangeSet(), by areInIncreasingOrder: (Element, Element) -> Bool
  ) -> Bool {
    if taken < rows.count {
      let end = Swift.min(taken + Swift.max(16, count / 8), rows.count)
      var run = Rows(rows[taken..<end])
      run.sortRows(by: areInIncreasingOrder)
      runs.append(run)
      taken = end
      if taken == rows.count { levelCount = Int.bitWidth - (runs.count - 1).leadingZeroBitCount }
      return true
    }
    if merge == nil, !beginMerge() { return runs.count > 1 }
    mergeRows(count, stale, areInIncreasingOrder)
    return true
  }

  /// Begins with the next two runs; false where there are none.
  private mutating func beginMerge() -> Bool {
    if next + 1 < runs.count {
      var result = Rows()
      result.reserveCapacity(runs[next].count + runs[next + 1].count)
      merge = (runs[next], runs[next + 1], 0, 0, result)
      next += 2
      return true
    }
    if runs.count > 1 {
      for run in runs[next...] { mergedCount += run.count }
      runs = merged + runs[next...]
      merged = []
      next = 0
    }
    return false
  }

  private mutating func mergeRows(
    _ count: Int, _ stale: RangeSet<Int>, _ areInIncreasingOrder: (Element, Element) -> Bool
  ) {
    // Held twice, the result would be copied.
    var work = merge!
    merge = nil
    for _ in 0..<count where work.left < work.first.count && work.right < work.second.count {
      let isPassed = !stale.isEmpty && stale.contains(work.second[work.right].position)
      let isHeldUp = !isPassed && !stale.isEmpty && stale.contains(work.first[work.left].position)
      if isPassed
        || !isHeldUp && areInIncreasingOrder(work.second[work.right].element, work.first[work.left].element)
      {
        work.result.append(work.second[work.right])
        work.right += 1
      } else {
        work.result.append(work.first[work.left])
        work.left += 1
      }
    }
    if work.left < work.first.count && work.right < work.second.count {
      merge = work
      return
    }
    work.result += work.first[work.left...]
    work.result += work.second[work.right...]
    mergedCount += work.result.count
    merged.append(work.result)
  }
}
