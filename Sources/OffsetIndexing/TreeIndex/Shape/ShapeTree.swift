/// The tree under a tree index: a B+-tree over sequences of events that can be climbed.
///
///     inner node     [sums of up to 16 children][children][link][count]
///                              |
///     leaves         [event …][event …][event …]
///
/// The sums are plain, not prefix sums. So an edit changes one slot of each node on its way up, and a search adds up at
/// most 16 sums. Leaves and inner nodes link to their parents, and a table has the leaves of each branch's events. So a
/// branch is found from below, in time that does not depend on its depth.
///
/// There are several forests in the same arenas. Each forest is a sequence of events of its own, with a root. A cut
/// makes a forest and a paste removes it, and neither of them reads the events inside.
///
/// Every leaf except a root holds at least a third of its capacity, and at least two events. Every inner node except a
/// root holds at least a quarter of its capacity. Two runs are never side by side in a leaf. So the event before a run,
/// which determines the run's parent, is in the run's leaf or at the end of the leaf before.
@safe
struct ShapeTree: PackedTree {
  typealias Entries = EntryRoom<Entry>

  /// The node sizes. Tests make them small.
  struct Limits: Equatable {
    let leafCapacity: Int
    /// The events in each leaf that a bulk build makes.
    let leafFill: Int
    let leafMinimum: Int
    let fanOut: Int
    let fanMinimum: Int

    init(leafCapacity: Int = ShapeLeaf.capacity, fanOut: Int = ShapeNode.capacity) {
      precondition(
        leafCapacity >= 4 && leafCapacity <= ShapeLeaf.capacity, "a leaf holds 4...\(ShapeLeaf.capacity)")
      precondition(fanOut >= 4 && fanOut <= ShapeNode.capacity, "a node has 4...\(ShapeNode.capacity) children")
      self.leafCapacity = leafCapacity
      self.leafFill = max(2, leafCapacity * 14 / 15)
      self.leafMinimum = max(2, leafCapacity / 3)
      self.fanOut = fanOut
      self.fanMinimum = max(2, fanOut / 4)
    }
  }

  /// A child and its sum.
  struct Entry: PackedEntry {
    var node: UInt32
    var sum: ShapeSum
  }

  /// A sequence of events that belongs to no forest: a root, and the number of levels of inner nodes. The number is -1
  /// if the sequence is empty.
  struct Part {
    var root: Entry
    var height: Int

    static var empty: Part { Part(root: Entry(node: noBlock, sum: ShapeSum()), height: -1) }
    var isEmpty: Bool { height < 0 }
  }

  /// A sequence of events, and the branch whose children are on its top level.
  struct Forest {
    var part: Part
    var owner: UInt32
  }

  /// A place in a sequence: before the event at `slot` of `leaf`. If that event is a run, the place may be inside the
  /// run.
  struct Place {
    var leaf: UInt32
    var slot: Int
    /// The number of leaves of the run before the place.
    var inside = 0
  }

  let limits: Limits
  var leaves = NodeArena<ShapeLeaf>()
  var inners = NodeArena<ShapeNode>()
  var branches = BranchTable()
  var forests = ForestTable()

  /// A tree with one empty forest, whose owner is branch 0.
  init(limits: Limits) {
    self.limits = limits
    let root = branches.allocate()
    branches.setForest(root, makeForest(.empty, owner: root))
  }

  func copy() -> ShapeTree {
    var copy = self
    copy.leaves = leaves.copy()
    copy.inners = inners.copy()
    copy.branches = branches.copy()
    copy.forests = forests.copy()
    return copy
  }

  /// Frees the memory. The tree must not be used afterwards.
  func releaseAll() {
    leaves.releaseAll()
    inners.releaseAll()
    branches.releaseAll()
    forests.releaseAll()
  }

  var byteCount: Int {
    MemoryLayout<Self>.size + leaves.byteCount + inners.byteCount + branches.byteCount + forests.byteCount
  }

  // MARK: Forests

  mutating func makeForest(_ part: Part, owner: UInt32) -> UInt32 {
    let forest = forests.insert(Forest(part: .empty, owner: owner))
    setPart(part, of: forest)
    return forest
  }

  // The function is mutating, so that the caller reads the tree after the part has been made.
  mutating func setPart(_ part: Part, of forest: UInt32) {
    if part.root.sum.elements < 0 { TreeTrap.overflow() }
    forests[forest].part = part
    if !part.isEmpty { link(part.root.node, level: part.height, to: ShapeLink(forest: forest)) }
  }

  // MARK: Leaves

  @inline(__always)
  func count(of leaf: UInt32) -> Int { Int(leaves.lanes(leaf)[ShapeLeaf.countLane]) }

  @inline(__always)
  func event(_ slot: Int, _ lanes: Lanes) -> ShapeEvent { ShapeEvent(bits: UInt32(bitPattern: lanes[slot])) }

  /// The number of elements in an event.
  @inline(__always)
  func elements(_ event: ShapeEvent) -> Int {
    if event.bits < 0x8000_0000 { return Int(event.bits) }
    if event.isKind(.longRun) { return branches.count(event.record) }
    return event.isKind(.close) ? 0 : 1
  }

  func sum(of leaf: UInt32) -> ShapeSum {
    let lanes = leaves.lanes(leaf)
    var sum = ShapeSum()
    for slot in 0..<Int(lanes[ShapeLeaf.countLane]) { add(event(slot, lanes), to: &sum) }
    return sum
  }

