/// What a layer of a snapshot looks at: the only source of a view, or the members of a join.
///
///     pages    [0 … 31]  [32 … 63]  [64 … 70]      members by ordinal
///
/// The members of a join stand in pages, which the join keeps from one snapshot to the next (`JoinPages`): so the second
/// one refers to the same pages, but for those in which a member has changed.
@usableFromInline
struct SnapshotSources<Element> {
  @usableFromInline typealias Page = ContiguousArray<SnapshotContents<Element>>

  /// How many members stand in a page; in the last one there may be fewer.
  ///
  /// A snapshot after an edit reads the members of a page anew, and copies a reference to each page: with 32 that is least for
  /// a thousand members, and both stay below 20 µs up to 100,000.
  @inlinable static var pageBits: Int { 5 }
  @inlinable static var pageCapacity: Int { 1 &<< pageBits }

  @usableFromInline private(set) var pages: ContiguousArray<Page>

  /// Pages that are full, but for the last one.
  init(pages: ContiguousArray<Page>) { self.pages = pages }

  init(_ sources: ArraySlice<SnapshotContents<Element>>) {
    pages = []
    pages.reserveCapacity((sources.count + Self.pageCapacity - 1) / Self.pageCapacity)
    var rest = sources
    while !rest.isEmpty {
      pages.append(Page(rest.prefix(Self.pageCapacity)))
      rest = rest.dropFirst(Self.pageCapacity)
    }
  }

  @inlinable
  subscript(index: Int) -> SnapshotContents<Element> {
    pages[index &>> Self.pageBits][index & (Self.pageCapacity &- 1)]
  }
}

/// The pages of a join's last snapshot, as far as their members are as they were.
///
/// A page with a member that changes is given up at once: so nothing is kept alive for the next snapshot that the members do
/// not have themselves. What is kept makes a member copy the chunk that it changes next, as the snapshot does.
@usableFromInline
struct JoinPages<Element> {
  /// By number; none before the first snapshot, and none of which a member has changed.
  private var pages: ContiguousArray<SnapshotSources<Element>.Page?> = []

  init() {}

  /// Whether there is nothing to give up.
  ///
  /// It is kept, since each edit of a member asks: the type of `pages` would be looked up at run time for that.
  private(set) var isEmpty = true

  /// Gives up the page of a member that has changed.
  mutating func giveUp(memberAt ordinal: Int) {
    let number = ordinal / SnapshotSources<Element>.pageCapacity
    if number < pages.count { pages[number] = nil }
  }

  /// Gives up all pages, because members came, went or moved.
  mutating func giveUp() {
    if isEmpty { return }
    pages = []
    isEmpty = true
  }

  /// All pages; those which are not there are made.
  ///
  /// - Parameters:
  ///   - count: the number of members.
  ///   - make: appends to a page what the members of a range of ordinals have; false where one of them cannot share it.
  /// - Returns: the pages; nil where a member cannot share what it has.
  mutating func all(
    of count: Int, _ make: (Range<Int>, inout SnapshotSources<Element>.Page) -> Bool
  ) -> SnapshotSources<Element>? {
    let capacity = SnapshotSources<Element>.pageCapacity
    let number = (count + capacity - 1) / capacity
    if pages.count != number { pages = ContiguousArray(repeating: nil, count: number) }
    isEmpty = number == 0
    var all = ContiguousArray<SnapshotSources<Element>.Page>()
    all.reserveCapacity(number)
    for index in 0..<number {
      if let page = pages[index] {
        all.append(page)
        continue
      }
      let members = index * capacity..<min(count, (index + 1) * capacity)
      var page = SnapshotSources<Element>.Page()
      page.reserveCapacity(members.count)
      guard make(members, &page) else {
        giveUp()
        return nil
      }
      pages[index] = page
      all.append(page)
    }
    return SnapshotSources(pages: all)
  }
}
