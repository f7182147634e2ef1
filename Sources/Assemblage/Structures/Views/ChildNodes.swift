/// The nodes that were made for some of a node's children, by slot and by position.
struct ChildNodes<Node: AnyObject> {
  private var nodes: [Node?] = []
  private var positions: [Int] = []
  private var slots: [Int: Int] = [:]
  private var free: [Int] = []

  /// The node at a position, if one was made.
  subscript(position: Int) -> Node? { slots[position].flatMap { nodes[$0] } }

  /// The position of the node in a slot.
  func position(ofSlot slot: Int) -> Int { positions[slot] }

  /// All nodes, in any order.
  var all: [Node] { nodes.compactMap { $0 } }

  /// Adds a node, and returns its slot.
  ///
  /// - Complexity: O(1).
  mutating func add(_ node: Node, at position: Int) -> Int {
    let slot = free.popLast() ?? nodes.count
    if slot == nodes.count {
      nodes.append(node)
      positions.append(position)
    } else {
      nodes[slot] = node
      positions[slot] = position
    }
    slots[position] = slot
    return slot
  }

  /// Moves each node to the position of its child after a change, and removes nodes whose children left.
  ///
  /// - Returns: the removed nodes, with their slots and their positions before the change.
  /// - Complexity: O(m · log c) for m nodes and a change of c ranges.
  mutating func follow(_ delta: Delta) -> [(slot: Int, position: Int, node: Node)] {
    guard delta.movesPositions, !slots.isEmpty else { return [] }
    let map = Delta.PositionMap(delta)
    var lost: [(slot: Int, position: Int, node: Node)] = []
    var moved: [Int: Int] = [:]
    for (former, slot) in slots {
      if let position = map.position(after: former) {
        moved[position] = slot
        positions[slot] = position
      } else if let node = nodes[slot] {
        lost.append((slot, former, node))
        nodes[slot] = nil
        free.append(slot)
      }
    }
    slots = moved
    return lost
  }

  /// Drops all nodes, because their parent is about to be released.
  mutating func removeAll() { self = ChildNodes() }
}
