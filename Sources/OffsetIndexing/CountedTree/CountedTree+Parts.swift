/// Cuts and joins parts. Ranges are inserted and removed in this way.
///
/// A tree is cut along one path. The nodes to the left of the path on each level are trees themselves, and so are the
/// nodes to its right. They are joined again from the bottom up. Each join costs as many nodes as the two trees differ
/// in height. So a cut costs O(log n) nodes altogether (Blelloch, Ferizovic & Sun, "Just join for parallel ordered
/// sets"). Recursion is as deep as the tree is high, and that is less than ten.
extension CountedTree {
  /// Builds a part of `count` units in O(count). Every leaf has `limits.leafFill` units or a little less.
  ///
  /// `fill` writes the units of a range to a new leaf, and returns their weight. The range is counted from the part's
  /// start.
  mutating func build(
    count: Int, fill: (_ leaves: inout Leaves, _ leaf: UInt32, _ range: Range<Int>) -> Int
  ) -> Part {
    guard count > 0 else { return .empty }
    if count <= limits.leafFill {
      let leaf = leaves.allocate()
      let weight = fill(&leaves, leaf, 0..<count)
      return Part(root: Entry(node: leaf, count: count, weight: weight), height: 0)
    }
    let leafCount = (count + limits.leafFill - 1) / limits.leafFill
    leaves.reserve(leafCount)
    let (nodeCounts, nodes) = Self.shape(leafCount: leafCount, fanOut: limits.fanOut)
    inners.reserve(nodes)
    // A stack with an unfinished node for each level. `open[level]` collects the entries of level `level`.
    var open = nodeCounts.map { _ in [Entry]() }
    var made = nodeCounts.map { _ in 0 }
    var part = Part.empty
    var start = 0
    for number in 0..<leafCount {
      // The last two leaves share the remaining units, so that the last leaf is not too small.
      var end = min(start + limits.leafFill, count)
      if number == leafCount - 2 && count - end < limits.leafMinimum { end = start + (count - start) / 2 }
      let leaf = leaves.allocate()
      let weight = fill(&leaves, leaf, start..<end)
      var entry = Entry(node: leaf, count: end - start, weight: weight)
      var level = 0
      while level < open.count {
        open[level].append(entry)
        // The entries are spread evenly: node number i of m nodes above n entries has the entries from i·n/m on.
        let below = level == 0 ? leafCount : nodeCounts[level - 1]
        let upTo = (made[level] + 1) * below / nodeCounts[level]
        let from = made[level] * below / nodeCounts[level]
        guard open[level].count == upTo - from else { break }
        entry = Self.withEntries { entries in
          for (slot, child) in open[level].enumerated() { entries[slot] = child }
          return makeNode(entries, count: open[level].count, level: level + 1)
        }
        open[level].removeAll(keepingCapacity: true)
        made[level] += 1
        level += 1
      }
      if level == open.count { part = Part(root: entry, height: level) }
      start = end
    }
    return part
  }

  /// The number of inner nodes on each level above `leafCount` leaves, lowest level first, and their total.
  private static func shape(leafCount: Int, fanOut: Int) -> (counts: [Int], total: Int) {
    var counts: [Int] = []
    var below = leafCount
    while below > 1 {
      below = (below + fanOut - 1) / fanOut
      counts.append(below)
    }
    return (counts, counts.reduce(0, +))
  }

  /// The units of `left`, followed by the units of `right`. If `right` is the end of the sequence (`atEnd`), the nodes
  /// to its left are left nearly full.
  mutating func join(_ left: Part, _ right: Part, atEnd: Bool = false) -> Part {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    let first: Entry
    let second: Entry?
    if left.height == right.height {
      (first, second) = settle(left.root, right.root, level: left.height, atEnd: atEnd)
    } else if left.height > right.height {
      (first, second) = attach(right, toEndOf: left.root.node, level: left.height, atEnd: atEnd)
    } else {
      (first, second) = attach(left, toStartOf: right.root.node, level: right.height)
    }
    let height = max(left.height, right.height)
    guard let second else { return Part(root: first, height: height) }
    return Part(root: makeNode(first, second, level: height + 1), height: height + 1)
  }

