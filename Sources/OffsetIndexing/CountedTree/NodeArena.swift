/// The size of a kind of node or record. The size is a constant, so that an arena finds a block without a general
/// multiplication.
protocol BlockLayout {
  /// The bytes of a block, a multiple of 4. For a node, a multiple of 64, so that nodes don't share cache lines.
  static var byteCount: Int { get }
}

/// The number that means no block.
var noBlock: UInt32 { .max }

/// Blocks of one size in one piece of memory, identified by numbers.
///
/// Nodes that refer to one another by 32-bit numbers need half the memory of references, cost no reference counting,
/// and are copied all at once. Freed blocks are chained through their first four bytes and given out again, the last
/// freed block first.
///
/// The arena does not own its memory as a value does. The holder of the arena calls `releaseAll()` once, and calls
/// `copy()` where it needs a second arena. `@safe`: every block number in a call is from `allocate()`. The tree's
/// `checkInvariants()` verifies this.
@safe
struct NodeArena<Block: BlockLayout> {
  @inline(__always)
  private var blockBytes: Int { Block.byteCount }
  private(set) var base: UnsafeMutableRawPointer
  /// The number of blocks for which there is memory.
  private(set) var capacity = 0
  /// The number of blocks that were ever given out. The blocks from this number on were never touched.
  private(set) var used = 0
  private(set) var free = noBlock
  private(set) var freeCount = 0

  init() {
    assert(Block.byteCount % 4 == 0)
    // The memory is never read or written while the capacity is 0.
    unsafe base = UnsafeMutableRawPointer(bitPattern: 64)!
  }

  /// The number of blocks in use.
  var liveCount: Int { used - freeCount }

  var byteCount: Int { capacity * blockBytes }

  @inline(__always)
  func lanes(_ block: UInt32) -> Lanes {
    countStep(.node)
    return unsafe Lanes(pointer(to: block, as: Int32.self))
  }

  @inline(__always)
  func words(_ block: UInt32) -> Words {
    countStep(.node)
    return unsafe Words(pointer(to: block, as: UInt64.self))
  }

  /// A block as values of a type. This access is not counted as a step, because a record is read together with a node.
  @inline(__always)
  func pointer<Value>(to block: UInt32, as type: Value.Type) -> UnsafeMutablePointer<Value> {
    unsafe (base + Int(block) &* blockBytes).assumingMemoryBound(to: type)
  }

  mutating func allocate() -> UInt32 {
    if free != noBlock {
      let block = free
      free = unsafe pointer(to: block, as: UInt32.self).pointee
      freeCount -= 1
      return block
    }
    if used == capacity { resize(to: grownCapacity(capacity)) }
    used += 1
    return UInt32(used - 1)
  }

  mutating func release(_ block: UInt32) {
    unsafe pointer(to: block, as: UInt32.self).pointee = free
    free = block
    freeCount += 1
  }

  /// Makes room for `count` more blocks, so that the arena does not grow in between.
  mutating func reserve(_ count: Int) {
    let needed = used + max(0, count - freeCount)
    if needed > capacity { resize(to: capacity == 0 ? needed : max(needed, grownCapacity(capacity))) }
  }

  private mutating func resize(to newCapacity: Int) {
    // Block numbers have 32 bits. The limit of `Int32.max` units keeps them below this limit.
    precondition(newCapacity < Int(UInt32.max), "an index cannot hold \(newCapacity) nodes")
    let new = UnsafeMutableRawPointer.allocate(byteCount: newCapacity * blockBytes, alignment: 64)
    unsafe new.copyMemory(from: base, byteCount: used * blockBytes)
    releaseAll()
    unsafe base = new
    capacity = newCapacity
  }

  /// A second arena with the same blocks under the same numbers.
  func copy() -> NodeArena {
    countStep(.node, used)
    var copy = NodeArena()
    if used > 0 {
      copy.resize(to: used)
      unsafe copy.base.copyMemory(from: base, byteCount: used * blockBytes)
      copy.used = used
      copy.free = free
      copy.freeCount = freeCount
    }
    return copy
  }

  /// Frees the memory. The arena must not be used afterwards.
  func releaseAll() {
    if capacity > 0 { unsafe base.deallocate() }
  }
}

/// A block seen as 32-bit numbers. `@safe`: offsets are constants, or slots that the tree's invariants bound.
@safe
struct Lanes {
  let base: UnsafeMutablePointer<Int32>

  @inline(__always)
  init(_ base: UnsafeMutablePointer<Int32>) { unsafe self.base = unsafe base }

  @inline(__always)
  subscript(offset: Int) -> Int32 {
    get { unsafe base[offset] }
    nonmutating set { unsafe base[offset] = newValue }
  }

  @inline(__always)
  subscript(vector offset: Int) -> SIMD4<Int32> {
    get { unsafe UnsafeRawPointer(base + offset).load(as: SIMD4<Int32>.self) }
    nonmutating set {
      unsafe UnsafeMutableRawPointer(base + offset).storeBytes(of: newValue, as: SIMD4<Int32>.self)
    }
  }

  @inline(__always)
  static func + (lanes: Lanes, offset: Int) -> Lanes { unsafe Lanes(lanes.base + offset) }
}

/// A block seen as words of 64 bits. `@safe` for the same reason as `Lanes`.
@safe
struct Words {
  let base: UnsafeMutablePointer<UInt64>

  @inline(__always)
  init(_ base: UnsafeMutablePointer<UInt64>) { unsafe self.base = unsafe base }

  @inline(__always)
  subscript(offset: Int) -> UInt64 {
    get { unsafe base[offset] }
    nonmutating set { unsafe base[offset] = newValue }
  }
}

/// The next capacity of a full piece of memory.
///
/// The capacity grows by an eighth at a time, and by a third while it is small. A long run of insertions copies each
/// block eight times, which takes a few nanoseconds for each block. On average, a sixteenth of the memory is unused.
func grownCapacity(_ capacity: Int) -> Int { max(1, capacity + (capacity < 64 ? (capacity + 2) / 3 : capacity / 8)) }
