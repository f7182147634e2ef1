/// How a net change is spread over stages: for each parent that it touches, all children that it ever has.
///
/// The trees between the stages are told apart by their number: 0 is the one before the change, `stageCount` the one after it,
/// and stage i leads from tree i - 1 to tree i. A parent's children in all these trees are one list of *slots*, each present
/// from the stage in which it comes to the one in which it leaves:
///
/// ```
/// ["a", "b", "c"] → ["c", "X", "a"]     stands a    removed b    source c    destination c    inserted X   …
/// ```
///
/// Those that stand are in the same order before and after, and part the list; between two of them, first come those that
/// leave, in the order before the change, then those that come, in the order after it. So the children of every tree between
/// are the slots present in it, in the order of the list, whatever the stages are.
struct StagePlan {
  /// Neighbours that come and leave together.
  struct Slot {
    enum Kind: Equatable {
      case stands
      case removed
      case inserted
      /// The place that siblings move from; the slot that they move to.
      case source(Int)
      /// The place that siblings move to; the slot that they come from.
      case destination(Int)
      /// A child that moves to another parent: the number of the transfer.
      case leaves(Int)
      /// A child that comes from another parent: the number of the transfer.
      case arrives(Int)
    }

    var kind: Kind
    var count: Int
    /// The stage in which the slot comes or leaves.
    var stage = 0
    /// The children that are updated, counted from the slot's first; never in a slot that leaves.
    var updates: [Range<Int>] = []
    /// The stage in which they are.
    var updateStage = 0
    /// The node of the slot's only child, where there is one.
    var node: Int?

    var isBefore: Bool {
      switch kind {
      case .stands, .removed, .source, .leaves: true
      case .inserted, .destination, .arrives: false
      }
    }

    var isAfter: Bool {
      switch kind {
      case .stands, .inserted, .destination, .arrives: true
      case .removed, .source, .leaves: false
      }
    }

    /// Whether the slot's children are there in tree number `tree`.
    func isPresent(in tree: Int) -> Bool {
      isBefore ? isAfter || tree < stage : tree >= stage
    }
  }

  /// A child in the list of its parent.
  struct Place {
    var node: Int
    var slot: Int
    var offset: Int
  }

  /// A parent whose children change.
  struct Node {
    /// Where it is before the change; nil: it is the root, or inserted.
    var before: Place?
    /// Where it is after the change; nil: it is the root, or removed.
    var after: Place?
    var slots: [Slot] = []
    /// The nodes among its children, before or after the change.
    var children: [Int] = []
    /// For each tree, the position of each slot, and the count of all.
    var starts: [[Int]] = []
  }

  /// A child that goes to another parent.
  struct Transfer {
    var source: Place
    var destination: Place
    var updatesValue: Bool
    /// The child itself, where its children matter.
    var node: Int?
    var stage = 1
  }

  /// The first is the root.
  var nodes: [Node] = []
  var transfers: [Transfer] = []
  var stageCount = 0

  // MARK: Places in the trees between

  /// Counts the positions in all trees; all slots must have their stage.
  mutating func layOut() {
    for index in nodes.indices { nodes[index].starts = positions(in: nodes[index].slots) }
  }

  /// For each tree, the position of each slot, and the count of all.
  func positions(in slots: [Slot]) -> [[Int]] {
    (0...stageCount).map { tree in
      var starts: [Int] = []
      starts.reserveCapacity(slots.count + 1)
      var position = 0
      for slot in slots {
        starts.append(position)
        if slot.isPresent(in: tree) { position += slot.count }
      }
      starts.append(position)
      return starts
    }
  }

  func slot(at place: Place) -> Slot { nodes[place.node].slots[place.slot] }

  func isPresent(_ place: Place, in tree: Int) -> Bool { slot(at: place).isPresent(in: tree) }

  /// Where the node is in a tree; nil: it is the root, or not there.
  func place(of node: Int, in tree: Int) -> Place? {
    if let before = nodes[node].before, isPresent(before, in: tree) { return before }
    if let after = nodes[node].after, isPresent(after, in: tree) { return after }
    return nil
  }

  /// Where a child is in a tree, of which a place after the change is given.
  func place(of place: Place, in tree: Int) -> Place {
    switch slot(at: place).kind {
    case .destination(let source) where !isPresent(place, in: tree):
      Place(node: place.node, slot: source, offset: place.offset)
    case .arrives(let transfer) where !isPresent(place, in: tree): transfers[transfer].source
    default: place
    }
  }

  /// The position of a place in its parent's children.
  func position(of place: Place, in tree: Int) -> Int {
    nodes[place.node].starts[tree][place.slot] + place.offset
  }

  /// The path of a node in a tree.
  func path(of node: Int, in tree: Int) -> IndexPath {
    IndexPath(climbingFrom: node) { node in
      place(of: node, in: tree).map { (position(of: $0, in: tree), $0.node) }
    }
  }

  /// The path of a place in a tree.
  func path(of place: Place, in tree: Int) -> IndexPath {
    path(of: place.node, in: tree).appending(position(of: place, in: tree))
  }
}
