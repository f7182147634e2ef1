/// The leaves of an order index, and the table that gives the leaf of each handle.
///
/// A leaf has 32 lanes. 31 of them hold the handles' numbers, and are -1 beyond the leaf's count. The last lane holds
/// the leaf's link: its parent's number times 64, plus its slot in the parent. A leaf has 31 handles rather than 63,
/// because `position(of:)` compares the handle with all lanes of its leaf.
///
/// Entry i of the table is the leaf of handle i. Where the handle is free, the entry is the number that was freed
/// before handle i, with the top bit set.
///
/// `@safe`: offsets in a leaf are less than 32 and handles less than `handleLimit`, which is at most `tableCapacity`.
@safe
struct HandleLeaves: LeafStore, BlockLayout {
  static var capacity: Int { 31 }
  static var byteCount: Int { 128 }
  static var linksParents: Bool { true }
  private static var linkLane: Int { 31 }

  private var arena = NodeArena<HandleLeaves>()

  private var table: UnsafeMutablePointer<UInt32>
  private var tableCapacity = 0
  /// The number of handles that were ever given out. Every handle below this number is in the sequence, free or away.
  private(set) var handleLimit = 0
  /// The handle that was freed last.
  private var freeHandle = noHandle
  private(set) var freeHandleCount = 0
  /// The number of handles below `handleLimit` that are away, and so neither in the sequence nor free. See
  /// `OrderIndex+Lending.swift`.
  private(set) var awayHandleCount = 0

  private static var noHandle: UInt32 { 0x7FFF_FFFF }
  private static var freeMark: UInt32 { 0x8000_0000 }

  init() {
    // The table is never read or written while the capacity is 0.
    unsafe table = UnsafeMutablePointer(bitPattern: 64)!
  }

  // MARK: Handles

  /// Takes the handle that was freed last, or else the lowest handle that was never used.
  ///
  /// The caller has to note the leaf of the handle.
  @inline(__always)
  mutating func takeHandle() -> Int32 {
    if freeHandle != Self.noHandle {
      let handle = freeHandle
      freeHandle = unsafe table[Int(handle)] & ~Self.freeMark
      freeHandleCount &-= 1
      return Int32(bitPattern: handle)
    }
    if handleLimit == tableCapacity { growTable(to: max(8, grownCapacity(tableCapacity))) }
    handleLimit &+= 1
    return Int32(truncatingIfNeeded: handleLimit &- 1)
  }

  @inline(__always)
  mutating func freeHandle(_ handle: Int32) {
    unsafe table[Int(handle)] = freeHandle | Self.freeMark
    freeHandle = UInt32(bitPattern: handle)
    freeHandleCount &+= 1
  }

  /// Records that no leaf holds `handle` for now. The handle is not given to another leaf.
  @inline(__always)
  mutating func sendAway(_ handle: Int32) {
    unsafe table[Int(handle)] = Self.noHandle | Self.freeMark
    awayHandleCount &+= 1
  }

  /// Takes a handle that is away, or a handle that was never used.
  ///
  /// The caller has to note the leaf of the handle.
  mutating func takeBack(_ handle: Int32) {
    while handleLimit <= Int(handle) {
      if handleLimit == tableCapacity { growTable(to: max(8, grownCapacity(tableCapacity))) }
      handleLimit &+= 1
      sendAway(Int32(truncatingIfNeeded: handleLimit &- 1))
    }
    awayHandleCount &-= 1
  }

  /// Takes the handles below `count`, in a sequence that never had any handles.
  ///
  /// The caller has to note the leaves of the handles.
  mutating func takeAllHandles(below count: Int) {
    if count > tableCapacity { growTable(to: count) }
    handleLimit = count
  }

  /// The leaf that holds `handle`, or nil where no leaf does.
  @inline(__always)
  func leaf(of handle: Int) -> UInt32? {
    guard handle >= 0 && handle < handleLimit else { return nil }
    let leaf = unsafe table[handle]
    return leaf & Self.freeMark == 0 ? leaf : nil
  }

  @inline(__always)
  mutating func note(_ leaf: UInt32, of handle: Int32) { unsafe table[Int(handle)] = leaf }

  /// Makes room for `count` handles that were never used.
  mutating func reserveHandles(_ count: Int) {
    let needed = handleLimit + max(0, count - freeHandleCount)
    if needed > tableCapacity {
      growTable(to: tableCapacity == 0 ? needed : max(needed, grownCapacity(tableCapacity)))
    }
  }

  @inline(never)
  private mutating func growTable(to capacity: Int) {
    let new = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    unsafe new.update(from: table, count: handleLimit)
    if tableCapacity > 0 { unsafe table.deallocate() }
    unsafe table = new
    tableCapacity = capacity
  }

