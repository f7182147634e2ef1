import OffsetIndexing

extension NestTranslation {
  /// Creates the translation of a source.
  ///
  /// - Parameters:
  ///   - links: the ids and parents of the rows, in the order of the source.
  ///   - slotCount: the number of slots; every slot in `links` is less.
  /// - Complexity: O(n) for n rows.
  init(_ links: [NestLink], slotCount: Int) {
    order = OrderIndex(count: links.count)
    rows = links.map { Row($0) }
    holders = [RowNumber](repeating: RowNumber(), count: slotCount)
    // The tree is made when the rows are linked.
    tree = ForestStorage(shape: TreeIndex(), elements: ChunkedArray([]))
    for (row, link) in links.enumerated() where link.id > 0 {
      if let holder = holder(of: link.id) {
        duplicates[link.id, default: [holder]].append(row)
      } else {
        holders[link.id].wrappedValue = row
      }
    }
    for (row, link) in links.enumerated() where link.parent > 0 {
      if let holder = holder(of: link.parent), holder != row {
        rows[row].above = holder
        rows[row].parent = holder
      } else {
        waiting[link.parent, default: []].insert(row)
      }
    }
    cutCycles()
    tree = makeTree()
  }

  private mutating func cutCycles() {
    // For each row, the start of the walk that visited it, plus one; 0 for a row that no walk has visited.
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
      rows[first].parent = nil
      cutCount += 1
    }
  }

  /// Makes the tree in document order, and notes the branches.
  private mutating func makeTree() -> ForestStorage<Int32> {
    // The first child of each row, with that of the top level at the end; and the next sibling of each row.
    var firstChild = [RowNumber](repeating: RowNumber(), count: count + 1)
    var sibling = [RowNumber](repeating: RowNumber(), count: count)
    for row in rows.indices.reversed() {
      let parent = rows[row].parent ?? count
      sibling[row] = firstChild[parent]
      firstChild[parent].wrappedValue = row
    }
    var builder = ForestBuilder<Int32>()
    var next = firstChild[count].wrappedValue
    while var row = next {
      next = firstChild[row].wrappedValue
      if next != nil {
        rows[row].branch = builder.open(Int32(truncatingIfNeeded: row))
        continue
      }
      builder.appendLeaf(Int32(truncatingIfNeeded: row))
      next = sibling[row].wrappedValue
      while next == nil, let parent = rows[row].parent {
        builder.close()
        row = parent
        next = sibling[row].wrappedValue
      }
    }
    return builder.finish()
  }
}

// MARK: - Invariants

extension NestTranslation {
  /// Traps where the tree does not follow from the order of the source and from the ids and parents of the rows.
  func checkInvariants() {
    order.checkInvariants()
    tree.checkInvariants()
    let numbers = order.map(\.number)
    let rebuilt = NestTranslation(numbers.map { rows[$0].link }, slotCount: holders.count)
    require(tree.shape.count == count, "A nest of \(count) rows shows \(tree.shape.count).")
    require(cutCount == rebuilt.cutCount, "A nest cuts \(cutCount) cycles of \(rebuilt.cutCount).")
    for (position, row) in numbers.enumerated() {
      // Compares parents instead of paths: the total length of all paths may be the square of the depth.
      let (branch, place) = place(of: row)
      require(
        rows[row].parent == rebuilt.rows[position].parent.map { numbers[$0] }
          && place == rebuilt.place(of: position).position && self.row(at: place, of: branch) == row,
        "A nest shows row \(position) as the child \(place) of its parent.")
      require(
        rows[row].above == rebuilt.rows[position].above.map { numbers[$0] },
        "A nest links row \(position) to another one.")
      require(
        (rows[row].branch == nil) == (rebuilt.rows[position].branch == nil), "A branch of a nest has no children.")
    }
    for slot in holders.indices {
      require(holder(of: slot) == rebuilt.holder(of: slot).map { numbers[$0] }, "Another row of a nest holds an id.")
      require(
        waiting[slot] == rebuilt.waiting[slot].map { Set($0.map { numbers[$0] }) }, "Other rows of a nest wait.")
      require(
        duplicates[slot] == rebuilt.duplicates[slot]?.map { numbers[$0] }, "Other rows of a nest have an id in common.")
    }
  }
}
