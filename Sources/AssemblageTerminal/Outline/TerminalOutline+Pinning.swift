import Assemblage

// The first lines show the ancestors of the row below them, so that the folders of a row stay on the screen.
//
//     rows          screen, top = 2
//     0 ▾ music/    ▾ music/       pinned
//     1 ├   a.mp3   ├   c.mp3      row 3
//     2 ├   b.mp3   └   d.mp3      row 4
//     3 ├   c.mp3
//     4 └   d.mp3
extension TerminalOutline {
  /// The largest number of pinned ancestors: the rows keep two thirds of the lines.
  var mostPinned: Int { viewHeight / 3 }

  /// The number of pinned ancestors.
  ///
  /// Each line with fewer rows above it than its row has ancestors is used for one of them. A row that scrolls up has
  /// fewer and fewer lines above it, and keeps its nearest ancestors longest.
  var pinnedCount: Int {
    var count = 0
    while count < mostPinned, depth(ofRow: top + count) > count { count += 1 }
    return count > 0 && depth(ofRow: top + count) < count ? count - 1 : count
  }

  /// The number of a row's ancestors; 0 if there is no such row.
  func depth(ofRow row: Int) -> Int {
    // The rows may be fewer than before, until all parts of an update have arrived.
    row < min(count, contents.rows.count) ? contents.rows.row(at: row).depth : 0
  }

  /// Finds the row of a line.
  ///
  /// - Parameter line: the line, from 0 on, without the title.
  /// - Returns: the row; nil if the line shows no row.
  func row(ofLine line: Int) -> Int? {
    let pinned = pinnedCount
    if line >= pinned { return visibleRows.contains(top + line) ? top + line : nil }
    guard line >= 0, let first = visibleRows.first else { return nil }
    let path = contents.rows.path(ofRow: first)
    return contents.rows.row(ofPath: path.prefix(path.count - pinned + line))
  }
}
