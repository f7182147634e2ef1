/// The look-ups and edits of a bit index's tree, beyond counting.
extension CountedTree<BitLeaves> {
  @inline(__always)
  func bit(at index: Int) -> Bool {
    let place = locate(index)
    return leaves[place.leaf][place.offset]
  }

  @inline(__always)
  func rank(_ index: Int) -> Int {
    if index == count { return weight }
    let place = locate(index)
    return place.weightBefore &+ leaves[place.leaf].rank(place.offset)
  }

  @inline(__always)
  func select(_ rank: Int) -> Int {
    let place = locate(rank: rank)
    return place.countBefore &+ leaves[place.leaf].position(ofRank: place.rank)
  }

  /// Makes bit `index` equal `bit`, or flips it where `bit` is nil.
  @inline(__always)
  mutating func assign(_ bit: Bool?, at index: Int) {
    let place = descend(to: index)
    let leaf = leaves[place.leaf]
    if leaf[place.offset] == bit { return }
    add(weight: leaf.flip(place.offset) ? 1 : -1)
  }

  @inline(__always)
  mutating func insert(_ bit: Bool, at index: Int) {
    if whole.isEmpty {
      replaceWhole(by: Part(root: Entry(node: leaves.allocate(), count: 0, weight: 0), height: 0))
    }
    // Between two leaves, the new bit goes to the end of the first.
    let before = index == 0 ? 0 : 1
    var place = descend(to: index &- before)
    while place.count >= limits.leafCapacity {
      splitLeaf(place.leaf, count: place.count, atEnd: index == count)
      place = descend(to: index &- before)
    }
    leaves[place.leaf].insert(bit, at: place.offset &+ before, count: place.count)
    add(count: 1, weight: bit ? 1 : 0)
  }

  @inline(__always)
  mutating func remove(at index: Int) -> Bool {
    let place = descend(to: index)
    let bit = leaves[place.leaf].remove(at: place.offset, count: place.count)
    add(count: -1, weight: bit ? -1 : 0)
    if place.count <= limits.leafMinimum { leafShrank(place.leaf, count: place.count &- 1) }
    return bit
  }

  /// Settles the leaf at the end of the noted path, which holds `count` bits now. The sums are right already.
  @inline(never)
  private mutating func leafShrank(_ leaf: UInt32, count: Int) {
    if self.count == 0 {
      leaves.release(leaf)
      replaceWhole(by: .empty)
    } else if whole.height > 0 {
      let entry = Entry(node: leaf, count: count, weight: leaves.weight(of: leaf, count: count))
      settleOnPath(entry, level: 0)
    }
  }

  mutating func removeSubrange(_ range: Range<Int>) {
    if range.isEmpty { return }
    let removed = range.count
    let place = descend(to: range.lowerBound)
    let left = place.count - removed
    if place.offset + removed <= place.count && (left >= limits.leafMinimum || whole.height == 0) {
      let leaf = leaves[place.leaf]
      let end = place.offset + removed
      let before = leaf.weight
      leaf.words.copyBits(from: leaf.words, at: end, to: place.offset, count: place.count - end)
      leaf.words.clearBits(left..<place.count)
      leaf.recount()
      add(count: -removed, weight: leaf.weight - before)
      if left == 0 { leafShrank(place.leaf, count: 0) }
      return
    }
    let (first, rest) = split(whole, at: range.lowerBound)
    let (middle, last) = split(rest, at: removed)
    release(middle)
    replaceWhole(by: join(first, last))
  }

