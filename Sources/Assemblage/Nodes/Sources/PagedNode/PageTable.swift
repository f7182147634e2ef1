/// The pages that are in memory, and what each row shows. It knows nothing of loads.
///
///     page 0    fresh    20 rows
///     page 7    stale    20 rows, to be fetched again when they are looked at
///     page 8    failed   no rows, or those of an earlier answer
///     others             nothing: their rows are loading
///
/// At most `limit` pages are kept, beside the visible ones and the one that came last; the one that was looked at least
/// recently goes first.
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
  /// There is proof of so many rows, since pages with them came.
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

  /// As many rows as a delta can tell of.
  private static var most: Int { Delta.largestPosition }

  private static func check(_ count: PagedCount) {
    require(count.number >= 0, "PagedNode: the count \(count.number) is negative.")
    require(count.number <= most, "PagedNode: the count \(count.number) is beyond 2^62 - 1.")
  }

  // MARK: Places

  /// The positions of a page, within the count.
  func range(of page: Int) -> Range<Int> { clamped(positions(of: page)) }

  /// The positions that are asked for: beyond an estimated count, as many as fit into the page.
  func request(of page: Int) -> Range<Int> { count.isExact ? range(of: page) : positions(of: page) }

  private func positions(of page: Int) -> Range<Int> {
    let start = page * pageSize
    return start..<start + Swift.min(pageSize, Self.most - start)
  }

  private func clamped(_ range: Range<Int>) -> Range<Int> {
    Swift.min(range.lowerBound, count.number)..<Swift.min(range.upperBound, count.number)
  }

  /// The pages that some positions within the count are on.
  func pages(of range: Range<Int>) -> Range<Int> {
    range.isEmpty ? 0..<0 : range.lowerBound / pageSize..<(range.upperBound - 1) / pageSize + 1
  }

  func isVisible(_ page: Int) -> Bool { visibleRange?.overlaps(positions(of: page)) ?? false }

  // MARK: Reading

  /// What a row shows.
  func row(at position: Int) -> PagedRow<Row> {
    let (page, index) = position.quotientAndRemainder(dividingBy: pageSize)
    guard let page = pages[page] else { return .loading }
    if index < page.rows.count { return .loaded(page.rows[index]) }
    if case .failed(let error) = page.state { return .failed(error) }
    return .loading
  }

  /// The rows in memory.
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

  /// Takes in that a page is looked at.
  ///
  /// - Returns: whether it has to be fetched.
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

  /// What has become of the rows.
  struct Outcome {
    var delta = Delta()
    /// The pages that were let go.
    var forgotten: [Int] = []
  }

  /// Takes a page in.
  ///
  /// - Parameters:
  ///   - rows: what came, or why nothing did.
  ///   - page: the page, whose request is as it was when it was made.
  /// - Returns: what is told. A number of rows that can't be is an error of the page.
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

  /// What an answer says of an estimated count.
  private mutating func end(after request: Range<Int>, rowCount: Int) -> PagedCount {
    let end = request.lowerBound + rowCount
    if rowCount == request.count {
      proven = Swift.max(proven, end)
      if end == Self.most { return .exact(end) }
      return .estimated(Swift.max(count.number, end + 1))
    }
    // Where nothing came, there may be less than that.
    if rowCount > 0 || end <= proven { return .exact(end) }
    return .estimated(Swift.min(end, count.number))
  }

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

  /// Takes another count in, and lets go of what is beyond it.
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

  /// Lets go of everything.
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
      if rows < wanted, isFresh(page) { pages[page]!.state = .stale }
    }
  }

  private func change(from former: Int, updating updates: [Range<Int>]) -> Delta {
    let present = count.number
    let kept = Swift.min(former, present)
    return Delta(
      removals: present < former ? [present..<former] : [], insertions: former < present ? [former..<present] : [],
      updates: updates.map { Swift.min($0.lowerBound, kept)..<Swift.min($0.upperBound, kept) })
  }

  /// Traps where something is not as it has to be.
  func checkInvariants() {
    precondition(Set(pages.keys).count == recency.count && pages.keys.allSatisfy(recency.contains))
    for (number, page) in pages {
      let wanted = range(of: number).count
      precondition(page.rows.count <= wanted && wanted > 0)
      switch page.state {
      case .fresh: precondition(page.rows.count == wanted)
      case .stale: precondition(!page.rows.isEmpty)
      case .failed: break
      }
    }
    precondition(proven <= count.number)
  }
}
