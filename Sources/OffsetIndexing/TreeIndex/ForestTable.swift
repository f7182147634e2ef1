/// The forests of a tree index: the root of each, and the branch whose children are on its top level.
///
/// `@safe`: every number that reaches it comes from `insert(_:)`; `TreeIndex.checkInvariants()` verifies this.
@safe
struct ForestTable {
  private var base: UnsafeMutablePointer<ShapeTree.Forest>
  private var capacity = 0
  /// The number of forests ever made.
  private(set) var used = 0
  private(set) var freeCount = 0
  /// The number that was freed last; a free forest has the one freed before it as its owner.
  private var free = noBlock

  init() {
    // Never read or written while the capacity is 0.
    unsafe base = UnsafeMutablePointer(bitPattern: 64)!
  }

  var byteCount: Int { capacity * MemoryLayout<ShapeTree.Forest>.stride }

  @inline(__always)
  subscript(forest: UInt32) -> ShapeTree.Forest {
    get { unsafe base[Int(forest)] }
    nonmutating set { unsafe base[Int(forest)] = newValue }
  }

  mutating func insert(_ forest: ShapeTree.Forest) -> UInt32 {
    if free != noBlock {
      let number = free
      free = self[number].owner
      freeCount -= 1
      self[number] = forest
      return number
    }
    if used == capacity { grow(to: capacity + capacity / 3 + 1) }
    used += 1
    self[UInt32(used - 1)] = forest
    return UInt32(used - 1)
  }

  mutating func remove(_ number: UInt32) -> ShapeTree.Part {
    let part = self[number].part
    self[number] = ShapeTree.Forest(part: .empty, owner: free)
    free = number
    freeCount += 1
    return part
  }

  private mutating func grow(to capacity: Int) {
    let memory = UnsafeMutablePointer<ShapeTree.Forest>.allocate(capacity: capacity)
    unsafe memory.update(from: base, count: used)
    releaseAll()
    unsafe base = memory
    self.capacity = capacity
  }

  func copy() -> ForestTable {
    var copy = self
    copy.capacity = 0
    copy.grow(to: used)
    return copy
  }

  /// Gives the memory back; the table must not be used afterwards.
  func releaseAll() {
    if capacity > 0 { unsafe base.deallocate() }
  }
}
