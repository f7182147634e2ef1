/// The leaves of a bit index.
struct BitLeaves: LeafStore, BlockLayout {
  static var capacity: Int { BitLeaf.capacity }
  static var byteCount: Int { BitLeaf.byteCount }
  static var linksParents: Bool { false }

  private var arena = NodeArena<BitLeaves>()

  @inline(__always)
  subscript(leaf: UInt32) -> BitLeaf { BitLeaf(arena.words(leaf)) }

  mutating func allocate() -> UInt32 {
    let leaf = arena.allocate()
    self[leaf].clear()
    return leaf
  }

  mutating func release(_ leaf: UInt32) { arena.release(leaf) }

  mutating func reserve(_ count: Int) { arena.reserve(count) }

  func weight(of leaf: UInt32, count: Int) -> Int { self[leaf].weight }

  mutating func moveUp(
    _ moved: Int, from left: UInt32, count leftCount: Int, to right: UInt32, count rightCount: Int
  ) {
    let (left, right) = (self[left], self[right])
    right.words.raiseBits(from: 0, to: rightCount, by: moved)
    right.words.copyBits(from: left.words, at: leftCount - moved, to: 0, count: moved)
    left.words.clearBits(leftCount - moved..<leftCount)
    left.recount()
    right.recount()
  }

  mutating func moveDown(
    _ moved: Int, from right: UInt32, count rightCount: Int, to left: UInt32, count leftCount: Int
  ) {
    let (left, right) = (self[left], self[right])
    left.words.copyBits(from: right.words, at: 0, to: leftCount, count: moved)
    right.words.copyBits(from: right.words, at: moved, to: 0, count: rightCount - moved)
    right.words.clearBits(rightCount - moved..<rightCount)
    left.recount()
    right.recount()
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
