extension OffsetIndex {
  /// Adds a child at the end.
  ///
  /// - Parameter size: the child's size, zero or more.
  /// - Precondition: `size` is not negative, and the total still fits in an `Int`.
  /// - Complexity: O(log n), where n is `count`, and the copy of a shared storage.
  public mutating func append(_ size: Int) { insert(size, at: count) }

  /// Adds children at the end.
  ///
  /// - Parameter newSizes: the sizes in order, each zero or more. There may be none.
  /// - Precondition: no size is negative, and the total still fits in an `Int`.
  /// - Complexity: O(log n + k), where n is `count` and k the number of new sizes, and the copy of a shared storage.
  public mutating func append(contentsOf newSizes: some Sequence<Int>) {
    insert(contentsOf: Array(newSizes), at: count)
  }

  /// Inserts a child.
  ///
  /// The children from `index` on move up by one position, and by `size` offsets.
  ///
  /// - Parameters:
  ///   - size: the child's size, zero or more.
  ///   - index: the new child's index after the insertion, `0...count`.
  /// - Precondition: `size` is not negative, `index` is in `0...count`, and the total still fits in an `Int`.
  /// - Complexity: O(log n), where n is `count`, and the copy of a shared storage.
  public mutating func insert(_ size: Int, at index: Int) {
    makeUnique()
    let count = storage.head.count
    guard index >= 0, index <= count else { SumTrap.boundary(index, count) }
    guard size >= 0 else { SumTrap.negative("size", size) }
    guard count < Int.max else { SumTrap.overflow("number of children") }
    let total = sum(storage.head.total, size)
    storage.widen(count: count + 1, total: total)
    // An insertion between two leaves goes to the earlier leaf. The sums are changed on the way down, and changed back
    // if the leaf is full.
    let before = index == 0 ? 0 : index &- 1
    let (leaf, local, newCount) = storage.head.descend(to: before, adding: size, count: 1)
    let place = local &+ (index &- before)
    let block = unsafe storage.head.leaves[LeafForm.number(leaf)]
    let limits = storage.head.limits
    let isDone: Bool
    switch LeafForm(of: leaf) {
    case .small:
      isDone = unsafe DenseLeaf<SmallLayout>(block).insertIfFits(size, at: place, newCount, limits.leaf)
    case .large:
      isDone = unsafe DenseLeaf<LargeLayout>(block).insertIfFits(size, at: place, newCount, limits.large)
    case .runs: isDone = unsafe RunLeaf(block).edit(at: place, removing: 0, inserting: size, limits.runs)
    }
    if isDone {
      storage.head.count = count &+ 1
      storage.head.total = total
    } else {
      _ = storage.head.descend(to: before, adding: 0 &- size, count: -1)
      splitAndInsert(size, at: index)
    }
    checkAfterMutation()
  }

  @inline(never) private mutating func splitAndInsert(_ size: Int, at index: Int) {
    storage.insert(count: 1, total: size, at: index) { $0.append(size) }
  }

