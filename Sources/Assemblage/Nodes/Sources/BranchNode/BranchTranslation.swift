import OffsetIndexing

/// Knows which children of a branch are nodes, and where each of them stands.
///
///     children     leaf   node   leaf   leaf   node
///     isNode         0      1      0      0      1        a BitIndex
///     order               slot 0               slot 1     an OrderIndex over the nodes alone
///
/// A leaf costs one bit. A node is known by its *slot*, which stays the same while the node stays.
@usableFromInline
struct BranchTranslation {
  private var isNode: BitIndex
  private var order: OrderIndex

  /// Creates the translation for nodes in slots 0, 1, 2, …, which stand where `isNode` is true.
  init(isNode: some Sequence<Bool>) {
    self.isNode = BitIndex(isNode)
    order = OrderIndex(count: self.isNode.setCount)
    // `position(ofSlot:in:)` relies on it.
    assert(MemoryLayout<Self>.offset(of: \.order) == MemoryLayout<BitIndex>.stride)
  }

  /// The position of the node in a slot.
  func position(ofSlot slot: Int) -> Int {
    unsafe withUnsafePointer(to: self) { unsafe Self.position(ofSlot: slot, in: UnsafeRawPointer($0)) }
  }

  /// The position of the node in a slot of the translation at a place. Nothing is retained: each edit below a branch asks it.
  static func position(ofSlot slot: Int, in place: UnsafeRawPointer) -> Int {
    let order = unsafe place.advanced(by: MemoryLayout<BitIndex>.stride).assumingMemoryBound(to: OrderIndex.self)
    return unsafe place.assumingMemoryBound(to: BitIndex.self).select(order.position(ofNumber: slot))
  }

  /// Whether a node stands at a position, 0..<the number of children.
  @usableFromInline
  func isNode(at position: Int) -> Bool { isNode[position] }

  /// The slot of the node at a position, or nil where a leaf stands there.
  func slot(at position: Int) -> Int? { isNode[position] ? order[isNode.rank(position)].number : nil }

  /// Makes room for a leaf.
  mutating func insertLeaf(at position: Int) { isNode.insert(false, at: position) }

  /// Makes room for a node, and returns its slot.
  mutating func insertNode(at position: Int) -> Int {
    isNode.insert(true, at: position)
    return order.insert(at: isNode.rank(position)).number
  }

  /// Takes a child out, and returns its slot if it was a node.
  mutating func remove(at position: Int) -> Int? {
    let slot = isNode[position] ? order.remove(at: isNode.rank(position)).number : nil
    isNode.remove(at: position)
    return slot
  }

  /// Moves a child to another position, counted after the move.
  mutating func move(from position: Int, to destination: Int) {
    let former = isNode.rank(position)
    let bit = isNode.remove(at: position)
    isNode.insert(bit, at: destination)
    if bit { order.move(from: former, to: isNode.rank(destination)) }
  }
}
