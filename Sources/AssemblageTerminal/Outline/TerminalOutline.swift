package import Assemblage
import AssemblageSearch
package import AssemblageWidgets

/// A tree on a terminal: takes keys, and shows lines of cells.
///
///     TerminalEvent ──▶ handle(_:) ──▶ TerminalAction, for the owner
///                          │
///     nodes ──▶ ListCoordinator ──▶ cursor, scroll ──▶ draw() ──▶ TerminalScreen
///
/// It knows no device: a test gives it events and reads its screens. Its rows are those of an `OutlineNode`, and a
/// `ListCoordinator` stands between: what happens in the tree, by a key or by its owner, comes to the rows as updates, and the
/// current row stays where it is on the screen. Rows that are marked are the coordinator's selection.
@MainActor
package final class TerminalOutline<Element, ID: Hashable & Sendable> {
  /// What keys do at the moment.
  enum Mode: Equatable {
    case browsing
    /// The key that says by what to sort is awaited.
    case sorting
    /// A command is typed, for the marked rows or the current one.
    case command(TerminalLine)
    /// The first line of help that is seen.
    case help(Int)
  }

  let contents: TerminalContents<Element, ID>
  let coordinator: ListCoordinator<Element>
  var size: TerminalSize
  var mode = Mode.browsing
  var search: TerminalSearch<Element, ID>?
  /// The kind of the last search, which the next one begins with.
  var searchKind = TerminalSearchKind.words
  /// What was looked for before, and the commands that were run.
  var searches = TerminalHistory()
  var commands = TerminalHistory()
  var hiding: TerminalHiding {
    didSet { contents.hides(hiding) }
  }
  var orderIndex = 0
  var isReversed = false
  /// What the last line says until the next key.
  var message: String?
  var index: TextIndex<Element>?
  /// What reads the texts of the index; nil where all have been read.
  var indexReading: Task<Void, Never>?
  /// The row to which the search has gone by itself; nil where there was none.
  var placedID: ID?
  var hasMarks = false
  /// Told that something else is to be seen than was drawn, without an event.
  package var needsDrawing: () -> Void = {}

  /// The most elements that are all looked through before a key is answered; of more, those on the screen first.
  package var promptElements = 100_000

  /// The current row, 0 where there is none.
  package internal(set) var cursor = 0
  /// The first row on the screen.
  package internal(set) var top = 0
  private(set) var shownRows = 0

  /// Creates an outline that shows all, or what is left after hiding some.
  ///
  /// - Parameters:
  ///   - contents: the nodes; they show everything, in the order of the first of the orders.
  ///   - size: the terminal's size.
  ///   - hiding: what is left out.
  package init(_ contents: TerminalContents<Element, ID>, size: TerminalSize, hiding: TerminalHiding = []) {
    self.contents = contents
    self.size = size
    self.hiding = hiding
    coordinator = ListCoordinator(contents.rows, reloadingAbove: 2_000)
    coordinator.keepsPosition = .always
    contents.hides(hiding)
    if !hiding.isEmpty { showAll(hint: .stricter) }
    coordinator.widget = self
  }

  // MARK: Rows

  /// How many rows there are.
  package var count: Int { shownRows }

  /// The lines for rows: all but a title and a last line, where there is space for these.
  var viewHeight: Int { max(0, size.rows - titleHeight - statusHeight) }
  var titleHeight: Int { size.rows >= 4 ? 1 : 0 }
  var statusHeight: Int { size.rows >= 2 ? 1 : 0 }

  /// The rows on the screen.
  package var visibleRows: Range<Int> { top..<min(shownRows, top + viewHeight) }

  /// The element of a row; nil where there is no such row.
  package func element(at row: Int) -> Element? {
    row >= 0 && row < shownRows ? coordinator.element(at: row) : nil
  }

  /// Makes a row the current one, and scrolls as far as that needs.
  func go(to row: Int) {
    cursor = max(0, min(row, shownRows - 1))
    showCursor()
  }

  /// Scrolls as far as needed for the current row to be seen, and no further than the rows reach.
  func showCursor() {
    let height = max(1, viewHeight)
    if cursor < top { top = cursor }
    if cursor >= top + height { top = cursor - height + 1 }
    top = max(0, min(top, shownRows - height))
  }

  /// The path of a row in the source of the filter; nil where there is none.
  func sourcePath(ofRow row: Int) -> IndexPath? {
    guard row >= 0, row < shownRows else { return nil }
    return contents.sort.sourcePath(of: contents.rows.path(ofRow: row)).flatMap { contents.filter.sourcePath(of: $0) }
  }

  /// The path in the tree of rows of an element; nil where the filter hides it.
  func shownPath(ofSource path: IndexPath) -> IndexPath? {
    contents.filter.path(ofSource: path).flatMap { contents.sort.path(ofSource: $0) }
  }

  /// The row of an element of the source; nil where it has none.
  package func row(ofSource path: IndexPath) -> Int? {
    shownPath(ofSource: path).flatMap { contents.rows.row(ofPath: $0) }
  }

  /// Changes the nodes, and brings the widget up to date once.
  func update(_ body: () -> Void) {
    coordinator.suspend()
    body()
    coordinator.resume()
  }

  // MARK: Marks

  func isMarked(_ row: Int) -> Bool { hasMarks && coordinator.isSelected(at: [0, row]) }

  /// The ids of what is marked, in the order of the rows, and then those that have no row at the moment.
  var markedIDs: [ID] {
    guard hasMarks else { return [] }
    let selection = coordinator.selection
    return (selection.selectedIDs + Array(selection.absentIDs)).compactMap { $0.base as? ID }
  }

  /// Takes up a new size.
  func resize(to size: TerminalSize) {
    self.size = size
    showCursor()
  }
}

// The rows come from the coordinator. It keeps the current row in its place: the scroll position is the line of that.
extension TerminalOutline: ListWidget {
  package func reload() {
    shownRows = coordinator.count
    go(to: cursor)
  }

  package func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
    commit()
    shownRows = coordinator.count
    // Where rows stay, one of them is current in a moment: see `scrollPosition`.
    if shownRows == 0 { (cursor, top) = (0, 0) }
  }

  package func shownCount(at path: IndexPath) -> Int? {
    path.isEmpty ? 1 : path.count == 1 ? shownRows : nil
  }

  package var scrollPosition: WidgetScrollPosition? {
    get { cursor < shownRows ? WidgetScrollPosition(path: [0, cursor], offset: Double(cursor - top)) : nil }
    set {
      guard let newValue, newValue.path.count == 2 else { return }
      let line = cursor - top
      cursor = newValue.path[1]
      top = cursor - line
      go(to: cursor)
    }
  }

  package func showSelection() {}
}
