/// Blocks of one size in one allocation, addressed by number.
///
/// With numbers instead of pointers, a copy of the whole is a copy of its bytes, and a node needs no reference count.
///
/// The memory is raw, and this is the reason of the `unsafe` marks. A number is valid from `allocate()` to
/// `release(_:)`, and no code outside the tree sees one.
@safe struct BlockArena {
  private(set) var base: UnsafeMutableRawPointer
  let blockSize: Int
  /// The number of blocks for which the allocation has room.
  private(set) var capacity = 0
  /// The number of blocks that were ever given out. The blocks beyond it are fresh.
  private(set) var used = 0
  /// The number of blocks that were given out and released. They form a list through their first four bytes.
  private(set) var freeCount = 0
  private var firstFree: UInt32 = 0

  /// Branches begin on a pair of cache lines of their own, and leaves on a line.
  private static let alignment = 128

  init(blockSize: Int) {
    self.blockSize = blockSize
    unsafe base = Self.allocate(0)
  }

  /// The bytes that the arena holds.
  var byteCount: Int { capacity * blockSize }

  @inline(__always) subscript(number: UInt32) -> UnsafeMutableRawPointer {
    countStep(.node)
    return unsafe base + Int(number) &* blockSize
  }

  /// Gives out a block whose contents are undefined.
  mutating func allocate() -> UInt32 {
    if freeCount > 0 {
      let number = firstFree
      unsafe firstFree = self[number].load(as: UInt32.self)
      freeCount -= 1
      return number
    }
    if used == capacity { resize(to: capacity + capacity / 2 + 1) }
    used += 1
    return UInt32(used - 1)
  }

  mutating func release(_ number: UInt32) {
    unsafe self[number].storeBytes(of: firstFree, as: UInt32.self)
    firstFree = number
    freeCount += 1
  }

  /// Makes room for `count` blocks altogether.
  mutating func reserve(_ count: Int) {
    if count > capacity { resize(to: count) }
  }

  /// Frees the room that was never used, if that is more than an eighth.
  mutating func trim() {
    if capacity - used > used / 8 { resize(to: used) }
  }

  private mutating func resize(to newCapacity: Int) {
    // A reference has 30 bits for the number. The other bits have the form.
    guard newCapacity < 1 << 30 else { SumTrap.overflow("number of nodes") }
    let new = UnsafeMutableRawPointer.allocate(
      byteCount: newCapacity * blockSize, alignment: Self.alignment)
    unsafe new.copyMemory(from: base, byteCount: used * blockSize)
    unsafe base.deallocate()
    unsafe base = new
    capacity = newCapacity
  }

  private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
  }

  /// Returns an arena of its own with the same blocks under the same numbers.
  func copy() -> BlockArena {
    countStep(.node, used)
    var copy = self
    unsafe copy.base = Self.allocate(capacity * blockSize)
    unsafe copy.base.copyMemory(from: base, byteCount: used * blockSize)
    return copy
  }

  func deallocate() { unsafe base.deallocate() }
}

/// The capacities of the nodes.
///
/// The layout fixes the maxima. Tests go down to the minima, so that few sizes make a deep tree.
struct NodeLimits: Equatable {
  /// The greatest number of sizes in a small leaf, 2...127.
  var leaf = SmallLayout.capacity
  /// The greatest number of runs in a leaf of runs, 2...19.
  var runs = RunLeaf.capacity
  /// The greatest number of children of a branch, 3...127.
  var branch = BranchLayout.capacity

  /// The greatest number of sizes in a large leaf.
  var large: Int { Swift.min(leaf, LargeLayout.capacity) }

  /// The number of children, sizes or runs in a node after a bulk build: three quarters, so that later insertions find
  /// room.
  ///
  /// This is measured at 2^20 sizes, with insertions at random places right after a bulk build. See
  /// <doc:InsideOffsetIndex>.
  static func fill(_ capacity: Int) -> Int { Swift.max(1, (capacity + 1) * 3 / 4) }

  /// A node with less than this is joined with a sibling.
  static func least(_ capacity: Int) -> Int { Swift.max(1, capacity / 4) }
}

/// The entry of a child in its parent: its node, and its sums.
struct NodeEntry {
  var node: UInt32
  var count: Int
  var total: Int
}

/// The contents of one ``OffsetIndex`` besides the nodes.
struct IndexHeader {
  var count = 0
  var total = 0
  /// The number of levels of branches above the leaves.
  var height = 0
  /// The number of a branch, or the reference of a leaf where `height` is 0.
  var root: UInt32 = 0
  /// Whether the branches hold sums of 64 bits. They must where the count or the total does not fit in 32 bits.
  var isWide = false
  var limits = NodeLimits()
  var leaves = BlockArena(blockSize: LeafForm.blockSize)
  var branches = BlockArena(blockSize: BranchLayout.blockSize(Int32.self))
}

/// The memory behind an ``OffsetIndex``. Several equal indices may share it.
final class IndexStorage: ManagedBuffer<IndexHeader, Void> {
  /// The storage of every index that was made empty. `nonisolated(unsafe)` because no index ever holds its only
  /// reference, and so no index changes it.
  nonisolated(unsafe) static let empty = make(NodeLimits())

  /// Makes a storage with one empty leaf.
  static func make(_ limits: NodeLimits) -> IndexStorage {
    let buffer = IndexStorage.create(minimumCapacity: 0) { _ in IndexHeader(limits: limits) }
    // `create` is called on this class, so the buffer is of this class.
    let storage = unsafe unsafeDowncast(buffer, to: IndexStorage.self)
    let leaf = storage.head.leaves.allocate()
    unsafe RunLeaf(storage.head.leaves[leaf]).count = 0
    storage.head.root = LeafForm.runs.reference(leaf)
    return storage
  }

  func copy() -> IndexStorage {
    var header = head
    header.leaves = header.leaves.copy()
    header.branches = header.branches.copy()
    let buffer = IndexStorage.create(minimumCapacity: 0) { _ in header }
    return unsafe unsafeDowncast(buffer, to: IndexStorage.self)
  }

  /// The header, read and written without the check for exclusive access that a property of a class has. An index is a
  /// value, so two accesses to its storage never overlap. The check would cost as much as a level of the tree.
  @inline(__always) var head: IndexHeader {
    get { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee } }
    _modify {
      let header = unsafe withUnsafeMutablePointerToHeader { unsafe $0 }
      yield unsafe &header.pointee
    }
  }

  deinit {
    head.leaves.deallocate()
    head.branches.deallocate()
  }
}