  /// Inserts `count` children of the same size.
  ///
  /// - Parameters:
  ///   - size: the size of each child, zero or more.
  ///   - count: the number of children, zero or more.
  ///   - index: the first new child's index after the insertion, `0...count`.
  /// - Precondition: neither `size` nor `count` is negative, `index` is in `0...self.count`, and the count
  ///   and the total still fit in an `Int`.
  /// - Complexity: O(log n), where n is the number of children, and the copy of a shared storage.
  public mutating func insert(repeating size: Int, count: Int, at index: Int) {
    guard index >= 0, index <= self.count else { SumTrap.boundary(index, self.count) }
    guard size >= 0 else { SumTrap.negative("size", size) }
    guard count >= 0 else { SumTrap.negative("count", count) }
    guard count > 0 else { return }
    let (inserted, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow else { SumTrap.overflow("sum of sizes") }
    insert(count, inserted, at: index) { $0.append(size, count: count) }
  }

  /// Inserts children of the given sizes.
  ///
  /// - Parameters:
  ///   - newSizes: the sizes in order, each zero or more.
  ///   - index: the first new child's index after the insertion, `0...count`.
  /// - Precondition: no size is negative, `index` is in `0...count`, and the total still fits in an `Int`.
  /// - Complexity: O(log n + k), where n is `count` and k the number of new sizes, and the copy of a shared storage.
  public mutating func insert(contentsOf newSizes: some Collection<Int>, at index: Int) {
    guard index >= 0, index <= count else { SumTrap.boundary(index, count) }
    let isContiguous: Void? = newSizes.withContiguousStorageIfAvailable { sizes in
      let total = unsafe sum(of: sizes)
      insert(sizes.count, total, at: index) { _ = unsafe $0.append(checking: sizes) }
    }
    if isContiguous == nil {
      let (count, total) = sum(of: newSizes)
      insert(count, total, at: index) { for size in newSizes { $0.append(size) } }
    }
  }

  private mutating func insert(
    _ newCount: Int, _ newTotal: Int, at index: Int, _ body: (inout LeafBuilder) -> Void
  ) {
    guard newCount > 0 else { return }
    _ = sum(total, newTotal)
    guard !count.addingReportingOverflow(newCount).overflow else { SumTrap.overflow("number of children") }
    makeUnique()
    storage.insert(count: newCount, total: newTotal, at: index, body)
    checkAfterMutation()
  }

  /// Returns the number and the sum of sizes, and traps where a size is negative.
  private func sum(of sizes: some Collection<Int>) -> (count: Int, total: Int) {
    var count = 0
    var total = 0
    for size in sizes {
      guard size >= 0 else { SumTrap.negative("size", size) }
      total = sum(total, size)
      count += 1
    }
    return (count, total)
  }

  private func sum(of sizes: UnsafeBufferPointer<Int>) -> Int {
    var total = 0
    for index in 0..<sizes.count {
      let size = unsafe sizes[index]
      guard size >= 0 else { SumTrap.negative("size", size) }
      total = sum(total, size)
    }
    return total
  }

  /// Removes a child and returns its size.
  ///
  /// The children after it move down by one position, and their offsets by the removed size.
  ///
  /// - Parameter index: the index of a child, `0..<count`.
  /// - Returns: the size that the child had.
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log n), where n is `count`, and the copy of a shared storage.
  @discardableResult
  public mutating func remove(at index: Int) -> Int {
    makeUnique()
    let count = storage.head.count
    guard index >= 0, index < count else { SumTrap.index(index, count) }
    let head = storage.head
    // The difference of the sums on the way is known only at the end of the way.
    let size = unsafe withUnsafeTemporaryAllocation(of: BranchPlace.self, capacity: BranchPlace.room) {
      path in
      let path = path.baseAddress!
      let (leaf, local, leafCount) = unsafe head.find(index, recordingIn: path)
      let block = unsafe head.leaves[LeafForm.number(leaf)]
      let size: Int
      switch LeafForm(of: leaf) {
      case .small:
        size = unsafe DenseLeaf<SmallLayout>(block).removeIfMany(
          at: local, leafCount, NodeLimits.least(head.limits.leaf))
      case .large:
        size = unsafe DenseLeaf<LargeLayout>(block).removeIfMany(
          at: local, leafCount, NodeLimits.least(head.limits.large))
      case .runs: size = unsafe RunLeaf(block).removeIfMany(at: local, head.limits.runs)
      }
      if size >= 0 { unsafe head.add(total: 0 &- size, count: -1, along: path) }
      return size
    }
    if size < 0 { return joinAndRemove(at: index) }
    storage.head.count = count &- 1
    storage.head.total &-= size
    checkAfterMutation()
    return size
  }

  @inline(never) private mutating func joinAndRemove(at index: Int) -> Int {
    let size = self[index]
    storage.remove(index..<index + 1)
    checkAfterMutation()
    return size
  }

