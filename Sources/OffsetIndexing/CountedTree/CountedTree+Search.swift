extension CountedTree {
  /// A place in a leaf.
  struct Place {
    var leaf: UInt32
    /// The number of units before the place in the leaf.
    var offset: Int
    /// The weight of the units before the leaf.
    var weightBefore: Int
  }

  /// The place of unit number `index` in its leaf. `index` is in `0..<count`.
  @inline(__always)
  func locate(_ index: Int) -> Place {
    var node = whole.root.node
    var key = Int32(truncatingIfNeeded: index)
    var weight: Int32 = 0
    var level = whole.height
    while level > 0 {
      let lanes = inners.lanes(node)
      let group = InnerNode.lane(of: key, lanes)
      let sums = lanes + InnerNode.group(group)
      key &-= lanes[group]
      weight &+= lanes[InnerNode.weights &+ group]
      let lane = InnerNode.lane(of: key, sums)
      key &-= sums[lane]
      weight &+= sums[InnerNode.weights &+ lane]
      node = UInt32(bitPattern: lanes[InnerNode.children &+ group &* 8 &+ lane])
      level &-= 1
    }
    return Place(leaf: node, offset: Int(key), weightBefore: Int(weight))
  }

  /// Finds the unit of weight one that has `rank` units of weight one before it. `rank` is in `0..<weight`.
  ///
  /// Returns the unit's leaf, the number of units before the leaf, and the rank of the unit inside the leaf.
  @inline(__always)
  func locate(rank: Int) -> (leaf: UInt32, countBefore: Int, rank: Int) {
    var node = whole.root.node
    var key = Int32(truncatingIfNeeded: rank)
    var count: Int32 = 0
    var level = whole.height
    while level > 0 {
      let lanes = inners.lanes(node)
      let group = InnerNode.lane(of: key, lanes + InnerNode.weights)
      let sums = lanes + InnerNode.group(group)
      key &-= lanes[InnerNode.weights &+ group]
      count &+= lanes[group]
      let lane = InnerNode.lane(of: key, sums + InnerNode.weights)
      key &-= sums[InnerNode.weights &+ lane]
      count &+= sums[lane]
      node = UInt32(bitPattern: lanes[InnerNode.children &+ group &* 8 &+ lane])
      level &-= 1
    }
    return (node, Int(count), Int(key))
  }

  /// Finds the leaf with unit number `index`, and notes the path to the leaf. `index` is in `0..<count`.
  ///
  /// Returns the leaf, the number of units before the unit in the leaf, and the number of units in the leaf.
  @inline(__always)
  mutating func descend(to index: Int) -> (leaf: UInt32, offset: Int, count: Int) {
    var node = whole.root.node
    var key = Int32(truncatingIfNeeded: index)
    var level = whole.height
    var count = Int32(truncatingIfNeeded: whole.root.count)
    while level > 0 {
      let lanes = inners.lanes(node)
      let group = InnerNode.lane(of: key, lanes)
      let sums = lanes + InnerNode.group(group)
      key &-= lanes[group]
      let lane = InnerNode.lane(of: key, sums)
      key &-= sums[lane]
      level &-= 1
      let slot = group &* 8 &+ lane
      count = InnerNode.size(of: slot, lanes)
      unsafe path[level] = Step(node: node, slot: Int32(truncatingIfNeeded: slot))
      node = UInt32(bitPattern: lanes[InnerNode.children &+ slot])
    }
    return (node, Int(key), Int(count))
  }

  /// Adds to the sums on the path that `descend` noted.
  @inline(__always)
  mutating func add(count: Int, weight: Int) {
    addToWhole(count: count, weight: weight)
    let count = Int32(truncatingIfNeeded: count)
    let weight = Int32(truncatingIfNeeded: weight)
    var level = 0
    while level < whole.height {
      let step = unsafe path[level]
      let lanes = inners.lanes(step.node)
      let group = step.slot >> 3
      let sums = lanes + InnerNode.group(Int(group))
      InnerNode.add(count, after: group, lanes)
      InnerNode.add(weight, after: group, lanes + InnerNode.weights)
      InnerNode.add(count, after: step.slot & 7, sums)
      InnerNode.add(weight, after: step.slot & 7, sums + InnerNode.weights)
      level &+= 1
    }
  }

  /// Adds to the sums of weights on the path that `descend` noted.
  @inline(__always)
  mutating func add(weight: Int) {
    addToWhole(count: 0, weight: weight)
    let weight = Int32(truncatingIfNeeded: weight)
    var level = 0
    while level < whole.height {
      let step = unsafe path[level]
      let lanes = inners.lanes(step.node)
      let group = step.slot >> 3
      InnerNode.add(weight, after: group, lanes + InnerNode.weights)
      InnerNode.add(weight, after: step.slot & 7, lanes + InnerNode.group(Int(group)) + InnerNode.weights)
      level &+= 1
    }
  }

  /// Adds to the sums of units on the path that `descend` noted. The leaves have no weight.
  @inline(__always)
  mutating func add(count: Int) {
    addToWhole(count: count, weight: 0)
    let count = Int32(truncatingIfNeeded: count)
    var level = 0
    while level < whole.height {
      let step = unsafe path[level]
      let lanes = inners.lanes(step.node)
      let group = step.slot >> 3
      InnerNode.add(count, after: group, lanes)
      InnerNode.add(count, after: step.slot & 7, lanes + InnerNode.group(Int(group)))
      level &+= 1
    }
  }
}
