extension TreeIndex {
  /// Creates a forest of leaves without branches.
  ///
  /// ```swift
  /// TreeIndex(leafCount: 1_000_000_000_000).count      // 1000000000000
  /// ```
  ///
  /// - Parameter leafCount: the number of leaves; 0 is legal.
  /// - Precondition: `leafCount` is not negative; anything else traps.
  /// - Complexity: O(1).
  public init(leafCount: Int) {
    self.init()
    insertLeaves(leafCount, into: Self.root, at: 0)
  }

  /// Creates the forest whose elements have the given depths in document order.
  ///
  /// ```swift
  /// TreeIndex(depths: [0, 1, 0]).childCount(of: TreeIndex.root)    // 2
  /// ```
  ///
  /// An element is a branch where the next element is deeper.
  ///
  /// - Parameter depths: for each element, the number of elements above it.
  /// - Precondition: the first depth is 0. Each later depth is not negative, and at most one more than the depth before
  ///   it; anything else traps.
  /// - Complexity: O(n), n the number of elements.
  @inlinable
  public init(depths: some Sequence<Int>) {
    var builder = Builder()
    // The depth and the number of the last elements, which all have one depth. All of them are leaves, except perhaps
    // the very last element: the next depth decides about that element.
    var last = -1
    var waiting = 0
    for depth in depths {
      if depth == last {
        waiting += 1
        continue
      }
      if depth < 0 || depth > last + 1 { TreeTrap.depths(depth, after: last) }
      if depth > last {
        if last >= 0 {
          builder.appendLeaves(waiting - 1)
          builder.openBranch()
        }
      } else {
        builder.appendLeaves(waiting)
        for _ in depth..<last { builder.closeBranch() }
      }
      last = depth
      waiting = 1
    }
    if last >= 0 {
      builder.appendLeaves(waiting)
      for _ in 0..<last { builder.closeBranch() }
    }
    self = builder.finish()
  }

  /// Creates the forest whose elements have the given numbers of children in document order.
  ///
  /// ```swift
  /// TreeIndex(childCounts: [2, 0, 0, 0]).childCount(of: TreeIndex.root)    // 2
  /// ```
  ///
  /// An element is a branch where its number is not 0.
  ///
  /// - Parameter childCounts: for each element, the number of its children. The children follow the element, each with
  ///   all its descendants.
  /// - Precondition: no number is negative, and the sequence does not end before the last child; anything else traps.
  /// - Complexity: O(n), n the number of elements.
  @inlinable
  public init(childCounts: some Sequence<Int>) {
    var builder = Builder()
    // The number of missing children of each open branch.
    var missing: [Int] = []
    for count in childCounts {
      if count < 0 { TreeTrap.negative(count) }
      if let last = missing.indices.last { missing[last] -= 1 }
      if count == 0 {
        builder.appendLeaves(1)
      } else {
        builder.openBranch()
        missing.append(count)
      }
      while missing.last == 0 {
        missing.removeLast()
        builder.closeBranch()
      }
    }
    if !missing.isEmpty { TreeTrap.childCounts() }
    self = builder.finish()
  }

  /// Inserts the elements below a branch of another index among the children of a branch.
  ///
  /// Collapsed branches stay collapsed.
  ///
  /// ```swift
  /// var tree = TreeIndex(leafCount: 1)
  /// tree.insert(TreeIndex(depths: [0, 1]), into: TreeIndex.root, at: 1)
  /// tree.path(to: 2)                                   // [1, 0]
  /// ```
  ///
  /// - Parameters:
  ///   - other: the index whose elements are copied.
  ///   - branch: the branch of the other index whose children are inserted: the root, a collapsed branch, or a piece
  ///     that was cut out.
  ///   - parent: the new parent of the children, collapsed or not.
  ///   - position: the first child's position, in `0...childCount(of: parent)`.
  /// - Returns: for each copied branch, its handle in this index.
  /// - Precondition: `position` is in its range, `branch` has a forest of its own, and the number of elements fits in
  ///   an `Int`; anything else traps.
  /// - Complexity: O(log n + m), n the number of events in the forest, m the number of events in the other index; O(n)
  ///   once where the storage is shared.
  @discardableResult
  public mutating func insert(
    _ other: TreeIndex, childrenOf branch: Branch = root, into parent: Branch, at position: Int
  ) -> [Branch: Branch] {
    var handles: [Branch: Branch] = [:]
    insert(other, childrenOf: branch, into: parent, at: position) { handles[$0] = $1 }
    return handles
  }

