/// The layout of the sums in a dense leaf.
protocol DenseLayout {
  associatedtype Base: SumLane
  associatedtype Lane: SumLane

  /// The number of groups of eight sizes.
  static var groups: Int { get }
  /// The largest size that the layout can hold. Eight such sizes fit in a lane, whatever moves from group to group.
  static var largestSize: Int { get }

  static func rankBase(_ bases: UnsafeMutablePointer<Base>, _ key: Base) -> Int
  static func addBase(_ delta: Base, after group: Int, _ bases: UnsafeMutablePointer<Base>)
}

extension DenseLayout {
  /// The greatest number of sizes: one less than the number of lanes, so that the last lane always holds the leaf's
  /// total.
  static var capacity: Int { groups * 8 - 1 }
}

enum SmallLayout: DenseLayout {
  typealias Base = Int32
  typealias Lane = Int16
  static var groups: Int { 16 }
  static var largestSize: Int { 4095 }

  @inline(__always) static func rankBase(_ bases: UnsafeMutablePointer<Int32>, _ key: Int32) -> Int {
    unsafe Int32.rank16(bases, key)
  }

  @inline(__always)
  static func addBase(_ delta: Int32, after group: Int, _ bases: UnsafeMutablePointer<Int32>) {
    unsafe Int32.add16(delta, after: group, bases)
  }
}

enum LargeLayout: DenseLayout {
  typealias Base = Int64
  typealias Lane = Int32
  static var groups: Int { 8 }
  static var largestSize: Int { 1 << 28 - 1 }

  @inline(__always) static func rankBase(_ bases: UnsafeMutablePointer<Int64>, _ key: Int64) -> Int {
    unsafe Int64.rank8(bases, key)
  }

  @inline(__always)
  static func addBase(_ delta: Int64, after group: Int, _ bases: UnsafeMutablePointer<Int64>) {
    unsafe Int64.add8(delta, after: group, bases)
  }
}

/// A leaf that holds the start of each size, on two levels: `groups` bases, and then eight lanes for each group.
///
/// ```
///   sizes      3 1 4 1 5 9 2 6 │ 5 3 5               (count 11)
///   bases      −11               31                44 44 …
///   lanes      0 3 4 8 9 14 23 25 │ 0 5 8 13 13 … │ 0 0 …
/// ```
///
/// - The start of a size is the sum of its group's base and its lane. Group 0 begins at zero. Its base holds the
///   negated count instead. That is not above any key, and is read as `max(0, base)`.
/// - A lane beyond the last size holds the end of the last size of its group. A base beyond the last group holds the
///   total. So neither a search nor an update needs the count.
/// - A search compares the bases and then one group. An update adds to the bases and to one group.
@safe struct DenseLeaf<Layout: DenseLayout> {
  typealias Base = Layout.Base
  typealias Lane = Layout.Lane

  /// The block of memory. All of it belongs to the leaf, and this is the reason of the `unsafe` marks here.
  let bases: UnsafeMutablePointer<Base>

  @inline(__always) init(_ block: UnsafeMutableRawPointer) {
    unsafe bases = block.assumingMemoryBound(to: Base.self)
  }

  @inline(__always) func lanes(_ group: Int) -> UnsafeMutablePointer<Lane> {
    unsafe UnsafeMutableRawPointer(bases + Layout.groups).assumingMemoryBound(to: Lane.self) + group &* 8
  }

  @inline(__always) func base(_ group: Int) -> Base { unsafe Swift.max(0, bases[group]) }

  var count: Int {
    @inline(__always) get { unsafe Int(truncatingIfNeeded: 0 &- bases[0]) }
    @inline(__always) nonmutating set { unsafe bases[0] = 0 &- Base(truncatingIfNeeded: newValue) }
  }

  /// The sum of all sizes.
  var total: Int { @inline(__always) get { start(Layout.capacity) } }

  /// The start of the size at `index`. From the count on, it is the total.
  @inline(__always) func start(_ index: Int) -> Int {
    unsafe Int(truncatingIfNeeded: base(index >> 3)) &+ Int(truncatingIfNeeded: lanes(0)[index])
  }

  @inline(__always) func size(_ index: Int) -> Int { start(index &+ 1) &- start(index) }