  @inline(__always)
  func add(_ event: ShapeEvent, to sum: inout ShapeSum) {
    if event.isKind(.close) {
      sum.excess &-= 1
      return
    }
    let elements = elements(event)
    sum.addElements(elements, onLevel: sum.excess)
    sum.elements &+= elements
    if event.isKind(.open) { sum.excess &+= 1 }
  }

  /// The sum of a node as the node above records it.
  @inline(__always)
  func sum(at link: ShapeLink) -> ShapeSum {
    link.isForest ? forests[link.forest].part.root.sum : inner(link.parent).sum(link.slot)
  }

  /// Writes an event into a leaf, and writes the leaf of the event into the table.
  @inline(__always)
  func set(_ slot: Int, of leaf: UInt32, _ lanes: Lanes, to event: ShapeEvent) {
    lanes[slot] = Int32(bitPattern: event.bits)
    if event.isBranch {
      branches.setOpenLeaf(event.record, leaf)
    } else if event.isKind(.close) {
      branches.setCloseLeaf(event.record, leaf)
    }
  }

  /// Makes the event of a run of `length` leaves. A long run gets a record.
  mutating func run(_ length: Int) -> ShapeEvent {
    if length <= ShapeEvent.longestRun { return ShapeEvent(run: length) }
    let record = branches.allocate()
    branches.markLongRun(record)
    branches.setCount(record, length)
    return ShapeEvent(.longRun, record)
  }

  /// Returns the length of a run that is about to be removed, and frees the run's record, if it has one.
  mutating func take(_ run: ShapeEvent) -> Int {
    let length = elements(run)
    if run.isKind(.longRun) { branches.release(run.record) }
    return length
  }

  // MARK: Inner nodes

  var fanLimits: (most: Int, least: Int) { (limits.fanOut, limits.fanMinimum) }

  @inline(__always)
  func inner(_ node: UInt32) -> ShapeNodeView {
    let lanes = inners.lanes(node)
    return unsafe ShapeNodeView(
      lanes: lanes, words: Words(UnsafeMutableRawPointer(lanes.base).assumingMemoryBound(to: UInt64.self)))
  }

  @inline(__always)
  func link(ofLeaf leaf: UInt32) -> ShapeLink {
    ShapeLink(bits: UInt32(bitPattern: leaves.lanes(leaf)[ShapeLeaf.linkLane]))
  }

  @inline(__always)
  func link(of node: UInt32, level: Int) -> ShapeLink { level == 0 ? link(ofLeaf: node) : inner(node).link }

  @inline(__always)
  func link(_ node: UInt32, level: Int, to link: ShapeLink) {
    if level == 0 {
      leaves.lanes(node)[ShapeLeaf.linkLane] = Int32(bitPattern: link.bits)
    } else {
      inner(node).link = link
    }
  }

  mutating func release(_ node: UInt32, level: Int) {
    if level == 0 { leaves.release(node) } else { inners.release(node) }
  }

  func isTooSmall(_ node: UInt32, level: Int) -> Bool {
    level == 0 ? count(of: node) < limits.leafMinimum : inner(node).count < limits.fanMinimum
  }

  /// The number of an element, and the forest whose elements are counted.
  struct NumberedPlace {
    var number: Int
    var forest: UInt32

    @inline(__always)
    func advanced(by distance: Int) -> NumberedPlace { NumberedPlace(number: number &+ distance, forest: forest) }
  }

  /// Updates the sums above a node up to the root. The node's own sum has become `sum`.
  mutating func settleSums(above node: UInt32, level: Int, _ sum: ShapeSum) {
    _ = settleSums(above: link(of: node, level: level), sum, elementsBefore: nil)
  }

  /// Updates the sums above a node that hangs at `link`. On the same way, counts the elements before a place in the
  /// node.
  ///
  /// - Returns: the number of the place, if `count` elements of the node are before it. If `count` is nil, the number
  ///   has no meaning.
  @inline(__always)
  mutating func settleSums(above link: ShapeLink, _ sum: ShapeSum, elementsBefore count: Int?) -> NumberedPlace {
    var sum = sum
    var link = link
    var number = count ?? 0
    while !link.isForest {
      let inner = inner(link.parent)
      let old = inner.sum(link.slot)
      inner.set(link.slot, sum)
      let above = inner.link
      if count != nil { number &+= inner.elements(before: link.slot) }
      sum = Self.sum(of: inner, self.sum(at: above), replacing: old, in: link.slot, by: sum)
      link = above
    }
    if sum.elements < 0 { TreeTrap.overflow() }
    forests[link.forest].part.root.sum = sum
    return NumberedPlace(number: number, forest: link.forest)
  }

  /// The sum of a node after one child's sum has changed. The node's former sum was `whole`. Most often the new sum is
  /// found without adding up the children.
  @inline(__always)
  private static func sum(
    of inner: ShapeNodeView, _ whole: ShapeSum, replacing old: ShapeSum, in slot: Int, by new: ShapeSum
  ) -> ShapeSum {
    guard old.excess == new.excess else { return inner.sum }
    let base = inner.excess(before: slot)
    var whole = whole
    whole.elements &+= new.elements &- old.elements
    if old.elements != 0 { whole.removeElements(old.lowCount, onLevel: base &+ old.low) }
    if new.elements != 0 { whole.addElements(new.lowCount, onLevel: base &+ new.low) }
    return whole.lowCount == 0 ? inner.sum : whole
  }
}
