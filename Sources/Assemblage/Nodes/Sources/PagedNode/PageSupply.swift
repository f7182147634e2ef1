/// The pages of a `PagedNode`: the closure that fetches them, the loads, and the pages that have arrived.
///
///     a row is read  →  its page waits  →  is fetched  →  its rows are stored
///                            └──────────────────┴─────→  dropped: out of sight, superseded, or the node was released
///
/// The page that was read last is fetched first.
final class PageSupply<Row> {
  private let rows: (Range<Int>) async throws -> [Row]
  /// The node drops all loads before it is released.
  unowned var node: PagedNode<Row>?
  private(set) var table: PageTable<Row>
  private let loader: BoundedLoader<PageSupply>
  /// The pages that the present change drops. Reading their rows now is only a consequence of that change.
  private var forgotten: Set<Int> = []

  init(table: PageTable<Row>, limit: Int, actor: any Actor, rows: @escaping (Range<Int>) async throws -> [Row]) {
    self.table = table
    self.rows = rows
    loader = BoundedLoader(limit: limit, actor: actor)
    loader.client = self
  }

  // MARK: Asking

  /// Returns the state of a row, and asks for its page if the page is missing or out of date.
  func look(at position: Int) -> PagedRow<Row> {
    let page = position / table.pageSize
    if table.touch(page), !forgotten.contains(page) { ask(page) }
    return table.row(at: position)
  }

  /// Asks for a page, before all pages that were asked for earlier.
  private func ask(_ page: Int) {
    loader.ask(page, .next)
    while loader.count > table.limit, let oldest = loader.oldestNext(where: { $0 != page && !table.isVisible($0) }) {
      loader.drop(oldest)
    }
  }

  func isLoading(_ page: Int) -> Bool { loader.isLoading(page) }

  /// Asks for pages that are not in memory, have failed or are out of date.
  ///
  /// - Returns: the change of the pages that had failed.
  func load(_ pages: some Sequence<Int>) -> Delta {
    let missing = pages.filter { !table.isFresh($0) }
    let delta = table.invalidate(missing.filter(table.isFailed))
    for page in missing { ask(page) }
    return delta
  }

  /// Marks pages as out of date. Answers of their running loads are ignored.
  ///
  /// - Returns: the change.
  func invalidate(_ pages: Range<Int>) -> Delta {
    for page in loader.keys where pages.contains(page) { loader.supersede(page, .next) }
    if !pages.isEmpty { table.doubtRows(from: pages.lowerBound) }
    return table.invalidate(table.keptPages.filter(pages.contains).sorted())
  }

  func setCount(_ count: PagedCount) -> Delta {
    fitting { table.setCount(count) }
  }

  func reset(to count: PagedCount) -> Delta {
    loader.dropAll()
    return table.reset(to: count)
  }

  var visibleRange: Range<Int>? {
    get { table.visibleRange }
    set {
      table.visibleRange = newValue
      if newValue != nil { for page in loader.keys where !table.isVisible(page) { loader.drop(page) } }
    }
  }

  func dropAll() { loader.dropAll() }

  /// Changes the table, and adapts the loads to its count. Pages beyond the count are not fetched, and the last page
  /// may be longer or shorter.
  private func fitting<Result>(_ change: () -> Result) -> Result {
    let former = loader.keys.map { (page: $0, request: table.request(of: $0)) }
    let result = change()
    for (page, request) in former {
      if table.range(of: page).isEmpty {
        loader.drop(page)
      } else if table.request(of: page) != request {
        loader.supersede(page, .next)
      }
    }
    return result
  }
}

extension PageSupply: LoadClient {
  func load(of page: Int) -> (() async throws -> [Row])? {
    let (rows, request) = (rows, table.request(of: page))
    return { try await rows(request) }
  }

  func take(_ answer: Result<[Row], any Error>, of page: Int) {
    node?.report {
      let outcome = fitting { table.take(answer, page: page) }
      forgotten = Set(outcome.forgotten)
      return outcome.delta
    }
    forgotten = []
  }
}
