public import OffsetIndexing

// Where rows stand, in the source and in the tree.
extension NestTranslation {
  /// The branch of a row, or that of the top level for nil; nil where the row has no children.
  func branch(of row: Int?) -> Branch? {
    guard let row else { return TreeIndex.root }
    return rows[row].branch
  }

  /// The number of children of a branch.
  @usableFromInline
  func count(of branch: Branch) -> Int { tree.shape.childCount(of: branch) }

  /// The row that is a child of a branch.
  func row(at position: Int, of branch: Branch) -> Int {
    Int(tree.contents[0][tree.shape.child(at: position, of: branch).number])
  }

  /// The row of a branch that is an element.
  func row(of branch: Branch) -> Int { Int(tree.element(of: branch, in: 0)) }

  /// The row at a position of the source.
  func row(atSource position: Int) -> Int { order[position].number }

  /// The position of a row in the source.
  func sourcePosition(ofRow row: Int) -> Int { order.position(of: OrderIndex.Handle(number: row)) }

  /// The position in the source of a child of a branch.
  @usableFromInline
  func sourcePosition(of position: Int, in branch: Branch) -> Int {
    sourcePosition(ofRow: row(at: position, of: branch))
  }

  /// The positions in the source of some children of a branch.
  ///
  /// - Complexity: O(r · log n) for r rows, and never more than O(n).
  @usableFromInline
  func sourcePositions(of range: Range<Int>, in branch: Branch) -> [Int] {
    var children: [Int] = []
    children.reserveCapacity(range.count)
    let elements = tree.contents[0]
    var position = range.lowerBound
    while position < range.upperBound {
      let numbers = tree.shape.run(at: position, of: branch).numbers.prefix(range.upperBound - position)
      elements.forEachSpan(in: numbers) { _, span in
        for index in span.indices { children.append(Int(span[index])) }
      }
      position += numbers.count
    }
    // A look-up takes about as long as 16 steps of a walk over the order.
    if children.count <= count / 16 { return children.map { sourcePosition(ofRow: $0) } }
    var positions = [Int](repeating: 0, count: order.handleLimit)
    for (position, handle) in order.enumerated() { positions[handle.number] = position }
    return children.map { positions[$0] }
  }

  /// Where a row stands: its parent's branch, and its position among the children of that.
  ///
  /// - Complexity: O(log² n) for a row without children, O(log n) for a branch.
  func place(of row: Int) -> (branch: Branch, position: Int) {
    if let branch = rows[row].branch {
      return (tree.shape.parent(of: branch)!, tree.shape.position(of: branch))
    }
    let parent = branch(of: rows[row].stand)!
    return (parent, rank(of: sourcePosition(ofRow: row), in: parent))
  }

  /// The path of a row from the top level.
  func path(of row: Int) -> [Int] {
    let (branch, position) = place(of: row)
    return tree.path(of: branch, from: TreeIndex.root) + [position]
  }

  /// The path of a row from the top level, and how many children it has.
  func nodePlace(of row: Int) -> NestPlan.Place { (path(of: row), rows[row].branch.map { count(of: $0) } ?? 0) }

  /// The row that holds the id in a slot.
  func holder(of slot: Int) -> Int? { slot > 0 ? keys[slot].holder : nil }

  /// How many children of a branch stand in the source before a position.
  ///
  /// - Parameters:
  ///   - position: a position in the source.
  ///   - branch: the branch.
  ///   - skipped: a child that does not count, and may stand anywhere.
  /// - Returns: their number.
  func rank(of position: Int, in branch: Branch, skipping skipped: Int? = nil) -> Int {
    let count = count(of: branch) - (skipped == nil ? 0 : 1)
    func precedes(_ index: Int) -> Bool {
      let child = if let skipped, index >= skipped { index + 1 } else { index }
      return sourcePosition(of: child, in: branch) < position
    }
    // Rows often come at the end.
    if count == 0 || precedes(count - 1) { return count }
    return (0..<count).partitioningIndex { !precedes($0) }
  }

  /// Whether a row stands below another one, at any depth.
  func isBelow(_ row: Int, _ other: Int) -> Bool {
    guard let branch = rows[other].branch else { return false }
    let (parent, position) = place(of: row)
    return tree.shape.descendants(of: branch).contains(tree.shape.child(at: position, of: parent).number)
  }
}
