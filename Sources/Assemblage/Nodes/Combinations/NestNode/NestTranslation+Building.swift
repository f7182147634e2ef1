import OffsetIndexing

extension NestTranslation {
  /// Creates the translation of a source.
  ///
  /// - Parameters:
  ///   - links: what each row says, in the order of the source.
  ///   - slotCount: how many slots there are; all in `links` are less.
  /// - Complexity: O(n) for n rows.
  init(_ links: [NestLink], slotCount: Int) {
    order = OrderIndex(count: links.count)
    rows = links.map { Row($0) }
    keys = [Key](repeating: Key(), count: slotCount)
    // Made anew once the rows are linked.
    tree = ForestStorage(shape: TreeIndex(), elements: ChunkedArray([]))
    for (row, link) in links.enumerated() {
      use(link)
      if link.id == 0 { continue }
      if let holder = keys[link.id].holder {
        duplicates[link.id, default: [holder]].append(row)
      } else {
        keys[link.id].holder = row
      }
    }
    for (row, link) in links.enumerated() where link.parent > 0 {
      if let holder = keys[link.parent].holder, holder != row {
        rows[row].above = holder
        rows[row].stand = holder
      } else {
        waiting[link.parent, default: []].insert(row)
      }
    }
    cutCycles()
    tree = makeTree()
  }

  private mutating func cutCycles() {
    // The row from which a walk along the links came to each, plus one.
    var walks = [Int](repeating: 0, count: rows.count)
    for start in rows.indices {
      var next: Int? = start
      while let row = next, walks[row] == 0 {
        walks[row] = start + 1
        next = rows[row].above
      }
      guard let met = next, walks[met] == start + 1 else { continue }
      var first = met
      var row = rows[met].above!
      while row != met {
        first = min(first, row)
        row = rows[row].above!
      }
      rows[first].stand = nil
      cutCount += 1
    }
  }

  private mutating func makeTree() -> ForestStorage<Int32> {
    // The children of each row, those of the top level first, one after the other.
    var starts = [Int](repeating: 0, count: rows.count + 2)
    for row in rows { starts[(row.stand ?? -1) + 2] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var children = [Int32](repeating: 0, count: rows.count)
    var filled = starts
    for (number, row) in rows.enumerated() {
      children[filled[(row.stand ?? -1) + 1]] = Int32(truncatingIfNeeded: number)
      filled[(row.stand ?? -1) + 1] += 1
    }
    var shape = TreeIndex.Builder()
    var elements: ContiguousArray<Int32> = []
    elements.reserveCapacity(rows.count)
    var open = [0..<starts[1]]
    while let range = open.popLast() {
      guard let next = range.first else {
        if !open.isEmpty { shape.closeBranch() }
        continue
      }
      open.append(range.dropFirst())
      let row = Int(children[next])
      elements.append(children[next])
      let own = starts[row + 1]..<starts[row + 2]
      if own.isEmpty {
        shape.appendLeaves(1)
      } else {
        rows[row].branch = shape.openBranch()
        open.append(own)
      }
    }
    return ForestStorage(shape: shape.finish(), elements: ChunkedArray(elements))
  }
}

/// What a row says of itself: the slots of its id and of its parent's, 0 for none.
struct NestLink: Hashable {
  var id: Int
  var parent: Int
}
