/// The leaves of a bit index: 1024 bits in 16 words each, those beyond the leaf's count zero.
///
/// 16 words, because an inner node's share of a leaf is 13.4 bytes: 10 % of 128 bytes, but 21 % of 64. See
/// `Docs/BitIndex.md` for the times.
struct BitLeaves: LeafStore, BlockLayout {
  static var capacity: Int { wordCount * 64 }
  static var wordCount: Int { 16 }
  static var byteCount: Int { wordCount * 8 }
  static var linksParents: Bool { false }

  private(set) var arena = BlockArena<BitLeaves>()

  @inline(__always)
  func words(_ leaf: UInt32) -> Words { arena.words(leaf) }

  mutating func allocate() -> UInt32 {
    let leaf = arena.allocate()
    for word in 0..<Self.wordCount { words(leaf)[word] = 0 }
    return leaf
  }

  mutating func release(_ leaf: UInt32) { arena.release(leaf) }

  mutating func reserve(_ count: Int) { arena.reserve(count) }

  func weight(of leaf: UInt32, count: Int) -> Int { words(leaf).rank(count) }

  mutating func moveUp(
    _ moved: Int, from left: UInt32, count leftCount: Int, to right: UInt32, count rightCount: Int
  ) {
    words(right).raiseBits(from: 0, to: rightCount, by: moved)
    words(right).copyBits(from: words(left), at: leftCount - moved, to: 0, count: moved)
    words(left).clearBits(leftCount - moved..<leftCount)
  }

  mutating func moveDown(
    _ moved: Int, from right: UInt32, count rightCount: Int, to left: UInt32, count leftCount: Int
  ) {
    words(left).copyBits(from: words(right), at: 0, to: leftCount, count: moved)
    words(right).copyBits(from: words(right), at: moved, to: 0, count: rightCount - moved)
    words(right).clearBits(rightCount - moved..<rightCount)
  }

  mutating func link(_ leaf: UInt32, to link: UInt32) {}
  func link(of leaf: UInt32) -> UInt32 { 0 }

  var liveCount: Int { arena.liveCount }
  var heapByteCount: Int { arena.byteCount }

  func copy() -> BitLeaves {
    var copy = self
    copy.arena = arena.copy()
    return copy
  }

  func releaseAll() { arena.releaseAll() }
}
