import Assemblage

/// Visits an outline's entries from top to bottom, without recursion.
struct Walk {
  let outline: Outline
  /// The number of levels to open; nil opens all.
  var depth: Int?
  /// The number of entries to visit; nil visits all.
  var limit: Int?

  enum Event {
    /// A directory whose entries follow, or do not where it is closed.
    case open(Entry, Outline.Summary, depth: Int, isOpened: Bool)
    /// The end of an opened directory.
    case close(depth: Int)
    /// Anything but a directory.
    case leaf(Entry, depth: Int)
  }

  private struct Frame {
    let node: any TreeNode<Entry>
    /// Where its entries begin among those of all directories; nil for a join of several.
    let start: Int?
    /// Whether the directory was told, so that its end must be told too.
    let isTold: Bool
    var position = 0
  }

  /// Visits the entries.
  ///
  /// - Parameter body: told each entry below the top, depth 0 first; false ends the walk early, and then
  ///   nothing more is told.
  /// - Returns: the number of entries that the limit left out.
  func run(_ body: (Event) -> Bool) -> Int {
    var visited = 0
    var left = 0
    var stack = [
      Frame(
        node: outline.top, start: outline.top.value?.ordinal.map(outline.start(ofDirectory:)), isTold: false)
    ]

    while var frame = stack.popLast() {
      let depth = stack.count
      guard self.depth.map({ depth < $0 }) ?? true, frame.position < frame.node.count else {
        if frame.isTold, !body(.close(depth: depth - 1)) { return left }
        continue
      }
      let position = frame.position
      frame.position += 1
      stack.append(frame)
      guard let entry = frame.node.element(at: position), shows(entry, at: position, in: frame) else {
        continue
      }
      // What is left out is walked through all the same, to count it.
      let isTold = limit.map { visited < $0 } ?? true
      if isTold { visited += 1 } else { left += 1 }

      guard let ordinal = entry.ordinal else {
        if isTold, !body(.leaf(entry, depth: depth)) { return left }
        continue
      }
      let isOpened = self.depth.map { depth + 1 < $0 } ?? true
      if isTold {
        let summary = outline.summary(ofDirectory: ordinal)
        if !body(.open(entry, summary, depth: depth, isOpened: isOpened)) { return left }
      }
      if isOpened {
        let start = outline.start(ofDirectory: ordinal)
        stack.append(Frame(node: outline.directory(ordinal), start: start, isTold: isTold))
      }
    }
    return left
  }

  private func shows(_ entry: Entry, at position: Int, in frame: Frame) -> Bool {
    if let start = frame.start { return outline.shows(entry, at: start + position) }
    guard let join = frame.node as? JoinNode<Entry> else { return true }
    let place = join.locate(position)
    guard let ordinal = join.member(at: place.member).value?.ordinal else { return true }
    return outline.shows(entry, at: outline.start(ofDirectory: ordinal) + place.position)
  }
}
