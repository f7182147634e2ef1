extension OffsetIndex {
  /// The size of the child at `index`.
  ///
  /// - Parameter index: the index of a child, `0..<count`.
  /// - Precondition: `index` is in `0..<count`. A new size is not negative, and the total still fits in an `Int`.
  /// - Complexity: O(log n), where n is `count`.
  public subscript(index: Int) -> Int {
    get {
      let header = storage.head
      guard index >= 0, index < header.count else { SumTrap.index(index, header.count) }
      let (leaf, local, _) = header.find(index)
      return header.size(local, in: leaf)
    }
    set {
      guard newValue >= 0 else { SumTrap.negative("size", newValue) }
      add(newValue &- self[index], at: index)
    }
  }

  /// Adds to the size of a child.
  ///
  /// - Parameters:
  ///   - delta: the difference, which may be negative.
  ///   - index: the index of a child, `0..<count`.
  /// - Precondition: `index` is in `0..<count`, the size does not become negative, and the total still fits
  ///   in an `Int`.
  /// - Complexity: O(log n), where n is `count`, and the copy of a shared storage.
  public mutating func add(_ delta: Int, at index: Int) {
    makeUnique()
    let count = storage.head.count
    guard index >= 0, index < count else { SumTrap.index(index, count) }
    let (total, overflow) = storage.head.total.addingReportingOverflow(delta)
    guard !overflow else { SumTrap.overflow("sum of sizes") }
    storage.widen(count: count, total: total)
    // Most sizes stay in their leaf. The sums are changed on the way down, and changed back if the size has to move to
    // another leaf.
    let (leaf, local, _) = storage.head.descend(to: index, adding: delta, count: 0)
    let block = unsafe storage.head.leaves[LeafForm.number(leaf)]
    let isDone: Bool
    switch LeafForm(of: leaf) {
    case .small: isDone = unsafe DenseLeaf<SmallLayout>(block).addIfFits(delta, at: local)
    case .large: isDone = unsafe DenseLeaf<LargeLayout>(block).addIfFits(delta, at: local)
    case .runs: isDone = unsafe RunLeaf(block).addIfFits(delta, at: local, storage.head.limits.runs)
    }
    if isDone {
      storage.head.total = total
    } else {
      _ = storage.head.descend(to: index, adding: 0 &- delta, count: 0)
      moveAndAdd(delta, at: index)
    }
    checkAfterMutation()
  }

  /// Adds to a size that does not fit in its leaf.
  @inline(never) private mutating func moveAndAdd(_ delta: Int, at index: Int) {
    let size = self[index] + delta
    storage.remove(index..<index + 1)
    storage.insert(count: 1, total: size, at: index) { $0.append(size) }
  }
}

extension DenseLeaf {
  /// Adds to a size if the layout can hold the sum.
  @inline(__always) fileprivate func addIfFits(_ delta: Int, at index: Int) -> Bool {
    // The size is not negative, so only a positive difference can overflow. The sum is negative then.
    let size = size(index) &+ delta
    guard UInt(bitPattern: size) <= UInt(bitPattern: Layout.largestSize) else {
      guard size >= 0 else { SumTrap.negative("size", size) }
      return false
    }
    add(delta, at: index)
    return true
  }
}

extension RunLeaf {
  /// Adds to a size if there is room for the runs.
  @inline(never) fileprivate func addIfFits(_ delta: Int, at index: Int, _ limit: Int) -> Bool {
    let size = size(index) &+ delta
    guard size >= 0 else { SumTrap.negative("size", size) }
    return edit(at: index, removing: 1, inserting: size, limit)
  }
}

extension IndexHeader {
  /// Finds the leaf with the size number `index`, the index in that leaf, and the leaf's count. Adds to the sums on the
  /// way.
  ///
  /// The leaf's count is the count after the addition. It is read from the branch above the leaf and not from the leaf.
  /// So the next steps of an insertion depend on no content of the leaf, which is rarely in the cache. The processor
  /// can begin the next insertion while it waits for the leaf.
  @inline(__always)
  func descend(to index: Int, adding total: Int, count: Int) -> (leaf: UInt32, index: Int, leafCount: Int) {
    isWide
      ? descend(to: index, adding: total, count: count, Int64.self)
      : descend(to: index, adding: total, count: count, Int32.self)
  }

  @inline(__always)
  private func descend<Lane: SumLane>(
    to index: Int, adding total: Int, count: Int, _: Lane.Type
  ) -> (leaf: UInt32, index: Int, leafCount: Int) {
    if height == 0 { return (root, index, self.count &+ count) }
    let total = Lane(truncatingIfNeeded: total)
    let count = Lane(truncatingIfNeeded: count)
    var local = Lane(truncatingIfNeeded: index)
    var node = root
    var level = height
    while true {
      let branch = unsafe Branch<Lane>(branches[node])
      let (group, lane) = branch.find(&local)
      let child = group &* 8 &+ lane
      branch.add(total: total, count: count, group, lane)
      node = unsafe branch.children(group)[lane]
      level &-= 1
      if level == 0 { return (node, Int(truncatingIfNeeded: local), branch.count(of: child)) }
    }
  }
}

/// A child of a branch, as a step of the way to a leaf.
struct BranchPlace {
  var branch: UInt32
  var child: UInt32

  /// More steps than there can be levels. Each level except the lowest doubles the number of leaves, and there are
  /// fewer than 2³⁰ leaves.
  static let room = 32
}

extension IndexHeader {
  /// Finds the leaf with the size number `index`, the index in that leaf, and the leaf's count. Writes the way to the
  /// leaf to `path`.
  @inline(__always)
  func find(
    _ index: Int, recordingIn path: UnsafeMutablePointer<BranchPlace>
  ) -> (leaf: UInt32, index: Int, leafCount: Int) {
    unsafe isWide ? find(index, path, Int64.self) : find(index, path, Int32.self)
  }

  @inline(__always)
  private func find<Lane: SumLane>(
    _ index: Int, _ path: UnsafeMutablePointer<BranchPlace>, _: Lane.Type
  ) -> (leaf: UInt32, index: Int, leafCount: Int) {
    if height == 0 { return (root, index, count) }
    var local = Lane(truncatingIfNeeded: index)
    var node = root
    var level = 0
    while true {
      let branch = unsafe Branch<Lane>(branches[node])
      let (group, lane) = branch.find(&local)
      let child = group &* 8 &+ lane
      unsafe path[level] = BranchPlace(branch: node, child: UInt32(truncatingIfNeeded: child))
      node = unsafe branch.children(group)[lane]
      level &+= 1
      if level == height { return (node, Int(truncatingIfNeeded: local), branch.count(of: child)) }
    }
  }

  /// Adds to the sums of the children on the way to a leaf.
  @inline(__always)
  func add(total: Int, count: Int, along path: UnsafeMutablePointer<BranchPlace>) {
    unsafe isWide ? add(total, count, path, Int64.self) : add(total, count, path, Int32.self)
  }

  @inline(__always)
  private func add<Lane: SumLane>(
    _ total: Int, _ count: Int, _ path: UnsafeMutablePointer<BranchPlace>, _: Lane.Type
  ) {
    for level in 0..<height {
      let place = unsafe path[level]
      let child = Int(place.child)
      unsafe Branch<Lane>(branches[place.branch]).add(
        total: Lane(truncatingIfNeeded: total), count: Lane(truncatingIfNeeded: count), child >> 3, child & 7)
    }
  }
}
