extension OffsetIndex {
  /// The bytes that the index holds on the heap, with the room for growth. Copies that were not changed hold the same
  /// bytes.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int {
    let header = storage.head
    // The head of the storage object is two words.
    return 2 * MemoryLayout<Int>.size + MemoryLayout<IndexHeader>.size + header.leaves.byteCount
      + header.branches.byteCount
  }

  /// The shape of the tree, with a node on each line: the form, the number of children or sizes or runs, and the sums.
  ///
  /// ```
  /// branch of 2: count 192, total 9423
  ///   small of 96: count 96, total 4724
  ///   runs of 2: count 96, total 4699
  /// ```
  ///
  /// - Complexity: O(n), where n is `count`.
  public var debugShape: String {
    var lines: [String] = []
    let header = storage.head
    describe(NodeEntry(node: header.root, count: header.count, total: header.total), header.height, 0, &lines)
    return lines.joined(separator: "\n")
  }

  private func describe(_ entry: NodeEntry, _ height: Int, _ depth: Int, _ lines: inout [String]) {
    let indent = String(repeating: "  ", count: depth)
    let sums = "count \(entry.count), total \(entry.total)"
    if height > 0 {
      let children = storage.entries(of: entry.node)
      let wide = storage.head.isWide ? "wide branch" : "branch"
      lines.append("\(indent)\(wide) of \(children.count): \(sums)")
      for child in children { describe(child, height - 1, depth + 1, &lines) }
    } else {
      let form = LeafForm(of: entry.node)
      lines.append("\(indent)\(form) of \(storage.slotCount(of: entry.node)): \(sums)")
    }
  }

  /// Stops the program if the tree differs from its description.
  ///
  /// - Complexity: O(n), where n is `count`.
  package func checkInvariants() {
    let header = storage.head
    var leaves = 0
    var branches = 0
    let root = NodeEntry(node: header.root, count: header.count, total: header.total)
    check(root, header.height, isRoot: true, &leaves, &branches)
    require(leaves == header.leaves.used - header.leaves.freeCount, "a leaf is lost or used twice")
    require(branches == header.branches.used - header.branches.freeCount, "a branch is lost or used twice")
    let needsWide = Swift.max(header.count, header.total) > Int(Int32.max)
    require(header.isWide || !needsWide, "the sums need wide branches")
  }

  private func check(
    _ entry: NodeEntry, _ height: Int, isRoot: Bool, _ leaves: inout Int, _ branches: inout Int
  ) {
    let limits = storage.head.limits
    require(isRoot || entry.count > 0, "a node below the root is empty")
    if height > 0 {
      branches += 1
      let children = storage.entries(of: entry.node)
      require(2...limits.branch ~= children.count, "a branch has \(children.count) children")
      require(children.reduce(0) { $0 + $1.count } == entry.count, "counts do not add up")
      require(children.reduce(0) { $0 + $1.total } == entry.total, "totals do not add up")
      require(storage.hasRegularPadding(branch: entry.node, entry), "a branch's unused lanes are wrong")
      for child in children { check(child, height - 1, isRoot: false, &leaves, &branches) }
      return
    }
    leaves += 1
    let block = unsafe storage.head.leaves[LeafForm.number(entry.node)]
    switch LeafForm(of: entry.node) {
    case .small: unsafe check(DenseLeaf<SmallLayout>(block), entry, limits.leaf)
    case .large: unsafe check(DenseLeaf<LargeLayout>(block), entry, limits.large)
    case .runs:
      let leaf = unsafe RunLeaf(block)
      require(0...limits.runs ~= leaf.count, "a leaf has \(leaf.count) runs")
      var sum = NodeEntry(node: 0, count: 0, total: 0)
      for run in 0..<leaf.count {
        let next = unsafe leaf.runs[run]
        require(next.count > 0 && next.size >= 0, "a run is empty or negative")
        if run > 0 { require(unsafe leaf.runs[run - 1].size != next.size, "equal runs are not one") }
        sum.count += next.count
        sum.total += next.total
      }
      require(sum.count == entry.count && sum.total == entry.total, "runs do not add up")
    }
  }

  private func check<Layout>(_ leaf: DenseLeaf<Layout>, _ entry: NodeEntry, _ limit: Int) {
    require(1...limit ~= leaf.count, "a leaf has \(leaf.count) sizes")
    require(leaf.count == entry.count && leaf.total == entry.total, "a leaf does not add up")
    for index in 0..<Layout.capacity {
      let size = leaf.size(index)
      require(0...Layout.largestSize ~= size, "a size does not fit its leaf")
      require(index < leaf.count || size == 0, "a leaf's unused lanes are wrong")
    }
    for group in 0..<Layout.groups {
      require(unsafe leaf.lanes(group)[0] == 0, "a group does not begin at its base")
    }
  }

  private func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    if !condition { fatalError("OffsetIndex is corrupt: \(what())\n\(debugShape)") }
  }
}

extension IndexStorage {
  /// The number of sizes in a dense leaf, or of runs in a leaf of runs.
  fileprivate func slotCount(of leaf: UInt32) -> Int {
    let block = unsafe head.leaves[LeafForm.number(leaf)]
    switch LeafForm(of: leaf) {
    case .small: return unsafe DenseLeaf<SmallLayout>(block).count
    case .large: return unsafe DenseLeaf<LargeLayout>(block).count
    case .runs: return unsafe RunLeaf(block).count
    }
  }

  /// Whether the lanes after a branch's last child hold its sums.
  fileprivate func hasRegularPadding(branch: UInt32, _ entry: NodeEntry) -> Bool {
    let block = unsafe head.branches[branch]
    return head.isWide
      ? unsafe Branch<Int64>(block).hasRegularPadding(entry)
      : unsafe Branch<Int32>(block).hasRegularPadding(entry)
  }
}

extension Branch {
  fileprivate func hasRegularPadding(_ entry: NodeEntry) -> Bool {
    for child in 0..<BranchLayout.capacity + 1 {
      if child & 7 == 0 {
        guard unsafe lanes(child >> 3)[0] == 0, unsafe lanes(child >> 3)[8] == 0 else { return false }
      }
      guard child >= childCount else { continue }
      guard totalBefore(child) == entry.total, countBefore(child) == entry.count else { return false }
    }
    return unsafe totals[0] == 0
  }
}