  /// Does the same. `body` receives each copied branch and its handle in this index, in document order.
  package mutating func insert(
    _ other: TreeIndex, childrenOf branch: Branch = root, into parent: Branch, at position: Int,
    _ body: (_ branch: Branch, _ handle: Branch) -> Void
  ) {
    checkBoundary(position, of: parent)
    let forest = other.ownForest(of: branch)
    let source = other.tree
    edit { tree in
      var forests: [(source: UInt32, parent: UInt32)] = []
      func copy(_ forest: UInt32, below parent: UInt32) -> ShapeTree.Part {
        tree.copyEvents(of: source, forest: forest, below: parent) { branch, new in
          body(Branch(branch), Branch(new))
          if let own = source.branches.forest(branch) { forests.append((own, new)) }
        }
      }
      tree.paste(copy(forest, below: parent.record), into: parent.record, at: position)
      tree.addChildren(source.branches.count(branch.record), to: parent.record)
      while let (forest, branch) = forests.popLast() {
        let part = copy(forest, below: branch)
        tree.branches.setForest(branch, tree.makeForest(part, owner: branch))
      }
    }
  }

  /// Makes a forest from a walk in document order, at memory speed.
  ///
  /// ```swift
  /// var builder = TreeIndex.Builder()
  /// builder.appendLeaves(2)
  /// let branch = builder.openBranch()
  /// builder.appendLeaves(1)
  /// builder.closeBranch()
  /// let tree = builder.finish()
  /// tree.number(of: branch)                            // 2
  /// ```
  public struct Builder: ~Copyable {
    private let storage: TreeStorage<ShapeTree>
    private var events: [UInt32] = []
    /// The open branches, from the outermost on, each with the number of its siblings so far.
    private var open: [(branch: UInt32, siblings: Int)] = []
    private var branch = TreeIndex.root.record
    /// The number of children of `branch` so far.
    private var children = 0
    /// The number of elements so far.
    private var count = 0

    /// Creates a builder of an empty forest.
    ///
    /// - Complexity: O(1).
    public init() { self.init(limits: ShapeTree.Limits()) }

    package init(leafCapacity: Int, fanOut: Int) {
      self.init(limits: ShapeTree.Limits(leafCapacity: leafCapacity, fanOut: fanOut))
    }

    private init(limits: ShapeTree.Limits) { storage = TreeStorage(ShapeTree(limits: limits)) }

    /// The number of branches that are open.
    ///
    /// - Complexity: O(1).
    public var depth: Int { open.count }

    /// Makes room for a walk.
    ///
    /// - Parameter branchCount: the expected number of branches.
    /// - Complexity: O(1), or O(n) where the present contents have to be moved.
    public mutating func reserveCapacity(branchCount: Int) {
      events.reserveCapacity(branchCount * 3)
      unsafe storage.tree.pointee.branches.reserve(branchCount)
    }

