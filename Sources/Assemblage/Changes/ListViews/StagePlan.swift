/// Distributes a net change over stages: for each parent that changes, a list of all children that it has in any stage.
///
/// The trees between the stages are numbered: tree 0 is the tree before the change, and tree `stageCount` is the tree
/// after it. Stage i leads from tree i - 1 to tree i. A parent's children in all these trees are one list of *slots*. A
/// slot is present until the stage in which it leaves, or from the stage in which it arrives:
///
/// ```
/// ["a", "b", "c"] → ["c", "X", "a"]     stands a    removed b    source c    destination c    inserted X   …
/// ```
///
/// The slots that stay are in the same order before and after the change, and divide the list. Between two of them, the
/// slots that leave lie first, in the order before the change. The slots that arrive follow, in the order after the
/// change. So in every tree, the children are the present slots, in the order of the list, for any choice of stages.
struct StagePlan {
  /// Neighbours that arrive and leave together.
  struct Slot {
    enum Kind: Equatable {
      case stays
      case removed
      case inserted
      /// Siblings move away from here: the slot that they move to.
      case source(Int)
      /// Siblings move to here: the slot that they move from.
      case destination(Int)
      /// A child that moves to another parent: the number of the transfer.
      case leaves(Int)
      /// A child that moves here from another parent: the number of the transfer.
      case arrives(Int)
    }

    var kind: Kind
    var count: Int
    /// The stage in which the slot arrives or leaves.
    var stage = 0
    /// The children that are updated, counted from the slot's first; never in a slot that leaves.
    var updates: [Range<Int>] = []
    /// The stage in which these children are updated.
    var updateStage = 0
    /// The node of the slot's only child, if there is one.
    var node: Int?

    var isBefore: Bool {
      switch kind {
      case .stays, .removed, .source, .leaves: true
      case .inserted, .destination, .arrives: false
      }
    }

    var isAfter: Bool {
      switch kind {
      case .stays, .inserted, .destination, .arrives: true
      case .removed, .source, .leaves: false
      }
    }

    /// Whether the slot's children exist in tree number `tree`.
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
    /// The node's place before the change; nil for the root and for an inserted node.
    var before: Place?
    /// The node's place after the change; nil for the root and for a removed node.
    var after: Place?
    var slots: [Slot] = []
    /// The nodes among its children, before or after the change.
    var children: [Int] = []
    /// For each tree, the position of each slot, and the count of all children.
    var starts: [[Int]] = []
  }

  /// A child that moves to another parent.
  struct Transfer {
    var source: Place
    var destination: Place
    var updatesValue: Bool
    /// The node of the child itself, if its children matter to the view.
    var node: Int?
    var stage = 1
  }

  /// The nodes; the first one is the root.
  var nodes: [Node] = []
  var transfers: [Transfer] = []
  var stageCount = 0

  // MARK: Places in the trees between

  /// Finds the positions in all trees; all slots must have their stage.
  mutating func layOut() {
    for index in nodes.indices { nodes[index].starts = positions(in: nodes[index].slots) }
  }

  /// For each tree, the position of each slot, and the count of all children.
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

  /// The place of a node in a tree; nil for the root, and for a node that does not exist in the tree.
  func place(of node: Int, in tree: Int) -> Place? {
    if let before = nodes[node].before, isPresent(before, in: tree) { return before }
    if let after = nodes[node].after, isPresent(after, in: tree) { return after }
    return nil
  }

  /// The place in a tree of a child that is given by its place after the change.
  func place(of place: Place, in tree: Int) -> Place {
    switch slot(at: place).kind {
    case .destination(let source) where !isPresent(place, in: tree):
      Place(node: place.node, slot: source, offset: place.offset)
    case .arrives(let transfer) where !isPresent(place, in: tree): transfers[transfer].source
    default: place
    }
  }

  /// The position of a place among its parent's children.
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