  /// The size that contains `offset`. The offset must be below the total.
  @inline(__always) func locate(_ offset: Int) -> (index: Int, offset: Int) {
    let group = unsafe Layout.rankBase(bases, Base(truncatingIfNeeded: offset))
    let rest = offset &- Int(truncatingIfNeeded: base(group))
    let lanes = unsafe lanes(group)
    let lane = unsafe Lane.rank8(lanes, Lane(truncatingIfNeeded: rest))
    return unsafe (group &* 8 &+ lane, rest &- Int(truncatingIfNeeded: lanes[lane]))
  }

  /// Adds `delta` to the size at `index`. The size must stay in `0...Layout.largestSize`.
  @inline(__always) func add(_ delta: Int, at index: Int) {
    let group = index >> 3
    unsafe Layout.addBase(Base(truncatingIfNeeded: delta), after: group, bases)
    unsafe Lane.add8(Lane(truncatingIfNeeded: delta), after: index & 7, lanes(group))
  }

  /// Inserts a size among `count` sizes. There must be room for it.
  ///
  /// In each later group, the last size of the group before arrives at the front, and the group's own last size leaves.
  /// Let `first` be the size that arrives. Then the lanes become `[0, first, first + lanes[1], …, first + lanes[6]]`:
  /// they move up with `first` added.
  @inline(__always) func insert(_ size: Int, at index: Int, _ count: Int) {
    let size = Base(truncatingIfNeeded: size)
    let group = index >> 3
    let last = count >> 3
    unsafe Layout.addBase(size, after: last, bases)
    var other = last
    while other > group {
      let lastStart = unsafe base(other &- 1) &+ Base(truncatingIfNeeded: lanes(other &- 1)[7])
      let first = unsafe bases[other] &- lastStart
      unsafe Lane.openAll8(Lane(truncatingIfNeeded: first), lanes(other))
      unsafe bases[other] = lastStart &+ size
      other &-= 1
    }
    unsafe Lane.open8(Lane(truncatingIfNeeded: size), after: index & 7, lanes(group))
    self.count = count &+ 1
  }

  /// Removes the size at `index` from among `count` sizes. `size` is its value.
  ///
  /// In each later group, the first size moves to the group before, and the first size of the group after arrives at
  /// the end.
  @inline(__always) func remove(at index: Int, _ size: Int, _ count: Int) {
    let removed = Base(truncatingIfNeeded: size)
    let group = index >> 3
    let last = (count &- 1) >> 3
    let length = Lane(truncatingIfNeeded: length(of: group))
    unsafe Lane.close8(0 &- Lane(truncatingIfNeeded: removed), after: index & 7, last: length, lanes(group))
    var other = group &+ 1
    while other <= last {
      let length = Lane(truncatingIfNeeded: self.length(of: other))
      let lanes = unsafe lanes(other)
      let first = unsafe lanes[1]
      unsafe Lane.closeAll8(0 &- first, last: length, lanes)
      unsafe bases[other] &+= Base(truncatingIfNeeded: first) &- removed
      other &+= 1
    }
    unsafe Layout.addBase(0 &- removed, after: last, bases)
    self.count = count &- 1
  }

  /// The sum of the sizes of a group.
  @inline(__always) private func length(of group: Int) -> Base {
    // The last group ends at its last lane, which holds no size.
    if group == Layout.groups &- 1 { return unsafe Base(truncatingIfNeeded: lanes(group)[7]) }
    return unsafe bases[group &+ 1] &- base(group)
  }

  /// Fills the leaf with `count` sizes, and returns their sum. `next` gives the sizes in order.
  @inline(__always) func fill(_ count: Int, _ next: (_ index: Int) -> Int) -> Int {
    var total = 0
    for group in 0..<Layout.groups {
      let base = total
      unsafe bases[group] = Base(truncatingIfNeeded: base)
      let lanes = unsafe lanes(group)
      let first = group &* 8
      if first &+ 8 <= count {
        for lane in 0..<8 {
          unsafe lanes[lane] = Lane(truncatingIfNeeded: total &- base)
          total &+= next(first &+ lane)
        }
      } else {
        for lane in 0..<8 {
          unsafe lanes[lane] = Lane(truncatingIfNeeded: total &- base)
          if first &+ lane < count { total &+= next(first &+ lane) }
        }
      }
    }
    self.count = count
    return total
  }

  /// Calls `body` with each of the sizes in `range`.
  @inline(__always) func forEach(in range: Range<Int>, _ body: (_ size: Int) -> Void) {
    var start = start(range.lowerBound)
    for index in range {
      let end = self.start(index &+ 1)
      body(end &- start)
      start = end
    }
  }
}
