/// A B+-tree whose inner nodes are unpacked into entries, one for each child, and packed again.
protocol PackedTree: StoredTree {
  associatedtype Inner: InnerLayout
  /// A child and its sums.
  associatedtype Entry: PackedEntry

  var inners: NodeArena<Inner> { get set }

  /// The greatest number of children of an inner node, and the least number for one that is not a root.
  var fanLimits: (most: Int, least: Int) { get }

  /// Writes the children of `node` with their sums to `entries`, and returns their number.
  func unpack(_ node: UInt32, into entries: EntryRoom<Entry>) -> Int

  /// Makes `entries` the children of `node`, and returns the node's own entry. `level` is the node's level, and the
  /// level above the leaves is 1.
  mutating func pack(_ entries: EntryRoom<Entry>, count: Int, into node: UInt32, level: Int) -> Entry
}

/// An inner node of a packed tree.
protocol InnerLayout: BlockLayout {
  /// The greatest number of children.
  static var capacity: Int { get }
}

/// A child of an inner node, and its sums.
protocol PackedEntry {
  var node: UInt32 { get }
}

extension PackedTree {
  /// Makes a new inner node of level `level` with the given children.
  mutating func makeNode(_ entries: EntryRoom<Entry>, count: Int, level: Int) -> Entry {
    let node = inners.allocate()
    return pack(entries, count: count, into: node, level: level)
  }

  /// Makes a new inner node of level `level` with two children.
  mutating func makeNode(_ first: Entry, _ second: Entry, level: Int) -> Entry {
    EntryRoom.with(capacity: 2) { entries in
      entries[0] = first
      entries[1] = second
      return makeNode(entries, count: 2, level: level)
    }
  }

  /// Makes `entries` the children of `node`, and of a new node to its right if there are too many. There is at most one
  /// too many. At the end of a sequence (`atEnd`), the left node keeps as many as possible.
  mutating func packOrSplit(
    _ entries: EntryRoom<Entry>, count: Int, into node: UInt32, level: Int, atEnd: Bool
  ) -> (Entry, Entry?) {
    let limits = fanLimits
    guard count > limits.most else { return (pack(entries, count: count, into: node, level: level), nil) }
    let kept = atEnd ? count - limits.least : (count + 1) / 2
    return (
      pack(entries, count: kept, into: node, level: level),
      makeNode(entries + kept, count: count - kept, level: level)
    )
  }

  /// Merges two neighbouring inner nodes into the left one where their children fit, and otherwise shares the children
  /// evenly. At the end of a sequence (`atEnd`), the right node gets no more than it needs.
  mutating func settleInners(_ left: Entry, _ right: Entry, level: Int, atEnd: Bool) -> (Entry, Entry?) {
    EntryRoom.with(capacity: 2 * Inner.capacity) { entries in
      let leftCount = unpack(left.node, into: entries)
      let count = leftCount + unpack(right.node, into: entries + leftCount)
      let limits = fanLimits
      if count <= limits.most {
        inners.release(right.node)
        return (pack(entries, count: count, into: left.node, level: level), nil)
      }
      let kept = atEnd && leftCount > count / 2 ? count - limits.least : count / 2
      return (
        pack(entries, count: kept, into: left.node, level: level),
        pack(entries + kept, count: count - kept, into: right.node, level: level)
      )
    }
  }
}

/// A scratch array of entries. `@safe`: no caller exceeds the capacity that it requested.
@safe
struct EntryRoom<Entry> {
  let base: UnsafeMutablePointer<Entry>

  /// Runs `body` with room for some entries. Beyond 1024 bytes the room would be on the heap, and that took a fifth of
  /// the time of a range edit.
  @inline(__always)
  static func with<Result>(capacity: Int, _ body: (EntryRoom) -> Result) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: Entry.self, capacity: capacity) { buffer in
      unsafe body(EntryRoom(base: buffer.baseAddress!))
    }
  }

  @inline(__always)
  subscript(offset: Int) -> Entry {
    get { unsafe base[offset] }
    nonmutating set { unsafe base[offset] = newValue }
  }

  static func + (entries: EntryRoom, offset: Int) -> EntryRoom { unsafe EntryRoom(base: entries.base + offset) }

  /// Replaces the `removed` entries from `slot` on by one or two entries. `count` is the number of all entries before,
  /// and the result is their number afterwards.
  func replace(_ removed: Int, at slot: Int, of count: Int, with first: Entry, _ second: Entry?) -> Int {
    let added = second == nil ? 1 : 2
    unsafe (base + slot + added).update(from: base + slot + removed, count: count - slot - removed)
    self[slot] = first
    if let second { self[slot + 1] = second }
    return count - removed + added
  }
}
