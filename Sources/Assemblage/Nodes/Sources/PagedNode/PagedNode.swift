/// A node that fetches its rows by the page, from elsewhere, when they are read.
///
/// ```swift
/// @MainActor func show(_ people: Database) async throws -> PagedNode<Person> {
///   PagedNode(count: .exact(try await people.count()), loading: { try await people.rows(in: $0) })
/// }
///
/// list[5_000_000]       // .loading: and now its page is asked for
/// // … the page arrives, and an update of 100 rows is reported:
/// list[5_000_000]       // .loaded(person)
/// ```
///
/// A row that is not in memory shows `.loading`, and reading the row asks for its page. When the page arrives, its rows
/// are reported as updated. The page that was read last is fetched first, and only a bounded number of pages is fetched
/// at once. A page that fails shows `.failed` until `retry()`. Reading a row changes nothing, and the fetch begins in
/// the actor's next task. So a row can be read anywhere, also while a change is being delivered.
///
/// A bounded number of pages is kept. When another page arrives, the page that was read least recently is dropped. Its
/// rows are reported as updated, in the same change, and show `.loading` again. Reading these rows during that report
/// does not ask for them; otherwise a filter, which reads every row, would never settle. Set `visibleRange` to the rows
/// on the screen: these rows stay, and pages out of sight are no longer fetched.
///
/// Nodes that depend on this one see `PagedRow`s. A `MapNode`, a `JoinNode`, a `SliceNode` or a `FlattenNode` reads
/// only the rows that its own readers need. A filter, a sort or a group reads every row, but at most the pages that are
/// kept can ever be in memory. So let the server of the rows filter and sort, and call `reset(count:)` when it shall
/// filter or sort in another way.
///
/// A node that is released cancels its fetches. They do not keep the node alive. If `loading` runs on an actor, that
/// actor is kept alive until the fetch ends.
public final class PagedNode<Row>: TreeNode {
  /// The state of the row at a position.
  public typealias Element = PagedRow<Row>

  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  let supply: PageSupply<Row>

  /// Creates a node that has fetched nothing yet.
  ///
  /// - Parameters:
  ///   - count: the number of rows, exact or estimated.
  ///   - pageSize: the number of rows that are fetched at once, at least 1. A page begins at a multiple of it.
  ///   - keeping: the number of pages that are kept and that can wait to be fetched, at least 1. Visible pages may
  ///     exceed it. If more pages than that are read in one go, the pages that were read first are dropped.
  ///   - limit: the number of pages that are fetched at once, at least 1. A cancelled fetch counts until `rows` has
  ///     returned.
  ///   - isolation: the actor on which the node is created, and to which it belongs.
  ///   - rows: fetches the rows at some positions, in order. The closure is called on the actor and may leave it. It
  ///     should return soon if its task is cancelled. If the count is exact, the closure returns as many rows as
  ///     requested, and all requested positions lie within the count. If the count is estimated, the closure is asked
  ///     for whole pages, and returns fewer rows at the end.
  /// - Complexity: O(1).
  public convenience init(
    count: PagedCount, pageSize: Int = 100, keeping: Int = 32, atMost limit: Int = 4,
    isolation: isolated any Actor = #isolation, loading rows: @escaping (Range<Int>) async throws -> [Row]
  ) {
    self.init(
      supply: PageSupply(
        table: PageTable(count: count, pageSize: pageSize, limit: keeping), limit: limit, actor: isolation, rows: rows))
  }

  init(supply: PageSupply<Row>) {
    self.supply = supply
    supply.node = self
    hub.attach(to: self, translator: nil)
    hub.state.value.nesting = .none
  }

  deinit {
    supply.dropAll()
    hub.detach()
  }

  // MARK: Reading

  /// The number of rows, exact or estimated.
  public var count: Int { supply.table.count.number }

  /// Whether the count is known exactly, and not estimated.
  public var isCountExact: Bool { supply.table.count.isExact }

  /// Returns the state of a row, and asks for its page if the row is not in memory.
  ///
  /// - Parameter position: any integer.
  /// - Returns: the state of the row; nil if there is no such row.
  /// - Complexity: expected O(1).
  public func element(at position: Int) -> PagedRow<Row>? {
    position >= 0 && position < count ? supply.look(at: position) : nil
  }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<PagedRow<Row>>) -> Void) {
    checkRange(range, in: count, of: "PagedNode")
    gatherSpans(in: range, body) { element(at: $0) }
  }

  /// Returns the state of a row, without asking for its page.
  ///
  /// The page counts as no more recently read than before.
  ///
  /// - Parameter position: any integer.
  /// - Returns: the state of the row; nil if there is no such row.
  /// - Complexity: expected O(1).
  public func peek(at position: Int) -> PagedRow<Row>? {
    position >= 0 && position < count ? supply.table.row(at: position) : nil
  }

  /// Returns the loading state of a row's page, without asking for the page.
  ///
  /// The loading state differs from the state of the row if there is an earlier answer: the row is shown while its page
  /// is fetched again, and also if that fetch fails. `.unloaded` is a page that nobody asked for, or a page that is out
  /// of date and was not read since. The start of a fetch is not reported; its success or failure is.
  ///
  /// - Parameter position: any integer.
  /// - Returns: the state; nil if there is no such row.
  /// - Complexity: expected O(1).
  public func loadState(at position: Int) -> LoadState? {
    guard position >= 0, position < count else { return nil }
    let page = position / pageSize
    return supply.isLoading(page) ? .loading : supply.table.state(of: page)
  }

  /// The number of rows that are fetched at once.
  package var pageSize: Int { supply.table.pageSize }

  /// The number of rows in memory.
  ///
  /// - Complexity: O(p) for the p pages that are kept.
  public var loadedCount: Int { supply.table.rowCount }
}

@available(*, unavailable)
extension PagedNode: Sendable {}
