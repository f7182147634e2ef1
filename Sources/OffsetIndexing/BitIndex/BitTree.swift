/// What the tree of a bit index does beyond counting.
extension CountedTree<BitLeaves> {
  @inline(__always)
  func bit(at index: Int) -> Bool {
    let place = locate(index)
    return leaves.words(place.leaf)[place.offset &>> 6] &>> UInt64(place.offset & 63) & 1 != 0
  }

  @inline(__always)
  func rank(_ index: Int) -> Int {
    if index == count { return weight }
    let place = locate(index)
    return place.weightBefore &+ leaves.words(place.leaf).rank(place.offset)
  }

  @inline(__always)
  func select(_ rank: Int) -> Int {
    let place = locate(rank: rank)
    return place.countBefore &+ leaves.words(place.leaf).position(ofRank: place.rank)
  }

  /// Makes bit `index` equal `bit`, or flips it where `bit` is nil.
  @inline(__always)
  mutating func assign(_ bit: Bool?, at index: Int) {
    let place = descend(to: index)
    let words = leaves.words(place.leaf)
    let word = place.offset &>> 6
    let shift = UInt64(truncatingIfNeeded: place.offset & 63)
    let old = words[word] &>> shift & 1
    let new = bit.map { $0 ? 1 : 0 } ?? 1 &- old
    if old == new { return }
    words[word] ^= 1 &<< shift
    add(weight: Int(truncatingIfNeeded: new) &* 2 &- 1)
  }

  @inline(__always)
  mutating func insert(_ bit: Bool, at index: Int) {
    if whole.isEmpty { whole = Part(root: Entry(node: leaves.allocate(), count: 0, weight: 0), height: 0) }
    // Between two leaves, the new bit goes to the end of the first.
    let before = index == 0 ? 0 : 1
    var place = descend(to: index &- before)
    while place.count >= limits.leafCapacity {
      splitLeaf(place.leaf, count: place.count, atEnd: index == count)
      place = descend(to: index &- before)
    }
    leaves.words(place.leaf).insertBit(bit, at: place.offset &+ before, count: place.count)
    add(count: 1, weight: bit ? 1 : 0)
  }

  @inline(__always)
  mutating func remove(at index: Int) -> Bool {
    let place = descend(to: index)
    let bit = leaves.words(place.leaf).removeBit(at: place.offset, count: place.count)
    add(count: -1, weight: bit ? -1 : 0)
    if place.count <= limits.leafMinimum { leafShrank(place.leaf, count: place.count &- 1) }
    return bit
  }

  /// Settles the leaf at the end of the noted path, which now holds `count` bits; the sums are right already.
  @inline(never)
  private mutating func leafShrank(_ leaf: UInt32, count: Int) {
    if self.count == 0 {
      leaves.release(leaf)
      whole = .empty
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
      let words = leaves.words(place.leaf)
      let end = place.offset + removed
      let weight = words.rank(end) - words.rank(place.offset)
      words.copyBits(from: words, at: end, to: place.offset, count: place.count - end)
      words.clearBits(left..<place.count)
      add(count: -removed, weight: -weight)
      if left == 0 { leafShrank(place.leaf, count: 0) }
      return
    }
    let (first, rest) = split(whole, at: range.lowerBound)
    let (middle, last) = split(rest, at: removed)
    release(middle)
    whole = join(first, last)
  }

  /// Inserts `count` bits, of which `bits` returns up to 64 from a place on.
  @inline(__always)
  mutating func insert(
    count inserted: Int, at index: Int, weight: (Words, Range<Int>) -> Int
  ) {
    if inserted == 0 { return }
    if !whole.isEmpty {
      let before = index == 0 ? 0 : 1
      let place = descend(to: index - before)
      if place.count + inserted <= limits.leafCapacity {
        // Through a scratch leaf, so that `weight` writes whole leaves only.
        let scratch = leaves.allocate()
        let words = leaves.words(place.leaf)
        let offset = place.offset + before
        let added = weight(leaves.words(scratch), 0..<inserted)
        words.raiseBits(from: offset, to: place.count, by: inserted)
        words.copyBits(from: leaves.words(scratch), at: 0, to: offset, count: inserted)
        leaves.release(scratch)
        add(count: inserted, weight: added)
        return
      }
    }
    let new = build(count: inserted) { leaves, leaf, range in weight(leaves.words(leaf), range) }
    let (left, right) = split(whole, at: index)
    whole = join(join(left, new, atEnd: right.isEmpty), right)
  }

