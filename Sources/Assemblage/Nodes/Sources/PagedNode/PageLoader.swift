/// Fetches the pages of one node, a bounded number at once, on the actor that the node belongs to.
///
///     a look at a row  →  its page waits  →  is fetched  →  its rows are taken in
///                              └──────────────────┴─────→  dropped: out of sight, superseded, or the node was released
///
/// The page that was looked at last is fetched first. Each fetch has a number of its own, and an answer counts only as long as
/// its page has that number; see `HierarchyLoader`, which does the same for branches.
final class PageLoader<Row> {
  private let rows: (Range<Int>) async throws -> [Row]
  /// It drops everything before it dies.
  unowned var node: PagedNode<Row>?
  private(set) var table: PageTable<Row>
  private let limit: Int
  /// The pages that wait or are fetched.
  private var loads: [Int: Load] = [:]
  /// The same pages, by the looks at them.
  private var asked = RecencyList()
  /// How many are fetched: those that were dropped count until the closure has returned.
  private var runningCount = 0
  private var nextNumber = 0
  /// The pages that are being told to be let go: what looks at them now does so because it is told.
  private var forgotten: Set<Int> = []
  /// Whether a task of the actor is about to call `advance(isolation:)`.
  private var isAwake = false
  /// Not kept alive: it may be what holds the node.
  private weak let actor: (any Actor)?

  /// A page that waits, or is fetched.
  private enum Load {
    case waiting
    case running(number: Int, request: Range<Int>, task: Task<Void, Never>)
  }

  /// Where a task of the actor finds the loader.
  ///
  /// It may go anywhere: the reference is constant, and followed on the actor only.
  private final class Door: @unchecked Sendable {
    private weak let loader: PageLoader?

    init(_ loader: PageLoader) { self.loader = loader }

    func advance(isolation: isolated any Actor) { loader?.advance(isolation: isolation) }
  }

  init(table: PageTable<Row>, limit: Int, actor: any Actor, rows: @escaping (Range<Int>) async throws -> [Row]) {
    require(limit > 0, "PagedNode: at least one page has to be fetched at once: \(limit) were allowed.")
    self.table = table
    self.limit = limit
    self.actor = actor
    self.rows = rows
  }

  // MARK: Asking

  /// What a row shows; its page is asked for, where it is not there or out of date.
  func look(at position: Int) -> PagedRow<Row> {
    let page = position / table.pageSize
    if table.touch(page), !forgotten.contains(page) { ask(page) }
    return table.row(at: position)
  }

  /// Has a page fetched, before those that were asked for earlier.
  private func ask(_ page: Int) {
    asked.touch(page)
    if loads[page] == nil {
      loads[page] = .waiting
      wake()
    }
    while asked.count > table.limit, let oldest = asked.oldest(where: { $0 != page && !table.isVisible($0) }) {
      drop(oldest)
    }
  }

  func isLoading(_ page: Int) -> Bool { loads[page] != nil }

  /// Asks for pages that are not there, have failed or are out of date.
  ///
  /// - Returns: what is told of those that had failed.
  func load(_ pages: some Sequence<Int>) -> Delta {
    let missing = pages.filter { !table.isFresh($0) }
    let delta = table.invalidate(missing.filter(table.isFailed))
    for page in missing { ask(page) }
    return delta
  }

  /// Marks pages as out of date. Of those that are being fetched, what comes now counts no longer.
  ///
  /// - Returns: what is told.
  func invalidate(_ pages: Range<Int>) -> Delta {
    for page in loads.keys where pages.contains(page) { supersede(page) }
    return table.invalidate(table.keptPages.filter(pages.contains).sorted())
  }

  func setCount(_ count: PagedCount) -> Delta {
    let delta = table.setCount(count)
    refit()
    return delta
  }

  func reset(to count: PagedCount) -> Delta {
    dropAll()
    return table.reset(to: count)
  }

  var visibleRange: Range<Int>? {
    get { table.visibleRange }
    set {
      table.visibleRange = newValue
      if newValue != nil { for page in loads.keys where !table.isVisible(page) { drop(page) } }
    }
  }

  // MARK: Dropping

  /// Ends a load, whose answer says nothing from now on.
  private func drop(_ page: Int) {
    if case .running(_, _, let task) = loads[page] { task.cancel() }
    loads[page] = nil
    asked.remove(page)
  }

  func dropAll() {
    for page in loads.keys { drop(page) }
  }

  /// Lets another load take the place of one that runs.
  private func supersede(_ page: Int) {
    guard case .running(_, _, let task) = loads[page] else { return }
    task.cancel()
    loads[page] = .waiting
    wake()
  }

  /// Takes in that the count may be another one: what is beyond it is not asked for, and the last page may be longer or shorter.
  private func refit() {
    for (page, load) in loads {
      let request = table.request(of: page)
      if table.range(of: page).isEmpty {
        drop(page)
      } else if case .running(_, request: let former, _) = load, former != request {
        supersede(page)
      }
    }
  }

  // MARK: Running

  /// Lets the actor begin what can begin, after what it is doing now.
  private func wake() {
    guard !isAwake, let actor else { return }
    isAwake = true
    Self.open(Door(self), on: actor)
  }

  private static func open(_ door: Door, on actor: some Actor) {
    // A node is used on its actor only. A task made anywhere else would have to wait for a thread first.
    actor.assumeIsolated { actor in
      _ = Task { door.advance(isolation: actor) }
    }
  }

  private func advance(isolation: isolated any Actor) {
    isAwake = false
    while runningCount < limit, let page = asked.newest(where: { isWaiting($0) }) {
      runningCount += 1
      let number = nextNumber
      nextNumber += 1
      let (rows, request) = (rows, table.request(of: page))
      let task = Task { [weak self] in
        // Makes the task one of the actor's.
        _ = isolation
        let answer: Result<[Row], any Error>
        do {
          try Task.checkCancellation()
          answer = .success(try await rows(request))
        } catch {
          answer = .failure(error)
        }
        self?.end(page, number, answer)
      }
      loads[page] = .running(number: number, request: request, task: task)
    }
  }

  private func isWaiting(_ page: Int) -> Bool {
    if case .waiting = loads[page] { return true }
    return false
  }

  private func end(_ page: Int, _ number: Int, _ answer: Result<[Row], any Error>) {
    runningCount -= 1
    wake()
    guard case .running(number, _, _) = loads[page] else { return }
    loads[page] = nil
    asked.remove(page)
    node?.take {
      let outcome = table.take(answer, page: page)
      refit()
      forgotten = Set(outcome.forgotten)
      return outcome.delta
    }
    forgotten = []
  }
}
