import Assemblage
import AssemblageSearch
import AssemblageWidgets

// A search: the filter shows the matches and their ancestors, which are expanded during the search. The end of the
// search restores the former expansion and the former current row.
//
// An index finds texts between two keys. The index is made in slices, so that keys are handled meanwhile. Regular
// expressions and queries with several terms check the elements in slices, too. The rows on the screen are matched at
// once, and the first match becomes the current row.
extension TerminalOutline {
  /// The largest number of matches that are all expanded, because each match takes time to expand.
  private static var expandedMatches: Int { 2_000 }

  /// Whether the search hides the rows that do not match.
  var hidesOthers: Bool { search.map { $0.hides && $0.query != nil } ?? false }

  /// Begins a search, or continues to edit the current search.
  ///
  /// - Parameter hides: whether the search hides the rows that do not match.
  func beginSearch(hides: Bool = true) {
    if let search {
      self.search?.isTyped = true
      if search.hides != hides { toggleRest() }
      return
    }
    let anchors = AnchorSet(of: contents.filter.source)
    func anchor(_ row: Int) -> NodeAnchor<Element>? { sourcePath(ofRow: row).map { anchors.anchor(at: $0) } }
    let rows = Array(visibleRows.drop { $0 < cursor }) + Array(visibleRows.prefix { $0 < cursor })
    search = TerminalSearch(
      kind: searchKind, cursor: anchor(cursor), lineOffset: cursor - top,
      onScreen: rows.compactMap { row in
        guard let element = element(at: row), let anchor = anchor(row) else { return nil }
        return (element, anchor)
      },
      expansion: contents.rows.expansion)
    search?.hides = hides
    // The index is begun before the first letter is typed.
    prepareIndex()
  }

  /// Edits the text, and searches for the text if it has changed.
  func type(_ edit: (inout TerminalLine) -> Void) {
    guard var line = search?.line else { return }
    let former = line.text
    edit(&line)
    search?.line = line
    if line.text != former { applySearch(mayNarrow: true) }
  }

  /// Searches for a text, as if it had been typed.
  package func search(for text: String) {
    beginSearch()
    type { $0.replace(with: text) }
  }

  func changeSearchKind() {
    guard let kind = search?.kind.next else {
      searchKind = searchKind.next
      message = "the next search is by \(searchKind.rawValue)"
      return
    }
    searchKind = kind
    search?.kind = kind
    applySearch(mayNarrow: false)
  }

  /// Searches for the text of the line.
  ///
  /// - Parameter mayNarrow: whether the filter still shows the result of the last query.
  func applySearch(mayNarrow: Bool) {
    if !mayNarrow { search?.shown = nil }
    guard let (line, kind) = search.map({ ($0.line, $0.kind) }) else { return }
    search?.problem = nil
    let query: TerminalQuery?
    do {
      query = try TerminalQuery(line.text, kind)
    } catch {
      // The last result stays until the expression is complete.
      search?.problem = "no regular expression yet"
      return
    }
    search?.task?.cancel()
    search?.task = nil
    search?.progress = nil
    search?.isPending = false
    search?.query = query
    guard let query else {
      showAllAgain()
      return
    }
    if search?.hides == false { return goToFound() }
    guard case .text(let text) = query else { return findInSlices(query) }
    prepareIndex()
    if indexReading == nil, contents.total() <= promptElements { return find(text, query) }
    // The rows on the screen are matched and drawn now. The other rows follow in the next turn, or after a pause, if no
    // key arrives before.
    search?.isPending = true
    let pause = contents.total() > pauselessElements ? typingPause : .zero
    search?.task = Task { [weak self] in
      await Task.yield()
      if pause > .zero { try? await Task.sleep(for: pause) }
      await self?.indexReading?.value
      if Task.isCancelled { return }
      self?.find(text, query)
      self?.needsDrawing()
    }
    goToFound()
  }

  /// Shows the matches that the index finds.
  private func find(_ text: TextQuery, _ query: TerminalQuery) {
    guard let index else { return }
    search?.task = nil
    search?.isPending = false
    update {
      // A result with few rows may be about to get very many rows.
      let isNarrower = search?.shown.map { query.isNarrower(than: $0) } ?? false
      if search?.isExpanded == true, !isNarrower { collapseFound() }
      contents.filter.setSearch(text, in: index)
      expandFound(few: contents.filter.matchCount <= Self.expandedMatches)
    }
    search?.shown = query
    goToFound()
  }