  mutating func insert(words source: Words, count: Int, at index: Int) {
    insert(count: count, at: index) { words, range in
      words.copyBits(from: source, at: range.lowerBound, to: 0, count: range.count)
      return words.rank(range.count)
    }
  }

  mutating func insert(repeating bit: Bool, count: Int, at index: Int) {
    insert(count: count, at: index) { words, range in
      guard bit else { return 0 }
      for word in 0..<range.count / 64 { words[word] = .max }
      if range.count % 64 > 0 { words[range.count / 64] = .lowBits(range.count % 64) }
      return range.count
    }
  }

  /// Passes the leaves that overlap `range`, with the positions that each covers.
  func forEachLeaf(in range: Range<Int>, _ body: (_ words: Words, _ covered: Range<Int>) -> Void) {
    if !range.isEmpty { forEachLeaf(of: whole.root.node, level: whole.height, at: 0, count, range, body) }
  }

  private func forEachLeaf(
    of node: UInt32, level: Int, at start: Int, _ count: Int, _ range: Range<Int>,
    _ body: (_ words: Words, _ covered: Range<Int>) -> Void
  ) {
    if level == 0 { return body(leaves.words(node), start..<start &+ count) }
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
      let words = leaves.words(place.leaf)
      let start = range.lowerBound - place.offset
      let before = words.rank(place.count)
      words.updateEachWord(in: range, start: start, body)
      add(weight: words.rank(place.count) - before)
    } else {
      let root = whole.root
      whole.root = updateEachWord(of: root, level: whole.height, at: 0, in: range, body)
    }
  }

  private mutating func updateEachWord(
    of entry: Entry, level: Int, at start: Int, in range: Range<Int>, _ body: (Int, UInt64, Int) -> UInt64
  ) -> Entry {
    let covered = range.clamped(to: start..<start + entry.count)
    if covered.isEmpty { return entry }
    if level == 0 {
      let words = leaves.words(entry.node)
      words.updateEachWord(in: covered, start: start, body)
      return Entry(node: entry.node, count: entry.count, weight: words.rank(entry.count))
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

extension Words {
  /// Inserts a bit among the first `count` of a leaf, which has room for it.
  @inline(__always)
  func insertBit(_ bit: Bool, at position: Int, count: Int) {
    let word = position &>> 6
    var high = count &>> 6
    while high > word {
      self[high] = self[high] &<< 1 | self[high &- 1] &>> 63
      high &-= 1
    }
    let shift = UInt64(truncatingIfNeeded: position & 63)
    let low = self[word] & ((1 &<< shift) &- 1)
    self[word] = low | (self[word] ^ low) &<< 1 | (bit ? 1 : 0) &<< shift
  }

  /// Removes and returns a bit of the first `count` of a leaf.
  @inline(__always)
  func removeBit(at position: Int, count: Int) -> Bool {
    var word = position &>> 6
    let shift = UInt64(truncatingIfNeeded: position & 63)
    let bit = self[word] &>> shift & 1
    let low = self[word] & ((1 &<< shift) &- 1)
    self[word] = low | (self[word] &>> 1) & ~((1 &<< shift) &- 1)
    let last = (count &- 1) &>> 6
    while word < last {
      self[word] |= self[word &+ 1] &<< 63
      word &+= 1
      self[word] &>>= 1
    }
    return bit != 0
  }

  /// Rewrites the bits of `range`, where the leaf's first bit has the position `start`.
  @inline(__always)
  func updateEachWord(in range: Range<Int>, start: Int, _ body: (Int, UInt64, Int) -> UInt64) {
    forEachWord(in: range, start: start) { position, bits, count in
      setBits(at: position &- start, count: count, to: body(position, bits, count) & .lowBits(count))
    }
  }

  /// Passes the bits of `range`, where the leaf's first bit has the position `start`.
  @inline(__always)
  func forEachWord(in range: Range<Int>, start: Int, _ body: (Int, UInt64, Int) -> Void) {
    var position = range.lowerBound
    while position < range.upperBound {
      let offset = position &- start
      let count = Swift.min(64 &- offset & 63, range.upperBound &- position)
      body(position, self[offset &>> 6] &>> UInt64(truncatingIfNeeded: offset & 63) & .lowBits(count), count)
      position &+= count
    }
  }
}
