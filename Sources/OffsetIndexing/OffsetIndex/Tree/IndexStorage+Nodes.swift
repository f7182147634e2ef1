/// The work of the mutations on the branches: read, fill, split, join, widen.
extension IndexStorage {
  /// The entries of the children of a branch.
  func entries(of branch: UInt32) -> [NodeEntry] {
    var entries: [NodeEntry] = []
    appendEntries(of: branch, to: &entries)
    return entries
  }

  private func appendEntries(of branch: UInt32, to entries: inout [NodeEntry]) {
    let block = unsafe head.branches[branch]
    if head.isWide {
      unsafe Branch<Int64>(block).appendEntries(to: &entries)
    } else {
      unsafe Branch<Int32>(block).appendEntries(to: &entries)
    }
  }

  func childCount(of branch: UInt32) -> Int {
    let block = unsafe head.branches[branch]
    return head.isWide ? unsafe Branch<Int64>(block).childCount : unsafe Branch<Int32>(block).childCount
  }

  /// Fills a branch, and returns the branch's entry for its parent.
  func fill(_ branch: UInt32, _ entries: ArraySlice<NodeEntry>) -> NodeEntry {
    let block = unsafe head.branches[branch]
    if head.isWide {
      unsafe Branch<Int64>(block).fill(entries)
    } else {
      unsafe Branch<Int32>(block).fill(entries)
    }
    var entry = NodeEntry(node: branch, count: 0, total: 0)
    for child in entries {
      entry.count += child.count
      entry.total += child.total
    }
    return entry
  }

  /// Adds to the sums of one child of a branch.
  func add(total: Int, count: Int, to child: Int, of branch: UInt32) {
    let block = unsafe head.branches[branch]
    if head.isWide {
      unsafe Branch<Int64>(block).add(total: Int64(total), count: Int64(count), child >> 3, child & 7)
    } else {
      unsafe Branch<Int32>(block).add(
        total: Int32(truncatingIfNeeded: total), count: Int32(truncatingIfNeeded: count), child >> 3,
        child & 7)
    }
  }

  /// Writes `entries` to `branch` if they fit. Otherwise divides them evenly between `branch` and as many new branches
  /// as needed.
  ///
  /// Where children are appended one by one, the first branch stays full and the last branch gets the rest.
  func distribute(
    _ entries: [NodeEntry], into branch: UInt32?, keepsFirstFull: Bool = false
  ) -> [NodeEntry] {
    let capacity = head.limits.branch
    var result: [NodeEntry] = []
    var branch = branch
    var begin = 0
    var nodes = 1
    if entries.count > capacity {
      let least = (entries.count + capacity - 1) / capacity
      nodes = Swift.max(least, entries.count / Swift.max(2, NodeLimits.fill(capacity)))
    }
    for node in 0..<nodes {
      var end = begin + (entries.count - begin) / (nodes - node)
      if keepsFirstFull, nodes == 2, node == 0 { end = Swift.min(capacity, entries.count - 2) }
      result.append(fill(branch ?? head.branches.allocate(), entries[begin..<end]))
      branch = nil
      begin = end
    }
    return result
  }

  /// Makes `entries` the children of as many levels of branches as needed, and makes the top branch the root. `entries`
  /// are nodes at `height`.
  func setRoot(_ entries: [NodeEntry], height: Int, keepsFirstFull: Bool = false) {
    var entries = entries
    var height = height
    while entries.count > 1 {
      entries = distribute(entries, into: nil, keepsFirstFull: keepsFirstFull)
      height += 1
    }
    guard let root = entries.first else { return clear() }
    head.root = root.node
    head.height = height
    head.count = root.count
    head.total = root.total
    // A branch with a single child is not needed at the top.
    while head.height > 0, childCount(of: head.root) == 1 {
      let child = self.entries(of: head.root)[0].node
      head.branches.release(head.root)
      head.root = child
      head.height -= 1
    }
  }

