/// The record of each branch of a tree index, in 20 bytes: the leaves of its events, its parent, and its number of
/// children.
///
/// | lane | of an open branch | of one with a forest of its own | of a long run | of a free record |
/// |---|---|---|---|---|
/// | 0 | the leaf of its opening | the leaf of its only event, if it has one | | the record freed before it |
/// | 1 | the leaf of its closing | its forest | | |
/// | 2 | its parent, with marks | its parent, if it has one | | a mark |
/// | 3, 4 | the number of its children | the same | its length | |
///
/// `@safe`: every record number in a call is from `allocate()`. `TreeIndex.checkInvariants()` verifies this.
@safe
struct BranchTable {
  private enum Record: BlockLayout {
    static var byteCount: Int { 20 }
  }

  private var records = NodeArena<Record>()

  /// The number that means no branch.
  static var none: UInt32 { 0x1FFF_FFFF }
  private static var freeMark: UInt32 { 1 << 31 }
  private static var forestMark: UInt32 { 1 << 30 }
  private static var runMark: UInt32 { 1 << 29 }

  /// The number of records that were ever given out.
  var used: Int { records.used }
  var liveCount: Int { records.liveCount }
  var byteCount: Int { records.byteCount }

  @inline(__always)
  private func lane(_ record: UInt32, _ lane: Int) -> UnsafeMutablePointer<UInt32> {
    unsafe records.pointer(to: record, as: UInt32.self) + lane
  }

  /// Returns a new record without a leaf, a parent or children.
  mutating func allocate() -> UInt32 {
    let record = records.allocate()
    if record >= Self.none { TreeTrap.branches() }
    unsafe lane(record, 0).pointee = noBlock
    unsafe lane(record, 1).pointee = noBlock
    unsafe lane(record, 2).pointee = Self.none
    unsafe lane(record, 3).pointee = 0
    unsafe lane(record, 4).pointee = 0
    return record
  }

  mutating func release(_ record: UInt32) {
    unsafe lane(record, 2).pointee = Self.freeMark | Self.none
    records.release(record)
  }

  /// Makes room for `count` more records.
  mutating func reserve(_ count: Int) { records.reserve(count) }

  func copy() -> BranchTable {
    var copy = self
    copy.records = records.copy()
    return copy
  }

  /// Frees the memory. The table must not be used afterwards.
  func releaseAll() { records.releaseAll() }

  // MARK: Fields

  /// Whether the record belongs to a branch.
  @inline(__always)
  func isBranch(_ record: UInt32) -> Bool {
    if Int(record) >= used { return false }
    return unsafe lane(record, 2).pointee & (Self.freeMark | Self.runMark) == 0
  }

  /// The leaf of the branch's opening, or of its only event.
  @inline(__always)
  func openLeaf(_ branch: UInt32) -> UInt32 { unsafe lane(branch, 0).pointee }
  @inline(__always)
  func setOpenLeaf(_ branch: UInt32, _ leaf: UInt32) { unsafe lane(branch, 0).pointee = leaf }

  @inline(__always)
  func closeLeaf(_ branch: UInt32) -> UInt32 { unsafe lane(branch, 1).pointee }
  @inline(__always)
  func setCloseLeaf(_ branch: UInt32, _ leaf: UInt32) { unsafe lane(branch, 1).pointee = leaf }

  /// The branch's own forest, which holds its children; nil where its children are in the forest of the branch.
  @inline(__always)
  func forest(_ branch: UInt32) -> UInt32? {
    unsafe lane(branch, 2).pointee & Self.forestMark == 0 ? nil : lane(branch, 1).pointee
  }
  func setForest(_ branch: UInt32, _ forest: UInt32?) {
    if let forest {
      unsafe lane(branch, 1).pointee = forest
      unsafe lane(branch, 2).pointee |= Self.forestMark
    } else {
      unsafe lane(branch, 2).pointee &= ~Self.forestMark
    }
  }

  /// The parent of the branch, or `none`.
  @inline(__always)
  func parent(_ branch: UInt32) -> UInt32 { unsafe lane(branch, 2).pointee & Self.none }
  @inline(__always)
  func setParent(_ branch: UInt32, _ parent: UInt32) {
    let marks = unsafe lane(branch, 2).pointee & ~Self.none
    unsafe lane(branch, 2).pointee = marks | parent
  }

  /// The number of the branch's children, or the length of a long run.
  @inline(__always)
  func count(_ record: UInt32) -> Int {
    unsafe Int(lane(record, 3).pointee) | Int(lane(record, 4).pointee) << 32
  }
  @inline(__always)
  func setCount(_ record: UInt32, _ count: Int) {
    unsafe lane(record, 3).pointee = UInt32(truncatingIfNeeded: count)
    unsafe lane(record, 4).pointee = UInt32(truncatingIfNeeded: count >> 32)
  }

  func markLongRun(_ record: UInt32) { unsafe lane(record, 2).pointee |= Self.runMark }
}
