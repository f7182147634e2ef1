/// The pages that are in memory, and the state of each row. The table does not know about loads.
///
///     page 0    fresh    20 rows
///     page 7    stale    20 rows, which are fetched again when one of them is read
///     page 8    failed   no rows, or the rows of an earlier answer
///     others             not in the table: their rows are loading
///
/// The table drops pages beyond `limit`, the least recently read page first. It never drops a visible page or the page
/// that arrived last.
struct PageTable<Row> {
  private enum State {
    case fresh, stale
    case failed(any Error)
  }

  private struct Page {
    var rows: [Row]
    var state: State
  }

  let pageSize: Int
  let limit: Int
  private(set) var count: PagedCount
  /// The number of rows that certainly exist, because pages with these rows have arrived.
  private var proven = 0
  private var pages: [Int: Page] = [:]
  private var recency = RecencyList<Int>()
  var visibleRange: Range<Int>?

  /// Creates a table without pages.
  init(count: PagedCount, pageSize: Int, limit: Int) {
    require(pageSize > 0, "PagedNode: a page needs at least one row: \(pageSize) were given.")
    require(limit > 0, "PagedNode: at least one page has to be kept: \(limit) were given.")
    self.count = count
    self.pageSize = pageSize
    self.limit = limit
    Self.check(count)
  }

  /// The largest number of rows that a delta can describe.
  private static var most: Int { Delta.largestPosition }

  private static func check(_ count: PagedCount) {
    require(count.number >= 0, "PagedNode: the count \(count.number) is negative.")
    require(count.number <= most, "PagedNode: the count \(count.number) is beyond 2^62 - 1.")
  }

  // MARK: Places

  /// Returns the positions of a page, within the count.
  func range(of page: Int) -> Range<Int> { clamped(positions(of: page)) }

  /// Returns the positions to ask for. Beyond an estimated count, they fill the whole page.
  func request(of page: Int) -> Range<Int> { count.isExact ? range(of: page) : positions(of: page) }

  private func positions(of page: Int) -> Range<Int> {
    let start = page * pageSize
    return start..<start + Swift.min(pageSize, Self.most - start)
  }

  private func clamped(_ range: Range<Int>) -> Range<Int> {
    Swift.min(range.lowerBound, count.number)..<Swift.min(range.upperBound, count.number)
  }

  /// Returns the pages that hold the given positions, which lie within the count.
  func pages(of range: Range<Int>) -> Range<Int> {
    range.isEmpty ? 0..<0 : range.lowerBound / pageSize..<(range.upperBound - 1) / pageSize + 1
  }

  func isVisible(_ page: Int) -> Bool { visibleRange?.overlaps(positions(of: page)) ?? false }

  // MARK: Reading

  /// Returns the state of a row.
  func row(at position: Int) -> PagedRow<Row> {
    let (page, index) = position.quotientAndRemainder(dividingBy: pageSize)
    guard let page = pages[page] else { return .loading }
    if index < page.rows.count { return .loaded(page.rows[index]) }
    if case .failed(let error) = page.state { return .failed(error) }
    return .loading
  }

  /// The number of rows in memory.
  var rowCount: Int { pages.values.reduce(0) { $0 + $1.rows.count } }

  /// The pages in memory, in no order.
  var keptPages: [Int] { Array(pages.keys) }

  var failedPages: [Int] { pages.keys.filter { isFailed($0) }.sorted() }

  func isFailed(_ page: Int) -> Bool {
    if case .failed = pages[page]?.state { return true }
    return false
  }

  func isFresh(_ page: Int) -> Bool {
    if case .fresh = pages[page]?.state { return true }
    return false
  }

  func state(of page: Int) -> LoadState {
    switch pages[page]?.state {
    case nil, .stale: .unloaded
    case .fresh: .loaded
    case .failed(let error): .failed(error)
    }
  }

  /// Records that a page was read.
  ///
  /// - Returns: whether the page has to be fetched.
  mutating func touch(_ page: Int) -> Bool {
    switch pages[page]?.state {
    case nil: return true
    case .stale:
      recency.touch(page)
      return true
    case .fresh, .failed:
      recency.touch(page)
      return false
    }
  }

  // MARK: Answers

  /// The effects of an answer on the rows.
  struct Outcome {
    var delta = Delta()
    /// The pages that were dropped.
    var forgotten: [Int] = []
  }