    /// Appends leaves to the innermost open branch.
    ///
    /// - Parameter count: the number of leaves; 0 is legal.
    /// - Precondition: `count` is not negative, and the number of elements fits in an `Int`; anything else traps.
    /// - Complexity: O(1).
    public mutating func appendLeaves(_ count: Int) {
      if count <= 0 {
        if count < 0 { TreeTrap.negative(count) }
        return
      }
      self.count = TreeTrap.sum(self.count, count)
      children &+= count
      if let last = events.last, last < 0x8000_0000, count <= ShapeEvent.longestRun &- Int(last) {
        events[events.count &- 1] = last &+ UInt32(truncatingIfNeeded: count)
      } else {
        appendRun(count)
      }
    }

    private mutating func appendRun(_ count: Int) {
      var count = count
      if let last = events.last, ShapeEvent(bits: last).isLeaves {
        events.removeLast()
        count += unsafe storage.tree.pointee.take(ShapeEvent(bits: last))
      }
      events.append(unsafe storage.tree.pointee.run(count).bits)
    }

    /// Appends a branch to the innermost open branch, and opens the new branch.
    ///
    /// - Returns: the branch's handle in the finished index.
    /// - Precondition: there are fewer than 2²⁹ − 1 branches, and the number of elements fits in an `Int`; anything
    ///   else traps.
    /// - Complexity: O(1).
    @discardableResult
    public mutating func openBranch() -> Branch {
      count = TreeTrap.sum(count, 1)
      let new = unsafe storage.tree.pointee.branches.allocate()
      unsafe storage.tree.pointee.branches.setParent(new, branch)
      open.append((branch, children &+ 1))
      branch = new
      children = 0
      events.append(ShapeEvent(.open, new).bits)
      return Branch(new)
    }

    /// Closes the innermost open branch.
    ///
    /// - Precondition: a branch is open; anything else traps.
    /// - Complexity: O(1).
    public mutating func closeBranch() {
      guard let last = open.popLast() else { TreeTrap.builder() }
      unsafe storage.tree.pointee.branches.setCount(branch, children)
      events.append(ShapeEvent(.close, branch).bits)
      (branch, children) = (last.branch, last.siblings)
    }

    /// Returns the index of all appended elements.
    ///
    /// - Returns: the index. The handles that the builder returned are valid in it.
    /// - Precondition: no branch is open; anything else traps.
    /// - Complexity: O(n), n the number of events.
    public consuming func finish() -> TreeIndex {
      if !open.isEmpty { TreeTrap.builder() }
      let tree = unsafe storage.tree
      unsafe tree.pointee.branches.setCount(branch, children)
      let part = unsafe tree.pointee.build(events.span)
      unsafe tree.pointee.setPart(part, of: 0)
      return TreeIndex(storage: storage)
    }
  }
}

extension ShapeTree {
  /// Makes a part with the events of another tree's forest. Its branches have records of this tree.
  mutating func copyEvents(
    of source: ShapeTree, forest: UInt32, below parent: UInt32, _ body: (_ branch: UInt32, _ new: UInt32) -> Void
  ) -> Part {
    let part = source.forests[forest].part
    if part.isEmpty { return .empty }
    var events: [UInt32] = []
    var open = [parent]
    var leaf: UInt32? = source.start(of: part).leaf
    while let current = leaf {
      let lanes = source.leaves.lanes(current)
      for slot in 0..<source.count(of: current) {
        let event = source.event(slot, lanes)
        if event.isLeaves {
          var length = source.elements(event)
          if let last = events.last, ShapeEvent(bits: last).isLeaves {
            events.removeLast()
            length += take(ShapeEvent(bits: last))
          }
          events.append(run(length).bits)
        } else if event.isKind(.close) {
          events.append(ShapeEvent(.close, open.removeLast()).bits)
        } else {
          let new = branches.allocate()
          branches.setParent(new, open[open.count - 1])
          branches.setCount(new, source.branches.count(event.record))
          body(event.record, new)
          if event.isKind(.open) { open.append(new) }
          events.append(ShapeEvent(event.isKind(.open) ? .open : .collapsed, new).bits)
        }
      }
      leaf = source.leafAfter(current)
    }
    return build(events.span)
  }
}
