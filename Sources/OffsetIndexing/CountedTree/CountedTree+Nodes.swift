extension CountedTree {
  func childCount(of node: UInt32) -> Int { Int(inners.lanes(node)[InnerNode.childCount]) }

  func child(_ slot: Int, of node: UInt32) -> UInt32 {
    UInt32(bitPattern: inners.lanes(node)[InnerNode.children + slot])
  }

  /// Writes the children of `node` with their sums to `entries`, and returns their number.
  @inline(never)
  func unpack(_ node: UInt32, into entries: Entries) -> Int {
    let lanes = inners.lanes(node)
    let childCount = Int(lanes[InnerNode.childCount])
    for slot in 0..<childCount {
      entries[slot] = Entry(
        node: UInt32(bitPattern: lanes[InnerNode.children &+ slot]),
        count: Int(InnerNode.size(of: slot, lanes)),
        weight: Int(InnerNode.size(of: slot, lanes, weights: InnerNode.weights)))
    }
    return childCount
  }

  /// Makes `entries` the children of `node`, and returns the node's own entry. `level` is the node's level, and the
  /// level above the leaves is 1.
  @inline(never)
  mutating func pack(_ entries: Entries, count childCount: Int, into node: UInt32, level: Int) -> Entry {
    let lanes = inners.lanes(node)
    var count: Int32 = 0
    var weight: Int32 = 0
    var slot = 0
    for group in 0..<8 {
      let sums = lanes + InnerNode.group(group)
      lanes[group] = count
      lanes[group &+ InnerNode.weights] = weight
      if slot == childCount {
        for vector in 0..<4 { sums[vector: vector &* 4] = SIMD4<Int32>(repeating: 0) }
        continue
      }
      var groupCount: Int32 = 0
      var groupWeight: Int32 = 0
      for lane in 0..<8 {
        sums[lane] = groupCount
        sums[lane &+ InnerNode.weights] = groupWeight
        if slot < childCount {
          let entry = entries[slot]
          groupCount &+= Int32(truncatingIfNeeded: entry.count)
          groupWeight &+= Int32(truncatingIfNeeded: entry.weight)
          lanes[InnerNode.children &+ slot] = Int32(bitPattern: entry.node)
          slot &+= 1
        }
      }
      count &+= groupCount
      weight &+= groupWeight
    }
    lanes[InnerNode.childCount] = Int32(childCount)
    if Leaves.linksParents {
      for slot in 0..<childCount {
        link(entries[slot].node, level: level - 1, to: node << 6 | UInt32(slot))
      }
    }
    return Entry(node: node, count: Int(count), weight: Int(weight))
  }

  /// Records the place of a node of level `level` in its parent.
  private mutating func link(_ node: UInt32, level: Int, to link: UInt32) {
    if level == 0 {
      leaves.link(node, to: link)
    } else {
      inners.lanes(node)[InnerNode.link] = Int32(bitPattern: link)
    }
  }

  mutating func release(_ node: UInt32, level: Int) {
    if level == 0 { leaves.release(node) } else { inners.release(node) }
  }

  /// Runs `body` with room for the entries of a node and two more: 768 bytes.
  @inline(__always)
  static func withEntries<Result>(_ body: (Entries) -> Result) -> Result {
    Entries.with(capacity: InnerNode.capacity + 2, body)
  }
}
