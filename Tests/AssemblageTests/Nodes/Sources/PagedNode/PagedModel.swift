/// A simple model of a node of pages: the contents of each row, and the requested pages.
final class PagedModel {
  enum State: Equatable { case fresh, stale, failed }

  let size: Int
  let keeping: Int
  let limit: Int
  var count: Int
  var isExact: Bool
  var proven = 0
  /// The loaded rows by position.
  var rows: [Int: Int] = [:]
  /// The states of the pages that are kept.
  var states: [Int: State] = [:]
  /// The same pages, with the page that was read last at the end.
  var recency: [Int] = []
  /// The pages that wait or are loaded, with the page that was read last at the end.
  var asked: [Int] = []
  var running: Set<Int> = []
  /// The number of open requests whose answers are not wanted any more.
  var zombies = 0
  var visible: Range<Int>?
  /// The rows that an observer reads at each notification.
  var screen = 0..<0
  var forgotten: Set<Int> = []
  private(set) var forgottenCount = 0
  private(set) var droppedCount = 0

  init(count: Int, isExact: Bool, size: Int, keeping: Int, limit: Int) {
    (self.count, self.isExact, self.size, self.keeping, self.limit) = (count, isExact, size, keeping, limit)
  }

  var pages: Range<Int> { 0..<(count + size - 1) / size }

  func positions(_ page: Int) -> Range<Int> { page * size..<(page + 1) * size }

  func request(_ page: Int) -> Range<Int> { isExact ? positions(page).clamped(to: 0..<count) : positions(page) }

  func isVisible(_ page: Int) -> Bool { visible.map { positions(page).overlaps($0) } ?? false }

  func word(_ position: Int) -> String {
    rows[position].map { "\($0)" } ?? (states[position / size] == .failed ? "!" : "…")
  }

  func loadWord(_ page: Int) -> String {
    if asked.contains(page) { return "loading" }
    return switch states[page] {
    case nil, .stale: "unloaded"
    case .failed: "failed"
    case .fresh: "loaded"
    }
  }

  // MARK: Looks

  func look(_ position: Int) {
    let page = position / size
    if states[page] != nil {
      recency.removeAll { $0 == page }
      recency.append(page)
    }
    if states[page] == nil || states[page] == .stale, !forgotten.contains(page) { ask(page) }
  }

  func ask(_ page: Int) {
    asked.removeAll { $0 == page }
    asked.append(page)
    while asked.count > keeping, let oldest = asked.first(where: { $0 != page && !isVisible($0) }) {
      droppedCount += 1
      drop(oldest)
    }
  }

  func drop(_ page: Int) {
    asked.removeAll { $0 == page }
    if running.remove(page) != nil { zombies += 1 }
  }

  /// Begins the loads of the pages that are next.
  func advance() {
    while running.count + zombies < limit, let page = asked.last(where: { !running.contains($0) }) {
      running.insert(page)
    }
  }

  /// Reads the rows that an observer reads at each notification.
  func reported() {
    for position in screen.clamped(to: 0..<count) { look(position) }
  }

  // MARK: Answers

  func take(_ answer: [Int]?, page: Int) {
    let request = request(page)
    running.remove(page)
    asked.removeAll { $0 == page }
    if let answer, isExact ? answer.count == request.count : answer.count <= request.count {
      for position in request { rows[position] = nil }
      for (position, row) in zip(request, answer) { rows[position] = row }
      states[page] = .fresh
      recency.removeAll { $0 == page }
      recency.append(page)
      if !isExact {
        let end = request.lowerBound + answer.count
        if answer.count == request.count {
          proven = max(proven, end)
          resize(max(count, end + 1), isExact: false)
        } else if !answer.isEmpty || end <= proven {
          resize(end, isExact: true)
        } else {
          resize(min(end, count), isExact: false)
        }
      }
    } else {
      states[page] = .failed
      recency.removeAll { $0 == page }
      recency.append(page)
    }
    while recency.count > keeping, let oldest = recency.first(where: { $0 != page && !isVisible($0) }) {
      forget(oldest)
      forgotten.insert(oldest)
      forgottenCount += 1
    }
    reported()
    forgotten = []
  }

  func forget(_ page: Int) {
    for position in positions(page) { rows[position] = nil }
    states[page] = nil
    recency.removeAll { $0 == page }
  }

  func resize(_ count: Int, isExact: Bool) {
    let requests = Dictionary(uniqueKeysWithValues: running.map { ($0, request($0)) })
    (self.count, self.isExact) = (count, isExact)
    proven = min(proven, count)
    rows = rows.filter { $0.key < count }
    for page in Set(states.keys).union(asked) where !pages.contains(page) {
      forget(page)
      drop(page)
    }
    for (page, state) in states where state == .fresh {
      if request(page).contains(where: { rows[$0] == nil }) { states[page] = .stale }
    }
    for (page, former) in requests where running.contains(page) && former != request(page) { supersede(page) }
  }

  func supersede(_ page: Int) {
    if running.remove(page) != nil { zombies += 1 }
  }

  // MARK: Edits by users

  func setVisible(_ range: Range<Int>?) {
    visible = range
    if range != nil { for page in asked where !isVisible(page) { drop(page) } }
  }

  func setCount(_ count: Int, isExact: Bool) {
    let former = self.count
    resize(count, isExact: isExact)
    if count != former { reported() }
  }

  func invalidate(_ pages: Range<Int>) -> Bool {
    for page in pages { supersede(page) }
    if !pages.isEmpty { proven = min(proven, pages.lowerBound * size) }
    return age(pages.filter { states[$0] != nil })
  }

  /// - Returns: whether a change is reported.
  private func age(_ pages: [Int]) -> Bool {
    for page in pages {
      if positions(page).contains(where: { rows[$0] != nil }) { states[page] = .stale } else { forget(page) }
    }
    return !pages.isEmpty
  }

  func load(_ pages: [Int]) {
    let missing = pages.filter { states[$0] != .fresh }
    let isReported = age(missing.filter { states[$0] == .failed })
    for page in missing { ask(page) }
    if isReported { reported() }
  }

  func reset(_ count: Int, isExact: Bool) {
    for page in asked { drop(page) }
    let former = self.count
    (rows, states, recency, proven) = ([:], [:], [], 0)
    (self.count, self.isExact) = (count, isExact)
    if former > 0 || count > 0 { reported() }
  }
}
