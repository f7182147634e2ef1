/// Finds positions by identity: where each id stands among the elements before a change.
///
/// An open-addressing table of 32-bit entries, each a position and, in the bits that it leaves free, a part of the id's
/// hash; the ids stand in an array of their own. So the table of 2^17 ids takes a megabyte and stays in the cache, and an
/// id is compared only where its hash agrees as far as it is kept. Ids that stand several times are chained, first to last.
@usableFromInline
struct IdentityTable<ID: Hashable> {
  /// The ids, in the order of the elements.
  @usableFromInline let ids: [ID]
  /// A power of two of entries, at least twice as many as ids; all ones: free.
  @usableFromInline var entries: [UInt32]
  /// The next position of the same id; empty where no id stands twice.
  @usableFromInline var next: [UInt32] = []
  /// Whether the position has been taken.
  @usableFromInline var isTaken: [Bool]

  @usableFromInline static var free: UInt32 { .max }

  /// Creates the table of the elements' ids.
  ///
  /// - Precondition: there are fewer than 2^31 ids.
  /// - Complexity: expected O(n) for n ids.
  @inlinable
  init(_ ids: [ID]) {
    require(ids.count < 1 << 31, "A difference of \(ids.count) elements: there may be 2^31 - 1.")
    self.ids = ids
    var capacity = 4
    // No position is all ones then, as free entries are.
    while capacity < 2 * (ids.count + 1) { capacity *= 2 }
    entries = [UInt32](repeating: Self.free, count: capacity)
    isTaken = [Bool](repeating: false, count: ids.count)
    // From the last to the first, so that each chain begins with the first.
    for position in ids.indices.reversed() { insert(position) }
  }

  /// The bits of an entry that are a position; those of the index of an entry are one more.
  @inlinable @inline(__always)
  var positionMask: UInt32 { UInt32(truncatingIfNeeded: entries.count / 2 - 1) }

  @inlinable @inline(__always)
  mutating func insert(_ position: Int) {
    let hash = UInt64(truncatingIfNeeded: ids[position].hashValue)
    let positionMask = positionMask
    let tag = UInt32(truncatingIfNeeded: hash >> 32) & ~positionMask
    let entry = tag | UInt32(truncatingIfNeeded: position)
    var index = Int(truncatingIfNeeded: hash) & (entries.count - 1)
    while entries[index] != Self.free {
      if entries[index] & ~positionMask == tag {
        let following = entries[index] & positionMask
        if ids[Int(following)] == ids[position] {
          chain(position, before: following)
          break
        }
      }
      index = (index + 1) & (entries.count - 1)
    }
    entries[index] = entry
  }

  @inlinable @inline(never)
  mutating func chain(_ position: Int, before following: UInt32) {
    if next.isEmpty { next = [UInt32](repeating: Self.free, count: ids.count) }
    next[position] = following
    // The last of a chain leads to itself, so that every position with a twin has a link.
    if next[Int(following)] == Self.free { next[Int(following)] = following }
  }

  /// Whether the id at `position` is `id`, stands nowhere else, and has not been taken: then there is nothing to look up.
  @inlinable @inline(__always)
  func isOnly(_ id: ID, at position: Int) -> Bool {
    position >= 0 && position < ids.count && !isTaken[position] && ids[position] == id
      && (next.isEmpty || next[position] == Self.free)
  }

  /// Takes the first position of an id that has not been taken.
  ///
  /// - Returns: the position, or -1 where there is none.
  /// - Complexity: expected O(1).
  @inlinable @inline(__always)
  mutating func take(_ id: ID) -> Int {
    let hash = UInt64(truncatingIfNeeded: id.hashValue)
    let positionMask = positionMask
    let tag = UInt32(truncatingIfNeeded: hash >> 32) & ~positionMask
    var index = Int(truncatingIfNeeded: hash) & (entries.count - 1)
    while entries[index] != Self.free {
      if entries[index] & ~positionMask == tag {
        let position = entries[index] & positionMask
        if ids[Int(position)] == id {
          if isTaken[Int(position)] { return -1 }
          isTaken[Int(position)] = true
          if !next.isEmpty && next[Int(position)] != Self.free { entries[index] = tag | next[Int(position)] }
          return Int(position)
        }
      }
      index = (index + 1) & (entries.count - 1)
    }
    return -1
  }
}