  /// Makes leaves the whole contents of an empty index.
  func adopt(_ leaves: [NodeEntry]) {
    guard !leaves.isEmpty else { return }
    head.leaves.release(LeafForm.number(head.root))
    widen(count: leaves.reduce(0) { $0 + $1.count }, total: leaves.reduce(0) { $0 + $1.total })
    head.height = 0
    setRoot(leaves, height: 0)
    head.leaves.trim()
    head.branches.trim()
  }

  /// Makes the index empty. All nodes must have been released before.
  private func clear() {
    head.count = 0
    head.total = 0
    head.height = 0
    let leaf = head.leaves.allocate()
    unsafe RunLeaf(head.leaves[leaf]).count = 0
    head.root = LeafForm.runs.reference(leaf)
  }

  /// Releases a node with its whole subtree.
  func release(_ node: UInt32, height: Int) {
    if height == 0 { return head.leaves.release(LeafForm.number(node)) }
    for child in entries(of: node) { release(child.node, height: height - 1) }
    head.branches.release(node)
  }

  /// Makes all branches wide if a future count or total needs it. They stay wide.
  @inline(__always) func widen(count: Int, total: Int) {
    guard Swift.max(count, total) > Int(Int32.max), !head.isWide else { return }
    widen()
  }

  @inline(never) private func widen() {
    let narrow = head.branches
    head.branches = BlockArena(blockSize: BranchLayout.blockSize(Int64.self))
    head.isWide = true
    if head.height > 0 { head.root = widen(head.root, head.height, narrow) }
    narrow.deallocate()
  }

  private func widen(_ branch: UInt32, _ height: Int, _ narrow: BlockArena) -> UInt32 {
    var entries: [NodeEntry] = []
    unsafe Branch<Int32>(narrow[branch]).appendEntries(to: &entries)
    if height > 1 {
      for child in entries.indices { entries[child].node = widen(entries[child].node, height - 1, narrow) }
    }
    return fill(head.branches.allocate(), entries[...]).node
  }

  /// Whether a node has so few children, sizes or runs that it should be joined with a sibling.
  private func isSparse(_ entry: NodeEntry, height: Int) -> Bool {
    let limits = head.limits
    if height > 0 { return childCount(of: entry.node) < Swift.max(2, NodeLimits.least(limits.branch)) }
    switch LeafForm(of: entry.node) {
    case .small: return entry.count < NodeLimits.least(limits.leaf)
    case .large: return entry.count < NodeLimits.least(limits.large)
    case .runs:
      let leaf = unsafe RunLeaf(head.leaves[LeafForm.number(entry.node)])
      return leaf.count < NodeLimits.least(limits.runs)
    }
  }

  /// Joins the node number `child` of `entries` with a sibling if the node is sparse. The two may become one node, or
  /// share their contents.
  func joinIfSparse(_ entries: inout [NodeEntry], _ child: Int, height: Int) {
    var child = child
    while entries.count > 1, entries.indices.contains(child), isSparse(entries[child], height: height) {
      let left = child + 1 < entries.count ? child : child - 1
      let joined = join(entries[left], entries[left + 1], height: height)
      entries.replaceSubrange(left...left + 1, with: joined)
      guard joined.count == 1 else { return }
      child = left
    }
  }

  private func join(_ left: NodeEntry, _ right: NodeEntry, height: Int) -> [NodeEntry] {
    if height == 0 {
      var builder = LeafBuilder(self)
      builder.append(leaf: left.node, 0..<left.count)
      builder.append(leaf: right.node, 0..<right.count)
      builder.finish()
      head.leaves.release(LeafForm.number(left.node))
      head.leaves.release(LeafForm.number(right.node))
      return builder.entries
    }
    var children = entries(of: left.node)
    let seam = children.count
    appendEntries(of: right.node, to: &children)
    // The two children at the seam may be sparse because they had no siblings.
    joinIfSparse(&children, seam, height: height - 1)
    joinIfSparse(&children, seam - 1, height: height - 1)
    head.branches.release(right.node)
    return distribute(children, into: left.node)
  }
}

