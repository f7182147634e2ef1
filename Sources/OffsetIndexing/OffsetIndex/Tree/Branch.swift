/// The layout of a branch: its two kinds of sums and its children.
///
/// ```
///   byte      0          16·w       │ 32·w      40·w      48·w         64·w
///             │ totals   │ counts   │ totals   │ counts   │ children │ │ totals …
///             │ 16 bases │ 16 bases │ 8 lanes  │ 8 lanes  │ 8        │ │
/// ```
///
/// The sums have the same code as in ``DenseLeaf``: group 0's base of the counts holds the negated number of children.
/// `w` is 4 or 8 bytes. With 4 bytes, the bases are one pair of cache lines, and each group is another pair. The
/// group's sums are the first line of the pair. Its children, which no update changes, are the second line. Processors
/// fetch lines in such pairs, so a search in a cold branch waits for memory twice. If the children were apart, it would
/// wait three times.
enum BranchLayout {
  static let groups = 16
  /// One less than the number of lanes, so that the last lane always holds the branch's own sums.
  static let capacity = 127

  static func blockSize<Lane>(_ lane: Lane.Type) -> Int { (32 + 16 * 32) * MemoryLayout<Lane>.size }
}

/// An inner node.
@safe struct Branch<Lane: SumLane> {
  /// The block of memory. All of it belongs to the branch, and this is the reason of the `unsafe` marks here.
  let totals: UnsafeMutablePointer<Lane>

  @inline(__always) init(_ block: UnsafeMutableRawPointer) {
    unsafe totals = block.assumingMemoryBound(to: Lane.self)
  }

  @inline(__always) var counts: UnsafeMutablePointer<Lane> { unsafe totals + 16 }

  /// The eight lanes of totals of a group. The eight lanes of counts follow them.
  @inline(__always) func lanes(_ group: Int) -> UnsafeMutablePointer<Lane> {
    unsafe totals + (32 &+ group &* 32)
  }

  /// The eight children of a group.
  @inline(__always) func children(_ group: Int) -> UnsafeMutablePointer<UInt32> {
    unsafe UnsafeMutableRawPointer(lanes(group) + 16).assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always) func node(_ child: Int) -> UInt32 { unsafe children(child >> 3)[child & 7] }

  var childCount: Int {
    @inline(__always) get { unsafe Int(truncatingIfNeeded: 0 &- counts[0]) }
    @inline(__always) nonmutating set { unsafe counts[0] = 0 &- Lane(truncatingIfNeeded: newValue) }
  }

  /// The sum of the totals before a child.
  @inline(__always) func totalBefore(_ child: Int) -> Int {
    unsafe Int(truncatingIfNeeded: totals[child >> 3] &+ lanes(child >> 3)[child & 7])
  }

  /// The sum of the counts before a child.
  @inline(__always) func countBefore(_ child: Int) -> Int {
    unsafe Int(truncatingIfNeeded: Swift.max(0, counts[child >> 3]) &+ lanes(child >> 3)[8 &+ child & 7])
  }

  /// The count of a child.
  @inline(__always) func count(of child: Int) -> Int { countBefore(child &+ 1) &- countBefore(child) }

  @inline(__always) func entry(_ child: Int) -> NodeEntry {
    NodeEntry(
      node: node(child), count: count(of: child),
      total: totalBefore(child &+ 1) &- totalBefore(child))
  }

  /// Finds the child that contains `offset`, and turns `offset` into an offset in that child. Adds the count before the
  /// child to `index`.
  @inline(__always) func descend(offset: inout Lane, index: inout Int) -> UInt32 {
    let group = unsafe Lane.rank16(totals, offset)
    unsafe offset &-= totals[group]
    let lanes = unsafe lanes(group)
    let lane = unsafe Lane.rank8(lanes, offset)
    unsafe offset &-= lanes[lane]
    unsafe index &+= Int(truncatingIfNeeded: Swift.max(0, counts[group]) &+ lanes[8 &+ lane])
    return unsafe children(group)[lane]
  }

  /// Finds the child with the size number `index`, and turns `index` into an index in that child.
  @inline(__always) func find(_ index: inout Lane) -> (group: Int, lane: Int) {
    let group = unsafe Lane.rank16(counts, index)
    unsafe index &-= Swift.max(0, counts[group])
    let lanes = unsafe lanes(group) + 8
    let lane = unsafe Lane.rank8(lanes, index)
    unsafe index &-= lanes[lane]
    return (group, lane)
  }

  /// Finds the child with the size number `index`, and turns `index` into an index in that child. Adds the total before
  /// the child to `offset`.
  @inline(__always) func descend(index: inout Lane, offset: inout Int) -> UInt32 {
    let (group, lane) = find(&index)
    unsafe offset &+= Int(truncatingIfNeeded: totals[group] &+ lanes(group)[lane])
    return unsafe children(group)[lane]
  }

  /// Adds to the sums of one child.
  @inline(__always) func add(total: Lane, count: Lane, _ group: Int, _ lane: Int) {
    let lanes = unsafe lanes(group)
    unsafe Lane.add16(total, after: group, totals)
    unsafe Lane.add8(total, after: lane, lanes)
    guard count != 0 else { return }
    unsafe Lane.add16(count, after: group, counts)
    unsafe Lane.add8(count, after: lane, lanes + 8)
  }

  /// Fills the branch with `entries`. Their number is at most the capacity.
  func fill(_ entries: ArraySlice<NodeEntry>) {
    var total: Lane = 0
    var count: Lane = 0
    var child = 0
    var groupTotal: Lane = 0
    var groupCount: Lane = 0
    for group in 0..<BranchLayout.groups {
      unsafe totals[group] = total
      unsafe counts[group] = count
      groupTotal = total
      groupCount = count
      let lanes = unsafe lanes(group)
      for lane in 0..<8 {
        unsafe lanes[lane] = total &- groupTotal
        unsafe lanes[8 + lane] = count &- groupCount
        guard child < entries.count else { continue }
        let entry = entries[entries.startIndex + child]
        total &+= Lane(truncatingIfNeeded: entry.total)
        count &+= Lane(truncatingIfNeeded: entry.count)
        unsafe children(group)[lane] = entry.node
        child += 1
      }
    }
    childCount = entries.count
  }

  /// Appends the children's entries to `entries`.
  func appendEntries(to entries: inout [NodeEntry]) {
    let childCount = childCount
    entries.reserveCapacity(entries.count + childCount + 2)
    for child in 0..<childCount { entries.append(entry(child)) }
  }
}
