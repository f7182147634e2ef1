/// Rows that are somewhere else, and are fetched by the page when they are looked at.
///
/// ```swift
/// @MainActor func show(_ people: Database) async throws -> PagedNode<Person> {
///   PagedNode(count: .exact(try await people.count()), loading: { try await people.rows(in: $0) })
/// }
///
/// list[5_000_000]       // .loading: and now its page is asked for
/// // … it comes, and an update of 100 rows is told:
/// list[5_000_000]       // .loaded(person)
/// ```
///
/// A row that is not there shows `.loading`, and a look at it asks for its page; when the page comes, its rows are told as
/// updated. The page that was looked at last is fetched first, and a bounded number at once. A page that fails shows `.failed`
/// until `retry()`. A look changes nothing, and what it asks for begins with the actor's next task: so a row can be read
/// anywhere, also while a change is being taken in.
///
/// A bounded number of pages is kept. When another one comes, the one that was looked at least recently goes: its rows are told
/// as updated, in the same change, and show `.loading` again. To look at them while that is told does not ask for them: a filter
/// that follows all rows would never come to rest. Say with `visibleRange` which rows are on the screen: they stay, and pages
/// out of sight are no longer fetched.
///
/// Nodes that stand on this one see `PagedRow`s. A `MapNode`, a `JoinNode`, a `SliceNode` or a `FlattenNode` looks at what
/// is read of it; a filter, a sort or a group looks at every row, of which no more than the pages that are kept can ever be
/// there: let the place filter and sort from where the rows come, and `reset(count:)` when it shall do so in another way.
///
/// A node that is released cancels its fetches. They do not keep it alive, but where `loading` runs on an actor, that is kept
/// alive meanwhile.
public final class PagedNode<Row>: TreeNode {
  /// What is shown at each position.
  public typealias Element = PagedRow<Row>

  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  let supply: PageSupply<Row>

  /// Creates a node that has fetched nothing yet.
  ///
  /// - Parameters:
  ///   - count: how many rows there are, as far as that is known.
  ///   - pageSize: how many rows are fetched at once, at least 1. A page begins at a multiple of it.
  ///   - keeping: how many pages are kept, at least 1, and how many can wait to be fetched; visible ones may be more. More pages
  ///     than that which are looked at in one go drop those that were looked at first.
  ///   - limit: how many pages are fetched at once, at least 1. A cancelled fetch counts until `rows` has returned.
  ///   - isolation: the actor that the node belongs to, and on which it is made.
  ///   - rows: fetches the rows at some positions, in order. It is called on the actor, is free to leave it, and should return
  ///     soon where its task is cancelled. Where the count is exact, it gives as many as it was asked for, which are all within
  ///     it; where it is estimated, it is asked for whole pages, and gives fewer at the end.
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

  /// How many rows there are, or are thought to be.
  public var count: Int { supply.table.count.number }

  /// Whether the count is known, and not a guess.
  public var isCountExact: Bool { supply.table.count.isExact }

  /// What a row shows; where it is not there, its page is asked for.
  ///
  /// - Parameter position: any integer.
  /// - Returns: what the row shows; nil where there is none.
  /// - Complexity: expected O(1).
  public func element(at position: Int) -> PagedRow<Row>? {
    position >= 0 && position < count ? supply.look(at: position) : nil
  }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<PagedRow<Row>>) -> Void) {
    checkRange(range, in: count, of: "PagedNode")
    gatherSpans(in: range, body) { element(at: $0) }
  }

  /// What a row shows; nothing is asked for because of it, and its page counts as no more wanted than before.
  ///
  /// - Parameter position: any integer.
  /// - Returns: what the row shows; nil where there is none.
  /// - Complexity: expected O(1).
  public func peek(at position: Int) -> PagedRow<Row>? {
    position >= 0 && position < count ? supply.table.row(at: position) : nil
  }

  /// How far the page of a row has come; nothing is asked for because of it.
  ///
  /// It differs from what the row shows where there is an earlier answer: the row is shown while it is fetched again, and also
  /// where that fails. `.unloaded` is a page that nobody asked for, or that is out of date and was not looked at since. That
  /// a page begins to be fetched is not told; that it has come, or has failed, is.
  ///
  /// - Parameter position: any integer.
  /// - Returns: the state; nil where there is no such row.
  /// - Complexity: expected O(1).
  public func loadState(at position: Int) -> LoadState? {
    guard position >= 0, position < count else { return nil }
    let page = position / pageSize
    return supply.isLoading(page) ? .loading : supply.table.state(of: page)
  }

  /// How many rows are fetched at once.
  public var pageSize: Int { supply.table.pageSize }

  /// How many rows are in memory.
  ///
  /// - Complexity: O(p) for the p pages that are kept.
  public var loadedCount: Int { supply.table.rowCount }
}

@available(*, unavailable)
extension PagedNode: Sendable {}