  /// Inserts `inserted` bits at `index`.
  ///
  /// - Parameters:
  ///   - inserted: the number of new bits.
  ///   - index: the position of the first new bit.
  ///   - fill: writes a range of the new bits to words, from a bit position on. The range is counted from the first new
  ///     bit.
  @inline(__always)
  private mutating func insert(
    count inserted: Int, at index: Int, fill: (_ words: Words, _ position: Int, _ range: Range<Int>) -> Void
  ) {
    if inserted == 0 { return }
    if !whole.isEmpty {
      let before = index == 0 ? 0 : 1
      let place = descend(to: index - before)
      if place.count + inserted <= limits.leafCapacity {
        let leaf = leaves[place.leaf]
        let offset = place.offset + before
        let oldWeight = leaf.weight
        leaf.words.raiseBits(from: offset, to: place.count, by: inserted)
        fill(leaf.words, offset, 0..<inserted)
        leaf.recount()
        add(count: inserted, weight: leaf.weight - oldWeight)
        return
      }
    }
    let new = build(count: inserted) { leaves, leaf, range in
      fill(leaves[leaf].words, 0, range)
      leaves[leaf].recount()
      return leaves[leaf].weight
    }
    let (left, right) = split(whole, at: index)
    replaceWhole(by: join(join(left, new, atEnd: right.isEmpty), right))
  }

  mutating func insert(words source: Words, count: Int, at index: Int) {
    insert(count: count, at: index) { words, position, range in
      words.copyBits(from: source, at: range.lowerBound, to: position, count: range.count)
    }
  }

  mutating func insert(repeating bit: Bool, count: Int, at index: Int) {
    insert(count: count, at: index) { words, position, range in
      words.fillBits(position..<position + range.count, with: bit)
    }
  }

  /// Passes the leaves that overlap `range`, with the positions that each covers.
  func forEachLeaf(in range: Range<Int>, _ body: (_ leaf: BitLeaf, _ covered: Range<Int>) -> Void) {
    if !range.isEmpty { forEachLeaf(of: whole.root.node, level: whole.height, at: 0, count, range, body) }
  }

  private func forEachLeaf(
    of node: UInt32, level: Int, at start: Int, _ count: Int, _ range: Range<Int>,
    _ body: (_ leaf: BitLeaf, _ covered: Range<Int>) -> Void
  ) {
    if level == 0 { return body(leaves[node], start..<start &+ count) }
    let lanes = inners.lanes(node)
    let key = Int32(max(0, range.lowerBound &- start))
    let group = InnerNode.lane(of: key, lanes)
    let sums = lanes + InnerNode.group(group)
    let lane = InnerNode.lane(of: key &- lanes[group], sums)
    var slot = group &* 8 &+ lane
    var childStart = start &+ Int(lanes[group]) &+ Int(sums[lane])
    let childCount = Int(lanes[InnerNode.childCount])
    while slot < childCount && childStart < range.upperBound {
      let size = Int(InnerNode.size(of: slot, lanes))
      forEachLeaf(
        of: UInt32(bitPattern: lanes[InnerNode.children &+ slot]), level: level &- 1, at: childStart,
        size, range, body)
      slot &+= 1
      childStart &+= size
    }
  }

  /// Rewrites the bits of `range` a word at a time.
  mutating func updateEachWord(in range: Range<Int>, _ body: (Int, UInt64, Int) -> UInt64) {
    if range.isEmpty { return }
    let place = descend(to: range.lowerBound)
    if place.offset + range.count <= place.count {
      let leaf = leaves[place.leaf]
      let before = leaf.weight
      leaf.updateEachWord(in: range, start: range.lowerBound - place.offset, body)
      add(weight: leaf.weight - before)
    } else {
      let root = updateEachWord(of: whole.root, level: whole.height, at: 0, in: range, body)
      replaceWhole(by: Part(root: root, height: whole.height))
    }
  }

  private mutating func updateEachWord(
    of entry: Entry, level: Int, at start: Int, in range: Range<Int>, _ body: (Int, UInt64, Int) -> UInt64
  ) -> Entry {
    let covered = range.clamped(to: start..<start + entry.count)
    if covered.isEmpty { return entry }
    if level == 0 {
      let leaf = leaves[entry.node]
      leaf.updateEachWord(in: covered, start: start, body)
      return Entry(node: entry.node, count: entry.count, weight: leaf.weight)
    }
    return Self.withEntries { entries in
      let childCount = unpack(entry.node, into: entries)
      var childStart = start
      for slot in 0..<childCount {
        entries[slot] = updateEachWord(of: entries[slot], level: level - 1, at: childStart, in: range, body)
        childStart += entries[slot].count
      }
      return pack(entries, count: childCount, into: entry.node, level: level)
    }
  }
}