  private func findInSlices(_ query: TerminalQuery) {
    let progress = BackgroundProgress()
    search?.shown = nil
    search?.progress = progress
    search?.foundSoFar = 0
    search?.task = Task { [weak self] in await self?.find(query, progress) }
    Task { [weak self] in
      while self?.search?.progress === progress {
        self?.needsDrawing()
        try? await Task.sleep(for: Self.drawingInterval)
      }
    }
    goToFound()
  }

  /// Checks the elements one by one.
  private func find(_ query: TerminalQuery, _ progress: BackgroundProgress) async {
    guard search?.progress === progress else { return }
    let predicate = contents.predicate(of: query, hiding: hiding)
    do {
      try await contents.filter.setPredicate(
        inBackground: .inSlices(of: Self.slice), progress: progress,
        where: { [weak self] element in
          let isFound = predicate(element)
          if isFound, let self, self.search?.progress === progress { self.search?.foundSoFar += 1 }
          return isFound
        })
    } catch {
      // Another query has replaced this one.
      return
    }
    endSlices(of: progress)
  }

  private func endSlices(of progress: BackgroundProgress) {
    guard search?.progress === progress else { return }
    search?.task = nil
    search?.progress = nil
    update { expandFound(few: contents.filter.matchCount <= Self.expandedMatches) }
    goToFound()
    needsDrawing()
  }

  /// Waits until a search in slices has ended; for tests.
  package func searchEnd() async { await search?.task?.value }

  /// Goes to a match if the current row no longer matches, because more elements have been read meanwhile.
  ///
  /// If the user has moved to a row, that row stays the current one.
  package func followMatches() {
    guard let search, hidesOthers, !search.isPending, search.task == nil, !isMatch(row: cursor),
      placedID == nil || element(at: cursor).map(contents.id) == placedID
    else { return }
    goToFound()
  }

  /// Expands the result, or only its first rows if there are very many matches.
  private func expandFound(few: Bool) {
    let rows = contents.rows
    if few {
      if search?.isExpanded != true || !rows.isTemporarilyExpanded { rows.beginTemporaryExpansion(.expanded) }
    } else {
      if search?.isExpanded != false || !rows.isTemporarilyExpanded { collapseFound() }
      var row = 0
      while row < rows.count, row < 2 * viewHeight {
        if rows.row(at: row).hasChildren { rows.expand(row: row, by: .program) }
        row += 1
      }
    }
    search?.isExpanded = few
  }

  private func collapseFound() {
    contents.rows.beginTemporaryExpansion(.collapsed)
    search?.isExpanded = false
  }

  /// Goes to the first match among the rows that were on the screen, or else among all rows; in a fuzzy search, to the
  /// best.
  private func goToFound() {
    findPlace()
    placedID = element(at: cursor).map(contents.id)
  }

  private func findPlace() {
    guard let search, let query = search.query else { return }
    let isFound = contents.predicate(of: query, hiding: hiding)
    for (element, anchor) in search.onScreen where isFound(element) {
      if let path = anchor.path, let row = revealed(path) { return go(to: row) }
    }
    if search.isPending { return }
    if !search.hides { return seek(1, from: search.cursor?.path.flatMap { shownPath(ofSource: $0) }) }
    if case .text(let text) = query, text.kind == .fuzzy, let index, search.task == nil,
      let best = index.best(for: text, limit: 1).first, let row = revealed(index.path(ofNumber: best.number))
    {
      return go(to: row)
    }
    go(to: (0..<min(count, 1_000)).first { isMatch(row: $0) } ?? 0)
  }

  /// Expands the ancestors of an element of the source, and returns its row; nil if the filter hides the element.
  func revealed(_ path: IndexPath) -> Int? { shownPath(ofSource: path).map { contents.rows.reveal($0) } }

  /// Whether a row itself matches, and is not only an ancestor of a match.
  package func isMatch(row: Int) -> Bool {
    guard let query = search?.query, let element = element(at: row) else { return false }
    return contents.predicate(of: query, hiding: hiding)(element)
  }

  /// Goes to the next or the previous match; from the last match to the first.
  func goToMatch(_ step: Int) {
    guard search?.query != nil else {
      message = "there is no search; / begins one"
      return
    }
    if search?.hides == false { return seek(step) }
    for distance in 0..<count {
      let row = ((cursor + step * (distance + 1)) % count + count) % count
      if isMatch(row: row) { return go(to: row) }
    }
  }
}