  /// Removes children that follow each other.
  ///
  /// - Parameter range: the indices of the children, within `0..<count`. It may be empty.
  /// - Precondition: `range` is within `0..<count`.
  /// - Complexity: O(log n + k / 64), where n is `count` and k the number of removed children, and the copy of a shared
  ///   storage. Less where the removed children are runs of equal sizes.
  public mutating func removeSubrange(_ range: Range<Int>) {
    guard range.lowerBound >= 0, range.upperBound <= count else { SumTrap.range(range, count) }
    guard !range.isEmpty else { return }
    if range.count == count {
      // No part of the former storage is worth a copy.
      storage = IndexStorage.make(storage.head.limits)
    } else {
      makeUnique()
      storage.remove(range)
    }
    checkAfterMutation()
  }

  /// Replaces children by children of the given sizes.
  ///
  /// - Parameters:
  ///   - range: the indices of the replaced children, within `0..<count`. It may be empty.
  ///   - newSizes: the sizes in order, each zero or more. There may be none.
  /// - Precondition: `range` is within `0..<count`, no size is negative, and the total still fits in an `Int`.
  /// - Complexity: O(log n + k), where n is `count` and k the number of removed and new sizes, and the copy of a shared
  ///   storage.
  public mutating func replaceSubrange(_ range: Range<Int>, with newSizes: some Collection<Int>) {
    removeSubrange(range)
    insert(contentsOf: newSizes, at: range.lowerBound)
  }

  /// The sum of two totals. The sum must fit in an `Int`.
  @inline(__always) private func sum(_ total: Int, _ other: Int) -> Int {
    let (sum, overflow) = total.addingReportingOverflow(other)
    guard !overflow else { SumTrap.overflow("sum of sizes") }
    return sum
  }
}

extension DenseLeaf {
  /// Inserts a size if there is room and the layout can hold it.
  @inline(__always)
  fileprivate func insertIfFits(_ size: Int, at index: Int, _ newCount: Int, _ limit: Int) -> Bool {
    guard size <= Layout.largestSize, newCount <= limit else { return false }
    insert(size, at: index, newCount &- 1)
    return true
  }

  /// Removes a size and returns it if at least `least` sizes stay. Otherwise returns −1.
  @inline(__always) fileprivate func removeIfMany(at index: Int, _ count: Int, _ least: Int) -> Int {
    guard count > least else { return -1 }
    let size = size(index)
    remove(at: index, size, count)
    return size
  }
}

extension RunLeaf {
  /// Removes a size and returns it if it is not the last size of the leaf. Otherwise returns −1.
  @inline(never) fileprivate func removeIfMany(at index: Int, _ limit: Int) -> Int {
    guard unsafe count > 1 || runs[0].count > 1 else { return -1 }
    let size = size(index)
    // There is room, because a run that is cut does not become two runs.
    _ = edit(at: index, removing: 1, inserting: nil, limit)
    return size
  }

  /// Removes one size or none at `index`, and inserts one size or none, if there is room for the runs.
  @inline(never) func edit(at index: Int, removing removed: Int, inserting size: Int?, _ limit: Int) -> Bool {
    let count = count
    let (run, place, _) = find(index)
    // The new runs replace the run and its neighbours. Equal neighbours become one run.
    let begin = Swift.max(run - 1, 0)
    let end = Swift.min(run + 2, count)
    // The new runs are both neighbours, and the run itself in three parts. They are on the stack, because most edits of
    // small lists end here.
    return unsafe withUnsafeTemporaryAllocation(of: SizeRun.self, capacity: 5) { new in
      var newCount = 0
      func append(_ size: Int, _ count: Int) {
        guard count > 0 else { return }
        if newCount > 0, unsafe new[newCount - 1].size == size {
          unsafe new[newCount - 1].count += count
        } else {
          unsafe new.initializeElement(at: newCount, to: SizeRun(size: size, count: count))
          newCount += 1
        }
      }
      for other in begin..<end {
        let old = unsafe runs[other]
        if other == run {
          append(old.size, place)
          if let size { append(size, 1) }
          append(old.size, old.count - place - removed)
        } else {
          append(old.size, old.count)
        }
      }
      if run == count, let size { append(size, 1) }
      guard count - (end - begin) + newCount <= limit else { return false }
      unsafe replace(begin..<end, with: UnsafeBufferPointer(rebasing: new[..<newCount]))
      return true
    }
  }
}
