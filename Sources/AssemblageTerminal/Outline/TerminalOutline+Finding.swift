import Assemblage
import AssemblageSearch
import AssemblageWidgets

// A search among all rows: the search hides nothing, and goes from match to match, into collapsed folders as well. This
// file also recalls former searches.
extension TerminalOutline {
  /// Shows the rows that a search has hidden, or hides them again; the current row stays.
  func toggleRest() {
    guard let search else {
      message = "there is no search; / begins one"
      return
    }
    search.task?.cancel()
    self.search?.task = nil
    self.search?.progress = nil
    self.search?.isPending = false
    self.search?.problem = nil
    self.search?.shown = nil
    self.search?.hides.toggle()
    if !search.hides { return applySearch(mayNarrow: false) }
    let place = sourcePath(ofRow: cursor).map { NodeAnchor(of: contents.filter.source, at: $0) }
    let line = cursor - top
    update {
      showAll(hint: .looser)
      contents.rows.endTemporaryExpansion()
    }
    self.search?.isExpanded = false
    if let path = place?.path, let row = revealed(path) {
      top = row - line
      go(to: row)
    }
  }

  /// Goes to the next row that matches, whether it is expanded or not; from the last row to the first.
  ///
  /// - Parameters:
  ///   - step: 1 for the next match, -1 for the previous one.
  ///   - start: the path of the row behind which the search begins; nil for the current row.
  func seek(_ step: Int, from start: IndexPath? = nil) {
    guard let query = search?.query, count > 0 else { return }
    search?.problem = nil
    search?.task?.cancel()
    search?.task = nil
    search?.isPending = false
    var walk = walk(query, from: start ?? contents.rows.path(ofRow: cursor), step)
    if !goes(along: &walk) { goOn(along: walk, to: query) }
  }

  /// The walk to the next match.
  ///
  /// It visits the elements that the index finds, or all elements if the index is not made yet or has no answer.
  private func walk(_ query: TerminalQuery, from start: IndexPath, _ step: Int) -> MatchWalk<Element> {
    prepareIndex()
    let isFound = contents.predicate(of: query, hiding: hiding)
    let everything = MatchWalk(start: start, step: step, isFound: isFound)
    guard indexReading == nil, let index, let candidates = query.candidates(in: index) else { return everything }
    let numbers = candidates.ranges.flatMap(\.self)
    // Elements are numbered in the order of the source.
    if orderIndex == 0, !isReversed, contents.orders.first?.areInIncreasingOrder == nil {
      let path = contents.sort.sourcePath(of: start).flatMap { contents.filter.sourcePath(of: $0) }
      let place = path.flatMap { index.number(at: $0) } ?? -1
      let first = numbers.partition(behind: place)
      let before = numbers[..<(first > 0 && numbers[first - 1] == place ? first - 1 : first)]
      let ordered = step > 0 ? Array(numbers[first...] + before) : (numbers[first...] + before).reversed()
      return MatchWalk(start: start, step: step, isFound: isFound, among: ordered)
    }
    if numbers.count > Self.sortedMatches { return everything }
    let paths = numbers.compactMap { number in
      shownPath(ofSource: index.path(ofNumber: number)).map { (number: number, path: $0) }
    }
    let sorted = paths.filter { $0.path != start }.sorted { $0.path < $1.path }
    let first = sorted.firstIndex { $0.path > start } ?? sorted.count
    let ordered = (sorted[first...] + sorted[..<first]).map(\.number)
    return MatchWalk(start: start, step: step, isFound: isFound, among: step > 0 ? ordered : ordered.reversed())
  }

  /// The largest number of matches that are sorted by their rows while a key waits.
  ///
  /// With more matches, the next one is near, so a walk through all elements finds it soon.
  private static var sortedMatches: Int { 2_000 }

  private func goOn(along walk: MatchWalk<Element>, to query: TerminalQuery) {
    search?.isPending = true
    var waitsForIndex = indexReading != nil
    search?.task = Task { [weak self] in
      var walk = walk
      while true {
        await Task.yield()
        if Task.isCancelled { return }
        guard let self else { return }
        if waitsForIndex, self.indexReading == nil {
          // The index is made now, and knows where the next match is.
          waitsForIndex = false
          let shorter = self.walk(query, from: walk.start, walk.step)
          if shorter.numbers != nil { walk = shorter }
        }
        if self.goes(along: &walk) {
          self.search?.isPending = false
          self.search?.task = nil
          return self.needsDrawing()
        }
      }
    }
  }

  /// Walks for one slice of time, and goes to a match.
  ///
  /// - Returns: whether the walk has ended.
  private func goes(along walk: inout MatchWalk<Element>) -> Bool {
    let end = ContinuousClock.now + Self.slice
    let outcome = walk.numbers == nil ? walk.go(in: contents.sort, until: end) : goAlongNumbers(&walk, until: end)
    switch outcome {
    case .onTheWay: return false
    case .nothing:
      // The current row may be the only match.
      if !isMatch(row: cursor) { search?.problem = "nothing is found" }
    case .match(let path): go(to: contents.rows.reveal(path))
    }
    placedID = element(at: cursor).map(contents.id)
    return true
  }

  private func goAlongNumbers(
    _ walk: inout MatchWalk<Element>, until end: ContinuousClock.Instant
  ) -> MatchWalk<Element>.Outcome {
    guard let index else { return .nothing }
    repeat {
      guard let number = walk.numbers?.popFirst() else { return .nothing }
      // Elements may have left since the walk began.
      guard number < index.count else { continue }
      let path = index.path(ofNumber: number)
      if let element = contents.filter.source.element(at: path), walk.isFound(element),
        let shown = shownPath(ofSource: path)
      {
        return .match(shown)
      }
    } while ContinuousClock.now < end
    return .onTheWay
  }

  // MARK: Former searches

  /// Stores the text of the search, for `recall(_:)`.
  func remember() {
    guard let text = search?.line.text, search?.query != nil else { return }
    searches.remember(text)
  }

  /// Puts a former search, or a former command, into the line.
  ///
  /// The typed text follows the last one.
  func recall(_ step: Int) {
    if case .command(let line) = mode {
      guard let text = commands.recall(step, from: line.text) else { return }
      var line = line
      line.replace(with: text)
      mode = .command(line)
    } else if let search, let text = searches.recall(step, from: search.line.text) {
      type { $0.replace(with: text) }
    }
  }
}

extension [Int] {
  /// The place of the first number that is larger than another one, among ascending numbers.
  fileprivate func partition(behind number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > number { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
