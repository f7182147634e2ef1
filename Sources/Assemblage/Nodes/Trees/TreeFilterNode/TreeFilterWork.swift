import OffsetIndexing

// What is under way while a change goes through a tree filter. None of it knows the elements: types inside the family would be
// generic, and every list of them would be looked up at run time.

/// What is on its way through the tree.
struct TreeFilterWork: TreeWork {
  typealias Record = TreeIndex.Branch

  var edit = TreeFilterEdit()
  var passages: [TreePassage] = []
  var removed: [Record] = []
  /// Records of nodes that have come.
  var fresh: [Record] = []
  /// Records whose children are all shown from now on, or no longer.
  var turned: [Record] = []
  /// Records that something happened to, and that will show all children when those above have turned.
  var turning: Set<Record> = []
  /// Whether children that vanish are followed in case that they appear again.
  var isFollowing = false
  var isHeard = true
  /// Nodes of the source for which others stand now; to be released when nothing is being changed.
  var exchanged: [any TreeNode] = []
  /// How many children had left with earlier changes, and did not come back with this one.
  var formerDepartures = 0

  func change(_ touch: Int) -> ChangeSet { edit.change(touch) }
}

/// A node to go down into.
struct TreeFilterVisit {
  var index: Int
  var touch: Int
  /// The passages that end here or below, and how much of their paths has been walked.
  var arriving: [Int]
  var depth: Int
}

/// What is under way in a transaction. Like `TreeProgress` it knows no elements.
struct TreeFilterFollowing {
  /// The pieces of what left in the transaction under way, and is given up when that ends.
  ///
  /// Not before: the change that is under way may be taken back, but these departures are not.
  var leaving: [TreeIndex.Branch] = []
  /// What was hidden in the transaction under way; nil outside of one.
  var hiding: TreeFilterHiding?
  var transaction: Int?
}
