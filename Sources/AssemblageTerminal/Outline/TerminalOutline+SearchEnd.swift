import Assemblage
import AssemblageWidgets

// The end of a search: the former expansion and the former current row are restored.
extension TerminalOutline {
  /// Shows everything again, as it was before the search, while the line of the search stays open.
  func showAllAgain() {
    update {
      showAll(hint: .looser)
      contents.rows.endTemporaryExpansion()
      if let search, !search.hides { contents.rows.expansion = search.expansion }
    }
    search?.isExpanded = false
    restorePlace()
  }

  private func restorePlace() {
    guard let search, let path = search.cursor?.nearest, !path.isEmpty, let row = revealed(path) else { return }
    top = row - search.lineOffset
    go(to: row)
  }

  /// Leaves the line, and keeps the result of the search.
  func keepFound() {
    if search?.query == nil { return endSearch() }
    search?.isTyped = false
    remember()
  }

  /// Cancels the search, and restores the state before the search.
  func cancel() {
    if search == nil { return }
    search?.task?.cancel()
    showAllAgain()
    endSearch()
  }

  /// Ends the search, and shows the current row in the whole tree.
  func showInTree() {
    guard search != nil else { return }
    let place = sourcePath(ofRow: cursor).map { NodeAnchor(of: contents.filter.source, at: $0) }
    let line = cursor - top
    cancel()
    if let path = place?.path, let row = revealed(path) {
      top = row - line
      go(to: row)
    }
  }

  func endSearch() {
    remember()
    search = nil
  }
}
