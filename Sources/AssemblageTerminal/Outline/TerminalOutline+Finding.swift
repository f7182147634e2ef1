import Assemblage
import AssemblageWidgets

// A search among all rows: it hides nothing, and leads from match to match, into collapsed folders as well. And the searches
// before it.
extension TerminalOutline {
  /// Shows what a search has hidden, or hides it again; the current row stays.
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
    let place = sourcePath(ofRow: cursor).map { Anchor(of: contents.filter.source, at: $0) }
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

  /// Goes to the next row that is found, expanded or not; from the last one to the first.
  ///
  /// - Parameters:
  ///   - step: 1 for the next one, -1 for the one before.
  ///   - start: the path of the row to begin behind; nil for the current one.
  func seek(_ step: Int, from start: IndexPath? = nil) {
    guard let query = search?.query, count > 0 else { return }
    let start = start ?? contents.rows.path(ofRow: cursor)
    var walk = MatchWalk(
      start: start, step: step, isFound: contents.predicate(of: query, hiding: hiding))
    search?.problem = nil
    search?.task?.cancel()
    search?.task = nil
    search?.isPending = false
    if goes(along: &walk) { return }
    search?.isPending = true
    search?.task = Task { [weak self] in
      while true {
        await Task.yield()
        if Task.isCancelled { return }
        guard let self else { return }
        if self.goes(along: &walk) {
          self.search?.isPending = false
          self.search?.task = nil
          return self.needsDrawing()
        }
      }
    }
  }

  /// Walks for a slice of time, and goes to a match.
  ///
  /// - Returns: whether the walk has ended.
  private func goes(along walk: inout MatchWalk<Element>) -> Bool {
    switch walk.go(in: contents.sort, until: .now + Self.slice) {
    case .onTheWay: return false
    case .nothing:
      // The current row may be the only match.
      if !isMatch(row: cursor) { search?.problem = "nothing is found" }
    case .match(let path): go(to: contents.rows.reveal(path))
    }
    placedID = element(at: cursor).map(contents.id)
    return true
  }

  // MARK: Former searches

  /// Notes what is looked for, for `recall(_:)`.
  func remember() {
    guard let text = search?.line.text, search?.query != nil else { return }
    searches.remember(text)
  }

  /// Puts another search, or another command, of before into the line; behind the last one is what was typed.
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

/// A way through a tree in the order of its rows, as if all were expanded, in slices of time.
///
/// Between two slices the tree may change. Where the place has gone, the way begins again.
private struct MatchWalk<Element> {
  enum Outcome {
    case onTheWay, nothing
    case match(IndexPath)
  }

  let start: IndexPath
  let step: Int
  let isFound: (Element) -> Bool
  private var place: IndexPath
  /// Whether the way has led over the end of the tree.
  private var hasTurned = false

  init(start: IndexPath, step: Int, isFound: @escaping (Element) -> Bool) {
    (self.start, self.step, self.isFound, place) = (start, step, isFound, start)
  }

  mutating func go(in tree: any TreeNode<Element>, until end: ContinuousClock.Instant) -> Outcome {
    guard tree.count > 0 else { return .nothing }
    var cursor = TreeCursor(tree, at: place)
    repeat {
      for _ in 0..<64 {
        if !(step > 0 ? cursor.goToNext() : cursor.goToPrevious()) {
          if hasTurned { return .nothing }
          hasTurned = true
          cursor = step > 0 ? TreeCursor(firstOf: tree) : TreeCursor(lastOf: tree)
        }
        let path = cursor.path
        if hasTurned, step > 0 ? path >= start : path <= start { return .nothing }
        if let element = cursor.element, isFound(element) { return .match(path) }
      }
    } while ContinuousClock.now < end
    place = cursor.path
    return .onTheWay
  }
}

/// A place in a tree that goes from element to element, each before what is below it.
private struct TreeCursor<Element> {
  private var levels: [(node: any TreeNode<Element>, position: Int)] = []

  /// Creates a cursor at a path, or where that leads nowhere, at the nearest place before it.
  init(_ tree: any TreeNode<Element>, at path: IndexPath) {
    var node = tree
    for position in path {
      guard node.count > 0 else { return }
      levels.append((node, min(position, node.count - 1)))
      guard position < node.count, let child = node.child(at: position) else { return }
      node = child
    }
  }

  init(firstOf tree: any TreeNode<Element>) { levels = [(tree, 0)] }

  init(lastOf tree: any TreeNode<Element>) {
    levels = [(tree, tree.count - 1)]
    goToLastBelow()
  }

  var path: IndexPath { IndexPath(indexes: levels.map(\.position)) }

  var element: Element? { levels.last.flatMap { $0.node.element(at: $0.position) } }

  private var child: (any TreeNode<Element>)? { levels.last.flatMap { $0.node.child(at: $0.position) } }

  /// Goes on; returns false at the end of the tree.
  mutating func goToNext() -> Bool {
    if let child, child.count > 0 {
      levels.append((child, 0))
      return true
    }
    while let last = levels.popLast() {
      if last.position + 1 < last.node.count {
        levels.append((last.node, last.position + 1))
        return true
      }
    }
    return false
  }

  /// Goes back; returns false at the beginning of the tree.
  mutating func goToPrevious() -> Bool {
    guard let last = levels.popLast() else { return false }
    if last.position == 0 { return !levels.isEmpty }
    levels.append((last.node, last.position - 1))
    goToLastBelow()
    return true
  }

  private mutating func goToLastBelow() {
    while let child, child.count > 0 { levels.append((child, child.count - 1)) }
  }
}
