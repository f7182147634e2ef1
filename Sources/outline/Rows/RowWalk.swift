import Assemblage

/// One run through a stream.
struct RowWalk {
  let stream: RowStream
  let range: Range<Int>
  let countsAll: Bool
  /// The rows so far, told or not.
  private(set) var count = 0
  private var hasEnded = false

  init(stream: RowStream, range: Range<Int>, countsAll: Bool) {
    self.stream = stream
    self.range = range
    self.countsAll = countsAll
  }

  private var tree: any ItemTree { stream.tree }
  /// Whether nothing more is wanted.
  var isDone: Bool { hasEnded || !countsAll && count >= range.upperBound }

  // MARK: One node

  mutating func tellWhole(_ node: any TreeNode<Item>, _ body: (Row) -> Bool) {
    if let filter = tree.filter {
      let filtered = TreeFilterNode(node, policy: filter.policy, where: filter.predicate)
      tell(OutlineNode(filtered, expansion: expansion(atDepth: 0), id: { $0 }), depth: 0, parent: nil, body)
    } else if countsAll || range.upperBound == .max {
      tell(OutlineNode(node, expansion: expansion(atDepth: 0), id: { $0 }), depth: 0, parent: nil, body)
    } else {
      // Row by row, so that nothing is asked for that stands behind the last row.
      let outline = OutlineNode(node, id: { $0 })
      var row = 0
      while row < min(range.upperBound, outline.count) {
        if stream.opens(depth: outline.row(at: row).depth) { outline.expand(row: row, by: .program) }
        row += 1
      }
      tell(outline, depth: 0, parent: nil, body)
    }
  }

  private func expansion(atDepth depth: Int) -> ExpansionState<Item> {
    ExpansionState(policy: stream.levels.map { .depth(max(0, $0 - 1 - depth)) } ?? .expanded)
  }

  // MARK: Pieces

  /// A branch that is too large for a piece, and how far it has been looked through.
  private struct Frame {
    let item: Item
    /// The branch that it stands in; nil for the root, which has no row.
    let parent: Item?
    let children: [Item]
    var position = 0
    /// The depth of the children.
    let depth: Int
    /// Whether everything below is shown, whatever the filter says.
    let showsAll: Bool
  }

  mutating func tellPieces(below root: Item, _ body: (Row) -> Bool) {
    var stack = [
      Frame(item: root, parent: nil, children: tree.children(of: root), depth: 0, showsAll: tree.filter == nil)
    ]
    // The branches at the end of the stack that have no row yet: they get one when something below them does.
    var waiting: [Frame] = []

    while let frame = stack.last, !isDone {
      guard frame.position < frame.children.count else {
        stack.removeLast()
        if waiting.last?.item == frame.item { waiting.removeLast() }
        continue
      }
      let run = pieceEnd(frame)
      stack[stack.count - 1].position = max(run, frame.position + 1)
      guard run == frame.position else {
        let isFound = tellPiece(
          Array(frame.children[frame.position..<run]), frame, waiting: waiting, body)
        guard isFound else { continue }
        waiting = []
        // Where rows are not shown, one that is found is enough.
        while let last = stack.last, isHidden(last) { stack.removeLast() }
        continue
      }
      let item = frame.children[frame.position]
      let matches = frame.showsAll || tree.filter?.predicate(item) == true
      let next = Frame(
        item: item, parent: frame.item, children: tree.children(of: item), depth: frame.depth + 1,
        showsAll: frame.showsAll || matches && tree.filter?.policy == .keepingDescendants)
      stack.append(next)
      waiting.append(next)
      if matches {
        tellBranches(waiting, body)
        waiting = []
        while let last = stack.last, isHidden(last) { stack.removeLast() }
      }
    }
  }

  private func isHidden(_ frame: Frame) -> Bool { stream.levels.map { frame.depth >= $0 } ?? false }

  /// Where the piece that begins at a frame's position ends; there itself where the first child is too large.
  private func pieceEnd(_ frame: Frame) -> Int {
    let looksInside = stream.opens(depth: frame.depth) || !frame.showsAll
    var (end, weight) = (frame.position, 0)
    while end < frame.children.count {
      let item = frame.children[end]
      weight += looksInside && tree.isBranch(item) ? 1 + tree.weight(of: item) : 1
      if weight > stream.pieceWeight, end > frame.position || tree.isBranch(item) { break }
      end += 1
    }
    return end
  }

  /// Tells the rows of branches that stand in each other.
  private mutating func tellBranches(_ frames: [Frame], _ body: (Row) -> Bool) {
    for frame in frames where !isDone {
      let depth = frame.depth - 1
      if let levels = stream.levels, depth >= levels { continue }
      tellRow(frame.item, depth: depth, parent: frame.parent, body)
    }
  }

  /// Tells the rows of a piece, and before them those of the branches that wait for something to be found.
  ///
  /// - Returns: whether something is shown, or would be, were it not too deep.
  private mutating func tellPiece(
    _ items: [Item], _ frame: Frame, waiting: [Frame], _ body: (Row) -> Bool
  ) -> Bool {
    let tree = tree
    let hierarchy = HierarchyNode(
      roots: { items }, id: { $0 }, hasChildren: { tree.mayHaveChildren($0) }, children: { tree.children(of: $0) })
    let shown: any TreeNode<Item> =
      if !frame.showsAll, let filter = tree.filter {
        TreeFilterNode(hierarchy, policy: filter.policy, where: filter.predicate)
      } else {
        hierarchy
      }
    guard shown.count > 0 else { return false }
    tellBranches(waiting, body)
    if !isHidden(frame) {
      tell(
        OutlineNode(shown, expansion: expansion(atDepth: frame.depth), id: { $0 }), depth: frame.depth,
        parent: frame.item, body)
    }
    return true
  }

  // MARK: Rows

  /// Tells those rows of an outline that are wanted, and counts all.
  private mutating func tell(
    _ outline: OutlineNode<Item, Item>, depth: Int, parent: Item?, _ body: (Row) -> Bool
  ) {
    guard !hasEnded else { return }
    let first = count
    let wanted = range.clamped(to: first..<first + outline.count)
    var start = wanted.lowerBound - first
    // The branches above the next row.
    var above = start < outline.count ? ancestors(ofRow: start, in: outline) : []
    while start < wanted.upperBound - first, !hasEnded {
      // In stretches, because a visit can't be ended.
      let end = min(start + 4_096, wanted.upperBound - first)
      outline.forEachSpan(in: start..<end) { row, span in
        for index in span.indices where !hasEnded {
          let item = span[index]
          while let last = above.last, !tree.isBelow(item, last) { above.removeLast() }
          count = first + row + index
          tellRow(item, depth: depth + above.count, parent: above.last ?? parent, body)
          if tree.isBranch(item) { above.append(item) }
        }
      }
      start = end
    }
    count = first + outline.count
  }

  private func ancestors(ofRow row: Int, in outline: OutlineNode<Item, Item>) -> [Item] {
    var node = outline.root
    var items: [Item] = []
    for position in outline.path(ofRow: row).dropLast() {
      guard let item = node.element(at: position), let child = node.child(at: position) else { break }
      items.append(item)
      node = child
    }
    return items
  }

  private mutating func tellRow(_ item: Item, depth: Int, parent: Item?, _ body: (Row) -> Bool) {
    if range.contains(count) {
      let isOpened = tree.isBranch(item) && stream.opens(depth: depth)
      hasEnded = !body(Row(item: item, parent: parent, number: count, depth: depth, isOpened: isOpened))
    }
    count += 1
  }
}
