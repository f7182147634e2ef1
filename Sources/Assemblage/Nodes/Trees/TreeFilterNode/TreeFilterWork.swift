import OffsetIndexing

// What is under way while a change goes through a tree filter. None of it knows the elements: types inside the family would be
// generic, and every list of them would be looked up at run time.

/// What is on its way through the tree.
struct TreeFilterWork {
  var edit = TreeFilterEdit()
  var passages: [TreeFilterPassage] = []
  /// Records that have been taken out.
  var removed: [Int] = []
  /// Records of nodes that have come.
  var fresh: [Int] = []
  /// Records whose children are all shown from now on, or no longer.
  var turned: [Int] = []
  /// Records that something happened to, and that will show all children when those above have turned.
  var turning: Set<Int> = []
  /// Whether children that vanish are followed in case that they appear again.
  var isFollowing = false
  /// Whether an observer hears what happens below the children.
  var isHeard = true
  /// Nodes of the source for which others stand now; to be released when nothing is being changed.
  var exchanged: [any TreeNode] = []
  /// How many children had left with earlier changes, and did not come back with this one.
  var formerDepartures = 0
}

/// A child that crosses from one parent to another, or leaves for, or comes from, outside.
struct TreeFilterPassage {
  let crossing: Crossing
  /// Where it was among those that are shown; nil: nowhere.
  var origin: Crossing.End?
  /// The record that it takes along; -1: none.
  var record = -1
  /// The path in the source where it ends; nil where that is outside.
  let destination: [Int]?
  /// What happened inside it, by number in the edit; -1: nothing is known of it.
  var touch = -1
  /// Whether it is known which record it took along.
  var isKnown = true
  /// Whether it was a leaf and is a node now.
  var isNew = false
  /// Whether it has come to a parent that has a record.
  var isAttached = false

  init(_ crossing: Crossing) {
    self.crossing = crossing
    if case .inside(let place) = crossing.to { destination = place.components } else { destination = nil }
  }
}

/// A node to go down into.
struct TreeFilterVisit {
  var index: Int
  var touch: Int
  /// The branch of the forest; nil where the tree is none.
  var branch: TreeIndex.Branch?
  /// The passages that end here or below, and how much of their paths has been walked.
  var arriving: [Int]
  var depth: Int
}

/// A child that left for an unknown place.
struct TreeFilterDeparture {
  let token: Crossing.Token
  /// The record that it took along; -1: it had none.
  let record: Int
  /// Whether those above have heard of it.
  let wasShown: Bool
}