/// The mutations that change the tree's shape. They allocate and take microseconds. An edit that fits in a leaf does
/// not use them.
extension IndexStorage {
  /// Inserts the sizes that `body` appends before the size number `index`. There are `count` of them, and their sum is
  /// `total`.
  func insert(count: Int, total: Int, at index: Int, _ body: (inout LeafBuilder) -> Void) {
    widen(count: head.count + count, total: head.total + total)
    // An insertion between two leaves goes to the earlier leaf.
    var local = Swift.max(index - 1, 0)
    var node = head.root
    var leafCount = head.count
    var path: [(branch: UInt32, child: Int)] = []
    for _ in 0..<head.height {
      let (child, entry) = find(&local, in: node)
      path.append((node, child))
      node = entry.node
      leafCount = entry.count
    }
    let place = index == 0 ? 0 : local + 1
    let isAppending = count == 1 && index == head.count
    var builder = LeafBuilder(self, keepsFirstFull: isAppending)
    builder.append(leaf: node, 0..<place)
    body(&builder)
    builder.append(leaf: node, place..<leafCount)
    builder.finish()
    head.leaves.release(LeafForm.number(node))

    var entries = builder.entries
    var height = 0
    while entries.count > 1, let (branch, child) = path.popLast() {
      var children = self.entries(of: branch)
      children.replaceSubrange(child...child, with: entries)
      entries = distribute(children, into: branch, keepsFirstFull: isAppending)
      height += 1
    }
    if path.isEmpty { return setRoot(entries, height: height, keepsFirstFull: isAppending) }
    // One node replaces one node, so the branches above only have to add.
    if let (branch, child) = path.last { setChild(child, of: branch, entries[0].node) }
    for (branch, child) in path { add(total: total, count: count, to: child, of: branch) }
    head.count += count
    head.total += total
  }

  /// Finds the child of `branch` with the size number `index`, and turns `index` into an index in that child.
  private func find(_ index: inout Int, in branch: UInt32) -> (child: Int, entry: NodeEntry) {
    let block = unsafe head.branches[branch]
    if head.isWide {
      let branch = unsafe Branch<Int64>(block)
      var local = Int64(index)
      let (group, lane) = branch.find(&local)
      index = Int(local)
      return (group * 8 + lane, branch.entry(group * 8 + lane))
    }
    let branch = unsafe Branch<Int32>(block)
    var local = Int32(index)
    let (group, lane) = branch.find(&local)
    index = Int(local)
    return (group * 8 + lane, branch.entry(group * 8 + lane))
  }

  private func setChild(_ child: Int, of branch: UInt32, _ node: UInt32) {
    let block = unsafe head.branches[branch]
    if head.isWide {
      unsafe Branch<Int64>(block).children(child >> 3)[child & 7] = node
    } else {
      unsafe Branch<Int32>(block).children(child >> 3)[child & 7] = node
    }
  }

  /// Removes the sizes in `range`, which is not empty.
  func remove(_ range: Range<Int>) {
    let root = NodeEntry(node: head.root, count: head.count, total: head.total)
    setRoot(remove(range, from: root, height: head.height), height: head.height)
  }

  /// Removes the sizes in `range` from a node, and returns the remaining nodes: none, the node itself, or the nodes
  /// into which it was split.
  private func remove(_ range: Range<Int>, from node: NodeEntry, height: Int) -> [NodeEntry] {
    if range.lowerBound <= 0, range.upperBound >= node.count {
      release(node.node, height: height)
      return []
    }
    if height == 0 {
      var builder = LeafBuilder(self)
      builder.append(leaf: node.node, 0..<range.lowerBound)
      builder.append(leaf: node.node, range.upperBound..<node.count)
      builder.finish()
      head.leaves.release(LeafForm.number(node.node))
      return builder.entries
    }
    var children: [NodeEntry] = []
    var cut: [Int] = []
    var start = 0
    for child in entries(of: node.node) {
      let inChild = range.clamped(to: start..<start + child.count)
      if inChild.isEmpty {
        children.append(child)
      } else {
        let local = inChild.lowerBound - start..<inChild.upperBound - start
        let rest = remove(local, from: child, height: height - 1)
        cut += children.count..<children.count + rest.count
        children += rest
      }
      start += child.count
    }
    for child in cut.reversed() { joinIfSparse(&children, child, height: height - 1) }
    return distribute(children, into: node.node)
  }
}
