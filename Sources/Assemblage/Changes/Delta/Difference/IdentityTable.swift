/// Finds the positions of ids among the elements before a change.
///
/// This is an open-addressing table of 32-bit entries. An entry is a position; the bits that the position leaves free
/// hold a part of the id's hash. The ids are in a separate array. So the table of 2^17 ids uses one megabyte and stays
/// in the cache. Two ids are compared only if the stored part of their hashes is equal. The positions of an id that
/// occurs several times are chained, from the first to the last.
@safe
@usableFromInline
struct IdentityTable<ID: Hashable>: ~Copyable {
  /// The ids, in the order of the elements.
  @usableFromInline let ids: [ID]

  // `init` allocates and initializes the table's own memory, and `deinit` frees it. These are not arrays, because each
  // access to an array checks whether its storage is shared.
  /// The entries: a power of two, at least twice the number of ids; an entry of all ones is free.
  @usableFromInline let entries: UnsafeMutablePointer<UInt32>
  /// Whether each position has been taken.
  @usableFromInline let isTaken: UnsafeMutablePointer<Bool>

  /// The number of entries, less one: the bits of an index.
  @usableFromInline let indexMask: Int
  /// The bits of an entry that hold the position.
  @usableFromInline let positionMask: UInt32
  /// The next position of the same id; the last position refers to itself. The value is `free` for an id that occurs
  /// once. The array is empty if every id occurs once.
  @usableFromInline var next: [UInt32] = []

  @inlinable @inline(__always)
  static var free: UInt32 { .max }

  /// Creates the table of the elements' ids.
  ///
  /// - Precondition: there are fewer than 2^31 ids.
  /// - Complexity: expected O(n) for n ids.
  @inlinable
  init(_ ids: [ID]) {
    require(ids.count < 1 << 31, "A difference of \(ids.count) elements is too large: 2^31 - 1 are the most.")
    self.ids = ids
    var capacity = 4
    // One more, so that no position is all ones, like a free entry.
    while capacity < 2 * (ids.count + 1) { capacity *= 2 }
    indexMask = capacity - 1
    positionMask = UInt32(truncatingIfNeeded: capacity / 2 - 1)
    unsafe entries = .allocate(capacity: capacity)
    unsafe entries.initialize(repeating: Self.free, count: capacity)
    unsafe isTaken = .allocate(capacity: ids.count)
    unsafe isTaken.initialize(repeating: false, count: ids.count)
    // From the last position to the first, so that each chain begins with the first position.
    var position = ids.count - 1
    while position >= 0 {
      insert(position)
      position -= 1
    }
  }

  @inlinable
  deinit {
    unsafe entries.deallocate()
    unsafe isTaken.deallocate()
  }

  @inlinable @inline(__always)
  func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) & ~positionMask }

  @inlinable @inline(__always)
  mutating func insert(_ position: Int) {
    let hash = UInt64(truncatingIfNeeded: ids[position].hashValue)
    let tag = tag(hash)
    var index = Int(truncatingIfNeeded: hash) & indexMask
    while true {
      let entry = unsafe entries[index]
      if entry == Self.free { break }
      if (entry ^ tag) & ~positionMask == 0, ids[Int(entry & positionMask)] == ids[position] {
        chain(position, before: entry & positionMask)
        break
      }
      index = (index &+ 1) & indexMask
    }
    unsafe entries[index] = tag | UInt32(truncatingIfNeeded: position)
  }

  @inlinable @inline(never)
  mutating func chain(_ position: Int, before following: UInt32) {
    if next.isEmpty { next = [UInt32](repeating: Self.free, count: ids.count) }
    next[position] = following
    if next[Int(following)] == Self.free { next[Int(following)] = following }
  }

  /// Takes the position `guess`, if an id occurs there and nowhere else; this needs no look-up.
  ///
  /// - Parameters:
  ///   - id: the id to find.
  ///   - guess: any number.
  /// - Returns: whether the position was taken; false if it had been taken before.
  @inlinable @inline(__always)
  func takeOnly(_ id: ID, at guess: Int) -> Bool {
    guard guess >= 0, guess < ids.count, ids[guess] == id, unsafe !isTaken[guess],
      next.isEmpty || next[guess] == Self.free
    else { return false }
    unsafe isTaken[guess] = true
    return true
  }

  /// Takes the first position of an id that has not been taken.
  ///
  /// - Returns: the position, or -1 if there is none.
  /// - Complexity: expected O(1).
  @inlinable @inline(__always)
  func take(_ id: ID) -> Int {
    let index = find(id)
    let entry = unsafe entries[index]
    let position = Int(entry & positionMask)
    if entry == Self.free { return -1 }
    if unsafe isTaken[position] { return -1 }
    unsafe isTaken[position] = true
    if !next.isEmpty && next[position] != Self.free { unsafe entries[index] = entry & ~positionMask | next[position] }
    return position
  }

  /// The first position of an id, taken or not; `take(_:)` must not have been called on the table before.
  ///
  /// - Parameters:
  ///   - id: the id to find.
  ///   - guess: the likely position; any number.
  /// - Returns: the position, or -1 if there is none.
  /// - Complexity: expected O(1).
  @inlinable @inline(__always)
  func first(_ id: ID, near guess: Int) -> Int {
    if guess >= 0, guess < ids.count, ids[guess] == id, next.isEmpty || next[guess] == Self.free { return guess }
    let entry = unsafe entries[find(id)]
    return entry == Self.free ? -1 : Int(entry & positionMask)
  }

  /// The index of the entry of an id, or of a free entry if the id is not in the table.
  @inlinable @inline(__always)
  func find(_ id: ID) -> Int {
    let hash = UInt64(truncatingIfNeeded: id.hashValue)
    let tag = tag(hash)
    var index = Int(truncatingIfNeeded: hash) & indexMask
    while true {
      let entry = unsafe entries[index]
      if entry == Self.free || (entry ^ tag) & ~positionMask == 0 && ids[Int(entry & positionMask)] == id {
        return index
      }
      index = (index &+ 1) & indexMask
    }
  }
}