  // MARK: Leaves

  @inline(__always)
  func lanes(_ leaf: UInt32) -> Lanes { arena.lanes(leaf) }

  /// The offset of `handle` in the leaf that holds it.
  ///
  /// One lane is equal to the handle. The sum over all lanes of the equal lane's number needs no branch.
  @inline(__always)
  func offset(of handle: Int32, in leaf: UInt32) -> Int {
    let lanes = self.lanes(leaf)
    let handles = SIMD4<Int32>(repeating: handle)
    let zero = SIMD4<Int32>(repeating: 0)
    var sum = zero
    for vector in 0..<8 {
      let first = Int32(truncatingIfNeeded: vector &* 4)
      // The last lane is the link, which may be equal to any handle.
      let numbers = SIMD4<Int32>(first, first &+ 1, first &+ 2, vector == 7 ? 0 : first &+ 3)
      sum |= zero.replacing(with: numbers, where: lanes[vector: vector &* 4] .== handles)
    }
    return Int(sum[0] | sum[1] | sum[2] | sum[3])
  }

  /// Inserts `handle` among the `count` handles of `leaf`, which has room for one more.
  @inline(__always)
  mutating func insert(_ handle: Int32, at offset: Int, of count: Int, in leaf: UInt32) {
    let lanes = self.lanes(leaf)
    var lane = count
    while lane > offset {
      lanes[lane] = lanes[lane &- 1]
      lane &-= 1
    }
    lanes[offset] = handle
    note(leaf, of: handle)
  }

  /// Removes and returns one of the `count` handles of `leaf`.
  @inline(__always)
  func remove(at offset: Int, of count: Int, in leaf: UInt32) -> Int32 {
    let lanes = self.lanes(leaf)
    let handle = lanes[offset]
    var lane = offset
    while lane < count &- 1 {
      lanes[lane] = lanes[lane &+ 1]
      lane &+= 1
    }
    lanes[count &- 1] = -1
    return handle
  }

  /// The number of handles in `leaf`.
  func count(in leaf: UInt32) -> Int {
    (0..<Self.capacity).first { lanes(leaf)[$0] < 0 } ?? Self.capacity
  }

  mutating func allocate() -> UInt32 {
    let leaf = arena.allocate()
    for lane in 0..<32 { lanes(leaf)[lane] = -1 }
    return leaf
  }

  mutating func release(_ leaf: UInt32) { arena.release(leaf) }

  mutating func reserve(_ count: Int) { arena.reserve(count) }

  func weight(of leaf: UInt32, count: Int) -> Int { 0 }

  mutating func moveUp(
    _ moved: Int, from left: UInt32, count leftCount: Int, to right: UInt32, count rightCount: Int
  ) {
    let (source, target) = (lanes(left), lanes(right))
    for lane in (0..<rightCount).reversed() { target[lane + moved] = target[lane] }
    for lane in 0..<moved {
      target[lane] = source[leftCount - moved + lane]
      source[leftCount - moved + lane] = -1
      note(right, of: target[lane])
    }
  }

  mutating func moveDown(
    _ moved: Int, from right: UInt32, count rightCount: Int, to left: UInt32, count leftCount: Int
  ) {
    let (source, target) = (lanes(right), lanes(left))
    for lane in 0..<moved {
      target[leftCount + lane] = source[lane]
      note(left, of: source[lane])
    }
    for lane in 0..<rightCount { source[lane] = lane + moved < rightCount ? source[lane + moved] : -1 }
  }

  mutating func link(_ leaf: UInt32, to link: UInt32) { lanes(leaf)[Self.linkLane] = Int32(bitPattern: link) }
  @inline(__always)
  func link(of leaf: UInt32) -> UInt32 { UInt32(bitPattern: lanes(leaf)[Self.linkLane]) }

  var liveCount: Int { arena.liveCount }
  var heapByteCount: Int { arena.byteCount + tableCapacity * MemoryLayout<UInt32>.stride }

  func copy() -> HandleLeaves {
    var copy = self
    copy.arena = arena.copy()
    copy.tableCapacity = 0
    if handleLimit > 0 { unsafe copy.copyTable(from: table) }
    return copy
  }

  private mutating func copyTable(from source: UnsafeMutablePointer<UInt32>) {
    unsafe table = .allocate(capacity: handleLimit)
    unsafe table.update(from: source, count: handleLimit)
    tableCapacity = handleLimit
  }

  func releaseAll() {
    arena.releaseAll()
    if tableCapacity > 0 { unsafe table.deallocate() }
  }
}
