/// The common part of `BitIndex` and `OrderIndex`: a B+-tree that counts the units in its leaves.
///
///     inner node     [ends of 8 groups][ends in group 0]…[ends in group 7][62 children][link][child count]
///                              |
///     leaves         [units …][units …][units …]
///
/// A leaf holds *units* (bits, or handles). A unit has *weight* one or zero (set bits have one). An inner node holds up
/// to 62 children in eight groups of eight. The node has two prefix sums of units: the sum before each group, counted
/// from the node's start, and the sum before each child, counted from the group's start. It has the same two prefix
/// sums of weights. So a search compares two times eight sums of 32 bits, four with each instruction. An update adds to
/// at most two times eight sums. With one array of prefix sums, it would be 62 sums, and with a Fenwick array six
/// dependent steps. The sums of a group are together in one cache line. Lanes beyond the last child repeat the last
/// sum, so that no search stops there.
///
/// Sums are of type `Int32`: a tree holds at most `Int32.max` units.
///
/// Every node except the root holds at least an eighth of its capacity (`Limits`). The limit is low on purpose. A node
/// that overflows at the sequence's end splits into a node of seven eighths and a node of one eighth. So if units are
/// appended one by one, the nodes become seven eighths full.
///
/// A single edit finds a path to a leaf (`descend`), changes the leaf, and adds to the sums on the path. A range edit
/// cuts the tree into parts, and joins parts (`CountedTree+Parts.swift`).
@safe
struct CountedTree<Leaves: LeafStore>: PackedTree {
  typealias Entries = EntryRoom<Entry>

  /// The node sizes. Tests make them small.
  struct Limits: Equatable {
    /// The greatest number of units in a leaf.
    let leafCapacity: Int
    /// The least number of units in a leaf that is not the root.
    let leafMinimum: Int
    /// The units in each leaf that a bulk build makes.
    let leafFill: Int
    /// The greatest number of children of an inner node.
    let fanOut: Int
    /// The least number of children of an inner node that is not the root.
    let fanMinimum: Int

    init(leafCapacity: Int, leafFill: Int, fanOut: Int) {
      precondition(
        leafCapacity >= 2 && leafCapacity <= Leaves.capacity, "a leaf holds 2...\(Leaves.capacity)")
      precondition(leafFill >= 1 && leafFill <= leafCapacity, "a leaf is filled with 1...\(leafCapacity)")
      precondition(
        fanOut >= 3 && fanOut <= InnerNode.capacity, "a node has 3...\(InnerNode.capacity) children")
      self.leafCapacity = leafCapacity
      self.leafMinimum = max(1, leafCapacity / 8)
      self.leafFill = leafFill
      self.fanOut = fanOut
      self.fanMinimum = max(2, fanOut / 8)
    }
  }

  /// A child and its sums.
  struct Entry: PackedEntry {
    var node: UInt32
    // 32 bits as in the nodes. So the entries of a node fit in the room that a function may use on the stack.
    private var storedCount: Int32
    private var storedWeight: Int32

    @inline(__always)
    init(node: UInt32, count: Int, weight: Int) {
      self.node = node
      storedCount = Int32(truncatingIfNeeded: count)
      storedWeight = Int32(truncatingIfNeeded: weight)
    }

    @inline(__always)
    var count: Int {
      get { Int(storedCount) }
      set { storedCount = Int32(truncatingIfNeeded: newValue) }
    }

    @inline(__always)
    var weight: Int {
      get { Int(storedWeight) }
      set { storedWeight = Int32(truncatingIfNeeded: newValue) }
    }
  }

  /// A tree inside the tree's arenas: the whole tree, or a piece that was cut off.
  struct Part {
    /// The entry of the root: an inner node if `height` is above 0, and otherwise a leaf.
    var root: Entry
    /// The number of levels of inner nodes above the leaves; -1 for the empty part.
    var height: Int

    static var empty: Part { Part(root: Entry(node: noBlock, count: 0, weight: 0), height: -1) }
    var isEmpty: Bool { height < 0 }
  }

  /// A step of the path from the root to a leaf.
  struct Step {
    var node: UInt32
    var slot: Int32
  }

  let limits: Limits
  var leaves: Leaves
  var inners = NodeArena<InnerNode>()
  /// The whole sequence. Its sums are changed in place, but only `replaceWhole(by:)` sets another root.
  private(set) var whole = Part.empty
  /// The last path of `descend`: one step for each level, and the root's step at `height - 1`. A short index has no
  /// step.
  private(set) var path: UnsafeMutablePointer<Step>
  private var pathCapacity = 0

  init(limits: Limits, leaves: Leaves) {
    self.limits = limits
    self.leaves = leaves
    // The path is never read or written while the height is 0.
    unsafe path = UnsafeMutablePointer(bitPattern: 64)!
  }

  /// Makes `part` the whole sequence.
  mutating func replaceWhole(by part: Part) {
    whole = part
    if part.height > pathCapacity {
      if pathCapacity > 0 { unsafe path.deallocate() }
      unsafe path = .allocate(capacity: part.height)
      pathCapacity = part.height
    }
  }

  /// Adds to the sums of the whole. The callers change the sums on the way to the leaf.
  @inline(__always)
  mutating func addToWhole(count: Int, weight: Int) {
    whole.root.count &+= count
    whole.root.weight &+= weight
  }

  var fanLimits: (most: Int, least: Int) { (limits.fanOut, limits.fanMinimum) }

  var count: Int { whole.root.count }
  var weight: Int { whole.root.weight }
  var height: Int { whole.height }

  var byteCount: Int {
    MemoryLayout<Self>.size + pathCapacity * MemoryLayout<Step>.stride + leaves.heapByteCount
      + inners.byteCount
  }

  /// A second tree of the same shape, in memory of its own.
  func copy() -> CountedTree {
    var copy = CountedTree(limits: limits, leaves: leaves.copy())
    copy.inners = inners.copy()
    copy.replaceWhole(by: whole)
    return copy
  }

  /// Frees the memory. The tree must not be used afterwards.
  func releaseAll() {
    leaves.releaseAll()
    inners.releaseAll()
    if pathCapacity > 0 { unsafe path.deallocate() }
  }
}

/// The leaves of a `CountedTree`, which hold the units.
///
/// The store does not know the number of units in a leaf. The tree knows this number, and passes it.
protocol LeafStore {
  /// The greatest number of units that a leaf can hold.
  static var capacity: Int { get }
  /// Whether leaves have links to their parents, so that the tree can be climbed.
  static var linksParents: Bool { get }

  mutating func allocate() -> UInt32
  mutating func release(_ leaf: UInt32)
  mutating func reserve(_ count: Int)

  /// The weight of the first `count` units.
  func weight(of leaf: UInt32, count: Int) -> Int

  /// Moves the last `moved` of the `leftCount` units of `left` to the start of `right`, which has `rightCount` units
  /// before.
  mutating func moveUp(
    _ moved: Int, from left: UInt32, count leftCount: Int, to right: UInt32, count rightCount: Int)
  /// Moves the first `moved` of the `rightCount` units of `right` to the end of `left`, which has `leftCount` units
  /// before.
  mutating func moveDown(
    _ moved: Int, from right: UInt32, count rightCount: Int, to left: UInt32, count leftCount: Int)

  /// Records the leaf's place in its parent, where `linksParents` is true.
  mutating func link(_ leaf: UInt32, to link: UInt32)
  /// The link that was recorded last.
  func link(of leaf: UInt32) -> UInt32

  var liveCount: Int { get }
  var heapByteCount: Int { get }
  func copy() -> Self
  func releaseAll()
}