  private mutating func attach(
    _ part: Part, toEndOf node: UInt32, level: Int, atEnd: Bool
  ) -> (Entry, Entry?) {
    Self.withEntries { entries in
      let count = unpack(node, into: entries)
      let last = entries[count - 1]
      let (first, second) =
        level - 1 == part.height
        ? settle(last, part.root, level: part.height, atEnd: atEnd)
        : attach(part, toEndOf: last.node, level: level - 1, atEnd: atEnd)
      let newCount = entries.replace(1, at: count - 1, of: count, with: first, second)
      return packOrSplit(entries, count: newCount, into: node, level: level, atEnd: atEnd)
    }
  }

  private mutating func attach(_ part: Part, toStartOf node: UInt32, level: Int) -> (Entry, Entry?) {
    Self.withEntries { entries in
      let count = unpack(node, into: entries)
      let (first, second) =
        level - 1 == part.height
        ? settle(part.root, entries[0], level: part.height, atEnd: false)
        : attach(part, toStartOf: entries[0].node, level: level - 1)
      let newCount = entries.replace(1, at: 0, of: count, with: first, second)
      return packOrSplit(entries, count: newCount, into: node, level: level, atEnd: false)
    }
  }

  /// Cuts `part` before unit number `index`, in `0...count`.
  mutating func split(_ part: Part, at index: Int) -> (Part, Part) {
    if index == 0 { return (.empty, part) }
    if index == part.root.count { return (part, .empty) }
    guard part.height > 0 else { return splitLeaf(part.root, at: index) }
    let (left, middle, right, offset): (Part, Part, Part, Int) = Self.withEntries { entries in
      let count = unpack(part.root.node, into: entries)
      var slot = 0
      var offset = index
      while offset >= entries[slot].count {
        offset -= entries[slot].count
        slot += 1
      }
      let middle = Part(root: entries[slot], height: part.height - 1)
      // The node itself is used for one of the sides with more than one child.
      var node: UInt32? = part.root.node
      let left = makePart(entries, count: slot, reusing: &node, level: part.height)
      let right = makePart(
        entries + slot + 1, count: count - slot - 1, reusing: &node, level: part.height)
      if let node { inners.release(node) }
      return (left, middle, right, offset)
    }
    let (middleLeft, middleRight) = split(middle, at: offset)
    return (join(left, middleLeft), join(middleRight, right))
  }

  private mutating func makePart(
    _ entries: Entries, count: Int, reusing node: inout UInt32?, level: Int
  ) -> Part {
    if count == 0 { return .empty }
    if count == 1 { return Part(root: entries[0], height: level - 1) }
    let place = node ?? inners.allocate()
    node = nil
    return Part(root: pack(entries, count: count, into: place, level: level), height: level)
  }

  private mutating func splitLeaf(_ leaf: Entry, at index: Int) -> (Part, Part) {
    let new = leaves.allocate()
    leaves.moveUp(leaf.count - index, from: leaf.node, count: leaf.count, to: new, count: 0)
    let weight = leaves.weight(of: leaf.node, count: index)
    return (
      Part(root: Entry(node: leaf.node, count: index, weight: weight), height: 0),
      Part(root: Entry(node: new, count: leaf.count - index, weight: leaf.weight - weight), height: 0)
    )
  }

  /// Releases the nodes of `part`.
  mutating func release(_ part: Part) {
    if !part.isEmpty { release(subtree: part.root.node, level: part.height) }
  }

  private mutating func release(subtree node: UInt32, level: Int) {
    if level > 0 {
      for slot in 0..<childCount(of: node) { release(subtree: child(slot, of: node), level: level - 1) }
    }
    release(node, level: level)
  }
}
