/// The common part of `BitIndex` and `OrderIndex`: a B+-tree that counts what is in its leaves.
///
///     inner node     [ends of 8 groups][ends in group 0]…[ends in group 7][62 children][link][child count]
///                              |
///     leaves         [units …][units …][units …]
///
/// A leaf holds *units* (bits, or handles), and a unit may have *weight* one or zero (set bits). An inner node holds
/// up to 62 children in eight groups of eight. It knows two prefix sums of each: how many units end with the group,
/// counted from the node's start, and how many end with the child, counted from the group's start; and the same of
/// weights. So a search compares twice eight 32-bit sums, four to an instruction, and an update adds to at most twice
/// eight, where one array of prefix sums would take 62 and a Fenwick array six dependent steps. Sums of a group
/// stand together in one cache line. Lanes beyond the last child repeat the last sum, so that no search stops there.
///
/// Counted in `Int32`: a tree holds at most `Int32.max` units.
///
/// Every node but the root holds at least an eighth of its capacity (`Limits`). That is little, on purpose: a node
/// that overflows at the sequence's end splits into one of seven eighths and one of one eighth, so that what is
/// appended one by one comes out seven eighths full.
///
/// Single edits find a path to a leaf (`descend`), change the leaf, and add to the sums on the path. Range edits
/// cut the tree into parts, and join parts (`CountedTree+Parts.swift`).
@safe
struct CountedTree<Leaves: LeafStore>: PackedTree {
  typealias Entries = EntryRoom<Entry>

  /// The node sizes; tests make them small.
  struct Limits: Equatable {
    /// The most units in a leaf.
    let leafCapacity: Int
    /// The least units in a leaf that is not the root.
    let leafMinimum: Int
    /// The units in each leaf that a bulk build makes.
    let leafFill: Int
    /// The most children of an inner node.
    let fanOut: Int
    /// The least children of an inner node that is not the root.
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

  /// A child and what is in it.
  struct Entry: PackedEntry {
    var node: UInt32
    // 32 bits as in the nodes, so that the entries of a node fit where a function may take room on the stack.
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

  /// A tree inside the tree's arenas: the whole, or a piece of it that was cut off.
  struct Part {
    /// The root's number: an inner node's where `height` is not 0, else a leaf's.
    var root: Entry
    /// How many levels of inner nodes stand above the leaves; -1 of the empty part.
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
  /// The whole sequence; its sums are changed in place, but another root only by `replaceWhole(by:)`.
  private(set) var whole = Part.empty
  /// The path that `descend` took last: one step a level, at `height - 1` the root's. A short index has none.
  private(set) var path: UnsafeMutablePointer<Step>
  private var pathCapacity = 0

  init(limits: Limits, leaves: Leaves) {
    self.limits = limits
    self.leaves = leaves
    // Never read or written while the height is 0.
    unsafe path = UnsafeMutablePointer(bitPattern: 64)!
  }

  /// Makes `part` the whole.
  mutating func replaceWhole(by part: Part) {
    whole = part
    if part.height > pathCapacity {
      if pathCapacity > 0 { unsafe path.deallocate() }
      unsafe path = .allocate(capacity: part.height)
      pathCapacity = part.height
    }
  }

  /// Adds to the sums of the whole; those on the way to the leaf are changed by the callers.
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

  /// Gives the memory back; the tree must not be used afterwards.
  func releaseAll() {
    leaves.releaseAll()
    inners.releaseAll()
    if pathCapacity > 0 { unsafe path.deallocate() }
  }
}

/// The leaves of a `CountedTree`: where the units are.
///
/// The store does not know how many units are in a leaf; the tree does, and passes it.
protocol LeafStore {
  /// The most units that a leaf can hold.
  static var capacity: Int { get }
  /// Whether leaves know their parent, so that the tree can be climbed.
  static var linksParents: Bool { get }

  mutating func allocate() -> UInt32
  mutating func release(_ leaf: UInt32)
  mutating func reserve(_ count: Int)

  /// The weight of the first `count` units.
  func weight(of leaf: UInt32, count: Int) -> Int

  /// Makes the last `moved` of the `leftCount` units of `left` the first of `right`, which had `rightCount`.
  mutating func moveUp(
    _ moved: Int, from left: UInt32, count leftCount: Int, to right: UInt32, count rightCount: Int)
  /// Makes the first `moved` of the `rightCount` units of `right` the last of `left`, which had `leftCount`.
  mutating func moveDown(
    _ moved: Int, from right: UInt32, count rightCount: Int, to left: UInt32, count leftCount: Int)

  /// Notes the leaf's place in its parent, where `linksParents`.
  mutating func link(_ leaf: UInt32, to link: UInt32)
  /// What was noted last.
  func link(of leaf: UInt32) -> UInt32

  var liveCount: Int { get }
  var heapByteCount: Int { get }
  func copy() -> Self
  func releaseAll()
}
