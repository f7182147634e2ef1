/// The look-ups and edits of an order index's tree, beyond counting.
extension CountedTree<HandleLeaves> {
  @inline(__always)
  func handle(at position: Int) -> Int {
    let place = locate(position)
    return Int(leaves.lanes(place.leaf)[place.offset])
  }

  /// Returns the handle nearest to a position whose number is a multiple of a power of two.
  ///
  /// The handles of the position's leaf are searched, as far as they are in a range. Where none of them has such a
  /// number, the result is the handle at the position.
  @inline(__always)
  func handle(near position: Int, in range: Range<Int>, multipleOf power: Int) -> (position: Int, number: Int) {
    let place = locate(position)
    let lanes = leaves.lanes(place.leaf)
    let mask = Int32(truncatingIfNeeded: power &- 1)
    let before = min(place.offset, position &- range.lowerBound)
    let behind = min(HandleLeaves.capacity &- 1 &- place.offset, range.upperBound &- 1 &- position)
    var distance = 0
    while distance <= max(before, behind) {
      if distance <= before, lanes[place.offset &- distance] & mask == 0 {
        return (position &- distance, Int(lanes[place.offset &- distance]))
      }
      if distance <= behind, lanes[place.offset &+ distance] & mask == 0, lanes[place.offset &+ distance] >= 0 {
        return (position &+ distance, Int(lanes[place.offset &+ distance]))
      }
      distance &+= 1
    }
    return (position, Int(lanes[place.offset]))
  }

  /// Climbs from the handle's leaf to the root. The sum of the handles before it on each level is its position.
  @inline(__always)
  func position(of handle: Int) -> Int? {
    guard let leaf = leaves.leaf(of: handle) else { return nil }
    var position = leaves.offset(of: Int32(truncatingIfNeeded: handle), in: leaf)
    var link = leaves.link(of: leaf)
    var level = whole.height
    while level > 0 {
      let lanes = inners.lanes(link &>> 6)
      let group = Int(link &>> 3 & 7)
      position &+= Int(lanes[group]) &+ Int(lanes[InnerNode.group(group) &+ Int(link & 7)])
      link = UInt32(bitPattern: lanes[InnerNode.link])
      level &-= 1
    }
    return position
  }

  /// Inserts a handle that is in no leaf before the handle at `position`.
  @inline(__always)
  mutating func insert(_ handle: Int32, at position: Int) {
    if whole.isEmpty {
      replaceWhole(by: Part(root: Entry(node: leaves.allocate(), count: 0, weight: 0), height: 0))
    }
    // Between two leaves, the new handle goes to the end of the first.
    let before = position == 0 ? 0 : 1
    var place = descend(to: position &- before)
    while place.count >= limits.leafCapacity {
      splitLeaf(place.leaf, count: place.count, atEnd: position == count)
      place = descend(to: position &- before)
    }
    leaves.insert(handle, at: place.offset &+ before, of: place.count, in: place.leaf)
    add(count: 1)
  }

  /// Removes the handle at `position` from its leaf, without freeing the handle.
  @inline(__always)
  mutating func remove(at position: Int) -> Int32 {
    let place = descend(to: position)
    let handle = leaves.remove(at: place.offset, of: place.count, in: place.leaf)
    add(count: -1)
    if place.count <= limits.leafMinimum { leafShrank(place.leaf, count: place.count &- 1) }
    return handle
  }

  /// Settles the leaf at the end of the noted path, which holds `count` handles now. The sums are right already.
  @inline(never)
  private mutating func leafShrank(_ leaf: UInt32, count: Int) {
    if self.count == 0 {
      leaves.release(leaf)
      replaceWhole(by: .empty)
    } else if whole.height > 0 {
      settleOnPath(Entry(node: leaf, count: count, weight: 0), level: 0)
    }
  }

  /// Removes the handles of `range` and frees them, the last first.
  mutating func removeSubrange(_ range: Range<Int>) {
    if range.isEmpty { return }
    let (first, rest) = split(whole, at: range.lowerBound)
    let (middle, last) = split(rest, at: range.count)
    var handles: [Int32] = []
    handles.reserveCapacity(range.count)
    collect(middle.root.node, level: middle.height, into: &handles)
    // The last handle is freed first, so that the handles are given out again in their former order.
    for handle in handles.reversed() { leaves.freeHandle(handle) }
    release(middle)
    replaceWhole(by: join(first, last))
  }

  private func collect(_ node: UInt32, level: Int, into handles: inout [Int32]) {
    if level == 0 {
      for lane in 0..<leaves.count(in: node) { handles.append(leaves.lanes(node)[lane]) }
    } else {
      for slot in 0..<childCount(of: node) {
        collect(child(slot, of: node), level: level - 1, into: &handles)
      }
    }
  }

  /// Inserts `count` new handles, and passes each in order.
  mutating func insert(count: Int, at position: Int, _ body: (Int32) -> Void) {
    if count == 0 { return }
    leaves.reserveHandles(count)
    let new = build(count: count) { leaves, leaf, range in
      for lane in 0..<range.count {
        let handle = leaves.takeHandle()
        leaves.insert(handle, at: lane, of: lane, in: leaf)
        body(handle)
      }
      return 0
    }
    let (left, right) = split(whole, at: position)
    replaceWhole(by: join(join(left, new, atEnd: right.isEmpty), right))
  }

  /// Fills the empty tree with handles that were never given out, in the order of `numbers`, which are all numbers
  /// below their count.
  mutating func fill(with numbers: [Int32]) {
    if numbers.isEmpty { return }
    leaves.takeAllHandles(below: numbers.count)
    replaceWhole(
      by: build(count: numbers.count) { leaves, leaf, range in
        for (lane, number) in numbers[range].enumerated() { leaves.insert(number, at: lane, of: lane, in: leaf) }
        return 0
      })
  }

  func checkInvariants() {
    var seen = 0
    checkInvariants { leaf, count in
      precondition(leaves.count(in: leaf) == count, "a leaf of \(count) has \(leaves.count(in: leaf))")
      for lane in 0..<leaves.count(in: leaf) {
        let handle = Int(leaves.lanes(leaf)[lane])
        precondition(leaves.leaf(of: handle) == leaf, "handle \(handle) is not where the table says")
      }
      seen += count
    }
    precondition(
      seen + leaves.freeHandleCount + leaves.awayHandleCount == leaves.handleLimit,
      "handles are neither in the sequence nor free nor away")
  }
}
