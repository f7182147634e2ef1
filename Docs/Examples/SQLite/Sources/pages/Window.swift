import Assemblage

/// A view of fifty rows, which scrolls through a list.
@MainActor final class Window {
  /// Whether rows are drawn.
  enum Drawing { case rows, nothing }

  let list: PagedNode<Person>
  let height: Int
  private(set) var rows: Range<Int> = 0..<0

  init(_ list: PagedNode<Person>, height: Int) {
    self.list = list
    self.height = height
  }

  /// Scrolls, waits until all rows are loaded, and draws the first and the last one.
  ///
  /// - Returns: the time to the first page, and the time to all pages.
  func show(from first: Int, drawing: Drawing = .rows) async throws -> (first: Duration, all: Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    rows = first..<min(first + height, list.count)
    list.visibleRange = rows
    var firstPage: Duration?
    // The iterator exists before the rows are read, so that the loop misses no change.
    var changes = list.changes.makeAsyncIterator()
    while true {
      let shown = rows.map { list[$0] }
      if let error = shown.lazy.compactMap(\.error).first { throw error }
      if firstPage == nil, shown.contains(where: { !$0.isLoading }) { firstPage = clock.now - start }
      if shown.allSatisfy({ !$0.isLoading }) { break }
      _ = await changes.next()
    }
    let all = clock.now - start
    guard drawing == .rows else { return (firstPage ?? all, all) }
    for row in [rows.lowerBound, rows.upperBound - 1] {
      if let person = list[row].value { print("    row \(row): \(person.name), \(person.age) years") }
    }
    return (firstPage ?? all, all)
  }
}
