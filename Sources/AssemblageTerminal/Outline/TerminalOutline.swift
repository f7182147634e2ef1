package import Assemblage
import AssemblageSearch
package import AssemblageWidgets

/// Shows a tree on a terminal: handles keys, and draws lines of cells.
///
///     TerminalEvent ──▶ handle(_:) ──▶ TerminalAction, for the owner
///                          │
///     nodes ──▶ ListCoordinator ──▶ cursor, scroll ──▶ draw() ──▶ TerminalScreen
///
/// The outline knows no device: a test sends events and reads the screens. The rows are the rows of an `OutlineNode`. A
/// `ListCoordinator` lies between the node and the outline: a change of the tree, by a key or by the owner, reaches the
/// rows as an update, and the current row keeps its line on the screen. Marked rows are the coordinator's selection.
@MainActor
package final class TerminalOutline<Element, ID: Hashable & Sendable> {
  /// The meaning of keys at the moment.
  enum Mode: Equatable {
    case browsing
    /// The next key chooses the order.
    case sorting
    /// A command is typed, for the marked rows or the current row.
    case command(TerminalLine)
    /// A name is typed.
    case naming(TerminalNaming<ID>, TerminalLine)
    /// The next key decides whether elements are deleted.
    case confirming(TerminalDeletion, [ID])
    /// The help is shown; the value is its first visible line.
    case help(Int)
  }

  let contents: TerminalContents<Element, ID>
  let coordinator: ListCoordinator<Element>
  var size: TerminalSize
  var mode = Mode.browsing
  var search: TerminalSearch<Element, ID>?
  /// The kind of the last search, with which the next search begins.
  var searchKind = TerminalSearchKind.words
  /// The former searches, and the commands that were run.
  var searches = TerminalHistory()
  var commands = TerminalHistory()
  var hiding: TerminalHiding {
    didSet { contents.hides(hiding) }
  }
  var orderIndex = 0
  var isReversed = false
  /// The message in the last line until the next key.
  var message: String?
  var index: TextIndex<Element>?
  /// The task that reads the texts of the index; nil when all texts have been read.
  var indexReading: Task<Void, Never>?
  /// The row to which the search itself has moved; nil if there was no such row.
  var placedID: ID?
  var hasMarks = false
  /// Whether the contents of the current row are shown.
  var showsPreview = false
  /// Is called when the screen needs drawing without an event.
  package var needsDrawing: () -> Void = {}

  /// The largest number of elements that are all searched before a key is answered.
  ///
  /// With more elements, the rows on the screen are searched first.
  package var promptElements = 100_000

  /// The largest number of elements that are all searched without a pause of the user.
  ///
  /// The rows of a result are all shown at once, and keys wait meanwhile. With more elements, this may take longer than
  /// 50 ms, so the search waits until no key has changed the text for `typingPause`.
  package var pauselessElements = 500_000
  package var typingPause = Duration.milliseconds(200)

  /// The current row; 0 if there are no rows.
  package internal(set) var cursor = 0
  /// The row of the first line; pinned ancestors may cover this row.
  package internal(set) var top = 0
  private(set) var shownRows = 0

  /// Creates an outline that shows all elements, or all except some kinds.
  ///
  /// - Parameters:
  ///   - contents: the nodes; they show everything, in the first of the orders.
  ///   - size: the terminal's size.
  ///   - hiding: the kinds of elements that are left out.
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

  /// The number of rows.
  package var count: Int { shownRows }

  var titleHeight: Int { size.rows >= 4 ? (hasHeader ? 2 : 1) : 0 }
  private var hasHeader: Bool { !contents.header.isEmpty && size.rows >= 6 }
  var statusHeight: Int { size.rows >= 2 ? 1 : 0 }

  /// The rows on the screen, below the pinned ancestors.
  package var visibleRows: Range<Int> { top + pinnedCount..<max(top + pinnedCount, min(shownRows, top + viewHeight)) }

  /// The element of a row; nil if there is no such row.
  package func element(at row: Int) -> Element? {
    row >= 0 && row < shownRows ? coordinator.element(at: row) : nil
  }

  /// Makes a row the current one, and scrolls as far as needed to show this row.
  func go(to row: Int) {
    cursor = max(0, min(row, shownRows - 1))
    showCursor()
  }

  /// Scrolls as far as needed to show the current row, and no further than the last row.
  func showCursor() {
    let height = max(1, viewHeight)
    if cursor >= top + height { top = cursor - height + 1 }
    top = max(0, min(top, shownRows - height))
    if cursor < top + pinnedCount { top = max(0, cursor - min(mostPinned, depth(ofRow: cursor))) }
  }

  /// The path of a row in the source of the filter; nil if there is no such row.
  func sourcePath(ofRow row: Int) -> IndexPath? {
    guard row >= 0, row < shownRows else { return nil }
    return contents.sort.sourcePath(of: contents.rows.path(ofRow: row)).flatMap { contents.filter.sourcePath(of: $0) }
  }

  /// The path of an element in the tree of rows, from its path in the source; nil if the filter hides the element.
  func shownPath(ofSource path: IndexPath) -> IndexPath? {
    contents.filter.path(ofSource: path).flatMap { contents.sort.path(ofSource: $0) }
  }

  /// The row of an element of the source; nil if the element has no row.
  package func row(ofSource path: IndexPath) -> Int? {
    shownPath(ofSource: path).flatMap { contents.rows.row(ofPath: $0) }
  }

  /// Changes the nodes, and updates the rows once.
  func update(_ body: () -> Void) {
    coordinator.suspend()
    body()
    coordinator.resume()
  }

  // MARK: Marks

  func isMarked(_ row: Int) -> Bool { hasMarks && coordinator.isSelected(at: [0, row]) }

  /// The ids of the marked elements: first in the order of the rows, then the ids that have no row at the moment.
  ///
  /// The ids without a row are in the order of the source.
  var markedIDs: [ID] {
    guard hasMarks else { return [] }
    let selection = coordinator.selection
    let absent = selection.absentIDs.compactMap { $0.base as? ID }
    return selection.selectedIDs.compactMap { $0.base as? ID } + sortedBySource(absent)
  }

  /// The number of the marked elements.
  var markedCount: Int {
    hasMarks ? coordinator.selection.selectedCount + coordinator.selection.absentIDs.count : 0
  }

  /// Sorts elements in the order of the source, where each element is before its descendants.
  private func sortedBySource(_ ids: [ID]) -> [ID] {
    guard ids.count > 1, let areInIncreasingOrder = contents.sourceOrder else { return ids }
    // The path of elements down to each element; empty for an element that is gone.
    let paths = ids.map { id -> [Element] in
      guard let element = contents.element(id) else { return [] }
      return Array(sequence(first: element, next: contents.parent)).reversed()
    }
    let order = ids.indices.sorted { first, second in
      for (left, right) in zip(paths[first], paths[second]) where contents.id(left) != contents.id(right) {
        return areInIncreasingOrder(left, right)
      }
      return paths[first].count < paths[second].count
    }
    return order.map { ids[$0] }
  }

  /// Adopts a new size.
  func resize(to size: TerminalSize) {
    self.size = size
    showCursor()
  }
}

// The coordinator provides the rows. The coordinator keeps the current row in its line: the scroll position of this
// widget is the current row and its line.
extension TerminalOutline: ListWidget {
  package func reload() {
    shownRows = coordinator.count
    go(to: cursor)
  }

  package func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
    commit()
    shownRows = coordinator.count
    // If rows remain, the coordinator sets the current row next, by `scrollPosition`.
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
