extension OffsetIndex {
  /// Returns the offset at which a child begins.
  ///
  /// The offset of the first child is zero. The offset of `count`, where the next child would begin, is `total`.
  ///
  /// ```swift
  /// let index = OffsetIndex([2, 0, 3])
  /// index.offset(of: 1)   // 2
  /// index.offset(of: 3)   // 5
  /// ```
  ///
  /// - Parameter index: the index of a child, or the end, `0...count`.
  /// - Returns: the sum of the sizes of the children before `index`.
  /// - Precondition: `index` is in `0...count`.
  /// - Complexity: O(log n), where n is `count`.
  public func offset(of index: Int) -> Int {
    let header = storage.head
    guard index >= 0, index < header.count else {
      guard index == header.count else { SumTrap.boundary(index, header.count) }
      return header.total
    }
    let (leaf, local, start) = header.find(index)
    let block = unsafe header.leaves[LeafForm.number(leaf)]
    switch LeafForm(of: leaf) {
    case .small: return unsafe start &+ DenseLeaf<SmallLayout>(block).start(local)
    case .large: return unsafe start &+ DenseLeaf<LargeLayout>(block).start(local)
    case .runs: return unsafe start &+ RunLeaf(block).start(local)
    }
  }

  /// Returns the offsets that a child holds. If its size is zero, the range is empty.
  ///
  /// - Parameter index: the index of a child, `0..<count`.
  /// - Returns: the offsets from the child's first offset up to the first offset of the next child.
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log n), where n is `count`.
  public func range(of index: Int) -> Range<Int> {
    let header = storage.head
    guard index >= 0, index < header.count else { SumTrap.index(index, header.count) }
    let (leaf, local, leafStart) = header.find(index)
    let start = leafStart &+ header.start(local, in: leaf)
    return start..<start &+ header.size(local, in: leaf)
  }

  /// Returns the child that holds an offset.
  ///
  /// A child of size zero holds no offset and is never returned. If several children begin at the same offset, the last
  /// of them is returned.
  ///
  /// ```swift
  /// let index = OffsetIndex([2, 0, 3])
  /// index.locate(1)   // (index: 0, offset: 1)
  /// index.locate(2)   // (index: 2, offset: 0)
  /// ```
  ///
  /// - Parameter offset: a distance from the beginning of the first child, `0..<total`.
  /// - Returns: the child's index, and the distance of the offset from the beginning of that child.
  /// - Precondition: `offset` is in `0..<total`.
  /// - Complexity: O(log n), where n is `count`.
  @inline(__always)
  public func locate(_ offset: Int) -> (index: Int, offset: Int) {
    let header = storage.head
    guard offset >= 0, offset < header.total else { SumTrap.offset(offset, header.total) }
    let (leaf, local, start) =
      header.isWide ? header.find(offset: offset, Int64.self) : header.find(offset: offset, Int32.self)
    let block = unsafe header.leaves[LeafForm.number(leaf)]
    let place: (index: Int, offset: Int)
    switch LeafForm(of: leaf) {
    case .small: place = unsafe DenseLeaf<SmallLayout>(block).locate(local)
    case .large: place = unsafe DenseLeaf<LargeLayout>(block).locate(local)
    case .runs: place = unsafe RunLeaf(block).locate(local)
    }
    return (start &+ place.index, place.offset)
  }
}

extension IndexHeader {
  /// Finds the leaf with the size number `index`, the index in that leaf, and the offset at which the leaf begins.
  @inline(__always) func find(_ index: Int) -> (leaf: UInt32, index: Int, start: Int) {
    isWide ? find(index, Int64.self) : find(index, Int32.self)
  }

  @inline(__always)
  private func find<Lane: SumLane>(_ index: Int, _: Lane.Type) -> (leaf: UInt32, index: Int, start: Int) {
    var node = root
    var start = 0
    if height == 0 { return (node, index, 0) }
    var local = Lane(truncatingIfNeeded: index)
    var level = height
    repeat {
      node = unsafe Branch<Lane>(branches[node]).descend(index: &local, offset: &start)
      level &-= 1
    } while level > 0
    return (node, Int(truncatingIfNeeded: local), start)
  }

  /// Finds the leaf that contains `offset`, the offset in that leaf, and the number of sizes before the leaf.
  @inline(__always)
  func find<Lane: SumLane>(offset: Int, _: Lane.Type) -> (leaf: UInt32, offset: Int, start: Int) {
    var node = root
    var start = 0
    if height == 0 { return (node, offset, 0) }
    var local = Lane(truncatingIfNeeded: offset)
    var level = height
    repeat {
      node = unsafe Branch<Lane>(branches[node]).descend(offset: &local, index: &start)
      level &-= 1
    } while level > 0
    return (node, Int(truncatingIfNeeded: local), start)
  }

  /// The start of the size number `index` of a leaf, from the beginning of the leaf.
  @inline(__always) func start(_ index: Int, in leaf: UInt32) -> Int {
    let block = unsafe leaves[LeafForm.number(leaf)]
    switch LeafForm(of: leaf) {
    case .small: return unsafe DenseLeaf<SmallLayout>(block).start(index)
    case .large: return unsafe DenseLeaf<LargeLayout>(block).start(index)
    case .runs: return unsafe RunLeaf(block).start(index)
    }
  }

  /// The size number `index` of a leaf.
  @inline(__always) func size(_ index: Int, in leaf: UInt32) -> Int {
    let block = unsafe leaves[LeafForm.number(leaf)]
    switch LeafForm(of: leaf) {
    case .small: return unsafe DenseLeaf<SmallLayout>(block).size(index)
    case .large: return unsafe DenseLeaf<LargeLayout>(block).size(index)
    case .runs: return unsafe RunLeaf(block).size(index)
    }
  }
}
