extension OffsetIndex {
  /// The size of the child at `index`.
  ///
  /// - Parameter index: a place among the children, `0..<count`.
  /// - Precondition: `index` is in `0..<count`; a new size is not negative, and the total still fits in an `Int`.
  /// - Complexity: O(log *n*), where *n* is `count`.
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
  ///   - index: a place among the children, `0..<count`.
  /// - Precondition: `index` is in `0..<count`, the size does not become negative, and the total still fits in an `Int`.
  /// - Complexity: O(log *n*), where *n* is `count`, and the copy of a shared storage.
  public mutating func add(_ delta: Int, at index: Int) {
    makeUnique()
    let count = storage.head.count
    guard index >= 0, index < count else { SumTrap.index(index, count) }
    let (total, overflow) = storage.head.total.addingReportingOverflow(delta)
    guard !overflow else { SumTrap.overflow("sum of sizes") }
    storage.widen(count: count, total: total)
    // Most sizes stay where they are: the sums are changed on the way down, and changed back for those that don't.
    let (leaf, local) = storage.head.descend(to: index, adding: delta, count: 0)
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
    // The size is not negative, so only a positive difference can overflow, and then the sum is negative.
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
  /// Finds the leaf in which the size number `index` lies, and the index in that leaf; adds to the sums on the way.
  @inline(__always)
  func descend(to index: Int, adding total: Int, count: Int) -> (leaf: UInt32, index: Int) {
    isWide
      ? descend(to: index, adding: total, count: count, Int64.self)
      : descend(to: index, adding: total, count: count, Int32.self)
  }

  @inline(__always)
  private func descend<Lane: SumLane>(
    to index: Int, adding total: Int, count: Int, _: Lane.Type
  ) -> (leaf: UInt32, index: Int) {
    var node = root
    if height == 0 { return (node, index) }
    let total = Lane(truncatingIfNeeded: total)
    let count = Lane(truncatingIfNeeded: count)
    var local = Lane(truncatingIfNeeded: index)
    var level = height
    repeat {
      node = unsafe Branch<Lane>(branches[node]).descend(index: &local, adding: total, count: count)
      level &-= 1
    } while level > 0
    return (node, Int(truncatingIfNeeded: local))
  }
}
