extension CountedTree {
  /// Splits the full leaf at the end of the noted path into two, before a unit is inserted in it.
  ///
  /// Where the unit goes to the very end of the sequence (`atEnd`), the left leaf keeps seven eighths.
  @inline(never)
  mutating func splitLeaf(_ leaf: UInt32, count: Int, atEnd: Bool) {
    let moved = atEnd ? max(1, limits.leafCapacity / 8) : count / 2
    let new = leaves.allocate()
    leaves.moveUp(moved, from: leaf, count: count, to: new, count: 0)
    let weight = leaves.weight(of: leaf, count: count - moved)
    let newWeight = leaves.weight(of: new, count: moved)
    replaceOnPath(
      level: 0, removing: 1, at: 0, with: Entry(node: leaf, count: count - moved, weight: weight),
      Entry(node: new, count: moved, weight: newWeight), atEnd: atEnd)
  }

  /// Replaces `removed` entries of level `level` by one or two entries. The first of the removed entries is `shift`
  /// slots after the entry on the noted path. If the parent overflows or underflows, the level above is settled, too.
  private mutating func replaceOnPath(
    level: Int, removing removed: Int, at shift: Int, with first: Entry, _ second: Entry?, atEnd: Bool
  ) {
    if level == whole.height {
      // There is no parent. These entries are the root, or need a root.
      guard let second else {
        settleOnPath(first, level: level)
        return
      }
      return replaceWhole(by: Part(root: makeNode(first, second, level: level + 1), height: level + 1))
    }
    let step = unsafe path[level]
    let (left, right): (Entry, Entry?) = Self.withEntries { entries in
      var count = unpack(step.node, into: entries)
      count = entries.replace(removed, at: Int(step.slot) + shift, of: count, with: first, second)
      return packOrSplit(entries, count: count, into: step.node, level: level + 1, atEnd: atEnd)
    }
    if let right {
      replaceOnPath(level: level + 1, removing: 1, at: 0, with: left, right, atEnd: atEnd)
    } else {
      settleOnPath(left, level: level + 1)
    }
  }

  /// Merges the node at `level` of the noted path with a neighbour if the node has become too small, and then goes up.
  /// `entry` is the node's new entry. The sums above are right already, except for the division between the node and
  /// its neighbour.
  @inline(never)
  mutating func settleOnPath(_ entry: Entry, level: Int) {
    if level == whole.height {
      var root = Part(root: entry, height: level)
      // A root with one child is not needed.
      while root.height > 0 && childCount(of: root.root.node) == 1 {
        let child = self.child(0, of: root.root.node)
        inners.release(root.root.node)
        root.root.node = child
        root.height -= 1
      }
      replaceWhole(by: root)
      return
    }
    guard isTooSmall(entry, level: level) else { return }
    let step = unsafe path[level]
    let slot = Int(step.slot)
    let (shift, left, right): (Int, Entry, Entry) = Self.withEntries { entries in
      _ = unpack(step.node, into: entries)
      return slot > 0 ? (-1, entries[slot - 1], entry) : (0, entry, entries[1])
    }
    let (first, second) = settle(left, right, level: level, atEnd: false)
    replaceOnPath(level: level, removing: 2, at: shift, with: first, second, atEnd: false)
  }

  func isTooSmall(_ entry: Entry, level: Int) -> Bool {
    level == 0 ? entry.count < limits.leafMinimum : childCount(of: entry.node) < limits.fanMinimum
  }

  /// Makes two neighbours of one level large enough. If one is too small, they are merged into the left one where both
  /// fit, and otherwise they share their units or children evenly. If the right one is the end of the sequence
  /// (`atEnd`), it gets no more than it needs.
  mutating func settle(_ left: Entry, _ right: Entry, level: Int, atEnd: Bool) -> (Entry, Entry?) {
    guard isTooSmall(left, level: level) || isTooSmall(right, level: level) else { return (left, right) }
    return level == 0
      ? settleLeaves(left, right, atEnd: atEnd) : settleInners(left, right, level: level, atEnd: atEnd)
  }

  private mutating func settleLeaves(_ left: Entry, _ right: Entry, atEnd: Bool) -> (Entry, Entry?) {
    let count = left.count + right.count
    let weight = left.weight + right.weight
    if count <= limits.leafCapacity {
      leaves.moveDown(right.count, from: right.node, count: right.count, to: left.node, count: left.count)
      leaves.release(right.node)
      return (Entry(node: left.node, count: count, weight: weight), nil)
    }
    let kept = atEnd && left.count > right.count ? count - limits.leafMinimum : count / 2
    if kept < left.count {
      leaves.moveUp(left.count - kept, from: left.node, count: left.count, to: right.node, count: right.count)
    } else {
      leaves.moveDown(
        kept - left.count, from: right.node, count: right.count, to: left.node, count: left.count)
    }
    let leftWeight = leaves.weight(of: left.node, count: kept)
    return (
      Entry(node: left.node, count: kept, weight: leftWeight),
      Entry(node: right.node, count: count - kept, weight: weight - leftWeight)
    )
  }
}