  /// Stores the answer to the request for a page.
  ///
  /// - Parameters:
  ///   - rows: the rows that arrived, or the error.
  ///   - page: the page; its request is still the one that was made.
  /// - Returns: the change to report, and the dropped pages. A wrong number of rows is an error of the page.
  mutating func take(_ rows: Result<[Row], any Error>, page: Int) -> Outcome {
    let request = request(of: page)
    let former = count.number
    var end: PagedCount?
    switch rows {
    case .success(let rows)
    where count.isExact ? rows.count == request.count : rows.count <= request.count:
      if !count.isExact { end = self.end(after: request, rowCount: rows.count) }
      if rows.isEmpty { remove(page) } else { keep(Page(rows: rows, state: .fresh), page) }
    case .success(let rows): fail(PageMismatch(range: request, rowCount: rows.count), page)
    case .failure(let error): fail(error, page)
    }
    if let end { fit(to: end) }
    let forgotten = forget(but: page)
    return Outcome(
      delta: change(from: former, updating: [range(of: page)] + forgotten.map { range(of: $0) }), forgotten: forgotten)
  }

  /// Derives a new count from the answer to a request, if the count is estimated.
  private mutating func end(after request: Range<Int>, rowCount: Int) -> PagedCount {
    let end = request.lowerBound + rowCount
    if rowCount == request.count {
      proven = Swift.max(proven, end)
      if end == Self.most { return .exact(end) }
      return .estimated(Swift.max(count.number, end + 1))
    }
    // An empty answer proves nothing about the rows before it: there may be fewer.
    if rowCount > 0 || end <= proven { return .exact(end) }
    return .estimated(Swift.min(end, count.number))
  }

  /// Notes that the rows from a page on may have gone.
  mutating func doubtRows(from page: Int) { proven = Swift.min(proven, page * pageSize) }

  private mutating func keep(_ page: Page, _ number: Int) {
    pages[number] = page
    recency.touch(number)
  }

  private mutating func remove(_ page: Int) {
    pages[page] = nil
    recency.remove(page)
  }

  private mutating func fail(_ error: any Error, _ page: Int) {
    keep(Page(rows: pages[page]?.rows ?? [], state: .failed(error)), page)
  }

  private mutating func forget(but newest: Int) -> [Int] {
    var forgotten: [Int] = []
    while recency.count > limit, let page = recency.oldest(where: { $0 != newest && !isVisible($0) }) {
      remove(page)
      forgotten.append(page)
    }
    return forgotten
  }

  // MARK: Changes

  /// Sets another count, and drops the rows beyond the new count.
  mutating func setCount(_ count: PagedCount) -> Delta {
    Self.check(count)
    let former = self.count.number
    fit(to: count)
    return change(from: former, updating: [])
  }

  /// Marks pages as out of date.
  ///
  /// - Returns: an update of the rows that are in memory.
  mutating func invalidate(_ numbers: some Sequence<Int>) -> Delta {
    var updates: [Range<Int>] = []
    for number in numbers where pages[number] != nil {
      updates.append(range(of: number))
      if pages[number]!.rows.isEmpty { remove(number) } else { pages[number]!.state = .stale }
    }
    return Delta(updates: updates)
  }

  /// Drops all pages.
  mutating func reset(to count: PagedCount) -> Delta {
    Self.check(count)
    let former = self.count.number
    self.count = count
    proven = 0
    pages = [:]
    recency.removeAll()
    return Delta(removals: [0..<former], insertions: [0..<count.number])
  }

  private mutating func fit(to count: PagedCount) {
    self.count = count
    proven = Swift.min(proven, count.number)
    for page in keptPages {
      let wanted = range(of: page).count
      if wanted == 0 {
        remove(page)
        continue
      }
      let rows = pages[page]!.rows.count
      if rows > wanted { pages[page]!.rows.removeLast(rows - wanted) }
      // Beyond an estimated count, there may be more rows of the page.
      if pages[page]!.rows.count < request(of: page).count, isFresh(page) { pages[page]!.state = .stale }
    }
  }

  private func change(from former: Int, updating updates: [Range<Int>]) -> Delta {
    let present = count.number
    let kept = Swift.min(former, present)
    return Delta(
      removals: present < former ? [present..<former] : [], insertions: former < present ? [former..<present] : [],
      updates: updates.map { Swift.min($0.lowerBound, kept)..<Swift.min($0.upperBound, kept) })
  }

  /// Traps if an invariant does not hold.
  func checkInvariants() {
    precondition(Set(pages.keys).count == recency.count && pages.keys.allSatisfy(recency.contains))
    for (number, page) in pages {
      let wanted = range(of: number).count
      precondition(page.rows.count <= wanted && wanted > 0)
      switch page.state {
      case .fresh: precondition(page.rows.count == wanted && wanted == request(of: number).count)
      case .stale: precondition(!page.rows.isEmpty)
      case .failed: break
      }
    }
    precondition(proven <= count.number)
  }
}
